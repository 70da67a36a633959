# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What puts tensors into others, against PyTorch: slices that are assigned to, transposed convolutions, empty parts."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamtensor as st
import torch
from torch import nn


class Assigns(nn.Module):
    def forward(self, x: torch.Tensor):
        added, strided, spread, scaled, last, all_of_it = (x.clone() for _ in range(6))
        added[1:3] += 5
        strided[::2, 1:4] = -1
        spread[1::3] = x[:1]
        scaled[:, 2::3] *= 2
        last[-2:] = 0
        all_of_it[:, :] = 7
        return added, strided, spread, scaled, last, all_of_it


class Slices(nn.Module):
    def forward(self, x: torch.Tensor):
        return x[::2], x[1::3, ::2] + 1, x[:, 1:7:3] * 2, x[5::4], x[::7]


class Filled(nn.Module):
    """Tensors without initial values, which parts are assigned to."""

    def forward(self, x: torch.Tensor):
        turned, halves, counted = torch.empty_like(x), x.new_empty(7, 8), torch.empty(8, 7, dtype=torch.int64)
        turned[:, ::2] = -x[:, 1::2]
        turned[:, 1::2] = x[:, ::2]
        halves[:, 0] = 1.0
        halves[:, 1:] = x[:, :-1]
        counted[:, :3] = 2
        counted[:, 3:] = torch.arange(4)
        return turned, halves, counted, torch.vander(x[:, 0], 3)


ROWS = torch.arange(16.0).reshape(2, 8)


class Constants(nn.Module):
    """What is joined stands in the source."""

    def forward(self, x: torch.Tensor):
        joined = torch.cat((ROWS, x, torch.tensor([[1.0] * 8])))
        return joined, torch.cat((ROWS, ROWS + 1), 1), torch.stack((ROWS[0], x[0])) @ torch.cat((ROWS, x)).T


class Empty(nn.Module):
    def forward(self, x: torch.Tensor):
        none = x[:0]
        return x + none.sum(0), x[:, :0] @ none.expand(0, 8), torch.cat([none, x]), none.prod(0) + x


MODULES = {
    "empty": (Empty, (7, 8)),
    "assigns": (Assigns, (7, 8)),
    "slices": (Slices, (7, 8)),
    "filled": (Filled, (7, 8)),
    "constants": (Constants, (7, 8)),
    "transposed": (lambda: nn.ConvTranspose1d(3, 4, 3), (1, 3, 6)),
    "transposed-groups": (
        lambda: nn.ConvTranspose1d(4, 6, 4, stride=3, padding=2, output_padding=1, groups=2, dilation=2),
        (2, 4, 5),
    ),
    "transposed-planes": (lambda: nn.ConvTranspose2d(4, 4, 2, stride=2), (1, 4, 4, 5)),
    "transposed-cut": (
        lambda: nn.ConvTranspose2d(3, 5, (3, 2), stride=(2, 1), padding=(4, 0), bias=False),
        (1, 3, 5, 4),
    ),
    "transposed-volumes": (lambda: nn.ConvTranspose3d(2, 3, 2, stride=2), (1, 2, 2, 3, 2)),
}


@pytest.mark.parametrize("name", MODULES)
def test_parts_are_joined(name: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    make, shape = MODULES[name]
    module = make().eval()
    design = st.compile(module, (torch.ones(shape),), out=tmp_path / "design", options=st.Options(compare=False))
    values = torch.randn(shape)
    torch.testing.assert_close(design(values), module(values), rtol=1e-5, atol=1e-5)
