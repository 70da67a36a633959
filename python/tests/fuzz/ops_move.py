# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that move values and compute none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fuzz.elements import Data, Type, Unfit
from fuzz.program import Operation, Writer


class Move(Operation):
    """One rearrangement of arrays."""

    def move(self, arrays: Sequence[np.ndarray], types: Sequence[Type]) -> np.ndarray:
        raise NotImplementedError

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        narrow = np.array(self.move([operand.narrow for operand in operands], types))
        if not result.element.is_float:
            return Data.of(narrow)
        wide = np.array(self.move([operand.wide for operand in operands], types))
        return Data(narrow, wide, all(operand.exact for operand in operands))


@dataclass(frozen=True, eq=False)
class Transpose(Move):
    order: tuple[int, ...]

    def infer(self, types: Sequence[Type]) -> Type:
        if types[0].rank != len(self.order):
            raise Unfit
        return replace(types[0], shape=tuple(types[0].shape[dim] for dim in self.order))

    def move(self, arrays, types):
        return np.transpose(arrays[0], self.order)

    def emit(self, writer: Writer, operands, types, result) -> str:
        empty = writer.empty(result)
        order = list(self.order)
        return f"linalg.transpose ins({operands[0]} : {types[0]}) outs({empty} : {result}) permutation = {order}"


@dataclass(frozen=True, eq=False)
class Broadcast(Move):
    """Adds the dimensions `dims` of the result, with `extents`."""

    dims: tuple[int, ...]
    extents: tuple[int, ...]

    def infer(self, types: Sequence[Type]) -> Type:
        shape = list(types[0].shape)
        for dim, extent in zip(self.dims, self.extents, strict=True):
            if dim > len(shape):
                raise Unfit
            shape.insert(dim, extent)
        return replace(types[0], shape=tuple(shape))

    def move(self, arrays, types):
        return np.broadcast_to(np.expand_dims(arrays[0], self.dims), self.infer(types).shape)

    def emit(self, writer: Writer, operands, types, result) -> str:
        empty = writer.empty(result)
        dims = list(self.dims)
        return f"linalg.broadcast ins({operands[0]} : {types[0]}) outs({empty} : {result}) dimensions = {dims}"


def groups(rank: int, dim: int) -> list[list[int]]:
    """The reassociation that joins dimensions dim and dim + 1 of `rank`."""
    return [[d, d + 1] if d == dim else [d] for d in range(rank) if d != dim + 1]


@dataclass(frozen=True, eq=False)
class Expand(Move):
    """Splits dimension `dim` into `factor` rows."""

    dim: int
    factor: int

    def infer(self, types: Sequence[Type]) -> Type:
        shape = types[0].shape
        if self.dim >= len(shape) or shape[self.dim] % self.factor:
            raise Unfit
        split = (self.factor, shape[self.dim] // self.factor)
        return replace(types[0], shape=(*shape[: self.dim], *split, *shape[self.dim + 1 :]))

    def move(self, arrays, types):
        return arrays[0].reshape(self.infer(types).shape)

    def emit(self, writer: Writer, operands, types, result) -> str:
        listed = groups(result.rank, self.dim)
        shape = list(result.shape)
        return f"tensor.expand_shape {operands[0]} {listed} output_shape {shape} : {types[0]} into {result}"


@dataclass(frozen=True, eq=False)
class Collapse(Move):
    """Joins dimensions `dim` and `dim` + 1."""

    dim: int

    def infer(self, types: Sequence[Type]) -> Type:
        shape = types[0].shape
        if self.dim + 1 >= len(shape):
            raise Unfit
        return replace(
            types[0], shape=(*shape[: self.dim], shape[self.dim] * shape[self.dim + 1], *shape[self.dim + 2 :])
        )

    def move(self, arrays, types):
        return arrays[0].reshape(self.infer(types).shape)

    def emit(self, writer: Writer, operands, types, result) -> str:
        return f"tensor.collapse_shape {operands[0]} {groups(types[0].rank, self.dim)} : {types[0]} into {result}"


@dataclass(frozen=True, eq=False)
class Slice(Move):
    """`dropped` are dimensions of size one that the result does not have."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dropped: tuple[int, ...] = ()

    def infer(self, types: Sequence[Type]) -> Type:
        if types[0].rank != len(self.sizes):
            raise Unfit
        for extent, low, size, stride in zip(types[0].shape, self.offsets, self.sizes, self.strides, strict=True):
            if low + (size - 1) * stride >= extent:
                raise Unfit
        if any(self.sizes[dim] != 1 for dim in self.dropped):
            raise Unfit
        return replace(types[0], shape=tuple(e for dim, e in enumerate(self.sizes) if dim not in self.dropped))

    def adapt(self, types: Sequence[Type]) -> Slice:
        """Cut down to what is left."""
        if types[0].rank != len(self.sizes):
            return self
        offsets = [min(low, extent - 1) for low, extent in zip(self.offsets, types[0].shape, strict=True)]
        room = [(extent - 1 - low) for low, extent in zip(offsets, types[0].shape, strict=True)]
        sizes = [
            min(size, left // stride + 1) for size, left, stride in zip(self.sizes, room, self.strides, strict=True)
        ]
        return replace(self, offsets=tuple(offsets), sizes=tuple(sizes))

    def move(self, arrays, types):
        boxes = zip(self.offsets, self.sizes, self.strides, strict=True)
        cut = arrays[0][tuple(slice(low, low + (size - 1) * stride + 1, stride) for low, size, stride in boxes)]
        return np.squeeze(cut, self.dropped) if self.dropped else cut

    def emit(self, writer: Writer, operands, types, result) -> str:
        box = f"{list(self.offsets)} {list(self.sizes)} {list(self.strides)}"
        return f"tensor.extract_slice {operands[0]}{box} : {types[0]} to {result}"

    @property
    def labels(self) -> list[str]:
        strided = ["strided slice"] if any(stride > 1 for stride in self.strides) else []
        return ["slice", *strided, *(["slice that drops dimensions"] if self.dropped else [])]


@dataclass(frozen=True, eq=False)
class Concat(Move):
    """Written as one operation, or as pieces inserted into a tensor one by one."""

    dim: int
    is_inserted: bool = False

    def infer(self, types: Sequence[Type]) -> Type:
        first = types[0]
        for kind in types:
            others = [a == b for d, (a, b) in enumerate(zip(kind.shape, first.shape, strict=False)) if d != self.dim]
            if kind.rank != first.rank or kind.element != first.element or not all(others):
                raise Unfit
        total = sum(kind.shape[self.dim] for kind in types)
        return replace(first, shape=(*first.shape[: self.dim], total, *first.shape[self.dim + 1 :]))

    def move(self, arrays, types):
        return np.concatenate(arrays, axis=self.dim)

    def emit(self, writer: Writer, operands, types, result) -> str:
        if self.is_inserted:
            return self._emit_inserts(writer, operands, types, result)
        listed = ", ".join(map(str, types))
        return f"tensor.concat dim({self.dim}) {', '.join(operands)} : ({listed}) -> {result}"

    def _emit_inserts(self, writer: Writer, operands, types, result) -> str:
        whole, low, text = writer.empty(result), [0] * result.rank, ""
        for name, kind in zip(operands, types, strict=True):
            whole = writer.define(text) if text else whole
            text = f"tensor.insert_slice {name} into {whole}{low} {list(kind.shape)} {[1] * kind.rank}"
            text += f" : {kind} into {result}"
            low[self.dim] += kind.shape[self.dim]
        return text

    @property
    def labels(self) -> list[str]:
        return ["concat", *(["concat by inserts"] if self.is_inserted else [])]


@dataclass(frozen=True, eq=False)
class Pad(Move):
    low: tuple[int, ...]
    high: tuple[int, ...]
    value: float

    def infer(self, types: Sequence[Type]) -> Type:
        if types[0].rank != len(self.low):
            raise Unfit
        sums = zip(types[0].shape, self.low, self.high, strict=True)
        return replace(types[0], shape=tuple(map(sum, sums)))

    def move(self, arrays, types):
        return np.pad(arrays[0], list(zip(self.low, self.high, strict=True)), constant_values=self.value)

    def emit(self, writer: Writer, operands, types, result) -> str:
        scalar = writer.scalar(self.value, result.element)
        indices = ", ".join(f"%p{index}: index" for index in range(result.rank))
        head = f"tensor.pad {operands[0]} low{list(self.low)} high{list(self.high)} {{\n^bb0({indices}):\n"
        return f"{head}  tensor.yield {scalar} : {result.element.name}\n}} : {types[0]} to {result}"
