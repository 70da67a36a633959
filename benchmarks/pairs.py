# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many pairs a design compares in a cycle where everything is compared with everything, on the U55C.

Sorts, reads and writes at positions that the data give, counts and distances, each with as many lanes as the device
decides on, and compared with PyTorch. `pairs` are the elements that are looked at for all elements of the results:
those of one step, a sort has three such steps. All cycles are simulated, resources estimated.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import results
import streamtensor as st
import torch
import zoo
from streamtensor.progress import quiet_libraries


class Case(NamedTuple):
    function: Callable
    inputs: tuple[torch.Tensor, ...]
    pairs: int


def make_cases() -> dict[str, Case]:
    torch.manual_seed(0)
    numbers, positions = torch.randn, torch.randint
    return {
        "600 rows of 64 of a computed 1000x64": Case(
            lambda x, i: torch.relu(x)[i], (numbers(1000, 64), positions(1000, (600,))), 600 * 1000 * 64
        ),
        "gather 16x128 of a computed 16x512": Case(
            lambda x, i: torch.relu(x).gather(1, i), (numbers(16, 512), positions(512, (16, 128))), 16 * 128 * 512
        ),
        "index_add of 300 rows of 32 to 100": Case(
            lambda x, i, y: torch.relu(x).index_add(0, i, y),
            (numbers(100, 32), positions(100, (300,)), numbers(300, 32)),
            300 * 100 * 32,
        ),
        "scatter of 300x16 to 100x16": Case(
            lambda x, i, y: torch.relu(x).scatter(0, i, y),
            (numbers(100, 16), positions(100, (300, 16)), numbers(300, 16)),
            300 * 100 * 16,
        ),
        "sort 8x256": Case(lambda x: x.sort(-1).values, (numbers(8, 256),), 8 * 256 * 256),
        "topk 8 of 32x128": Case(lambda x: x.topk(8), (numbers(32, 128),), 32 * 128 * 128),
        "median 8x256": Case(lambda x: x.median(-1).values, (numbers(8, 256),), 8 * 256 * 256),
        "count 1000 in 64 classes": Case(
            lambda i: (i.unsqueeze(1) == torch.arange(64)).sum(0), (positions(64, (1000,)),), 1000 * 64
        ),
        "cdist 64x96x32, p = 1": Case(
            lambda x, y: torch.cdist(x, y, p=1.0), (numbers(64, 32), numbers(96, 32)), 64 * 96 * 32
        ),
        "grid_sample 8x16x16": Case(
            lambda x, grid: torch.nn.functional.grid_sample(torch.relu(x), grid, align_corners=False),
            (numbers(1, 8, 16, 16), 2 * torch.rand(1, 16, 16, 2) - 1),
            8 * (16 * 16) ** 2,
        ),
    }


class Function(torch.nn.Module):
    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor):
        return self.function(*inputs)


def measure(case: Case, directory: Path) -> dict:
    simulated = st.compile(Function(case.function), case.inputs, st.Options(force=True), directory).simulate().data
    used = {name: kind["used"] for name, kind in simulated["resources"].items()}
    return {"pairs": case.pairs, "cycles": simulated["cycles"], "resources": used}


def main() -> int:
    cases = make_cases()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="; ".join(cases) + "; none for all")
    results.add_option(parser)
    arguments = parser.parse_args()
    quiet_libraries()
    zoo.check_names(parser, arguments.names, cases, "program")
    printed = results.Results(arguments.json)
    columns = "".join(f"{column:>12}" for column in ("pairs", "cycles", "in a cycle", "LUT", "DSP"))
    printed.line(f"{'(simulated)':<40}{columns}")
    with tempfile.TemporaryDirectory(prefix="streamtensor-pairs-") as scratch:
        for name in arguments.names or cases:
            row = measure(cases[name], Path(scratch) / "design")
            counts = f"{row['pairs']:>12,}{row['cycles']:>12,}{row['pairs'] / row['cycles']:>12.0f}"
            used = f"{row['resources']['lut']:>12,.0f}{row['resources']['dsp']:>12,.0f}"
            printed.add(f"{name:<40}{counts}{used}", name=name, **row)
    printed.end(simulated=True, device=st.Options().device)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
