# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pads as what streams know: slices where an amount is negative, joined slices where the border repeats the tensor.

torch-mlir hands a negative amount on to `tensor.pad`, which has no meaning for it, and reads the elements of a border
one by one through tables of indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

Border = Callable[[torch.Tensor, int, int, int], torch.Tensor]


def _amounts(pad: Sequence[int], rank: int) -> list[tuple[int, int, int]]:
    """(dimension, before, after); PyTorch lists the last dimension first."""
    return [(rank - 1 - index // 2, pad[index], pad[index + 1]) for index in range(0, len(pad), 2)]


def _crop(x: torch.Tensor, dim: int, before: int, after: int) -> torch.Tensor:
    first, cut = max(-before, 0), max(-after, 0)
    return x.narrow(dim, first, x.shape[dim] - first - cut) if first or cut else x


def _constant(x: torch.Tensor, pad: Sequence[int], value: float = 0):
    if min(pad, default=0) >= 0:
        return NotImplemented
    for dim, before, after in _amounts(pad, x.dim()):
        x = _crop(x, dim, before, after)
    return torch.constant_pad_nd(x, [max(amount, 0) for amount in pad], value)


def _reflected(x: torch.Tensor, dim: int, before: int, after: int) -> torch.Tensor:
    last = x.shape[dim] - 1
    left = [x.narrow(dim, distance, 1) for distance in range(before, 0, -1)]
    right = [x.narrow(dim, last - distance, 1) for distance in range(1, after + 1)]
    return torch.cat([*left, x, *right], dim)


def _replicated(x: torch.Tensor, dim: int, before: int, after: int) -> torch.Tensor:
    def repeat(index: int, count: int) -> list[torch.Tensor]:
        shape = [count if d == dim else size for d, size in enumerate(x.shape)]
        return [x.narrow(dim, index, 1).expand(shape)] if count > 0 else []

    return torch.cat([*repeat(0, before), x, *repeat(x.shape[dim] - 1, after)], dim)


def _circular(x: torch.Tensor, dim: int, before: int, after: int) -> torch.Tensor:
    size = x.shape[dim]
    left = [x.narrow(dim, size - before, before)] if before > 0 else []
    right = [x.narrow(dim, 0, after)] if after > 0 else []
    return torch.cat([*left, x, *right], dim)


def _pad(x: torch.Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None):
    if mode == "constant":
        return torch.constant_pad_nd(x, pad, value or 0)
    for dim, before, after in _amounts(pad, x.dim()):
        if mode == "circular":  # It repeats what is left, the others what was there.
            x, before, after = _crop(x, dim, before, after), max(before, 0), max(after, 0)
        x = _crop(_BORDERS[mode](x, dim, before, after), dim, min(before, 0), min(after, 0))
    return x


_BORDERS: dict[str, Border] = {"reflect": _reflected, "replicate": _replicated, "circular": _circular}


def decompositions() -> dict:
    return {torch.ops.aten.constant_pad_nd.default: _constant, torch.ops.aten.pad.default: _pad}
