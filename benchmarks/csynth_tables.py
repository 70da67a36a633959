# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of `MODULE_csynth.rpt`, which Vitis HLS writes beside csynth.xml: what a module holds besides instances.

Their figures of LUTs are the tool's estimates, and are not read; kinds, widths and sizes are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

BLOCK_BITS = 18 * 1024
_CONTROL = "ap_"  # states, enables and handshakes of a pipeline
_LINE = re.compile(r"_ln(\d+)")
_CHANNEL = re.compile(r"ap_channel_done_(\w+)")
_ARRAY_PORT = re.compile(r"^\|(\w+)_(q|we)(\d+) +\| +(?:in|out)\| +\d+\| +ap_memory\|", re.MULTILINE)
_SPARSE_MUX = re.compile(r"(?:\w+_)?sparsemux_(\d+)_\d+_(\d+)_\d+_\d+")
_MUX = re.compile(r"(?:\w+_)?mux_(\d+)_(\d+)_\d+_\d+")


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
    name: str = ""
    buffers: int = 1  # two of an array that one process of a dataflow region writes while the next one reads
    too_small: bool = False  # fewer blocks than its bits fill


@dataclass(frozen=True)
class Fifo:
    depth: int
    bits: int
    kind: str  # srl, bram, uram


@dataclass(frozen=True)
class Ports:
    """Ports of an array that a module reads through, and that it writes through."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()

    def __or__(self, other: Ports) -> Ports:
        return Ports(self.reads | other.reads, self.writes | other.writes)

    @property
    def number(self) -> int:
        return len(self.reads | self.writes)

    @property
    def copies(self) -> int:
        """Blocks have two ports; a copy more for each read beyond, which is written with the others."""
        return max(1, self.number - 1 if self.writes else math.ceil(self.number / 2))

    @property
    def are_alike(self) -> bool:
        """Not one that reads beside one that writes."""
        return self.number > 2 or (self.number == 2 and not (self.reads.isdisjoint(self.writes) and self.writes))


@dataclass(frozen=True)
class Tables:
    expressions: list[Expression] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    fifos: list[Fifo] = field(default_factory=list)
    arrays: dict[str, Ports] = field(default_factory=dict)  # those of the modules around
    instances: dict[str, str] = field(default_factory=dict)  # of operators and modules, by name


@cache
def read_tables(path: Path) -> Tables:
    """What no instance names; without loops' counters and control, which the model counts by loops and tasks."""
    text = path.read_text()
    rows = {
        title: list(_rows(text, title)) for title in ("Instance", "DSP", "Expression", "Multiplexer", "Memory", "FIFO")
    }
    channels = {match[1] for match in map(_CHANNEL.search, text.split()) if match}
    return Tables(
        list(_expressions(rows["Expression"])),
        [
            Choice(int(inputs), int(bits))
            for name, _, inputs, bits, *_ in rows["Multiplexer"]
            if not name.startswith(_CONTROL) and int(bits) > 1
        ]
        + list(_chosen_by_instances(rows["Instance"])),
        [
            Memory(
                int(words),
                int(bits) * int(banks),
                _kind(bram, uram) or "lutram",
                name.removesuffix("_U"),
                2 if name.removesuffix("_U") in channels else 1,
                _is_too_small(bram, int(words) * int(bits)),
            )
            for name, _, bram, _, _, uram, words, bits, banks, *_ in rows["Memory"]
        ],
        [
            Fifo(int(depth), int(bits), _kind(bram, uram) or "srl")
            for _, bram, _, _, uram, depth, bits, *_ in rows["FIFO"]
        ],
        _read_arrays(text),
        {name: module for title in ("Instance", "DSP") for name, module, *_ in rows[title]},
    )


def _kind(bram: str, uram: str) -> str | None:
    empty = ("", "-", "0")
    return "uram" if uram not in empty else "bram" if bram not in empty else None


def _is_too_small(bram: str, bits: int) -> bool:
    return bram.isdigit() and 0 < int(bram) * BLOCK_BITS < bits


def _chosen_by_instances(rows: list[list[str]]) -> Iterator[Choice]:
    """`mux_42_32`: four inputs of 32 bits by two; `sparsemux_9_2_32`: the same, with a key for each."""
    for _, module, *_ in rows:
        if match := _SPARSE_MUX.fullmatch(module):
            yield Choice(int(match[1]) // 2, int(match[2]))
        elif match := _MUX.fullmatch(module):
            digits = match[1]
            splits = ((int(digits[:place]), int(digits[place:])) for place in range(len(digits) - 1, 0, -1))
            inputs = next(inputs for inputs, key in splits if inputs <= 2**key)
            yield Choice(inputs, int(match[2]))


def _read_arrays(text: str) -> dict[str, Ports]:
    arrays: dict[str, Ports] = {}
    for name, signal, port in _ARRAY_PORT.findall(text):
        used = frozenset([int(port)])
        own = Ports(reads=used) if signal == "q" else Ports(writes=used)
        arrays[name] = arrays.get(name, Ports()) | own
    return arrays


def _rows(text: str, title: str) -> Iterator[list[str]]:
    _, _, rest = text.partition(f"\n    * {title}:")
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
