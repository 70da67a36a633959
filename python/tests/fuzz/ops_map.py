# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element-wise operations: one body over operands that may be permuted or broadcast."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzz.elements import Data, Element, Type, Unfit, is_short
from fuzz.program import Generic, Operation, Writer, listed
from fuzz.scalars import Function

# Ways to write an element-wise operation: as a generic, by its name, on whole tensors, as a linalg.map.
FORMS = ("generic", "named", "tensors", "map")
NAMED = {
    ("add", 2): "linalg.add",
    ("subtract", 2): "linalg.sub",
    ("multiply", 2): "linalg.mul",
    ("maximum", 2): "linalg.max",
    ("minimum", 2): "linalg.min",
    ("tanh", 1): "linalg.tanh",
    ("erf", 1): "linalg.erf",
    ("absolute", 1): "linalg.abs",
    ("square", 1): "linalg.square",
    ("floor", 1): "linalg.floor",
    ("ceil", 1): "linalg.ceil",
    ("round", 1): "linalg.round",
    ("negate", 1): "linalg.negf",
    ("select", 3): "linalg.select",
}


@dataclass(frozen=True)
class Step:
    """A function of earlier scalars: operands first, then the results of the steps before. A step without a function
    gives the index of loop `dim`, cast by `word`."""

    function: Function | None
    arguments: tuple[int, ...]
    element: Element
    dim: int = 0
    word: str = "index_cast"


def apply(step: Step, arguments: Sequence[Data], source: Element) -> Data:
    """The step on whole arrays; `source` is the type of its last operand."""
    function, target = step.function, step.element
    if function.discrete and not all(argument.exact for argument in arguments):
        raise Unfit
    narrow = function.evaluate([argument.narrow for argument in arguments], source, target)
    if not target.is_float:
        return Data.of(np.asarray(narrow))
    wide = function.evaluate([argument.wide for argument in arguments], source, target)
    narrow = target.round(narrow)
    exact = function.faithful and all(argument.exact for argument in arguments) and np.array_equal(narrow, wide)
    exact = exact and is_short(wide, target)
    return Data(narrow, np.asarray(wide, np.float64), bool(exact))


def body_lines(steps: Sequence[Step], names: list[str], elements: list[Element], start: str = "%s") -> list[str]:
    """MLIR of the steps; `names` and `elements` of the operands grow by those of the steps, whose names begin with
    `start`."""
    lines = []
    for index, step in enumerate(steps):
        prefix = f"{start}{index}"
        if step.function is None:
            text = f"%x = linalg.index {step.dim} : index; %r = arith.{step.word} %x : index to U"
            bound, source = {}, step.element
        else:
            text = step.function.lines
            bound = dict(zip("abc", (names[argument] for argument in step.arguments), strict=False))
            source = elements[step.arguments[-1]]
        bound["r"] = prefix

        def name(match: re.Match, bound=bound, prefix=prefix) -> str:
            return bound.get(match[1], f"{prefix}{match[1]}")

        text = re.sub(r"%(\w+)", name, text)
        for letter, word in (("U", step.element.name), ("T", source.name), ("I", f"i{source.width}")):
            text = re.sub(rf"\b{letter}\b", word, text)
        lines += text.split("; ")
        names.append(prefix)
        elements.append(step.element)
    return [re.sub(r"(constant (?:true|false)) : i1", r"\1", line) for line in lines]


def tensor_lines(steps: Sequence[Step], names: list[str], types: Sequence[Type], result: Type, start: str) -> list[str]:
    """The steps as operations on whole tensors."""
    lines = body_lines(steps, names, [kind.element for kind in types], start)
    shape = "".join(f"{extent}x" for extent in result.shape)

    def spread(line: str) -> str:
        line = re.sub(r"constant (true|false)$", r"constant \1 : i1", line)
        line = re.sub(r"constant (\S+) :", r"constant dense<\1> :", line)
        head, kinds = line.split(" : ")
        if "arith.select" in head:
            kinds = f"i1, {kinds}"
        return f"{head} : " + re.sub(r"\b(b?f\d+|i\d+)\b", rf"tensor<{shape}\1>", kinds)

    return [spread(line) for line in lines]


def extents(maps: Sequence[Sequence[int]], types: Sequence[Type], rank: int) -> list[int]:
    """The loops' extents; every loop is named by some operand, always with the same extent."""
    found: dict[int, int] = {}
    for dims, kind in zip(maps, types, strict=True):
        if len(dims) != kind.rank:
            raise Unfit
        for dim, extent in zip(dims, kind.shape, strict=True):
            if found.setdefault(dim, extent) != extent:
                raise Unfit
    if len(found) != rank:
        raise Unfit
    return [found[dim] for dim in range(rank)]


def spread(array: np.ndarray, dims: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """`array`, whose dimension i is loop dims[i], over all loops of extents `shape`."""
    ordered = np.transpose(array, np.argsort(dims)) if dims else array
    own = [shape[dim] if dim in dims else 1 for dim in range(len(shape))]
    return np.broadcast_to(ordered.reshape(own), shape)


@dataclass(frozen=True, eq=False)
class Map(Operation):
    """Operand i is read at loops maps[i]; the last step is the result, in the order of the loops.

    `form` is how it is written, where it can be: FORMS.
    """

    maps: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    rank: int
    form: str = "generic"

    def infer(self, types: Sequence[Type]) -> Type:
        return Type(tuple(extents(self.maps, types, self.rank)), self.steps[-1].element)

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        shape = result.shape
        values = [
            operand.each(lambda array, dims=dims: spread(array, dims, shape))
            for operand, dims in zip(operands, self.maps, strict=True)
        ]
        elements = [kind.element for kind in types]
        for step in self.steps:
            values.append(self._step(step, values, elements, shape))
            elements.append(step.element)
        return values[-1].each(np.array)

    @staticmethod
    def _step(step: Step, values: list[Data], elements: list[Element], shape: tuple[int, ...]) -> Data:
        if step.function is None:
            return Data.of(step.element.wrap(np.indices(shape)[step.dim]))
        arguments = [values[argument] for argument in step.arguments]
        return apply(step, arguments, elements[step.arguments[-1]])

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        form, names, elements = self._form(), [f"%i{index}" for index in range(len(operands))], []
        if form == "tensors":
            names = list(operands)
            *before, last = tensor_lines(self.steps, names, types, result, writer.fresh() + "_")
            writer.lines += before
            return last.split(" = ", 1)[1]
        empty = writer.empty(result)
        inputs = f"ins({', '.join(operands)} : {listed(types)}) outs({empty} : {result})"
        if form == "named":
            return f"{self._named()} {inputs} -> {result}"
        elements = [kind.element for kind in types]
        lines = body_lines(self.steps, names, elements)
        lines.append(f"linalg.yield {names[-1]} : {result.element.name}")
        if form == "map":
            block = [f"%i{index}: {kind.element.name}" for index, kind in enumerate(types)]
            block.append(f"%o: {result.element.name}")
            return "\n".join([f"linalg.map {inputs} ({', '.join(block)}) {{", *(f"  {line}" for line in lines), "}"])
        frame = Generic(self.maps, range(self.rank), frozenset(), self.rank)
        return frame.emit(operands, types, empty, result, lines)

    def _form(self) -> str:
        """The form in which it can be written."""
        is_plain = all(dims == tuple(range(self.rank)) for dims in self.maps)
        has_index = any(step.function is None for step in self.steps)
        if not is_plain or (self.form == "named" and not self._named()):
            return "generic"
        return "generic" if self.form == "tensors" and (has_index or self.rank == 0) else self.form

    def _named(self) -> str | None:
        if len(self.steps) != 1 or self.steps[0].arguments != tuple(range(len(self.maps))):
            return None
        function, element = self.steps[0].function, self.steps[0].element
        if function is None or (not element.is_float and function.name in ("absolute", "square", "negate")):
            return None
        return NAMED.get((function.name, len(self.maps)))

    @property
    def labels(self) -> list[str]:
        found = ["map", f"{self._form()} form"]
        found += ["index" if step.function is None else step.function.name for step in self.steps]
        if any(len(dims) < self.rank for dims in self.maps):
            found.append("broadcast operand")
        if any(list(dims) != sorted(dims) for dims in self.maps):
            found.append("permuted operand")
        return found
