# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The devices that designs can be made for: one data file per card."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from pathlib import Path

from streamtensor import diagnostics, paths, process
from streamtensor.errors import DeviceError
from streamtensor.options import Options

CHECK_SECONDS = 60.0
# Operators of which several share a DSP.
PACKED_PRODUCTS = {"mul_pair_int": "two products in a DSP", "mul_cross_int": "four products in a DSP"}
_OF_FILE = {"bram": "bram36"}  # resources that a simulation calls otherwise


@dataclass(frozen=True)
class Energy:
    """Of a card: what it takes doing nothing, in watts, and what a byte of external memory and an operation of a DSP
    add, in picojoules."""

    static_watts: float
    byte_pj: float
    dsp_pj: float

    def joules(self, seconds: float, external_bytes: float, dsp_operations: float) -> float:
        return self.static_watts * seconds + (self.byte_pj * external_bytes + self.dsp_pj * dsp_operations) * 1e-12


@dataclass(frozen=True)
class Device:
    """One card: what it holds and how fast it runs."""

    name: str
    card: str
    part: str
    clock_mhz: float
    totals: dict[str, float]  # lut, ff, dsp, bram36, uram
    launch_us: float  # what starting a kernel costs the host
    energy: Energy | None  # None where the file does not say it
    path: Path


def describe(device: Device, options: Options) -> str:
    """All that is known of a device, as one file, with what `options` assume instead, whose source says what it was."""
    data, assumed = _data_of(device), options.to_assumptions()
    if "clock_mhz" in assumed:
        clock = data["clock_mhz"]
        clock["source"] = f"chosen for this design; the device has {clock['value']:g}: {clock['source']}"
        clock["value"] = assumed["clock_mhz"]
    if "memory_efficiency" in assumed:
        memory = data["external_memory"]
        stated = memory["sustained_bytes_per_s"] / memory["peak_bytes_per_s"]
        memory["sustained_bytes_per_s"] = assumed["memory_efficiency"] * memory["peak_bytes_per_s"]
        memory["source"] = f"sustained rate chosen for this design; the device has {stated:.1%}: {memory['source']}"
    if "products_per_dsp" in assumed:
        library, most = data["operators"], assumed["products_per_dsp"]
        data["operators"] = {name: row for name, row in library.items() if _products_in_a_dsp(name, row) <= most}
    if "vitis_version" in assumed:
        vitis = data["vitis"]
        vitis["source"] = f"chosen for this design; the device has {vitis['value']}: {vitis['source']}"
        vitis["value"] = assumed["vitis_version"]
    return _text_of(data)


def _products_in_a_dsp(name: str, row: dict) -> float:
    """Of how many products of an operator's kind one DSP is made."""
    return 1 / row["dsp"] if name in PACKED_PRODUCTS else 1


def rest_of(device: Device, simulation: dict, path: Path) -> Device:
    """What the simulated designs leave of `device`, written to `path`: of its dies and of the wires between them.

    Masters of external memory stay as many, for designs that run in turn: a port of the memory serves those of both.
    """
    data = _data_of(device)
    share = data["placement"]["share"]
    for design in simulation["designs"]:
        used = {die["name"]: die["used"] for die in design["dies"]}
        for die in data["dies"]["list"]:
            for name, amount in used[die["name"]].items():
                taken, key = math.ceil(amount / share), _OF_FILE.get(name, name)
                die[key], data["totals"][key] = max(die[key] - taken, 0), max(data["totals"][key] - taken, 0)
        data["dies"]["crossing_wires"] -= max((each["bits"] for each in design["crossings"]), default=0)
    path.write_text(_text_of(data))
    return load_device(path)


def larger(device: Device, times: int, path: Path) -> Device:
    """`device` with so many times the resources and wires, written to `path`: for designs that only run natively."""
    data = _data_of(device)
    for held in (data["totals"], *data["dies"]["list"]):
        held.update({key: amount * times for key, amount in held.items() if key in device.totals})
    data["dies"]["crossing_wires"] *= times
    path.write_text(_text_of(data))
    return load_device(path)


def device_files() -> list[Path]:
    return sorted(paths.devices_directory().glob("*.json"))


def find_device(name: str) -> Device:
    """Finds a device by its name, or by the path of its data file."""
    if name.endswith(".json"):
        return load_device(Path(name))
    for path in device_files():
        if path.stem == name.lower():
            return load_device(path)
    known = ", ".join(path.stem for path in device_files()) or "none"
    raise DeviceError(
        f"Unknown device '{name}': the devices are {known}. Choose one of them, or give the path of a data file like "
        f"those in {paths.devices_directory()}."
    )


def load_device(path: Path) -> Device:
    """Reads a data file that the compiler accepts."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise DeviceError(f"The device file '{path}' cannot be read: {reason}.") from error
    _check(path)
    data = _complete(path, text)
    totals = {key: value for key, value in data["totals"].items() if key != "source"}
    clock_mhz, launch_us = (float(data[key]["value"]) for key in ("clock_mhz", "host_launch_us"))
    return Device(data["name"], data["card"], data["part"], clock_mhz, totals, launch_us, _energy(data), path)


def _energy(data: dict) -> Energy | None:
    figures = {key: float(value) for key, value in data.get("energy", {}).items() if key != "source"}
    return Energy(**figures) if figures else None


def _data_of(device: Device) -> dict:
    return _complete(device.path, device.path.read_text())


def _text_of(data: dict) -> str:
    return json.dumps(data, indent=1) + "\n"


def _complete(path: Path, text: str) -> dict:
    """The groups of a file that the compiler accepts, and those of the one that it is based on."""
    data = json.loads(text)
    if "based_on" not in data:
        return data
    base = path.parent / data.pop("based_on")
    return {**_complete(base, base.read_text()), **data}


def _check(path: Path) -> None:
    """The compiler knows what a device file must say: it is asked with an empty module, behind the last phase."""
    nothing = "--streamtensor-pipeline=start-after=size"
    command = [paths.find_tool("streamtensor-opt"), os.devnull, nothing, f"--device={path}"]
    outcome = process.run(command, CHECK_SECONDS, remedy=process.AGAIN)
    if outcome.code == 0:
        return
    found = diagnostics.parse(outcome.stderr)
    reason = found[0].text if found else outcome.stderr.strip()
    raise DeviceError(f"{reason[:1].upper()}{reason[1:]}. Compare it with {_example()}.")


def _example() -> Path:
    return paths.devices_directory() / "u55c.json"
