# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the figures of a design rest on, in the words of its device file."""

from __future__ import annotations

from dataclasses import dataclass

from streamtensor.devices import PACKED_PRODUCTS

# Groups of the device file, in the order of docs/devices.md, but for names and the library.
_GROUPS = {
    "clock_mhz": "clock, MHz",
    "totals": "resources of the card",
    "dies": "dies",
    "placement": "share of a die that can be placed",
    "external_memory": "external memory, a channel",
    "memory_port": "master of external memory",
    "fifo": "FIFOs",
    "control": "control",
    "dsp": "multipliers of a DSP",
    "host_launch_us": "start of a kernel by the host, µs",
    "platform": "platform of v++",
}


@dataclass(frozen=True)
class Assumption:
    name: str
    figures: str
    source: str


def assumptions(device: dict) -> list[Assumption]:
    """The groups of the file, the efficiency of memory, and how products are packed into DSPs."""
    found = [Assumption(title, _figures(device[key]), device[key]["source"]) for key, title in _GROUPS.items()]
    memory = device["external_memory"]
    efficiency = memory["sustained_bytes_per_s"] / memory["peak_bytes_per_s"]
    found.insert(5, Assumption("efficiency of memory", f"{efficiency:.1%} of the peak rate", memory["source"]))
    for name, title in PACKED_PRODUCTS.items():
        if packed := device["operators"].get(name):
            found.append(Assumption(title, _figures(packed), packed["source"]))
    return found


def operators(device: dict) -> list[Assumption]:
    """The library: cycles and resources of each operator."""
    return [Assumption(name, _figures(data), data["source"]) for name, data in device["operators"].items()]


def _figures(group: dict) -> str:
    return "; ".join(_figure(key, value) for key, value in group.items() if key != "source")


def _figure(key: str, value: object) -> str:
    if key == "value":
        return _spell(value)
    return f"{key.replace('_', ' ')} {_spell(value)}"


def _spell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_spell(each) for each in value)
    if isinstance(value, dict):
        return f"({_figures(value)})"
    return f"{value:,.12g}" if isinstance(value, int | float) else str(value)
