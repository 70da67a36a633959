# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of `MODULE_csynth.rpt`, which Vitis HLS writes beside csynth.xml: what a module holds besides instances.

Their figures of LUTs are the tool's estimates, and are not read; kinds, widths and sizes are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_CONTROL = "ap_"  # states, enables and handshakes of a pipeline
_LINE = re.compile(r"_ln(\d+)")


@dataclass(frozen=True)
class Expression:
    """An operator of logic: `+`, `icmp`, `select` and so on, and the bits of its widest operand."""

    operation: str
    bits: int


@dataclass(frozen=True)
class Choice:
    """A multiplexer."""

    inputs: int
    bits: int


@dataclass(frozen=True)
class Memory:
    words: int
    bits: int
    kind: str  # lutram, bram, uram


@dataclass(frozen=True)
class Tables:
    expressions: list[Expression] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)


@cache
def read_tables(path: Path) -> Tables:
    """What no instance names; without loops' counters and control, which the model counts by loops and tasks."""
    text = path.read_text()
    rows = {title: list(_rows(text, title)) for title in ("Expression", "Multiplexer", "Memory")}
    return Tables(
        list(_expressions(rows["Expression"])),
        [
            Choice(int(inputs), int(bits))
            for name, _, inputs, bits, *_ in rows["Multiplexer"]
            if not name.startswith(_CONTROL) and int(bits) > 1
        ],
        [
            Memory(int(words), int(bits) * int(banks), "uram" if int(uram) else "bram" if int(bram) else "lutram")
            for _, _, bram, _, _, uram, words, bits, banks, *_ in rows["Memory"]
        ],
    )


def _rows(text: str, title: str) -> Iterator[list[str]]:
    _, _, rest = text.partition(f"    * {title}:")
    table, _, _ = rest.partition("\n\n")
    for line in table.splitlines()[4:]:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) > 3 and cells[0] != "Total":
            yield cells


def _expressions(rows: list[list[str]]) -> Iterator[Expression]:
    """A sum with 1 is a loop's counter, what is compared on its line the loop's end."""
    counters = {name for name, operation, *_, last in rows if operation == "+" and last == "1"}
    lines = {match[1] for match in map(_LINE.search, counters) if match}
    for name, operation, *_, first, second in rows:
        line = _LINE.search(name)
        ends = operation == "icmp" and line is not None and line[1] in lines
        if name not in counters and not ends and not name.startswith(_CONTROL):
            yield Expression(operation, max(int(first), int(second)))
