# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Movement and algebra of tensors by hand."""

from __future__ import annotations

import torch
from torch.nn import functional

from corpus.sample import Function, by_name, floats


def turns(x):
    """Flips, turns, repeats, triangles, diagonals and strides."""
    square = x[0]
    return (
        torch.rot90(x, 1, (1, 2)),
        x.flip(0, 2).movedim(0, -1),
        torch.tril(square, -1) + square.triu(2),
        torch.diagonal(x, dim1=1, dim2=2),
        torch.diag_embed(x.mean(1)),
        x[:, ::2, 1:-1].repeat(1, 2, 1),
        x.repeat_interleave(2, dim=2),
        torch.stack((square, -square), 1).tile(2, 1, 1),
    )


def algebra(a, b, c):
    """Products of many kinds."""
    return (
        torch.einsum("bij,bkj,bk->bi", a, b, c),
        torch.tensordot(a, b, dims=([2], [2])),
        torch.kron(a[0], c[:, :2]),
        torch.baddbmm(a, a @ a.mT, a, beta=0.5),
        torch.linalg.vector_norm(b, ord=3, dim=(1, 2)),
        torch.linalg.cross(a[..., :3], a[..., 1:]),
        torch.einsum("bii->b", a @ a.mT),
    )


def statistics(x):
    """Moments, extremes, running products and norms of a batch."""
    low, place = x.min(1)
    return (
        torch.cat((x.mean(1), x.std(1), x.var(1, correction=0)), -1),
        (low, place, x.amax((0, 2)), x.aminmax(dim=-1).max),
        x.cumprod(1) + x.logcumsumexp(2),
        functional.layer_norm(x, (5, 4)) + functional.instance_norm(x),
        functional.local_response_norm(x, 3),
        x.clamp(-0.5, 0.5).prod(2).sign(),
    )


MODULES = by_name(
    {
        "turns": lambda: (Function(turns), floats((2, 4, 4))),
        "algebra": lambda: (Function(algebra), floats((2, 3, 4), (2, 5, 4), (2, 5))),
        "statistics": lambda: (Function(statistics), floats((2, 5, 4))),
    }
)
