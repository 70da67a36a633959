# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The devices that designs can be made for: one data file per card."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from streamtensor import paths
from streamtensor.errors import DeviceError


@dataclass(frozen=True)
class Device:
    """One card: what it holds and how fast it runs."""

    name: str
    card: str
    part: str
    clock_mhz: float
    totals: dict[str, float]  # lut, ff, dsp, bram36, uram
    path: Path


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
    try:
        data = json.loads(path.read_text())
        totals = {key: value for key, value in data["totals"].items() if key != "source"}
        return Device(data["name"], data["card"], data["part"], float(data["clock_mhz"]["value"]), totals, path)
    except OSError as error:
        raise DeviceError(f"The device file '{path}' cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DeviceError(f"The device file '{path}' is malformed ({error!r}): compare it with u55c.json.") from error
