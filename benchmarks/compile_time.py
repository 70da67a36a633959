# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how long a decoder layer takes from exported Linalg to HLS C++.

Each layer is exported first; the clock then runs around one cold `streamtensor compile`, verifiers and the final
simulation included. `--check` ends with 1 if a layer takes longer than its limit.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import results
import zoo


@dataclass(frozen=True)
class Layer:
    example: str
    num_tokens: int
    limit_seconds: float


LAYERS = (Layer("smollm2", 16, 15.0), Layer("gpt2-medium", 128, 30.0))


def seconds_to_compile(source: Path, out: Path, options: list[str]) -> float:
    start = time.monotonic()
    command = [sys.executable, "-m", "streamtensor", "compile", source, "-o", out, *options]
    run = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if run.returncode != 0:
        sys.exit(f"compile_time: {' '.join(map(str, command))} failed:\n{run.stderr}")
    return seconds


def measure(layer: Layer, options: list[str]) -> float:
    with tempfile.TemporaryDirectory(prefix="streamtensor-compile-time-") as scratch:
        source = Path(scratch) / f"{layer.example}.mlir"
        zoo.export(layer.example, source, layer.num_tokens)
        return seconds_to_compile(source, Path(scratch) / "out", options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a layer takes longer than its limit")
    parser.add_argument("--layer", choices=[layer.example for layer in LAYERS], help="measure this one only")
    results.add_option(parser)
    arguments, options = parser.parse_known_args()
    printed = results.Results(arguments.json)
    late = 0
    printed.line(f"{'layer':<14}{'tokens':>8}{'seconds':>10}{'limit':>8}")
    for layer in LAYERS:
        if arguments.layer not in (None, layer.example):
            continue
        seconds = measure(layer, options)
        late += seconds > layer.limit_seconds
        text = f"{layer.example:<14}{layer.num_tokens:>8}{seconds:>10.1f}{layer.limit_seconds:>8.0f}"
        printed.add(text, **asdict(layer), seconds=seconds)
    printed.end()
    return 1 if arguments.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
