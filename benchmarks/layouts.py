# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the layouts of external memory are worth: simulated cycles of a layer, row-major and packed.

Each layer is one group, and then several: converters of a group may take `--group-bytes` only, so tensors pass through
external memory. Row-major leaves out the phase pack. The last column is the packed design on a card whose bursts have
no gaps between them: what any wider reading of memory could win at most.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import results
import zoo

DEVICE = zoo.ROOT / "devices" / "u55c.json"
ON_CHIP = 0  # what the device has


def pipeline(source: Path, target: Path, **options: object) -> Path:
    target.write_text(zoo.run_pipeline(source, tile_size=16, unroll=256, **options))
    return target


def fuse(source: Path, group_bytes: int, device: Path) -> Path:
    kernels = pipeline(source, source.with_name("kernels.mlir"), stop_after="kernel", device=device)
    fused = source.with_name(f"fused-{device.stem}.mlir")
    fused.write_text(zoo.run_tool("streamtensor-opt", kernels, f"--streamtensor-fuse-kernels=max-bytes={group_bytes}"))
    return fused


def cycles(fused: Path, start_after: str, device: Path) -> int:
    sized = fused.with_name(f"{start_after}-sized.mlir")
    pipeline(fused, sized, start_after=start_after, device=device)
    return json.loads(zoo.run_tool("streamtensor-sim", sized, "--json"))["cycles"]


def without_gaps(directory: Path) -> Path:
    device = json.loads(DEVICE.read_text())
    device["memory_port"]["burst_gap"] = 0
    path = directory / "no-gaps.json"
    path.write_text(json.dumps(device))
    return path


def measure(layer: str, num_tokens: int, group_bytes: int) -> tuple[int, int, int, int]:
    """Groups; cycles row-major, packed, and packed without gaps between bursts."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-layouts-") as scratch:
        source = Path(scratch) / "layer.mlir"
        zoo.export(layer, source, num_tokens)
        fused = fuse(source, group_bytes, DEVICE)
        groups = fused.read_text().count("dataflow.kernel")
        row_major, packed = cycles(fused, "pack", DEVICE), cycles(fused, "fuse", DEVICE)
        device = without_gaps(Path(scratch))
        return groups, row_major, packed, cycles(fuse(source, group_bytes, device), "fuse", device)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="a layer that the front end knows; smollm2 without it")
    parser.add_argument("--num-tokens", type=int, default=16)
    parser.add_argument("--group-bytes", type=int, default=8192, help="on-chip bytes for the converters of a group")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    printed.line(f"{'layer':<16}{'groups':>8}{'row-major':>14}{'packed':>14}{'without gaps':>14}")
    for layer in arguments.layer or ["smollm2"]:
        for group_bytes in (ON_CHIP, arguments.group_bytes):
            groups, *found = measure(layer, arguments.num_tokens, group_bytes)
            figures = dict(zip(("row_major", "packed", "without_gaps"), found, strict=True))
            text = f"{layer:<16}{groups:>8}" + "".join(f"{count:>14,}" for count in found)
            printed.add(text, layer=layer, group_bytes=group_bytes, groups=groups, **figures)
    printed.end(num_tokens=arguments.num_tokens)
    return 0


if __name__ == "__main__":
    sys.exit(main())
