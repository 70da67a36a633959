# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program: a graph of operations on tensors, its text and its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fuzz.elements import BF16, F16, F64, Data, Element, Type, Unfit

MAX_ELEMENTS = 20_000
MAX_RANK = 5
MAX_VALUE = 1e3
# How far rounding may move a float, against the largest value, before a comparison would mean little.
_MAX_SENSITIVITY = {F64: 1e-12, F16: 3e-3, BF16: 1e-2}
_MAX_SENSITIVITY_F32 = 2e-5


class Operation:
    """What a node computes. Operations are immutable and know no names.

    An operation may have a second result, which is the value of a `Second` node; the node itself is the first one.
    """

    has_second = False

    def infer(self, types: Sequence[Type]) -> Type:
        """The result's type; raises Unfit if the operands do not suit."""
        raise NotImplementedError

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        raise NotImplementedError

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        """The operation as MLIR, without its result; `writer` takes lines that come before."""
        raise NotImplementedError

    def adapt(self, types: Sequence[Type]) -> Operation:
        """The nearest operation that suits operands of other extents."""
        return self

    @property
    def labels(self) -> list[str]:
        """What coverage counts."""
        return [type(self).__name__.lower()]


@dataclass(frozen=True, eq=False)
class Leaf(Operation):
    """An argument or a constant."""

    type: Type
    data: Data
    is_constant: bool = False
    is_filled: bool = False

    def infer(self, types: Sequence[Type]) -> Type:
        return self.type

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        return self.data

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        values, element = self.data.narrow, self.type.element
        if self.is_filled:
            scalar, empty = writer.scalar(values.flat[0], element), writer.empty(result)
            return f"linalg.fill ins({scalar} : {element.name}) outs({empty} : {result}) -> {result}"
        if values.size and np.all(values == values.flat[0]):
            return f"arith.constant dense<{element.spell(values.flat[0])}> : {result}"
        return f"arith.constant dense<{_nested(values, element)}> : {result}"

    @property
    def labels(self) -> list[str]:
        return ["filled constant" if self.is_filled else "constant" if self.is_constant else "argument"]


@dataclass(frozen=True, eq=False)
class Second(Operation):
    """The second result of its operand."""

    element: Element

    def infer(self, types: Sequence[Type]) -> Type:
        return Type(types[0].shape, self.element)

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        data = operands[0].also
        if data is None:
            raise Unfit
        return data

    labels = ("second result",)


def _nested(values: np.ndarray, element: Element) -> str:
    if values.ndim == 0:
        return element.spell(values.item())
    return "[" + ", ".join(_nested(part, element) for part in values) + "]"


@dataclass(eq=False)
class Node:
    """A value of a program: an operation on other values, typed and evaluated when it is made."""

    operation: Operation
    operands: tuple[Node, ...] = ()
    type: Type = field(init=False)
    data: Data = field(init=False)

    def __post_init__(self) -> None:
        types = [operand.type for operand in self.operands]
        self.type = self.operation.infer(types)
        if self.type.size > MAX_ELEMENTS or self.type.size == 0 or self.type.rank > MAX_RANK:
            raise Unfit
        with np.errstate(all="ignore"):
            self.data = self.operation.evaluate([operand.data for operand in self.operands], types, self.type)
        _check_values(self)

    @property
    def is_leaf(self) -> bool:
        return isinstance(self.operation, Leaf)

    @property
    def is_argument(self) -> bool:
        return self.is_leaf and not self.operation.is_constant

    @cached_property
    def ancestors(self) -> frozenset[Node]:
        return frozenset().union(*({operand} | operand.ancestors for operand in self.operands))


def _check_values(node: Node) -> None:
    element, data = node.type.element, node.data
    assert data.narrow.shape == node.type.shape, (node.operation, data.narrow.shape, node.type.shape)
    if not element.is_float:
        return
    if not np.all(np.isfinite(data.narrow)) or not np.all(np.isfinite(data.wide)):
        raise Unfit
    largest = float(np.abs(data.wide).max())
    if largest > MAX_VALUE:
        raise Unfit
    if sensitivity(data) > _MAX_SENSITIVITY.get(element, _MAX_SENSITIVITY_F32) * max(largest, 1e-3):
        raise Unfit


def sensitivity(data: Data) -> float:
    """How far rounding moved a value."""
    return 0.0 if data.wide is data.narrow else float(np.abs(data.narrow - data.wide).max())


@dataclass(eq=False)
class Program:
    """Nodes in the order of their definition, and which of them are results."""

    nodes: list[Node]
    results: list[Node]
    seed: int = 0

    @property
    def arguments(self) -> list[Node]:
        return [node for node in self.nodes if node.is_argument]

    @property
    def operations(self) -> list[Node]:
        """Second results are not counted apart."""
        return [node for node in self.nodes if not node.is_leaf and not isinstance(node.operation, Second)]

    def labels(self) -> set[str]:
        """Operations, functions and element types: what coverage counts."""
        found = {label for node in self.nodes for label in node.operation.labels}
        return found | {node.type.element.name for node in self.nodes}

    def inputs(self) -> list[np.ndarray]:
        return [node.data.narrow.astype(node.type.element.dtype) for node in self.arguments]

    def text(self, name: str = "main") -> str:
        writer = Writer()
        names: dict[Node, str] = {}
        for index, node in enumerate(self.arguments):
            names[node] = f"%arg{index}"
        for node in self.nodes:
            if node in names:
                continue
            if isinstance(node.operation, Second):
                names[node] = names[node.operands[0]].removesuffix("#0") + "#1"
                continue
            types = [operand.type for operand in node.operands]
            text = node.operation.emit(writer, [names[operand] for operand in node.operands], types, node.type)
            names[node] = writer.define(text, node.operation.has_second)
        arguments = ", ".join(f"{names[node]}: {node.type}" for node in self.arguments)
        types = ", ".join(str(node.type) for node in self.results)
        lines = "".join(f"  {line}\n" for line in writer.lines)
        returned = ", ".join(names[node] for node in self.results)
        head, end = f"func.func @{name}({arguments}) -> ({types}) {{\n", f"  return {returned} : {types}\n}}\n"
        return head + lines + end

    def without_dead_nodes(self) -> Program:
        live = set(self.results).union(*(node.ancestors for node in self.results))
        return Program([node for node in self.nodes if node in live], self.results, self.seed)


def reconverges(program: Program) -> bool:
    """Whether paths from one computed value meet again."""
    for node in program.operations:
        reached = [{operand} | operand.ancestors for operand in dict.fromkeys(node.operands)]
        for index, first in enumerate(reached):
            for second in reached[index + 1 :]:
                if any(not shared.is_leaf for shared in first & second):
                    return True
    return False


class Writer:
    """Lines of a function under construction, with names that are used once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def define(self, text: str, has_second: bool = False) -> str:
        """The name of what `text` computes, of the first result if there are two."""
        name = self.fresh()
        self.lines.extend(f"{name}{':2' if has_second else ''} = {text}".split("\n"))
        return f"{name}#0" if has_second else name

    def empty(self, kind: Type) -> str:
        return self.define(f"tensor.empty() : {kind}")

    def scalar(self, value: float, element: Element) -> str:
        text = element.spell(value)
        return self.define(f"arith.constant {text}" + ("" if element.is_bool else f" : {element.name}"))

    def filled(self, kind: Type, value: float) -> str:
        scalar, empty = self.scalar(value, kind.element), self.empty(kind)
        return self.define(f"linalg.fill ins({scalar} : {kind.element.name}) outs({empty} : {kind}) -> {kind}")


def affine_map(rank: int, dims: Iterable[int]) -> str:
    return f"affine_map<({', '.join(f'd{i}' for i in range(rank))}) -> ({', '.join(f'd{d}' for d in dims)})>"


@dataclass(frozen=True)
class Generic:
    """The frame of a linalg.generic: maps of the operands and of the result, kinds of the loops."""

    maps: Sequence[Sequence[int]]
    result_map: Sequence[int]
    reductions: frozenset[int]
    rank: int

    def emit(self, operands: Sequence[str], types: Sequence[Type], init: str, result: Type, body: list[str]) -> str:
        """`body` sees operands as %i0, %i1, … and the result's old value as %o; its last line yields."""
        return self.emit_all(operands, types, [init], [result], body, ["%o"])

    def emit_all(self, operands, types, inits: Sequence[str], results: Sequence[Type], body, names) -> str:
        """As `emit` for several results, all written by one map; `names` are those of their old values."""
        maps = ", ".join(affine_map(self.rank, dims) for dims in [*self.maps, *[self.result_map] * len(results)])
        kinds = ", ".join('"reduction"' if d in self.reductions else '"parallel"' for d in range(self.rank))
        block = [f"%i{index}: {kind.element.name}" for index, kind in enumerate(types)]
        block += [f"{name}: {result.element.name}" for name, result in zip(names, results, strict=True)]
        inputs = f"ins({', '.join(operands)} : {listed(types)}) " if operands else ""
        traits = f"{{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
        lines = [
            f"linalg.generic {traits} {inputs}outs({', '.join(inits)} : {listed(results)}) {{",
            f"^bb0({', '.join(block)}):",
            *(f"  {line}" for line in body),
            f"}} -> {listed(results) if len(results) == 1 else f'({listed(results)})'}",
        ]
        return "\n".join(lines)


def listed(types: Iterable[Type]) -> str:
    return ", ".join(map(str, types))
