# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear interpolation as PyTorch computes it, of each neighbour times its weight.

The stock decomposition adds a part of the neighbours' difference to the first of them, which is not a number between
two infinities, and no finite one between 3e38 and -3e38.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch._decomp.decompositions import upsample_compute_output_size


def _places(extent: int, size: int, align_corners: bool, scale: float | None, dtype: torch.dtype) -> torch.Tensor:
    """Where each of `size` results lies among the places 0 to `extent` - 1, as PyTorch rounds it in `dtype`."""
    results = torch.arange(size, dtype=dtype)
    if align_corners:
        return results * ((extent - 1) / (size - 1) if size > 1 else 0)
    return ((results + 0.5) * (1 / scale if scale else extent / size) - 0.5).clamp(min=0)


def _along(given: torch.Tensor, dim: int, places: torch.Tensor) -> torch.Tensor:
    """`given` at `places` of dimension `dim`, between neighbours."""
    if len(places) == given.shape[dim]:
        return given * 1 + given * 0  # PyTorch's neighbour of each is itself: infinity becomes NaN.
    first = places.to(torch.int64).clamp(max=given.shape[dim] - 1)
    second = (first + 1).clamp(max=given.shape[dim] - 1)
    weight = (places - first).reshape(-1, *[1] * (given.dim() - 1 - dim))
    return given.index_select(dim, first) * (1 - weight) + given.index_select(dim, second) * weight


def _interpolate(
    given: torch.Tensor, sizes: Sequence[int], align_corners: bool, scales: Sequence[float | None]
) -> torch.Tensor:
    if not given.dtype.is_floating_point:
        return NotImplemented
    wide = given.to(torch.promote_types(given.dtype, torch.float32))
    for dim in reversed(range(2, given.dim())):
        extent, size = given.shape[dim], sizes[dim - 2]
        wide = _along(wide, dim, _places(extent, size, align_corners, scales[dim - 2], wide.dtype))
    return wide.to(given.dtype)


def _to_sizes(given: torch.Tensor, sizes: Sequence[int], align_corners: bool, *scales: float | None):
    return _interpolate(given, sizes, align_corners, scales or [None] * len(sizes))


def _to_sizes_or_scales(
    given: torch.Tensor,
    sizes: Sequence[int] | None,
    align_corners: bool,
    scales: Sequence[float] | None,
):
    sizes = upsample_compute_output_size(given.shape, sizes, scales)
    return _interpolate(given, sizes, align_corners, scales or [None] * len(sizes))


def decompositions() -> dict[torch._ops.OpOverload, Callable]:
    aten = torch.ops.aten
    packets = (aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_trilinear3d)
    return {packet.default: _to_sizes for packet in packets} | {packet.vec: _to_sizes_or_scales for packet in packets}
