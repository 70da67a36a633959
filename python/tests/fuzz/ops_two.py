# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generics with two results: two bodies in one, an extreme value with its place, two reductions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fuzz.elements import Data, Element, Type, Unfit
from fuzz.ops_map import Map, body_lines
from fuzz.ops_reduce import Reduce
from fuzz.program import Generic, Operation, Writer


class Pair(Operation):
    """Two operations on the same operands, in one generic."""

    first: Operation
    second: Operation

    has_second = True

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        made = self.first.evaluate(operands, types, result)
        return replace(made, also=self.second.evaluate(operands, types, self.second.infer(types)))


@dataclass(frozen=True, eq=False)
class TwoMaps(Pair):
    """Two bodies over the same operands, read in the same way."""

    first: Map
    second: Map

    def infer(self, types: Sequence[Type]) -> Type:
        if self.first.infer(types).shape != self.second.infer(types).shape:
            raise Unfit
        return self.first.infer(types)

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        results, lines, yielded = [result, self.second.infer(types)], [], []
        for part, start in ((self.first, "%s"), (self.second, "%t")):
            names, elements = [f"%i{index}" for index in range(len(operands))], [kind.element for kind in types]
            lines += body_lines(part.steps, names, elements, start)
            yielded.append(names[-1])
        lines.append(f"linalg.yield {', '.join(yielded)} : {', '.join(kind.element.name for kind in results)}")
        frame = Generic(self.first.maps, range(self.first.rank), frozenset(), self.first.rank)
        return frame.emit_all(operands, types, [writer.empty(kind) for kind in results], results, lines, ["%o", "%p"])

    @property
    def labels(self) -> list[str]:
        labels = [label for part in (self.first, self.second) for label in part.labels if not label.endswith(" form")]
        return [*labels, "two maps"]


@dataclass(frozen=True, eq=False)
class Place(Operation):
    """The largest (or smallest) value along a dimension, and the first place that holds it."""

    dim: int
    takes_largest: bool
    element: Element

    has_second = True

    def infer(self, types: Sequence[Type]) -> Type:
        shape = types[0].shape
        if self.dim >= len(shape):
            raise Unfit
        return replace(types[0], shape=shape[: self.dim] + shape[self.dim + 1 :])

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        data = operands[0]
        if not data.exact:
            raise Unfit
        extreme, place = (np.max, np.argmax) if self.takes_largest else (np.min, np.argmin)
        made = data.each(lambda array: np.asarray(extreme(array, axis=self.dim)))
        return replace(made, also=Data.of(self.element.wrap(place(data.narrow, axis=self.dim))))

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        value, rank = result.element, types[0].rank
        results = [result, Type(result.shape, self.element)]
        inits = [writer.filled(result, self._worst(value)), writer.filled(results[1], 0)]
        compare = ("f", "ogt" if self.takes_largest else "olt") if value.is_float else ("i", self._word("sgt", "slt"))
        lines = [
            f"%k = linalg.index {self.dim} : index",
            f"%c = arith.index_cast %k : index to {self.element.name}",
            f"%b = arith.cmp{compare[0]} {compare[1]}, %i0, %o : {value.name}",
            f"%v = arith.select %b, %i0, %o : {value.name}",
            f"%n = arith.select %b, %c, %p : {self.element.name}",
            f"linalg.yield %v, %n : {value.name}, {self.element.name}",
        ]
        kept = [dim for dim in range(rank) if dim != self.dim]
        frame = Generic([range(rank)], kept, frozenset([self.dim]), rank)
        return frame.emit_all(operands, types, inits, results, lines, ["%o", "%p"])

    def _word(self, largest: str, smallest: str) -> str:
        return largest if self.takes_largest else smallest

    def _worst(self, element: Element) -> float:
        if element.is_float:
            return -np.inf if self.takes_largest else np.inf
        return element.lowest if self.takes_largest else element.highest

    @property
    def labels(self) -> list[str]:
        return [f"place of the {self._word('largest', 'smallest')}"]


@dataclass(frozen=True, eq=False)
class TwoReductions(Pair):
    """Two combiners over the same dimensions, each from its neutral element."""

    first: Reduce
    second: Reduce

    def infer(self, types: Sequence[Type]) -> Type:
        return self.first.infer(types)

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        parts, results = (self.first, self.second), [result, self.second.infer(types)]
        inits = [
            writer.filled(kind, part.combiner.neutral(part.element)) for part, kind in zip(parts, results, strict=True)
        ]
        lines, yielded = [], []
        for part, old, start in zip(parts, ("%o", "%p"), ("%s", "%t"), strict=True):
            names, elements = ["%i0"], [types[0].element]
            lines += body_lines(part.before, names, elements, start)
            lines.append(f"{old}new = {part.combiner.operation} {names[-1]}, {old} : {part.element.name}")
            yielded.append(f"{old}new")
        lines.append(f"linalg.yield {', '.join(yielded)} : {', '.join(kind.element.name for kind in results)}")
        rank = types[0].rank
        frame = Generic([range(rank)], self.first.kept, frozenset(self.first.dims), rank)
        return frame.emit_all(operands, types, inits, results, lines, ["%o", "%p"])

    @property
    def labels(self) -> list[str]:
        return [*self.first.labels, *self.second.labels, "two reductions"]
