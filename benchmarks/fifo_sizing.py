# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the FIFOs of designs cost, and the cycles, when each strategy sizes them. All cycles are simulated.

`lp` is the linear program of the StreamTensor paper with tasks at their own rates, `lp-conservative` with all scaled to
the slowest, `highwater` the largest use in a run without bounds, `search` the search with an allowed loss of speed.
Depths of the linear program are taken as they are: where they deadlock, the row says so. Layers have arrays for each
contraction, since the linear program knows no cycles, which engines would close. `KiB` are all slots; LUTs and
blocks are whole, as the design counts them; `card` is the largest part of a resource that they take. `timing` says
whether the design ends whatever the timing of memory, `front` marks the sizings that do and that no other such one
beats in both memory and cycles. `runs` and `steps` (token accesses) are what the search simulated.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import results
import streamtensor as st
import torch
import zoo
from torch import nn
from torch.nn import functional

LOSSES = (0.0, 0.01, 0.03, 0.1, 0.3)
LAYER_TOKENS = 16
LANES = 256


class Attention(nn.Module):
    """One head, with its projections."""

    def __init__(self, width: int):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = self.query(x) @ self.key(x).transpose(0, 1) / x.shape[-1] ** 0.5
        return functional.softmax(scores, dim=-1) @ self.value(x)


class FeedForward(nn.Module):
    """Norm, two linear layers, and the way around them."""

    def __init__(self, width: int):
        super().__init__()
        self.norm, self.act = nn.LayerNorm(width), nn.GELU()
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(self.act(self.up(self.norm(x))))


MODULES: dict[str, tuple[Callable[[], nn.Module], tuple[int, int]]] = {
    "gemm": (lambda: nn.Linear(128, 128, bias=False), (64, 128)),
    "attention": (lambda: Attention(64), (64, 64)),
    "feed-forward": (lambda: FeedForward(64), (32, 64)),
}
DESIGNS = (*MODULES, *zoo.NAMES)


def compile_design(name: str, scratch: Path) -> st.Design:
    options = st.Options(device="u55c", unroll=LANES, engines=False, compare=False)
    if name in MODULES:
        torch.manual_seed(0)
        make, shape = MODULES[name]
        return st.compile(make().eval(), (torch.randn(*shape),), options, out=scratch / "out")
    source = scratch / f"{name}.mlir"
    zoo.export(name, source, LAYER_TOKENS)
    return st.compile(source, options=options, out=scratch / "out")


def compare(design: st.Design, losses: tuple[float, ...] = LOSSES) -> list[dict]:
    """The sizings of the only accelerator of a design."""
    listed = ",".join(map(str, losses))
    (accelerator,) = design.simulate(further=[f"--fifo-losses={listed}"]).data["designs"]
    return [row_of(sizing) for sizing in accelerator["sizings"]]


def row_of(sizing: dict) -> dict:
    """A row without what only one FIFO is concerned with."""
    row = {key: value for key, value in sizing.items() if key not in ("depths", "resources")}
    used = sizing.get("resources", {})
    return row | {kind: used[kind]["used"] for kind in ("lut", "bram", "uram") if kind in used}


def describe(row: dict) -> str:
    name = f"{row['strategy']} {row['loss']:.0%}" if "loss" in row else row["strategy"]
    if "bits" not in row:
        return f"  {name:<18}{row['fault']}"
    cycles = f"{row['cycles']:,}" if row["cycles"] is not None else "deadlock"
    blocks = "".join(f"{row[kind]:>8,g}" for kind in ("bram", "uram"))
    effort = f"{row['runs']:>6}{row['steps']:>13,}" if "runs" in row else " " * 19
    timing = "any" if row["ends_whatever_the_timing"] else "this" if row["cycles"] is not None else ""
    return (
        f"  {name:<18}{cycles:>12}{row['bits'] / 8192:>12,.1f}{row['lut']:>10,.0f}{blocks}{row['share']:>8.1%}"
        f"{timing:>8}{'*' if row['on_front'] else '':>6}{effort}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="*", choices=[[], *DESIGNS], metavar="DESIGN", help=f"of {', '.join(DESIGNS)}")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    columns = f"{'cycles':>12}{'KiB':>12}{'LUT':>10}{'BRAM':>8}{'URAM':>8}{'card':>8}{'timing':>8}{'front':>6}"
    printed.line(f"  {'':<18}{columns}{'runs':>6}{'steps':>13}")
    for name in arguments.designs or DESIGNS:
        with tempfile.TemporaryDirectory(prefix="streamtensor-fifo-sizing-") as scratch:
            design = compile_design(name, Path(scratch))
            start = time.monotonic()
            rows = compare(design)
        printed.line(f"{name} (all sizings in {time.monotonic() - start:.1f} s)")
        for row in rows:
            printed.add(describe(row), design=name, **row)
    printed.end(layer_tokens=LAYER_TOKENS, lanes=LANES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
