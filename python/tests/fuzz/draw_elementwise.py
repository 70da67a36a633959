# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps that compute element by element."""

from __future__ import annotations

from collections.abc import Sequence

from fuzz import bodies, elements, scalars
from fuzz.elements import ELEMENTS, Element, Unfit
from fuzz.ops_map import NAMED
from fuzz.ops_two import TwoMaps
from fuzz.program import Node
from fuzz.values import Values


class ElementwiseSteps(Values):
    def map(self, operands: list[Node], maps: list[tuple[int, ...]], rank: int, target: Element | None = None) -> Node:
        return self.add(bodies.random_map(self.rng, operands, maps, rank, target), *operands)

    def unary(self) -> Node:
        value = self.pick()
        dims = list(range(value.type.rank))
        if self.rng.random() < 0.35:
            self.rng.shuffle(dims)
        return self.map([value], [tuple(dims)], len(dims))

    def cast(self, word: str = "") -> Node:
        """Any conversion that some value has, or a new value."""
        word = word or self.rng.choice(scalars.CASTS)
        ways = [(s, t) for s in ELEMENTS for t in ELEMENTS if scalars.suits(word, t, s)]
        usual = [(s, t) for s, t in ways if s in self.family or t in self.family]
        source, target = self.rng.choice(usual if usual and self.rng.random() < 0.7 else ways)
        must_be_exact = word.startswith("fpto")
        known = [n for n in self.nodes if n.type.element == source and (n.data.exact or not must_be_exact)]
        value = self.likely(known) if known and self.rng.random() < 0.8 else self._beside(source)
        return self.add(bodies.conversion(self.rng, source, word, target, value.type.rank), value)

    def _beside(self, element: Element) -> Node:
        """A new value, of the shape of a known one."""
        return self.exact_leaf(self.pick().type.shape, element)

    def compare(self) -> Node:
        """A mask of two values, or what it selects of them."""
        exact = [node for node in self.nodes if node.data.exact and not node.type.element.is_bool]
        left = self.likely(exact) if exact else self._beside(self.rng.choice((elements.F32, elements.I8)))
        right = self.similar(left.type.shape, left.type.element)
        selects = self.rng.random() < 0.4
        return self.add(bodies.comparison(self.rng, left.type.element, left.type.rank, selects), left, right)

    def named(self, name: str = "", arity: int = 0) -> Node:
        """One function that Linalg has a name for."""
        if not name:
            name, arity = self.rng.choice([key for key in NAMED if key[0] != "select"])
        known = [n for n in self.nodes if n.type.element.is_float or (arity > 1 and n.type.element.is_int)]
        value = self.likely(known) if known else self._beside(elements.F32)
        element = value.type.element
        fitting = [function for function in scalars.functions(element, arity) if function.name == name]
        if not fitting:
            raise Unfit
        if fitting[0].discrete and not value.data.exact:
            value = self._beside(element)
        others = [self.operand(value.type.shape, element) for _ in range(arity - 1)]
        return self.add(bodies.single(self.rng, fitting[0], element, value.type.rank, "named"), value, *others)

    def single(self, function: scalars.Function, kinds: Sequence[Element], is_comparison: bool) -> Node:
        """One function of values of one of these types, known ones if there are any."""
        known = [n for n in self.nodes if n.type.element in kinds and (n.data.exact or not function.discrete)]
        usual = [element for element in kinds if element in self.family]
        value = self.likely(known) if known else self._beside(self.rng.choice(usual or kinds))
        element, rank = value.type.element, value.type.rank
        take = self.similar if function.discrete else self.operand
        others = [take(value.type.shape, element) for _ in range(function.arity - 1)]
        target = elements.I1 if is_comparison else element
        return self.add(bodies.single(self.rng, function, target, rank), value, *others)

    def two(self) -> Node:
        """Two results from one body."""
        left = self.pick()
        rank = left.type.rank
        operands = [left, *([self.operand(left.type.shape, left.type.element)] if self.rng.random() < 0.6 else [])]
        maps = [tuple(range(rank))] * len(operands)
        targets = [None, self.rng.choice([None, *self.family, elements.I1])]
        parts = [bodies.random_map(self.rng, operands, maps, rank, target) for target in targets]
        kinds = [part.infer([node.type for node in operands]) for part in parts]
        return self.add_two(TwoMaps(*parts), *operands, element=kinds[1].element)[0]

    def binary(self, left: Node | None = None, right: Node | None = None) -> Node:
        """The second operand may be of lower rank (broadcast), permuted, the same value, or new."""
        left = left or self.pick(lambda node: node.type.rank > 0)
        shape, element = left.type.shape, left.type.element
        maps = [tuple(range(len(shape)))]
        if right is None and self.rng.random() < 0.6:
            fitting = [
                n for n in self.nodes if n.type.element == element and self._assign(n.type.shape, shape) is not None
            ]
            right = self.rng.choice(fitting)
        if right is None:
            dims = sorted(self.rng.sample(range(len(shape)), self.rng.randint(0, len(shape))))
            if self.rng.random() < 0.3:
                self.rng.shuffle(dims)
            right = self.operand(tuple(shape[dim] for dim in dims), element)
            return self.map([left, right], [*maps, tuple(dims)], len(shape))
        dims = self._assign(right.type.shape, shape)
        if dims is None:
            raise Unfit
        return self.map([left, right], [*maps, dims], len(shape))

    def ternary(self) -> Node:
        left = self.pick(lambda node: node.type.rank > 0)
        shape, dims = left.type.shape, tuple(range(left.type.rank))
        others = [self.operand(shape, left.type.element) for _ in range(2)]
        return self.map([left, *others], [dims] * 3, len(shape))

    def choose(self) -> Node:
        """A select by a mask, which is computed, given or broadcast."""
        left = self.pick(lambda node: node.type.rank > 0 and not node.type.element.is_bool)
        shape, dims = left.type.shape, tuple(range(left.type.rank))
        kept = dims if self.rng.random() < 0.6 else dims[self.rng.randrange(len(dims)) :]
        mask = self.operand(tuple(shape[dim] for dim in kept), elements.I1)
        right = self.operand(shape, left.type.element)
        return self.add(bodies.select(left.type.element, [kept, dims, dims], len(dims)), mask, left, right)

    def outer(self) -> Node:
        """Two operands whose dimensions only together make the result."""
        left = self.pick(lambda node: 1 <= node.type.rank <= 2)
        right = self.operand((self.extent(),), left.type.element)
        position = self.rng.randint(0, left.type.rank)
        dims = tuple(dim for dim in range(left.type.rank + 1) if dim != position)
        return self.map([left, right], [dims, (position,)], left.type.rank + 1)

    def _assign(self, shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...] | None:
        """Distinct dimensions of `target` of the same extents; the identity where it fits."""
        if shape == target:
            return tuple(range(len(shape)))
        free, dims = list(range(len(target))), []
        for extent in shape:
            fitting = [dim for dim in free if target[dim] == extent]
            if not fitting:
                return None
            dims.append(self.rng.choice(fitting))
            free.remove(dims[-1])
        return tuple(dims)
