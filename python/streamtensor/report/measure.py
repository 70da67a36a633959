# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runs of the simulator that a report shows."""

from __future__ import annotations

from streamtensor.report.activity import PARTS
from streamtensor.simulation import Simulation
from streamtensor.stored import StoredDesign

# What smaller FIFOs may cost in the sizings that the page compares, as parts of the speed.
FIFO_LOSSES = (0.0, 0.01, 0.05, 0.1, 0.3)
CLOCK_PERCENT = (80, 90, 110, 120)  # of the clock that the device file states


def measure(design: StoredDesign, sizings: bool = False) -> Simulation:
    """A launch as `streamtensor simulate` has it, with what each task does in each part of the run.

    With `sizings`, each design has these too: its FIFOs sized by every strategy, and what each costs.
    """
    further = [f"--activity={PARTS}"]
    if sizings:
        further.append("--fifo-losses=" + ",".join(f"{loss:g}" for loss in FIFO_LOSSES))
    return design.simulate(further=further)


def at_clocks(design: StoredDesign, stated: Simulation) -> list[dict]:
    """The launch at lower and higher clocks, beside which memory keeps its rate; schedules stay as they are."""
    runs = [design.simulate(clock_mhz=stated.data["clock_mhz"] * share / 100) for share in CLOCK_PERCENT]
    facts = [{key: run.data[key] for key in ("clock_mhz", "cycles", "seconds")} for run in [stated, *runs]]
    return sorted(facts, key=lambda run: run["clock_mhz"])
