# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions and contractions.

Their last operand may be a tensor to start from; else they start at `start`, or at the neutral element without one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fuzz.elements import F16, Data, Element, Type, Unfit, grain, sums_exactly
from fuzz.ops_map import Step, apply, body_lines
from fuzz.program import Generic, Operation, Writer, affine_map

MAX_WORK = 100_000
# Rounding of one addition of a sum, against what the sum's terms are worth; in the middle of what happens.
_ROUNDING = 0.5


@dataclass(frozen=True)
class Combiner:
    name: str
    operation: str
    neutral: Callable[[Element], float]
    reduce: Callable[..., np.ndarray]  # (array, axis)
    combine: Callable[..., np.ndarray]


def _wrapped(function: np.ufunc) -> Callable:
    return lambda array, axis: function.reduce(array.astype(np.int64), axis=axis, dtype=np.int64)


def _signed(function: np.ufunc) -> Callable:
    return lambda array, axis: function.reduce(array, axis=axis)


_ALL_ONES = lambda element: 1 if element.is_bool else -1  # noqa: E731
FLOAT_COMBINERS = (
    Combiner("sum", "arith.addf", lambda e: 0.0, np.sum, np.add),
    Combiner("product", "arith.mulf", lambda e: 1.0, np.prod, np.multiply),
    Combiner("maximum", "arith.maximumf", lambda e: -np.inf, np.max, np.maximum),
    Combiner("minimum", "arith.minimumf", lambda e: np.inf, np.min, np.minimum),
    Combiner("maxnum", "arith.maxnumf", lambda e: -np.inf, np.max, np.maximum),
    Combiner("minnum", "arith.minnumf", lambda e: np.inf, np.min, np.minimum),
)
INT_COMBINERS = (
    Combiner("sum", "arith.addi", lambda e: 0, _wrapped(np.add), np.add),
    Combiner("product", "arith.muli", lambda e: 1, _wrapped(np.multiply), np.multiply),
    Combiner("maximum", "arith.maxsi", lambda e: e.lowest, _signed(np.maximum), np.maximum),
    Combiner("minimum", "arith.minsi", lambda e: e.highest, _signed(np.minimum), np.minimum),
    Combiner("and", "arith.andi", _ALL_ONES, _wrapped(np.bitwise_and), np.bitwise_and),
    Combiner("or", "arith.ori", lambda e: 0, _wrapped(np.bitwise_or), np.bitwise_or),
    Combiner("xor", "arith.xori", lambda e: 0, _wrapped(np.bitwise_xor), np.bitwise_xor),
)
BOOL_COMBINERS = INT_COMBINERS[4:]


def combiners(element: Element) -> tuple[Combiner, ...]:
    return FLOAT_COMBINERS if element.is_float else BOOL_COMBINERS if element.is_bool else INT_COMBINERS


def _start(start: float | None, neutral: float, operands: Sequence[Data], has_tensor: bool) -> Data:
    if has_tensor:
        return operands[-1]
    value = np.asarray(neutral if start is None else start)
    return Data(value, value)


def summed(narrow: np.ndarray, wide: np.ndarray, magnitude: np.ndarray, is_exact: bool, element: Element) -> Data:
    """A sum that is exact in any order, or moved by what the rounding of its additions may amount to."""
    rounded = element.round(narrow)
    if is_exact:
        narrow = rounded
    else:
        narrow = element.round(narrow + magnitude * (_ROUNDING * 2.0**-element.mantissa))
        # At least to the next number: less is lost when the sum is rounded.
        narrow = np.where(narrow == rounded, element.round(rounded + magnitude * 2.0 ** (1 - element.mantissa)), narrow)
    return Data(narrow, wide, is_exact and np.array_equal(narrow, wide))


def _check_product(values: np.ndarray, element: Element) -> None:
    """Refuses factors of which some, multiplied first, would leave the range of a float."""
    sizes = np.log10(np.maximum(np.abs(values), 1e-30))
    if max(sizes[sizes > 0].sum(), -sizes[sizes < 0].sum()) > (4 if element is F16 else 20):
        raise Unfit


@dataclass(frozen=True, eq=False)
class Reduce(Operation):
    """Combines over the dimensions `dims`, each value after the steps of `before`; `kept` is the order of the rest."""

    combiner: Combiner
    dims: tuple[int, ...]
    kept: tuple[int, ...]
    element: Element
    before: tuple[Step, ...] = ()
    start: float | None = None
    has_tensor: bool = False
    is_named: bool = False

    def infer(self, types: Sequence[Type]) -> Type:
        result = Type(tuple(types[0].shape[dim] for dim in self.kept), self.element)
        if types[0].rank != len(self.dims) + len(self.kept) or (self.has_tensor and types[1] != result):
            raise Unfit
        return result

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        values, elements = [operands[0]], [types[0].element]
        for step in self.before:
            values.append(apply(step, [values[argument] for argument in step.arguments], elements[step.arguments[-1]]))
            elements.append(step.element)
        data = values[-1]
        start = _start(self.start, self.combiner.neutral(self.element), operands, self.has_tensor)
        narrow, wide = self._combined(data.narrow, start.narrow), self._combined(data.wide, start.wide)
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        if self.combiner.name == "sum":
            magnitude = self._order(np.abs(data.wide).sum(axis=self.dims)) + np.abs(start.wide)
            places = max(grain(data.wide), grain(start.wide))
            exact = data.exact and start.exact and sums_exactly(float(magnitude.max()), places, self.element)
            return summed(narrow, wide, magnitude, exact, self.element)
        if self.combiner.name == "product":
            _check_product(data.wide, self.element)
            return summed(narrow, wide, np.abs(wide) * self._factor_errors(data), False, self.element)
        return Data(narrow, wide, data.exact and start.exact)

    def _factor_errors(self, data: Data) -> np.ndarray:
        """Relative errors of the factors, added up, in roundings of the element type; each may have the largest one."""
        relative = np.abs(data.narrow - data.wide).max() / np.maximum(np.abs(data.wide), 1e-30)
        return self._order((1 + relative * 2.0**self.element.mantissa).sum(axis=self.dims))

    def _combined(self, array: np.ndarray, start: np.ndarray) -> np.ndarray:
        combined = self.combiner.combine(self._order(self.combiner.reduce(array, axis=self.dims)), start)
        return np.asarray(combined)

    def _order(self, array: np.ndarray) -> np.ndarray:
        left = sorted(self.kept)
        return np.transpose(array, [left.index(dim) for dim in self.kept])

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        init = _emit_start(writer, self.start, self.combiner.neutral(self.element), operands, self.has_tensor, result)
        if self._is_written_by_name():
            listed = f"ins({operands[0]} : {types[0]}) outs({init} : {result})"
            return f"linalg.reduce {{ {self.combiner.operation} }} {listed} dimensions = {sorted(self.dims)}"
        names, elements = ["%i0"], [types[0].element]
        lines = body_lines(self.before, names, elements)
        name = self.element.name
        lines += [f"%r = {self.combiner.operation} {names[-1]}, %o : {name}", f"linalg.yield %r : {name}"]
        rank = types[0].rank
        frame = Generic([range(rank)], self.kept, frozenset(self.dims), rank)
        return frame.emit(operands[:1], types[:1], init, result, lines)

    def _is_written_by_name(self) -> bool:
        return self.is_named and not self.before and list(self.kept) == sorted(self.kept)

    @property
    def labels(self) -> list[str]:
        start = ["start tensor"] if self.has_tensor else [] if self.start is None else ["start value"]
        named = ["linalg.reduce"] if self._is_written_by_name() else []
        mapped = [*(["reduce of map"] if self.before else []), *(step.function.name for step in self.before)]
        return ["reduce", f"{self.element.kind} {self.combiner.name}", *start, *named, *mapped]


def _emit_start(writer, start, neutral, operands, has_tensor: bool, result: Type) -> str:
    return operands[-1] if has_tensor else writer.filled(result, neutral if start is None else start)


NAMED = {
    "mk,kn->mn": "linalg.matmul",
    "bmk,bkn->bmn": "linalg.batch_matmul",
    "mk,k->m": "linalg.matvec",
    "k,kn->n": "linalg.vecmat",
    "bmk,bk->bm": "linalg.batch_matvec",
    "bk,bkn->bn": "linalg.batch_vecmat",
    "k,k->": "linalg.dot",
}


@dataclass(frozen=True, eq=False)
class Contract(Operation):
    """A sum of products over labelled dimensions, as in einsum; `loops` is the order of the loops."""

    left: str
    right: str
    result: str
    loops: str
    element: Element
    start: float | None = None
    has_tensor: bool = False
    is_named: bool = False

    def _sizes(self, types: Sequence[Type]) -> dict[str, int]:
        if (types[0].rank, types[1].rank) != (len(self.left), len(self.right)):
            raise Unfit
        sizes: dict[str, int] = {}
        for label, extent in zip(self.left + self.right, types[0].shape + types[1].shape, strict=True):
            if sizes.setdefault(label, extent) != extent:
                raise Unfit
        return sizes

    def infer(self, types: Sequence[Type]) -> Type:
        sizes = self._sizes(types)
        result = Type(tuple(sizes[label] for label in self.result), self.element)
        if np.prod(list(sizes.values()), dtype=np.int64) > MAX_WORK or (self.has_tensor and types[2] != result):
            raise Unfit
        return result

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        left, right = operands[:2]
        start = _start(self.start, 0, operands, self.has_tensor)
        narrow = self._product(left.narrow, right.narrow) + start.narrow
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        wide = self._product(left.wide, right.wide) + start.wide
        magnitude = self._product(np.abs(left.wide), np.abs(right.wide)) + np.abs(start.wide)
        places = max(grain(left.wide) + grain(right.wide), grain(start.wide))
        exact = left.exact and right.exact and start.exact
        exact = exact and sums_exactly(float(magnitude.max()), places, self.element)
        return summed(narrow, wide, magnitude, exact, self.element)

    def _product(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        wide = np.float64 if self.element.is_float else np.int64
        subscripts = f"{self.left},{self.right}->{self.result}"
        return np.asarray(np.einsum(subscripts, left.astype(wide), right.astype(wide)))

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        init = _emit_start(writer, self.start, 0, operands, self.has_tensor, result)
        maps = [[self.loops.index(label) for label in labels] for labels in (self.left, self.right, self.result)]
        if self.is_named:
            listed = f"ins({', '.join(operands[:2])} : {', '.join(map(str, types[:2]))})"
            return f"{self._named(maps)} {listed} outs({init} : {result}) -> {result}"
        lines, names = [], []
        for index, kind in enumerate(types[:2]):
            names.append(f"%i{index}")
            if kind.element != self.element:
                word = "extf" if self.element.is_float else "extsi"
                lines.append(f"%w{index} = arith.{word} %i{index} : {kind.element.name} to {self.element.name}")
                names[index] = f"%w{index}"
        suffix, name = "f" if self.element.is_float else "i", self.element.name
        lines += [f"%p = arith.mul{suffix} {names[0]}, {names[1]} : {name}", f"%r = arith.add{suffix} %o, %p : {name}"]
        lines.append(f"linalg.yield %r : {name}")
        reductions = frozenset(index for index, label in enumerate(self.loops) if label not in self.result)
        frame = Generic(maps[:2], maps[2], reductions, len(self.loops))
        return frame.emit(operands[:2], types[:2], init, result, lines)

    def _named(self, maps: Sequence[Sequence[int]]) -> str:
        """The name of the usual products; any other is a linalg.contract."""
        name = NAMED.get(f"{self.left},{self.right}->{self.result}")
        listed = ", ".join(affine_map(len(self.loops), dims) for dims in maps)
        return name or f"linalg.contract indexing_maps = [{listed}]"

    @property
    def labels(self) -> list[str]:
        start = ["start tensor"] if self.has_tensor else [] if self.start is None else ["start value"]
        batch = ["batched contract"] if set(self.left) & set(self.right) & set(self.result) else []
        return ["contract", *start, *batch]
