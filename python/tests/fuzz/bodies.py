# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random bodies of element-wise operations."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fuzz import scalars
from fuzz.elements import I1, Element, Unfit
from fuzz.ops_map import FORMS, Map, Step
from fuzz.program import Node


class _Body:
    """Scalars under construction: their elements and the steps that make them."""

    def __init__(self, rng: random.Random, operands: Sequence[Element]):
        self.rng = rng
        self.elements = list(operands)
        self.steps: list[Step] = []

    def step(self, function, arguments: Sequence[int], element: Element) -> int:
        self.steps.append(Step(function, tuple(arguments), element))
        self.elements.append(element)
        return len(self.elements) - 1

    def unary(self, value: int) -> int:
        element = self.elements[value]
        return self.step(self.rng.choice(scalars.functions(element, 1)), [value], element)

    def binary(self, left: int, right: int) -> int:
        """Mostly a function of both; at times a comparison that selects between them."""
        element = self.elements[left]
        compared = scalars.comparisons(element)
        if compared and self.rng.random() < 0.3:
            mask = self.step(self.rng.choice(compared), [left, right], I1)
            return self.step(scalars.SELECT, [mask, left, right], element)
        return self.step(self.rng.choice(scalars.functions(element, 2)), [left, right], element)

    def convert(self, value: int, target: Element) -> int:
        """To a type, or to a boolean by a comparison."""
        source = self.elements[value]
        if target.is_bool and (not source.is_bool and self.rng.random() < 0.7):
            compared = scalars.comparisons(source)
            return self.step(self.rng.choice(compared), [value, value if self.rng.random() < 0.1 else 0], I1)
        words = [word for word in scalars.CASTS if scalars.suits(word, target, source)]
        if source.is_bool and self.rng.random() < 0.8:  # 0 and 1, as frontends have it
            words = [word for word in words if word in ("extui", "uitofp")]
        if not words:
            raise Unfit
        return self.cast(value, self.rng.choice(words), target)

    def cast(self, value: int, word: str, target: Element) -> int:
        if word == "fptoui":
            value = self.step(scalars.ABSOLUTE, [value], self.elements[value])
        return self.step(scalars.cast(word), [value], target)

    def index(self, dim: int, element: Element) -> int:
        word = self.rng.choice(("index_cast", "index_castui"))
        self.steps.append(Step(None, (), element, dim, word))
        self.elements.append(element)
        return len(self.elements) - 1


def _form(rng: random.Random) -> str:
    return rng.choices(FORMS, (5, 2, 2, 1))[0]


def _map(body: _Body, maps: Sequence[Sequence[int]], rank: int) -> Map:
    return Map(tuple(map(tuple, maps)), tuple(body.steps), rank, _form(body.rng))


def random_map(
    rng: random.Random, operands: Sequence[Node], maps: Sequence[Sequence[int]], rank: int, target: Element | None
) -> Map:
    """Some unary functions of each operand, then functions of all; a conversion to `target` at the end."""
    body = _Body(rng, [node.type.element for node in operands])
    values = list(range(len(operands)))
    if len(values) == 3 and rng.random() < 0.6:
        element = body.elements[0]
        values = [body.step(rng.choice(scalars.functions(element, 3)), values, element)]
    elif rng.random() < 0.7:
        values = [_refined(body, value, len(values)) for value in values]
    while len(values) > 1:
        values[:2] = [body.binary(*values[:2])]
    element = body.elements[values[0]]
    if element.is_int and rank and rng.random() < 0.15:
        values = [body.binary(values[0], body.index(rng.randrange(rank), element))]
    if target is not None and target != element:
        values = [body.convert(values[0], target)]
    if not body.steps:
        body.unary(values[0])
    if body.steps[-1].arguments and values[0] != len(body.elements) - 1 and len(body.elements) > len(operands) + 1:
        raise Unfit
    return _map(body, maps, rank)


def _refined(body: _Body, value: int, count: int) -> int:
    for _ in range(body.rng.choice((0, 1, 1, 2)) if count > 1 else body.rng.choice((1, 2, 2, 3))):
        value = body.unary(value)
    return value


def random_steps(rng: random.Random, source: Element, target: Element) -> tuple[Step, ...]:
    """A function of one operand."""
    body = _Body(rng, [source])
    if source == target:
        body.unary(0)
    else:
        body.convert(0, target)
    return tuple(body.steps)


def conversion(rng: random.Random, source: Element, word: str, target: Element, rank: int) -> Map:
    body = _Body(rng, [source])
    body.cast(0, word, target)
    return _map(body, [range(rank)], rank)


def comparison(rng: random.Random, element: Element, rank: int, selects: bool) -> Map:
    """A mask, or what a mask selects, of two operands."""
    body = _Body(rng, [element, element])
    mask = body.step(rng.choice(scalars.comparisons(element)), [0, 1], I1)
    if selects:
        body.step(scalars.SELECT, [mask, 0, 1], element)
    return _map(body, [range(rank)] * 2, rank)


def single(rng: random.Random, function: scalars.Function, element: Element, rank: int, form: str = "") -> Map:
    """One function of as many operands as it takes."""
    step = Step(function, tuple(range(function.arity)), element)
    return Map((tuple(range(rank)),) * function.arity, (step,), rank, form or _form(rng))


def select(element: Element, maps: Sequence[Sequence[int]], rank: int) -> Map:
    step = Step(scalars.SELECT, (0, 1, 2), element)
    return Map(tuple(map(tuple, maps)), (step,), rank, "named")
