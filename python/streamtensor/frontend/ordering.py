# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorted rows, the largest elements and middle ones, as what streams know: comparisons, sums and lookups.

A sort has no form in Linalg: torch-mlir leaves `tm_tensor.sort`. Here the rank of an element is the number of those
that come before it, n comparisons for each of n, side by side on as many lanes as the design has; what has a rank is
then looked up. A few of the largest are found one after the other instead, each among what is left of the row; the
largest alone is found first, and then where it stands, as lanes have no form for a position that goes with it. As in
PyTorch NaN is larger than all numbers; equal elements keep their order.
"""

from __future__ import annotations

import torch

from streamtensor.frontend.masked import limits, masked

_ROUNDS = 16  # Passes over a row that the next largest of it takes, in comparisons of each element.


def _rows(x: torch.Tensor, dim: int) -> torch.Tensor:
    """`x` with `dim` last, in a type that has an order."""
    row = x.reshape(1) if x.dim() == 0 else x.movedim(dim, -1)
    return row.to(torch.int32) if row.dtype == torch.bool else row


def _look_up(x: torch.Tensor, dim: int, index: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The elements of `x` at the positions `index`, which has `dim` last, and these positions."""
    if x.dim() == 0:
        return x.clone(), index.reshape(())
    index = index.movedim(-1, dim)
    return torch.gather(x, dim, index), index


def _is_nan(row: torch.Tensor) -> torch.Tensor:
    return torch.isnan(row) if row.is_floating_point() else torch.zeros_like(row, dtype=torch.bool)


def _ranks(row: torch.Tensor, descending: bool) -> torch.Tensor:
    """Of each element of a row the number of those that come before it."""
    this, other = row.unsqueeze(-1), row.unsqueeze(-2)
    position = torch.arange(row.shape[-1], device=row.device)
    is_earlier = position.unsqueeze(0) < position.unsqueeze(1)
    is_before, is_equal = (other > this if descending else other < this), other == this
    if row.is_floating_point():
        has_none, have_none = torch.isnan(this), torch.isnan(other)
        is_before = is_before | (have_none & ~has_none if descending else has_none & ~have_none)
        is_equal = is_equal | (has_none & have_none)
    return (is_before | (is_equal & is_earlier)).sum(-1)


def _positions(ranks: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """The position of each of the `wanted` ranks in its row."""
    position = torch.arange(ranks.shape[-1], device=ranks.device)
    is_wanted = ranks.unsqueeze(-2) == wanted.unsqueeze(-1)
    return masked(is_wanted, position, 0).sum(-1)


def _is_same(row: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Where the row has the value, or both are NaN."""
    return (row == value) | (_is_nan(row) & _is_nan(value))


def _first(is_wanted: torch.Tensor) -> torch.Tensor:
    """The position of the first element of each row that is wanted."""
    size = is_wanted.shape[-1]
    position = torch.arange(size, device=is_wanted.device)
    return masked(is_wanted, position, size).amin(-1, keepdim=True)


def _one_by_one(row: torch.Tensor, count: int) -> torch.Tensor:
    """The positions of the `count` largest elements of a row, each the first among what is left."""
    size = row.shape[-1]
    position = torch.arange(size, device=row.device)
    least, _ = limits(row.dtype)
    is_left, found = torch.ones_like(row, dtype=torch.bool), []
    for _ in range(count):
        largest = masked(is_left, row, least).amax(-1, keepdim=True)
        found.append(_first(is_left & _is_same(row, largest)))
        is_left = is_left & (position != found[-1])
    return torch.cat(found, -1)


def _sort(x: torch.Tensor, dim: int = -1, descending: bool = False):
    row = _rows(x, dim)
    return _look_up(x, dim, _positions(_ranks(row, descending), torch.arange(row.shape[-1], device=x.device)))


def _sort_stable(x: torch.Tensor, *, stable: bool | None = None, dim: int = -1, descending: bool = False):
    return _sort(x, dim, descending)


def _topk(x: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True):
    row = _rows(x, dim)
    if k == 0:
        return NotImplemented
    if largest and _ROUNDS * k < row.shape[-1]:
        return _look_up(x, dim, _one_by_one(row, k))
    return _look_up(x, dim, _positions(_ranks(row, descending=largest), torch.arange(k, device=x.device)))


def _extreme(largest: bool):
    """The largest or smallest element along a dimension, and the first position that it has."""

    def find(x: torch.Tensor, dim: int, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        if x.dim() == 0:
            return x.clone(), torch.zeros((), dtype=torch.int64, device=x.device)
        row = x.movedim(dim, -1)
        extreme = row.amax(-1, keepdim=True) if largest else row.amin(-1, keepdim=True)
        both = extreme.movedim(-1, dim), _first(_is_same(row, extreme)).movedim(-1, dim)
        return both if keepdim else (both[0].squeeze(dim), both[1].squeeze(dim))

    return find


def _place(largest: bool):
    """Of the largest or smallest element along a dimension, or of all."""
    find = _extreme(largest)

    def place(x: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> torch.Tensor:
        if dim is not None or x.dim() == 0:
            return find(x, dim or 0, keepdim)[1]
        found = find(x.reshape(-1), 0)[1]
        return found.reshape([1] * x.dim()) if keepdim else found

    return place


def _at_rank(x: torch.Tensor, dim: int, keepdim: bool, row: torch.Tensor, rank: torch.Tensor):
    """What has the rank `rank`, ascending, of each row."""
    values, indices = _look_up(x, dim, _positions(_ranks(row, descending=False), rank))
    squeezes = x.dim() > 0 and not keepdim
    return (values.squeeze(dim), indices.squeeze(dim)) if squeezes else (values, indices)


def _kth_value(x: torch.Tensor, k: int, dim: int = -1, keepdim: bool = False):
    row = _rows(x, dim)
    return _at_rank(x, dim, keepdim, row, torch.full((1,), k - 1, device=x.device))


def _median(x: torch.Tensor, dim: int, keepdim: bool = False):
    """The lower one of two; NaN, the first, if there is one."""
    row = _rows(x, dim)
    middle = (row.shape[-1] - 1) // 2
    numbers = (~_is_nan(row)).sum(-1, keepdim=True)
    return _at_rank(x, dim, keepdim, row, torch.where(numbers == row.shape[-1], middle, numbers))


def _median_of_numbers(x: torch.Tensor, dim: int, keepdim: bool = False):
    row = _rows(x, dim)
    numbers = (~_is_nan(row)).sum(-1, keepdim=True)
    return _at_rank(x, dim, keepdim, row, ((numbers - 1) >> 1).clamp(min=0))


def decompositions() -> dict:
    aten = torch.ops.aten
    return {
        aten.max.dim: _extreme(largest=True),
        aten.min.dim: _extreme(largest=False),
        aten.argmax.default: _place(largest=True),
        aten.argmin.default: _place(largest=False),
        aten.sort.default: _sort,
        aten.sort.stable: _sort_stable,
        aten.topk.default: _topk,
        aten.kthvalue.default: _kth_value,
        aten.median.dim: _median,
        aten.median.default: lambda x: _median(x.reshape(-1), 0)[0],
        aten.nanmedian.dim: _median_of_numbers,
        aten.nanmedian.default: lambda x: _median_of_numbers(x.reshape(-1), 0)[0],
    }
