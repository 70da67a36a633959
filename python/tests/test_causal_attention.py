# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Causal attention in chunks: PyTorch's values, without the work that a mask would discard."""

from __future__ import annotations

import copy

import pytest
import streamtensor as st
import torch
from streamtensor.frontend import causal_attention
from streamtensor.quantise import quantise_model


class Attention(torch.nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        self.options = options

    def forward(self, query, key, value):
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, **self.options)


def compiled(module: Attention, inputs: tuple[torch.Tensor, ...], directory) -> st.Design:
    design = st.compile(module, inputs, st.Options(tile_size=8, unroll=32), directory)
    torch.testing.assert_close(design(*inputs), module(*inputs), rtol=1e-5, atol=1e-5)
    return design


def multiply_adds(design: st.Design) -> int:
    return sum(task["multiply_adds"] for task in design.simulate().data["tasks"])


def test_later_keys_are_not_multiplied(tmp_path) -> None:
    """Of 64 queries and keys the blocks of 16 on the diagonal and below it, ten of sixteen, for scores and values."""
    torch.manual_seed(0)
    inputs = tuple(torch.randn(2, 64, 8) for _ in range(3))
    whole = compiled(Attention(), inputs, tmp_path / "whole")
    causal = compiled(Attention(is_causal=True), inputs, tmp_path / "causal")
    assert multiply_adds(whole) >= 2 * 64 * 64 * (8 + 8)  # Extents may be padded for lanes.
    assert multiply_adds(causal) == 2 * 10 * 16 * 16 * (8 + 8)
    assert causal.simulate().cycles < whole.simulate().cycles


def test_beside_linears_all_keys_are_multiplied(tmp_path) -> None:
    """Chunks would share few lanes."""

    class Block(Attention):
        def __init__(self) -> None:
            super().__init__(is_causal=True)
            self.linear = torch.nn.Linear(8, 8)

        def forward(self, x):
            return super().forward(self.linear(x), x, x)

    torch.manual_seed(0)
    design = compiled(Block(), (torch.randn(1, 32, 8),), tmp_path / "out")
    assert multiply_adds(design) >= 32 * 8 * 8 + 32 * 32 * (8 + 8)


class Heads(torch.nn.Module):
    """Attention between linears, with the heads laid side by side as in GPT's code."""

    def __init__(self, is_causal: bool) -> None:
        super().__init__()
        self.is_causal = is_causal
        self.project, self.out = torch.nn.Linear(32, 96), torch.nn.Linear(32, 32)

    def forward(self, x):
        heads = (part.view(1, 8, 4, 8).transpose(1, 2) for part in self.project(x).split(32, -1))
        found = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=self.is_causal)
        return self.out(found.transpose(1, 2).contiguous().view(1, 8, 32))


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("quantise", [None, "w8a8", "w4a8-symmetric"])
def test_heads_lie_side_by_side(is_causal: bool, quantise: str | None, tmp_path) -> None:
    """PyTorch gives them so and traces a view; attentions in other operations give them one by one."""
    torch.manual_seed(0)
    module, x = Heads(is_causal).eval(), torch.randn(1, 8, 32)
    design = st.compile(module, (x,), out=tmp_path / "out", quantise=quantise)
    expected = module if quantise is None else quantise_model(copy.deepcopy(module), quantise)
    torch.testing.assert_close(design(x), expected(x).detach(), rtol=1e-4, atol=2e-2 if quantise else 1e-5)


@pytest.mark.parametrize("keys", [16, 40])
def test_groups_share_keys_whose_number_is_another(keys: int, tmp_path) -> None:
    """Query i sees keys 0 to i, however many there are; heads of a group share theirs, and the scale is given."""
    torch.manual_seed(0)
    inputs = torch.randn(1, 4, 32, 8), torch.randn(1, 2, keys, 8), torch.randn(1, 2, keys, 8)
    compiled(Attention(is_causal=True, enable_gqa=True, scale=0.3), inputs, tmp_path / "out")


@pytest.mark.parametrize(("queries", "chunks"), [(1, 1), (16, 1), (32, 2), (47, 1), (48, 3), (64, 4), (1024, 4)])
def test_chunks_are_equal_and_not_small(queries: int, chunks: int) -> None:
    assert causal_attention.count_chunks(queries) == chunks
