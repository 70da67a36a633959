# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how long a decoder layer takes from exported Linalg to simulated HLS C++, and the memory that takes.

Each layer is exported first; the clock then runs around one cold `streamtensor compile`: sizes, placement, verifiers
and the final simulation, without a comparison of results. `--check` ends with 1 if a layer takes more than its limits,
or is refused because it does not fit the card.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import results
import zoo

KIB_PER_GIB = 2**20


@dataclass(frozen=True)
class Layer:
    example: str
    num_tokens: int
    limit_seconds: float
    limit_gib: float | None = None


LAYERS = (
    Layer("smollm2", 16, 15.0),
    Layer("gpt2-medium", 128, 20.0),
    Layer("gpt2-medium", 1024, 60.0, 2.0),
)


@dataclass(frozen=True)
class Cost:
    seconds: float
    peak_gib: float  # of the largest of its processes
    fits: bool = True  # the card; else it was refused

    def exceeds(self, layer: Layer) -> bool:
        too_large = layer.limit_gib is not None and self.peak_gib > layer.limit_gib
        return self.seconds > layer.limit_seconds or too_large


def compile_cold(source: Path, out: Path, options: list[str]) -> Cost:
    command = [sys.executable, "-m", "streamtensor", "compile", source, "-o", out, "--no-compare", *options]
    with tempfile.TemporaryFile("w+") as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        errors.seek(0)
        said = errors.read()
    fits = process.returncode == 0
    if not fits and "does not fit" not in said.rpartition("streamtensor: ")[2]:
        sys.exit(f"compile_time: {' '.join(map(str, command))} failed:\n{said}")
    return Cost(seconds, usage.ru_maxrss / KIB_PER_GIB, fits)


def measure(layer: Layer, options: list[str]) -> Cost:
    with tempfile.TemporaryDirectory(prefix="streamtensor-compile-time-") as scratch:
        source = Path(scratch) / f"{layer.example}.mlir"
        zoo.export(layer.example, source, layer.num_tokens)
        return compile_cold(source, Path(scratch) / "out", options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a layer takes more than its limits")
    parser.add_argument("--layer", choices=sorted({layer.example for layer in LAYERS}), help="measure this one only")
    parser.add_argument("--tokens", type=int, help="measure layers of so many tokens only")
    results.add_option(parser)
    arguments, options = parser.parse_known_args()
    printed = results.Results(arguments.json)
    over = 0
    printed.line(f"{'layer':<14}{'tokens':>8}{'seconds':>10}{'limit':>8}{'peak GiB':>10}{'limit':>8}")
    for layer in LAYERS:
        if arguments.layer not in (None, layer.example) or arguments.tokens not in (None, layer.num_tokens):
            continue
        cost = measure(layer, options)
        is_met = cost.fits and not cost.exceeds(layer)
        over += not is_met
        text = f"{layer.example:<14}{layer.num_tokens:>8}{cost.seconds:>10.1f}{layer.limit_seconds:>8.0f}"
        text += f"{cost.peak_gib:>10.2f}{layer.limit_gib or '-':>8}"
        text += "" if is_met else "  over" if cost.fits else "  does not fit the card"
        printed.add(text, **asdict(layer), **asdict(cost), is_met=is_met)
    printed.end()
    return 1 if arguments.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
