# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of external memory: how they lie there, and results that stay there as a design left them.

A packed tensor holds the tiles of a tensor in the order in which a design moves them. When the results of one launch
are the inputs of the next (the layers of a language model) and both lie alike, the host passes them on as they lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch


@dataclass(frozen=True)
class Layout:
    """Element (i0, i1, ...) of the packed tensor is element offset + i0 * strides[0] + ... of the row-major one."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    lanes: int = 0  # elements of the last dimension that are data; 0: all of them

    def pack(self, source: torch.Tensor) -> torch.Tensor:
        elements = source.detach().contiguous().as_strided(self._extents, self.strides, self.offset)
        if not self.lanes:
            return elements.contiguous()
        packed = torch.zeros(self.shape, dtype=source.dtype)
        packed[..., : self.lanes] = elements
        return packed

    def unpack(self, packed: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
        data = torch.empty(shape, dtype=packed.dtype)
        elements = packed[..., : self.lanes] if self.lanes else packed
        data.as_strided(self._extents, self.strides, self.offset).copy_(elements)
        return data

    def is_same_as(self, other: Layout) -> bool:
        """Do the same bytes lie at the same places? Extents of 1 say nothing."""
        return self._normal == other._normal

    @property
    def _extents(self) -> tuple[int, ...]:
        return (*self.shape[:-1], self.lanes) if self.lanes else self.shape

    @property
    def _normal(self) -> tuple:
        dims = [pair for pair in zip(self._extents, self.strides, strict=True) if pair[0] > 1]
        return dims, self.offset, self.lanes and (self.lanes, self.shape[-1])


@dataclass(frozen=True, eq=False)
class Resident:
    """A tensor that lies packed in external memory; `tensor` puts its elements in order when it is asked for."""

    packed: torch.Tensor
    layout: Layout
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def device(self) -> torch.device:
        return self.packed.device

    @cached_property
    def tensor(self) -> torch.Tensor:
        return self.layout.unpack(self.packed, self.shape).view(self.dtype)


@dataclass(frozen=True, eq=False)
class PackedParameter:
    """A parameter as a design reads it: for each pack of the program, by the number of its output, what it gives."""

    packed: dict[int, torch.Tensor]
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def device(self) -> torch.device:
        return next(iter(self.packed.values())).device


def as_tensor(value: torch.Tensor | Resident) -> torch.Tensor:
    return value.tensor if isinstance(value, Resident) else value
