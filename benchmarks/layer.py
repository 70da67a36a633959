# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what one decoder layer of SmolLM2-135M-Instruct costs on the card, and how each figure is known.

The layer is compiled at 16 tokens for each tile size. Cycles come from the cycle-level simulation of the final
depths, resources from the cost tables of the device, lanes from a scan of the emitted C++; the error is that of the
C++ compiled natively and run for every layer of the model, PyTorch's own layers switched off.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from streamtensor import Options, demo, report
from streamtensor.frontend.models import smollm2_path
from streamtensor.llm import compile_llm
from streamtensor.progress import quiet_libraries
from streamtensor.reference import check_generation


def measure(tile_size: int, unroll: int, out: Path) -> dict[str, tuple[str, str]]:
    """Figures by name, each with how it is known."""
    llm = compile_llm(smollm2_path(), None, demo.NUM_TOKENS, Options(tile_size=tile_size, unroll=unroll), out)
    check_generation(llm, demo.PROMPT, 1)
    found = report.collect(llm.design, report.read_graph(out))
    error = json.loads((out / "run.json").read_text())["max_layer_error"]
    before, after = found["intermediate_bytes_before"], found["intermediate_bytes_after"]
    figures = {
        f"cycles for {demo.NUM_TOKENS} tokens": (f"{found['cycles']:,}", "simulated"),
        f"time at {found['clock_mhz']:g} MHz": (f"{found['seconds'] * 1e3:.2f} ms", "simulated"),
        "multiply-add lanes": (f"{demo.count_lanes(out)}", "counted in the C++"),
        "intermediates before fusion": (f"{before:,} bytes", "counted from shapes"),
        "intermediates after fusion": (f"{after:,} bytes ({after / before:.1%})", "counted from the sized design"),
        "largest error of a layer": (f"{error:.1e} of its largest value", "run natively, against PyTorch"),
    }
    for name, entry in found["resources"].items():
        share = f"{entry['used']:,.0f} ({entry['used'] / entry['available']:.0%})"
        figures[name.upper()] = (share, f"estimated for {found['card']}")
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-size", type=int, action="append", help="a tile size to measure; 16 and 4 without it")
    parser.add_argument("--unroll", type=int, default=256, help="multiply-add lanes to ask for")
    arguments = parser.parse_args()
    quiet_libraries()
    sizes = arguments.tile_size or [16, 4]
    with tempfile.TemporaryDirectory(prefix="streamtensor-layer-") as scratch:
        columns = [measure(size, arguments.unroll, Path(scratch) / f"tile{size}") for size in sizes]
    print("| one layer | " + " | ".join(f"tile {size}" for size in sizes) + " | how it is known |")
    print("| --- |" + " ---: |" * len(sizes) + " --- |")
    for name, (_, known) in columns[0].items():
        print(f"| {name} | " + " | ".join(column[name][0] for column in columns) + f" | {known} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
