# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a table: at places that a tensor names (an embedding), or from the last to the first (a flip)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fuzz.elements import Type, Unfit
from fuzz.ops_move import Move
from fuzz.program import Generic, Writer


def _extract(table: str, kind: Type, row: str, first: int) -> list[str]:
    """Lines that load table[row, ...], the rest of the indices loops from `first` on."""
    columns = [f"%c{dim}" for dim in range(1, kind.rank)]
    lines = [f"{name} = linalg.index {first + dim} : index" for dim, name in enumerate(columns)]
    lines.append(f"%r = tensor.extract {table}[{', '.join([row, *columns])}] : {kind}")
    return [*lines, f"linalg.yield %r : {kind.element.name}"]


@dataclass(frozen=True, eq=False)
class Lookup(Move):
    """The rows of the first operand that the second one names."""

    def infer(self, types: Sequence[Type]) -> Type:
        table, rows = types
        if not rows.element.is_int or table.rank == 0:
            raise Unfit
        return Type((*rows.shape, *table.shape[1:]), table.element)

    def move(self, arrays, types):
        table, rows = arrays
        if rows.min() < 0 or rows.max() >= len(table):
            raise Unfit
        return table[rows.astype(int)]

    def emit(self, writer: Writer, operands, types, result) -> str:
        table, rows = types
        lines = [f"%row = arith.index_cast %i0 : {rows.element.name} to index"]
        lines += _extract(operands[0], table, "%row", rows.rank)
        frame = Generic([range(rows.rank)], range(result.rank), frozenset(), result.rank)
        return frame.emit(operands[1:], types[1:], writer.empty(result), result, lines)


@dataclass(frozen=True, eq=False)
class Flip(Move):
    """The rows in their opposite order."""

    def infer(self, types: Sequence[Type]) -> Type:
        if types[0].rank == 0:
            raise Unfit
        return types[0]

    def move(self, arrays, types):
        return arrays[0][::-1]

    def emit(self, writer: Writer, operands, types, result) -> str:
        lines = [
            "%i = linalg.index 0 : index",
            f"%last = arith.constant {result.shape[0] - 1} : index",
            "%row = arith.subi %last, %i : index",
            *_extract(operands[0], types[0], "%row", 1),
        ]
        return Generic([], range(result.rank), frozenset(), result.rank).emit(
            [], [], writer.empty(result), result, lines
        )
