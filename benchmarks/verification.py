# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the verifiers add to the time of a compilation, from Linalg to the sized design.

Each layer is lowered in turn with and without the verifiers between passes; the medians of `--runs` pairs are
compared. `--check` ends with 1 if verification adds more than 30 %.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import results
import zoo
from streamtensor import paths
from streamtensor.devices import find_device

LAYERS = (("tiny-llama", 8), ("smollm2", 16))
LIMIT = 0.30


def seconds_to_lower(source: Path, out: Path, verifies: bool) -> float:
    pipeline = f"--streamtensor-pipeline=device={find_device('u55c').path} tile-size=16 unroll=256"
    command = [paths.find_tool("streamtensor-opt"), source, pipeline, f"--verify-each={int(verifies)}", "-o", out]
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, text=True)
    return time.monotonic() - start


def measure(layer: str, num_tokens: int, runs: int) -> tuple[float, float]:
    """Median seconds with and without verifiers."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-verification-") as scratch:
        source, out = Path(scratch) / "layer.mlir", Path(scratch) / "sized.mlir"
        zoo.export(layer, source, num_tokens)
        pairs = [(seconds_to_lower(source, out, True), seconds_to_lower(source, out, False)) for _ in range(runs)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true", help=f"fail above {LIMIT:.0%}")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    worst = 0.0
    printed.line(f"{'layer':<14}{'verified':>10}{'not':>10}{'added':>8}   seconds, median of {arguments.runs}")
    for layer, num_tokens in LAYERS:
        verified, bare = measure(layer, num_tokens, arguments.runs)
        worst = max(worst, verified / bare - 1)
        text = f"{layer:<14}{verified:>10.2f}{bare:>10.2f}{verified / bare - 1:>8.1%}"
        printed.add(text, layer=layer, num_tokens=num_tokens, verified_seconds=verified, bare_seconds=bare)
    printed.end(runs=arguments.runs)
    return 1 if arguments.check and worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
