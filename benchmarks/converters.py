# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the bytes of all converters of decoder layers: by the paper's rule, as built, and the fewest possible.

The columns are defined in docs/rationale/converters.md. `paper` is a compilation with converter-rule=paper. `memory` is
what the default rule builds, `ahead` what waits in the FIFOs in front of its line and repeat buffers at an even pace,
`minimum` the bound for the same pairs of types; the shares are of memory and ahead together. `--check` ends with 1 if
a layer's converters are not smaller than the paper's.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import results
import zoo

_CONVERTER = re.compile(
    r"itensor\.converter .*? through <(?P<kind>\w+) shared \d+ box \[(?P<box>[\d, ]+)\] blocks (?P<blocks>\d+)"
    r" minimum (?P<minimum>\d+)(?: ahead (?P<ahead>\d+))?> .*?: <(?:\d+x)*(?P<type>[a-z]+\d+)"
)
_COLUMNS = ("paper", "memory", "ahead", "minimum")


@dataclass(frozen=True)
class Converter:
    kind: str
    memory: int  # bytes, as are the others
    ahead: int
    minimum: int


def parse(text: str) -> list[Converter]:
    """The converters in the output of the phase materialise."""
    converters = []
    for match in _CONVERTER.finditer(text):
        width = math.ceil(int(re.search(r"\d+", match["type"])[0]) / 8)
        box = math.prod(int(extent) for extent in match["box"].split(","))
        converters.append(
            Converter(
                match["kind"],
                width * box * int(match["blocks"]),
                width * int(match["ahead"] or 0),
                width * int(match["minimum"]),
            )
        )
    return converters


def measure(name: str, tile_size: int) -> tuple[list[Converter], list[Converter]]:
    """The converters of a layer by the paper's rule and by the default rule."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-converters-") as scratch:
        source = Path(scratch) / f"{name}.mlir"
        zoo.export(name, source)
        return tuple(
            parse(zoo.run_pipeline(source, tile_size=tile_size, stop_after="materialise", converter_rule=rule))
            for rule in ("paper", "minimal")
        )


def row(paper: list[Converter], built: list[Converter]) -> dict[str, int]:
    return {
        "paper": sum(c.memory for c in paper),
        "memory": sum(c.memory for c in built),
        "ahead": sum(c.ahead for c in built),
        "minimum": sum(c.minimum for c in built),
    }


def describe(name: str, count: int, totals: dict[str, int]) -> str:
    cells = "".join(f"{totals[column]:>12,}" for column in _COLUMNS)
    held = totals["memory"] + totals["ahead"]
    return f"{name:<14}{count:>11}{cells}{held / totals['paper']:>9.1%}{held / totals['minimum']:>9.1%}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", choices=zoo.NAMES, help="measure this one only")
    parser.add_argument("--tile-size", type=int, default=16)
    parser.add_argument("--check", action="store_true", help="fail if a layer's converters are not smaller")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    heads = "".join(f"{column:>12}" for column in _COLUMNS)
    printed.line(f"bytes at {zoo.NUM_TOKENS} tokens, tile {arguments.tile_size}")
    printed.line(f"{'layer':<14}{'converters':>11}{heads}{'/paper':>9}{'/minimum':>9}")
    total, count, larger = dict.fromkeys(_COLUMNS, 0), 0, 0
    for name in [arguments.layer] if arguments.layer else zoo.NAMES:
        paper, built = measure(name, arguments.tile_size)
        totals = row(paper, built)
        printed.add(describe(name, len(built), totals), layer=name, converters=len(built), **totals)
        larger += totals["memory"] + totals["ahead"] >= totals["paper"]
        count += len(built)
        total = {column: total[column] + totals[column] for column in _COLUMNS}
    if not arguments.layer:
        printed.line(describe("all", count, total))
    printed.end(num_tokens=zoo.NUM_TOKENS, tile_size=arguments.tile_size)
    return 1 if arguments.check and larger else 0


if __name__ == "__main__":
    sys.exit(main())
