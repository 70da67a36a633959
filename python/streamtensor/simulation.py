# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cycle-level simulator says about a design."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamtensor import diagnostics, paths, process
from streamtensor.errors import RunError
from streamtensor.options import SimulationOptions


@dataclass(frozen=True)
class Simulation:
    """Cycles and seconds of one activation, and where they go."""

    cycles: int
    seconds: float
    tasks: list[dict]
    fifos: list[dict]
    memory: dict
    data: dict


def simulate(
    sized: Path,
    time_limit: float,
    timeline: Path | None = None,
    on_chip_io: bool = False,
    scalars: Mapping[str, int] | None = None,
    what_if: Sequence[str] = (),
    advise: bool = False,
    clock_mhz: float | None = None,
    further: Sequence[str] = (),
) -> Simulation:
    """Runs streamtensor-sim on size-phase IR; a deadlock is an error that names the FIFOs.

    With `what_if` the cycles are those of the edited design; `data["what_if"]` compares them with those before, and
    `data["advice"]` has what `advise` tried. With `clock_mhz` it runs at that clock, its schedule as it is. `further`
    are options of streamtensor-sim.
    """
    options = SimulationOptions(timeline, on_chip_io, what_if, advise, clock_mhz)
    command: list[str | Path] = [paths.find_tool("streamtensor-sim"), sized, "--json", *further]
    command += [f"--scalar={name}={value}" for name, value in (scalars or {}).items()]
    command += options.to_arguments()
    outcome = process.run(command, time_limit)
    if timeline is not None and diagnostics.NO_SPACE in outcome.stderr:
        raise diagnostics.no_space(timeline.absolute().parent, "choose another file with --timeline")
    diagnostics.check(outcome, sized, "the sized design")
    return parse(outcome.stdout)


def parse(text: str) -> Simulation:
    try:
        data = json.loads(text)
        return Simulation(
            int(data["cycles"]), float(data["seconds"]), data["tasks"], data["fifos"], data.get("memory", {}), data
        )
    except (ValueError, KeyError) as error:
        raise RunError(
            f"The simulator's answer cannot be read ({error!r}): this is a defect of StreamTensor."
        ) from error
