# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints time and memory of classic networks at their published shapes, each compared with PyTorch.

`error` is the largest difference against the largest value of PyTorch's result. `--check` ends with 1 if one exceeds
1e-4.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import results
import streamtensor as st
import torch
from streamtensor.frontend.networks import NETWORKS

LIMIT = 1e-4


def measure(name: str, directory: Path) -> dict:
    module, inputs = NETWORKS[name]()
    start = time.monotonic()
    with torch.no_grad():
        design = st.compile(module, inputs, st.Options(), directory / name)
        seconds = time.monotonic() - start
        found, expected = design(*inputs), module(*inputs)
    error = float((found - expected).abs().max() / expected.abs().max())
    simulated = design.simulate()
    return {
        "network": name,
        "cycles": simulated.cycles,
        "seconds": simulated.seconds,
        "on_chip_bytes": simulated.memory["total_bytes"],
        "compile_seconds": seconds,
        "error": error,
    }


def describe(row: dict) -> str:
    kilobytes, milliseconds = row["on_chip_bytes"] / 1024, row["seconds"] * 1e3
    return (
        f"{row['network']:20} {row['cycles']:>12,} {milliseconds:>10.3f} {kilobytes:>11,.0f} "
        f"{row['compile_seconds']:>10.1f} {row['error']:>9.1e}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(NETWORKS), help="networks; none for all")
    parser.add_argument("--check", action="store_true", help="fail on a wrong result")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    printed.line(f"{'network':20} {'cycles':>12} {'time/ms':>10} {'on chip/KiB':>11} {'compile/s':>10} {'error':>9}")
    worst = 0.0
    with tempfile.TemporaryDirectory() as work:
        for name in arguments.names:
            row = measure(name, Path(work))
            worst = max(worst, row["error"])
            printed.add(describe(row), **row)
    printed.end()
    return int(arguments.check and not worst <= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
