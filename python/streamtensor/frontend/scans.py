# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums and rolls as what streams know: masked sums over all earlier elements, and joined slices.

A scan has no form in Linalg: torch-mlir leaves `tm_tensor.scan`. The masked sum takes n additions for each of n
results, side by side on as many lanes as the design has.
"""

from __future__ import annotations

import torch


def _cumsum(x: torch.Tensor, dim: int, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = x.to(dtype or (x.dtype if x.is_floating_point() else torch.int64))
    if x.dim() == 0:
        return x
    row = x.movedim(dim, -1)
    position = torch.arange(row.shape[-1], device=x.device)
    is_earlier = position.unsqueeze(0) <= position.unsqueeze(1)
    # Not a product with zeros and ones: infinity times zero is no number.
    kept = torch.where(is_earlier, row.unsqueeze(-2), torch.zeros((), dtype=x.dtype, device=x.device))
    return kept.sum(dim=-1, dtype=x.dtype).movedim(-1, dim)


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
    return {torch.ops.aten.cumsum.default: _cumsum, torch.ops.aten.roll.default: _roll}
