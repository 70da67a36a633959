# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a schedule gives: the design that it makes, sized and simulated, within the card's resources."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from streamtensor import capacity, diagnostics, paths, process, simulation
from streamtensor.errors import Error
from streamtensor.stored import StoredDesign

_RESOURCES = ("lut", "ff", "dsp", "bram", "uram")
# Limits that the compiler checks as soon as it can.
_EARLY = {"cycles": "cycles", "dsp": "dsps"}

# What can be minimised: of the simulator's answer. Cycles of one launch, seconds at the card's clock, resources used,
# bytes that pass through external memory.
OBJECTIVES: dict[str, Callable[[dict], float]] = {
    "cycles": lambda data: data["cycles"],
    "seconds": lambda data: data["seconds"],
    **{name: lambda data, name=name: data["resources"][name]["used"] for name in _RESOURCES},
    "bytes": lambda data: sum(channel["bytes"] for channel in data.get("channels", [])),
}


@dataclass(frozen=True)
class Measured:
    """All objectives of a schedule; or, where it makes no design that fits, why."""

    values: dict[str, float] = field(default_factory=dict)
    refused: str = ""


class Evaluation:
    """Compiles the program of a compiled design with other schedules, for the same card and with its other options."""

    def __init__(self, directory: Path, time_limit: float, limits: Mapping[str, float]):
        design = StoredDesign(directory)
        self._source = directory.absolute() / "ir" / "00-source.mlir"
        self._device = directory.absolute() / "device.json"
        self._name, self._card = design.manifest["model"], design.manifest["card"]
        self._time_limit, self._limits = time_limit, limits

    def measure(self, schedule: dict) -> Measured:
        with tempfile.TemporaryDirectory(prefix="streamtensor-tune-") as work:
            try:
                data = self._simulate(schedule, Path(work))
                capacity.check_fits(self._name, self._card, data)
            except Error as error:
                return Measured(refused=str(error))
        values = {name: float(of(data)) for name, of in OBJECTIVES.items()}
        for name, most in self._limits.items():
            if values[name] > most:
                return Measured(refused=f"It takes {values[name]:,.10g} {name}, more than the {most:,.10g} asked for.")
        return Measured(values)

    def _simulate(self, schedule: dict, work: Path) -> dict:
        chosen, sized = work / "schedule.json", work / "sized.mlir"
        chosen.write_text(json.dumps(schedule))
        words = {"device": self._device, "schedule": chosen}
        # The search for FIFO depths takes most of the time: what leaves alone say of the design comes before it.
        early = {"refuse-unfit": "true"}
        early |= {f"most-{option}": int(self._limits[name]) for name, option in _EARLY.items() if name in self._limits}
        command = [
            paths.find_tool("streamtensor-opt"),
            self._source,
            f"--streamtensor-pipeline={' '.join(f'{name}={value}' for name, value in early.items())}",
            *(f"--{name}={value}" for name, value in words.items()),
            "-o",
            sized,
        ]
        diagnostics.check(process.run(command, self._time_limit), self._source, self._name)
        return simulation.simulate(sized, self._time_limit).data
