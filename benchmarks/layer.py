# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what one decoder layer of SmolLM2-135M-Instruct costs on the card, and how each figure is known.

The layer is compiled for each tile size: one token a pass, a cache of 64 positions. Cycles come from the cycle-level
simulation of the final depths, resources from the cost tables of the device, lanes counted in the sized design; the
error is that of the C++ compiled natively and run for every layer of the model, PyTorch's own layers switched off.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import pages
import results
from streamtensor import Options, demo, report
from streamtensor.frontend.models import smollm2_path
from streamtensor.llm_files import compile_llm
from streamtensor.progress import quiet_libraries
from streamtensor.reference import check_generation


def measure(tile_size: int, unroll: int, out: Path, runs: bool = True) -> dict:
    """The figures of one design; those of a run are None without one."""
    options = Options(tile_size=tile_size, unroll=unroll)
    llm = compile_llm(smollm2_path(), None, demo.MAX_CONTEXT, options=options, out=out, layers="host")
    if runs:
        check_generation(llm, demo.PROMPT, 1)
    simulation = json.loads((out / "simulation.json").read_text())
    found = report.collect(llm.design, simulation, report.read_graph(llm.design, simulation), clocks=[])
    error = json.loads((out / "run.json").read_text())["max_layer_error"] if runs else None
    (design,) = simulation["designs"]
    kept = ("card", "clock_mhz", "cycles", "seconds", "intermediate_bytes_before", "intermediate_bytes_after")
    return {
        "tile_size": tile_size,
        "num_tokens": llm.tokens_per_pass,
        "max_context": llm.max_context,
        "lanes": demo.count_lanes(found["tasks"]),
        "layer_error": error,
        **{key: found[key] for key in (*kept, "resources")},
        **{key: design[key] for key in ("dies", "crossings")},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-size", type=int, action="append", help="a tile size to measure; 16 and 4 without it")
    parser.add_argument("--unroll", type=int, default=256, help="multiply-add lanes to ask for")
    parser.add_argument("--no-run", action="store_true", help="leave out the error, which needs a native run")
    results.add_option(parser)
    arguments = parser.parse_args()
    quiet_libraries()
    printed = results.Results(arguments.json)
    with tempfile.TemporaryDirectory(prefix="streamtensor-layer-") as scratch:
        for size in arguments.tile_size or [16, 4]:
            row = measure(size, arguments.unroll, Path(scratch) / f"tile{size}", not arguments.no_run)
            printed.rows.append(row)
    printed.line(pages.layer_table({"rows": printed.rows}))
    printed.end(unroll=arguments.unroll)
    return 0


if __name__ == "__main__":
    sys.exit(main())
