# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch with what it leaves open as designs have it.

Equal elements are in the order of their positions, and a place is searched for in a row that is in order.
"""

from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Ordered(TorchDispatchMode):
    """Sorts, and what is chosen by rank, take the first of equal elements first; searches sort their row."""

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        rule = _RULES.get(operation, operation)
        is_scalar = operation in _OF_ROWS and arguments[0].dim() == 0
        return (operation if is_scalar else rule)(*arguments, **(keywords or {}))


def _sort(x: torch.Tensor, dim: int = -1, descending: bool = False):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def _topk(x: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True):
    values, places = _sort(x, dim, largest)
    return values.narrow(dim, 0, k), places.narrow(dim, 0, k)


def _at_rank(x: torch.Tensor, rank: torch.Tensor, dim: int, keepdim: bool):
    values, places = (torch.gather(each, dim, rank) for each in _sort(x, dim))
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _kth_value(x: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False):
    return _at_rank(x, torch.full_like(x.narrow(dim, 0, 1), k - 1, dtype=torch.int64), dim, keepdim)


def _median(x: torch.Tensor, dim: int, keepdim: bool = False):
    numbers = (~torch.isnan(x)).sum(dim, keepdim=True)
    return _at_rank(x, torch.where(numbers == x.shape[dim], (x.shape[dim] - 1) // 2, numbers), dim, keepdim)


def _median_of_numbers(x: torch.Tensor, dim: int, keepdim: bool = False):
    numbers = (~torch.isnan(x)).sum(dim, keepdim=True)
    return _at_rank(x, ((numbers - 1) // 2).clamp(min=0), dim, keepdim)


def _search_sorted(row: torch.Tensor, values: torch.Tensor | float, *, sorter: torch.Tensor | None = None, **keywords):
    row = row if sorter is None else torch.gather(row, -1, sorter)
    return torch.searchsorted(torch.sort(row, dim=-1).values, values, **keywords)


def _bucketize(values: torch.Tensor | float, boundaries: torch.Tensor, **keywords):
    return torch.bucketize(values, torch.sort(boundaries).values, **keywords)


_OF_ROWS = {
    torch.ops.aten.sort.default: _sort,
    torch.ops.aten.topk.default: _topk,
    torch.ops.aten.kthvalue.default: _kth_value,
    torch.ops.aten.median.dim: _median,
    torch.ops.aten.nanmedian.dim: _median_of_numbers,
}
_RULES = _OF_ROWS | {
    torch.ops.aten.searchsorted.Tensor: _search_sorted,
    torch.ops.aten.searchsorted.Scalar: _search_sorted,
    torch.ops.aten.bucketize.Tensor: _bucketize,
    torch.ops.aten.bucketize.Scalar: _bucketize,
}
