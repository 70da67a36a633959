# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of external memory: how they lie there, and results that stay there as a design left them.

A packed tensor holds the tiles of a tensor in the order in which a design moves them. When the results of one launch
are the inputs of the next (the layers of a language model) and both lie alike, the host passes them on as they lie.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

from streamtensor import lazy_torch as torch


@dataclass(frozen=True)
class Layout:
    """Element (i0, i1, ...) of the packed tensor is element offset + i0 * strides[0] + ... of the row-major one."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    lanes: int = 0  # elements of the last dimension that are data; 0: all of them

    def pack(self, source: torch.Tensor) -> torch.Tensor:
        source = source.detach().contiguous()
        # A view may begin behind the start of its memory.
        elements = source.as_strided(self._extents, self.strides, source.storage_offset() + self.offset)
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

    def places(self, shape: tuple[int, ...]) -> torch.Tensor | None:
        """Where each element of a row-major tensor of `shape` lies in the packed one; none if not at one place."""
        count = math.prod(shape)
        packed = replace(self, lanes=0, shape=self._extents).pack(torch.arange(count)).reshape(-1)
        if self.lanes or len(packed) != count:
            return None
        places = torch.full((count,), -1)
        places[packed] = torch.arange(count)
        return places.reshape(shape) if bool((places >= 0).all()) else None

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
class PackedTensor:
    """A tensor as launches read it: by the number of each value of the program that is made of it, or its own, what
    lies in external memory; its stripes where it lies in several memories."""

    packed: dict[int, torch.Tensor | tuple[torch.Tensor, ...]]
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def device(self) -> torch.device:
        first = next(iter(self.packed.values()))
        return (first[0] if isinstance(first, tuple) else first).device


class RowBuffer:
    """A tensor [..., rows, width] that stays in external memory as launches read it; the host writes rows.

    `layouts`: those in which launches read it, by the number of the pack's output; none where they read it row-major.
    """

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, layouts: dict[int, Layout]):
        self._places = {output: _places(layout, shape) for output, layout in layouts.items()}
        if layouts and all(places is not None for places in self._places.values()):
            packed = {output: torch.zeros(layout.shape, dtype=dtype) for output, layout in layouts.items()}
            self.value: torch.Tensor | PackedTensor = PackedTensor(packed, shape, dtype)
        else:  # Row-major, or in several places at once: then it is packed for each launch.
            self.value = torch.zeros(shape, dtype=dtype)

    def write(self, position: int, rows: torch.Tensor) -> None:
        """Puts `rows` [..., count, width] behind the first `position` rows."""
        part = slice(position, position + rows.shape[-2])
        if isinstance(self.value, torch.Tensor):
            self.value[..., part, :] = rows
            return
        for output, packed in self.value.packed.items():
            packed.view(-1)[self._places[output][..., part, :]] = rows

    def clear(self) -> None:
        for tensor in self.value.packed.values() if isinstance(self.value, PackedTensor) else (self.value,):
            tensor.zero_()


@cache
def _places(layout: Layout, shape: tuple[int, ...]) -> torch.Tensor | None:
    """Of the caches of all layers, which lie alike."""
    return layout.places(shape)


def as_tensor(value: torch.Tensor | Resident) -> torch.Tensor:
    return value.tensor if isinstance(value, Resident) else value


def apart(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """`tensors`, dense, as a file takes them: none shares its memory with another."""
    dense = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    owners = {tensor.untyped_storage().data_ptr(): name for name, tensor in dense.items()}
    return {
        name: tensor if owners[tensor.untyped_storage().data_ptr()] == name else tensor.clone()
        for name, tensor in dense.items()
    }


def split(tensor: torch.Tensor, stripes: int, row: int) -> list[torch.Tensor]:
    """The parts of a striped tensor: stripe k holds the k-th part of each row, which has `row` elements."""
    if stripes == 1:
        return [tensor]
    return [part.contiguous() for part in tensor.reshape(-1, row).chunk(stripes, dim=-1)]


def merge(parts: list[torch.Tensor], tensor: torch.Tensor, row: int) -> None:
    """The inverse of `split`, into `tensor`."""
    if len(parts) > 1:
        tensor.view(-1, row).copy_(torch.cat(parts, dim=-1))
