# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how much on-chip memory the intermediates of a decoder layer take, before and after fusion.

Before: every tensor that one operation hands to another after the linalg phase. After: all bytes on the chip except
those that hold weights only (FIFOs, blocks, converters, tile buffers, private memories) of the sized design, whose
depths a simulation has confirmed. Element types are the same on both sides. The paper reports 14.8 to 16.8 %.

Each layer has two forms. With `arrays` for each contraction (`--no-engines`) tensors flow from one to the next. With
`engines`, as it is compiled where that is faster, contractions take turns with all lanes, and what one gives waits for
the turn of its reader: fewer cycles for more memory.

`--details` lists what takes most; `--check` ends with 1 if the whole zoo with arrays takes more than 14 %. Several
sizes after `--tile-size` show what memory buys: what stays whole until a row of tiles is there shrinks with them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
from pathlib import Path

import results
import streamtensor as st
import zoo
from streamtensor import report
from streamtensor.report.intermediates import intermediates

LIMIT = 0.14
ARRAYS, ENGINES = FORMS = ("arrays", "engines")


def measure(layer: str, options: st.Options, num_tokens: int, details: int, printed: results.Results) -> tuple:
    """Bytes before, bytes after, and simulated cycles of one layer."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-memory-") as scratch:
        source = Path(scratch) / f"{layer}.mlir"
        zoo.export(layer, source, num_tokens)
        design = st.compile(source, options=options, out=Path(scratch) / "out")
        simulation = json.loads((design.directory / "simulation.json").read_text())
        graph = report.read_graph(design, simulation)
        linalg = next((design.directory / "ir").glob("*-linalg.mlir")).read_text()
    channels = [channel for channel in graph.channels if not graph.is_weight(channel)]
    held = [(channel.bytes, channel.kind, channel.data["name"]) for channel in channels]
    for size, kind, name in sorted(held, reverse=True)[:details]:
        printed.line(f"    {size:>12,}  {kind:<6}  {name}")
    before = sum(tensor.bytes for tensor in intermediates(linalg))
    return before, graph.intermediate_bytes, simulation["cycles"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", choices=zoo.NAMES, help="measure this one only")
    parser.add_argument("--num-tokens", type=int, default=zoo.NUM_TOKENS)
    parser.add_argument("--tile-size", type=int, nargs="+", default=[16], metavar="ROWS")
    parser.add_argument("--form", action="append", choices=FORMS, help="measure this one only")
    parser.add_argument("--unroll", type=int, default=256)
    parser.add_argument("--details", type=int, default=0, metavar="N", help="list the N largest FIFOs and blocks")
    parser.add_argument("--check", action="store_true", help=f"fail above {100 * LIMIT:.0f} %% over all layers")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    printed.line(f"{'layer (simulated)':<20}{'tiles of':>9}{'before':>14}{'after':>14}{'ratio':>9}{'cycles':>14}  form")
    totals = []
    for tile_size, form in itertools.product(arguments.tile_size, arguments.form or FORMS):
        options = st.Options(
            device="u55c", tile_size=tile_size, unroll=arguments.unroll, engines=form == ENGINES, compare=False
        )
        of_all = {"tile_size": tile_size, "form": form, "before": 0, "after": 0}
        for layer in arguments.layer or zoo.NAMES:
            before, after, cycles = measure(layer, options, arguments.num_tokens, arguments.details, printed)
            of_all["before"] += before
            of_all["after"] += after
            text = f"{layer:<20}{tile_size:>9}{before:>14,}{after:>14,}{after / before:>9.1%}{cycles:>14,}  {form}"
            row = {"layer": layer, "tile_size": tile_size, "form": form}
            printed.add(text, **row, before=before, after=after, cycles=cycles)
        totals.append(of_all)
        before, after = of_all["before"], of_all["after"]
        printed.line(f"{'all':<20}{tile_size:>9}{before:>14,}{after:>14,}{after / before:>9.1%}{'':>14}  {form}")
    printed.end(num_tokens=arguments.num_tokens, totals=totals)
    held = (each for each in totals if each["form"] == ARRAYS)
    return 1 if arguments.check and any(each["after"] > LIMIT * each["before"] for each in held) else 0


if __name__ == "__main__":
    sys.exit(main())
