# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear interpolation against PyTorch: of numbers, between infinities, between the largest of both signs."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamtensor as st
import torch

CASES = {
    "larger": ((1, 2, 4), {"size": 8, "mode": "linear"}),
    "smaller": ((1, 2, 7), {"size": 3, "mode": "linear"}),
    "scale": ((2, 1, 5), {"scale_factor": 2.3, "mode": "linear"}),
    "scale-from-sizes": ((2, 1, 5), {"scale_factor": 2.3, "mode": "linear", "recompute_scale_factor": True}),
    "one": ((1, 1, 4), {"size": 1, "mode": "linear", "align_corners": True}),
    "plane": ((1, 2, 3, 5), {"size": (4, 7), "mode": "bilinear"}),
    "corners": ((1, 1, 4, 4), {"scale_factor": 2, "mode": "bilinear", "align_corners": True}),
    "one-side": ((1, 1, 4, 4), {"size": (4, 8), "mode": "bilinear"}),
    "same": ((1, 1, 4), {"size": 4, "mode": "linear"}),
    "volume": ((1, 1, 2, 3, 4), {"scale_factor": 2, "mode": "trilinear"}),
}


class Interpolates(torch.nn.Module):
    def __init__(self, arguments: dict):
        super().__init__()
        self.arguments = arguments

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.interpolate(x, **self.arguments)


def test_doubles_keep_their_digits(tmp_path: Path) -> None:
    module, x = (
        Interpolates({"size": (7, 5), "mode": "bilinear", "align_corners": True}),
        torch.randn(1, 1, 5, 4).double(),
    )
    design = st.compile(module, (x,), out=tmp_path / "design")
    torch.testing.assert_close(design(x), module(x), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_neighbours_are_weighed(name: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    shape, arguments = CASES[name]
    module = Interpolates(arguments)
    design = st.compile(module, (torch.randn(shape),), st.Options(tile_size=4), out=tmp_path / "design")
    infinite = torch.randn(shape).masked_fill(torch.rand(shape) < 0.4, -torch.inf)
    largest = torch.where(torch.rand(shape) < 0.5, 3e38, -3e38)
    for given in (torch.randn(shape), infinite, largest):
        torch.testing.assert_close(design(given), module(given), rtol=1e-6, atol=1e-6, equal_nan=True)
