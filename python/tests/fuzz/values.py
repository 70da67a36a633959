# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a program under construction: new ones, and those that are picked among the known."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from fuzz import elements
from fuzz.elements import Data, Element, Type, Unfit
from fuzz.program import Leaf, Node, Operation, Second

# One, even, odd and prime extents; `LONG` at most once per program.
EXTENTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31)
LONG = (61, 96, 97, 128, 257)
# Elements of the largest tensor of a program, and of one in twenty.
USUAL, LARGEST = 3000, 20_000
LARGE_EXTENTS = (2, 3, 8, 16, 30, 33, 48, 64, 100)
FAMILIES = {
    (elements.F32,): 33,
    (elements.F32, elements.I1): 5,
    (elements.I1,): 4,
    (elements.F32, elements.F16): 8,
    (elements.F32, elements.BF16): 8,
    (elements.F64,): 4,
    (elements.F64, elements.F32): 3,
    (elements.F32, elements.I32): 7,
    (elements.I32,): 8,
    (elements.I8, elements.I32): 8,
    (elements.I4, elements.I8): 4,
    (elements.I16, elements.I32, elements.F32): 4,
    (elements.I64,): 4,
    (elements.I64, elements.I1): 3,
}
ACCUMULATORS = {elements.F16: elements.F32, elements.BF16: elements.F32}
ACCUMULATORS |= {elements.I4: elements.I32, elements.I8: elements.I32, elements.I16: elements.I32}


class Values:
    """The nodes of a program and what its new values are like."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(self.rng.getrandbits(32))
        self.seed = seed
        self.nodes: list[Node] = []
        self.family = self.rng.choices(list(FAMILIES), list(FAMILIES.values()))[0]
        self.largest = LARGEST if self.rng.random() < 0.05 else USUAL
        self.extents = self.rng.sample(EXTENTS if self.largest == USUAL else LARGE_EXTENTS, 3)
        if self.rng.random() < 0.2:
            self.extents.append(self.rng.choice(LONG))

    def leaf(self, shape: tuple[int, ...], element: Element, is_constant: bool = False) -> Node:
        kind = Type(shape, element)
        if kind.size > self.largest:
            raise Unfit
        is_splat = is_constant and self.rng.random() < 0.5
        values = self._splat(kind) if is_splat else self._values(kind)
        data = Data(values, values.copy()) if element.is_float else Data.of(values)
        node = Node(Leaf(kind, data, is_constant, is_splat and self.rng.random() < 0.4))
        self.nodes.append(node)
        return node

    def exact_leaf(self, shape: tuple[int, ...], element: Element) -> Node:
        """An argument that may be compared and cast."""
        kind = Type(shape, element)
        if not element.is_float:
            return self.leaf(shape, element)
        values = self.numbers.integers(-60, 61, kind.shape) / self.rng.choice((4.0, 16.0))
        node = Node(Leaf(kind, Data(values, values.copy())))
        self.nodes.append(node)
        return node

    def _values(self, kind: Type) -> np.ndarray:
        element = kind.element
        if element.is_bool:
            return self.numbers.random(kind.shape) < 0.5
        if element.is_int:
            bound = min(element.highest, self.rng.choice((4, 100, element.highest)))
            return self.numbers.integers(-bound, bound, kind.shape, endpoint=True).astype(element.dtype)
        if self.rng.random() < 0.5:
            return self.numbers.integers(-8, 9, kind.shape) / 8.0
        return element.round(self.numbers.uniform(-1, 1, kind.shape))

    def _splat(self, kind: Type) -> np.ndarray:
        value = 0.75 if kind.element.is_float else self.rng.choice((0, 1)) if kind.element.is_bool else 3
        return np.full(kind.shape, value, np.float64 if kind.element.is_float else kind.element.dtype)

    def similar(self, shape: tuple[int, ...], element: Element) -> Node:
        """A known exact value of this type, or a new one."""
        known = [node for node in self.nodes if node.type == Type(shape, element) and node.data.exact]
        return self.rng.choice(known) if known and self.rng.random() < 0.5 else self.exact_leaf(shape, element)

    def operand(self, shape: tuple[int, ...], element: Element) -> Node:
        """A value of this type: a known one, a constant or a new argument."""
        known = [node for node in self.nodes if node.type == Type(shape, element)]
        choice = self.rng.random()
        if known and choice < 0.6:
            return self.rng.choice(known)
        small = np.prod(shape) <= 64
        return self.leaf(shape, element, is_constant=choice > 0.88 and small)

    def shape(self, ranks: tuple[int, ...]) -> tuple[int, ...]:
        while True:
            shape = tuple(self.extent() for _ in range(self.rng.choice(ranks)))
            if np.prod(shape) <= self.largest:
                return shape

    def extent(self) -> int:
        return self.rng.choice(self.extents)

    def pick(
        self,
        accept: Callable[[Node], bool] = lambda node: True,
        is_computed: bool = False,
        value: Node | None = None,
    ) -> Node:
        """A known value, or the given one if it is accepted. Recent results are likelier than leaves."""
        if value is not None and accept(value):
            return value
        if value is not None:
            raise Unfit
        fitting = [node for node in self.nodes if accept(node) and not (is_computed and node.is_leaf)]
        if not fitting:
            raise Unfit
        return self.likely(fitting)

    def likely(self, known: list[Node]) -> Node:
        """One of these; recent results are likelier than leaves."""
        weights = [(1 if node.is_leaf else 4) * (1 + index) for index, node in enumerate(known)]
        return self.rng.choices(known, weights)[0]

    def add(self, operation: Operation, *operands: Node) -> Node:
        node = Node(operation, operands)
        if node.type.size > self.largest:
            raise Unfit
        self.nodes.append(node)
        return node

    def add_two(self, operation: Operation, *operands: Node, element: Element) -> tuple[Node, Node]:
        """An operation with two results, the second of type `element`."""
        first = self.add(operation, *operands)
        return first, self.add(Second(element), first)
