# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables that fit the terminal: a chosen few columns, long names folded and never cut."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from streamtensor.tuning import Tuned

_WIDTH = 1000  # of what is no terminal and names no COLUMNS: a line is a row

# By key of the simulator's answer, in order; --json has every key.
TASK_COLUMNS = {
    "name": "task",
    "role": "role",
    "ii": "II",
    "busy": "busy",
    "input_stall": "in stall",
    "output_stall": "out stall",
    "memory_stall": "mem stall",
    "end": "end",
}
CHANNEL_COLUMNS = {
    "name": "channel",
    "bytes": "bytes",
    "busy": "busy",
    "utilisation": "of rate",
}
CSYNTH_COLUMNS = {
    "name": "task",
    "ii": "II",
    "depth": "depth",
    "lut": "LUT",
    "ff": "FF",
    "dsp": "DSP",
    "bram": "BRAM",
    "uram": "URAM",
}
ADVICE_COLUMNS = {
    "what_if": "--what-if",
    "cycles": "cycles",
    "gain": "gain %",
    "dsp": "DSP",
    "lut": "LUT",
    "bram": "BRAM",
    "uram": "URAM",
}
FIFO_COLUMNS = {
    "name": "FIFO",
    "bits": "bits",
    "depth": "depth",
    "high_water": "used",
    "tokens": "tokens",
    "memory": "memory",
    "critical": "critical",
}


def console() -> Console:
    """Standard output, as wide as the terminal, as COLUMNS says, or as wide as its lines."""
    found = Console(highlight=False, soft_wrap=True)
    if not found.is_terminal and "COLUMNS" not in os.environ:
        found.width = _WIDTH
    return found


def table(title: str, columns: Mapping[str, str], rows: Sequence[Mapping]) -> Table:
    """A table of `rows`: for each key of `columns` a column under its heading."""
    made = Table(
        title=title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    for key, heading in columns.items():
        numeric = bool(rows) and isinstance(rows[0].get(key), int | float) and not isinstance(rows[0][key], bool)
        made.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        made.add_row(*(_cell(row.get(key, "")) for key in columns))
    return made


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def describe_what_if(found: Mapping) -> str:
    """An edited design beside the one as it is."""
    before = found["cycles_before"]
    change = "it deadlocked before" if before is None else f"{before} before: {found['change_percent']:+.2f} %"
    fifos = ", ".join(fifo["name"] for fifo in found["critical_fifos"])
    busiest = ", ".join(f"{task['name']} ({task['share']:.0%})" for task in found["busiest_tasks"])
    lines = [f"if {' and '.join(found['questions'])}: {found['cycles']} cycles, {change}", *found["notes"]]
    return "\n".join([*lines, f"then critical: FIFOs {fifos or 'none'}; at work longest: {busiest}"])


def advice(found: Mapping) -> Table:
    """What could be widened, the best first; what would gain nothing is counted."""
    gains = [trial for trial in found["trials"] if (trial["gain_percent"] or 0) > 0]
    rows = [
        {
            "what_if": " --what-if ".join(map(shlex.quote, trial["what_if"])),
            "cycles": trial["cycles"],
            "gain": trial["gain_percent"],
        }
        | {name: f"{trial['resources'][name]:+g}" for name in ("dsp", "lut", "bram", "uram")}
        for trial in gains
    ]
    made = table("What to widen next", ADVICE_COLUMNS, rows)
    others = len(found["trials"]) - len(gains)
    untried = f"; {found['untried']} of which less is expected were not tried" if found["untried"] else ""
    made.caption, made.caption_justify = f"{others} others gain nothing{untried}", "left"
    return made


def describe_tuning(found: Tuned, objectives: tuple[str, ...]) -> str:
    """What a search found, beside what it started from."""
    lines = [f"{found.trials} schedules tried, {found.refused} of them refused"]
    for name in objectives:
        before = f" ({found.start[name]:,.10g} before)" if found.start else ""
        lines.append(f"{name}: {found.best[0][name]:,.10g}{before}")
    if len(found.best) > 1:
        lines.append(f"{len(found.best)} schedules of the front stand beside it, numbered")
    return "\n".join([*lines, f"{found.schedule}: for `streamtensor compile --schedule`"])
