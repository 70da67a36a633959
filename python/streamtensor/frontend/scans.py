# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums, products and extremes, and rolls, as what streams know: masked sums over all earlier elements, and
joined slices.

A scan has no form in Linalg: torch-mlir leaves `tm_tensor.scan`. The masked sum takes n additions for each of n
results, side by side on as many lanes as the design has.
"""

from __future__ import annotations

import torch

from streamtensor.frontend.masked import limits, masked


def _is_earlier(row: torch.Tensor) -> torch.Tensor:
    """Which elements of a row, in a further dimension, come no later than each."""
    position = torch.arange(row.shape[-1], device=row.device)
    return position.unsqueeze(0) <= position.unsqueeze(1)


def _earlier(row: torch.Tensor, neutral: float) -> torch.Tensor:
    """For each element of a row the elements up to it, and `neutral` in place of the others."""
    return masked(_is_earlier(row), row.unsqueeze(-2), neutral)


def _in_scan_type(x: torch.Tensor, dtype: torch.dtype | None) -> torch.Tensor:
    return x.to(dtype or (x.dtype if x.is_floating_point() else torch.int64))


def _cumsum(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = _in_scan_type(x, dtype)
    if x.dim() == 0:
        return x
    return _earlier(x.movedim(dim, -1), 0).sum(dim=-1, dtype=x.dtype).movedim(-1, dim)


def _cumprod(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = _in_scan_type(x, dtype)
    if x.dim() == 0:
        return x
    return _earlier(x.movedim(dim, -1), 1).prod(dim=-1, dtype=x.dtype).movedim(-1, dim)


def _logcumsumexp(x: torch.Tensor, dim: int):
    if not x.is_floating_point():
        return NotImplemented
    if x.dim() == 0:
        return x.clone()
    return _earlier(x.movedim(dim, -1), -torch.inf).logsumexp(dim=-1).movedim(-1, dim)


def _extremes(x: torch.Tensor, dim: int, is_maximum: bool):
    """Of each element of a row the largest or smallest up to it, NaN if there is one, and where that was last."""
    if x.dtype == torch.bool:
        return NotImplemented
    if x.dim() == 0:
        return x.clone(), torch.zeros((), dtype=torch.int64, device=x.device)
    row = x.movedim(dim, -1)
    least, most = limits(x.dtype)
    earlier = _earlier(row, least if is_maximum else most)
    found = earlier.amax(-1) if is_maximum else earlier.amin(-1)
    is_found = earlier == found.unsqueeze(-1)
    if x.is_floating_point():
        is_found = is_found | (torch.isnan(earlier) & torch.isnan(found).unsqueeze(-1))
    position = torch.arange(row.shape[-1], device=x.device)
    last = masked(is_found & _is_earlier(row), position, 0).amax(-1)
    return found.movedim(-1, dim), last.movedim(-1, dim)


def _roll(x: torch.Tensor, shifts: list[int], dims: list[int] = ()) -> torch.Tensor:
    if not dims:
        return _roll(x.reshape(-1), shifts, [0]).reshape(x.shape)
    for shift, dim in zip(shifts, dims, strict=True):
        size = x.shape[dim]
        first = -shift % size if size else 0
        if first:
            x = torch.cat([x.narrow(dim, first, size - first), x.narrow(dim, 0, first)], dim)
    return x


def decompositions() -> dict:
    aten = torch.ops.aten
    return {
        aten.cumsum.default: _cumsum,
        aten.cumprod.default: _cumprod,
        aten.logcumsumexp.default: _logcumsumexp,
        aten.cummax.default: lambda x, dim: _extremes(x, dim, is_maximum=True),
        aten.cummin.default: lambda x, dim: _extremes(x, dim, is_maximum=False),
        aten.roll.default: _roll,
    }
