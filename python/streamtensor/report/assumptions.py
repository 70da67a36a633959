# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the figures of a design rest on, in the words of its device file, and what changes it."""

from __future__ import annotations

from dataclasses import dataclass

from streamtensor.devices import PACKED_PRODUCTS
from streamtensor.options import declared

# Groups of the device file, in the order of docs/devices.md, but for names, the clock and the library.
_GROUPS = {
    "totals": "resources of the card",
    "dies": "dies",
    "placement": "share of a die that can be placed",
    "external_memory": "external memory, a channel",
    "memory_port": "master of external memory",
    "fifo": "FIFOs",
    "link": "FIFOs between kernels",
    "control": "control",
    "dsp": "multipliers of a DSP",
    "host_launch_us": "start of a kernel by the host, µs",
    "energy": "energy, W and pJ",
    "platform": "platform of v++",
}


# All else that the file says.
FILE_SWITCH = "--device FILE"


@dataclass(frozen=True)
class Assumption:
    """`switch`: the option of `streamtensor compile` that changes it."""

    name: str
    figures: str
    source: str
    switch: str = FILE_SWITCH


def assumptions(device: dict) -> list[Assumption]:
    """What an option changes, then the groups of the file."""
    memory, packed = device["external_memory"], _packed(device["operators"])
    efficiency = memory["sustained_bytes_per_s"] / memory["peak_bytes_per_s"]
    rate = f"{efficiency:.1%} of the peak rate"
    clock, vitis = device["clock_mhz"], device["vitis"]
    return [
        Assumption("clock, MHz", _figures(clock), clock["source"], _switch("clock_mhz")),
        Assumption("efficiency of memory", rate, memory["source"], _switch("memory_efficiency")),
        *(Assumption(*each, _switch("products_per_dsp")) for each in packed),
        Assumption("Vitis", f"{vitis['value']} and later", vitis["source"], _switch("vitis_version")),
        *(
            Assumption(title, _figures(device[key]), device[key]["source"])
            for key, title in _GROUPS.items()
            if key in device  # "energy" is not known of every card
        ),
    ]


def operators(device: dict) -> list[Assumption]:
    """The library: cycles and resources of each operator."""
    return [Assumption(name, _figures(data), data["source"]) for name, data in device["operators"].items()]


def _packed(library: dict) -> list[tuple[str, str, str]]:
    """How products are packed into DSPs: names, figures and sources."""
    found = [(PACKED_PRODUCTS[name], library[name]) for name in PACKED_PRODUCTS if name in library]
    if not found:
        return [("products in a DSP", "one", "no operator of the device packs more")]
    return [(title, _figures(row), row["source"]) for title, row in found]


def _switch(name: str) -> str:
    """The option of the command for a field of Options."""
    assert name in declared()
    return f"--{name.replace('_', '-')}"


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
