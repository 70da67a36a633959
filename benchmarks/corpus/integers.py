# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers, booleans and lookups by hand."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from corpus.sample import Draw, Function, by_name, indices


class QuantisedLinear(nn.Module):
    """int8 by int8 into int32, one scale per output, rounded back to int8."""

    def __init__(self, width: int = 24, out: int = 10):
        super().__init__()
        self.register_buffer("weight", torch.randint(-127, 128, (out, width), dtype=torch.int8))
        self.register_buffer("scale", torch.rand(out) / 100)

    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True) / 127
        quantised = torch.round(x / scale).clamp(-128, 127).to(torch.int8)
        sums = quantised.to(torch.int32) @ self.weight.T.to(torch.int32)
        return sums * scale * self.scale, quantised


def logic(a, b, c):
    """Comparisons and the logic of booleans, with any and all."""
    near = ((a - b).abs() < 1) & ~(a.isnan() | (c == 2))
    return near.logical_xor(a >= 0), near.any(-1), near.all(0), torch.where(near, a, b).sum(), (c != 0).sum(1)


def hashing(x):
    """Bits moved, cut and mixed."""
    mixed = (x ^ (x >> 3)) * 2654435 + (x << 5)
    return (
        mixed & 0xFFFF,
        mixed | 1,
        mixed % 17,
        (mixed // 7).to(torch.int32),
        torch.div(mixed, -7, rounding_mode="trunc"),
    )


def lookups(table, rows, columns):
    """gather, index_select, advanced indices and take_along_dim."""
    picked = table.index_select(0, rows)
    return picked, table.gather(1, columns), table[rows, columns[0, :3]], table.take_along_dim(columns, 1).sum(1)


class CountTokens(nn.Module):
    """Lengths from padding, the last token of each row, and a mean without padding."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 12, padding_idx=0)

    def forward(self, ids):
        is_text = ids.ne(0)
        lengths = is_text.sum(1)
        vectors = self.embedding(ids)
        mean = (vectors * is_text[..., None]).sum(1) / lengths[:, None].clamp(min=1)
        last = vectors[torch.arange(ids.shape[0]), lengths - 1]
        return functional.normalize(mean, dim=-1), last, lengths


def padded() -> tuple[torch.Tensor, ...]:
    ids = indices(19, 3, 6) + 1
    ids[0, 4:] = 0
    ids[2, 1:] = 0
    return (ids,)


def _lookup_inputs() -> tuple[torch.Tensor, ...]:
    return torch.randn(8, 5), indices(8, 3), indices(5, 8, 4)


def _logic_inputs() -> tuple[torch.Tensor, ...]:
    return torch.randn(4, 5), torch.randn(4, 5), indices(3, 4, 5)


def _quantised() -> tuple[nn.Module, Draw]:
    return QuantisedLinear(), lambda: (torch.randn(3, 24),)


MODULES = by_name(
    {
        "quantised-linear": _quantised,
        "logic": lambda: (Function(logic), _logic_inputs),
        "hashing": lambda: (Function(hashing), lambda: (indices(100_000, 4, 7),)),
        "lookups": lambda: (Function(lookups), _lookup_inputs),
        "count-tokens": lambda: (CountTokens(), padded),
    }
)
