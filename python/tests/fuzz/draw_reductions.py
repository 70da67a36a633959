# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps that reduce: over dimensions, over products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fuzz import bodies
from fuzz.draw_elementwise import ElementwiseSteps
from fuzz.elements import I8, I32, I64, Element, Unfit
from fuzz.ops_reduce import MAX_WORK, NAMED, Combiner, Contract, Reduce, combiners
from fuzz.ops_softmax import Softmax
from fuzz.ops_two import Place, TwoReductions
from fuzz.program import Node
from fuzz.values import ACCUMULATORS

_COMBINER_WEIGHTS = {"sum": 3, "maximum": 2, "product": 3}


class ReductionSteps(ElementwiseSteps):
    def reduce(self, value: Node | None = None, dims: list[int] | None = None, names: tuple[str, ...] = ()) -> Node:
        value = value or self.pick(lambda node: node.type.rank > 0)
        rank, element = value.type.rank, value.type.element
        if dims is None:
            count = rank if self.rng.random() < 0.15 else self.rng.randint(1, min(2, rank))
            dims = sorted(self.rng.sample(range(rank), count))
        kept = [dim for dim in range(rank) if dim not in dims]
        if len(kept) > 1 and self.rng.random() < 0.2:
            self.rng.shuffle(kept)
        before = ()
        target = ACCUMULATORS.get(element, element) if self.rng.random() < 0.5 else element
        if target != element or self.rng.random() < 0.2:
            before = bodies.random_steps(self.rng, element, target)
        fitting = [combiner for combiner in combiners(target) if not names or combiner.name in names]
        combiner = self._combiner(fitting)
        start, tensor = self._start(tuple(value.type.shape[dim] for dim in kept), target)
        is_named = self.rng.random() < 0.4
        operation = Reduce(combiner, tuple(dims), tuple(kept), target, before, start, bool(tensor), is_named)
        return self.add(operation, value, *tensor)

    def _combiner(self, fitting: list[Combiner]) -> Combiner:
        return self.rng.choices(fitting, [_COMBINER_WEIGHTS.get(c.name, 1) for c in fitting])[0]

    def combine(self, name: str, kinds: Sequence[Element]) -> Node:
        """A reduction by the combiner of this name."""
        known = [n for n in self.nodes if n.type.rank > 0 and n.type.element in kinds]
        usual = [element for element in kinds if element in self.family]
        if known and self.rng.random() < 0.7 and name != "product":
            value = self.likely(known)
        else:
            value = self.leaf((self.extent(), self.rng.choice((2, 3, 4))), self.rng.choice(usual or kinds))
        return self.reduce(value, [value.type.rank - 1] if name == "product" else None, (name,))

    def place(self) -> Node:
        """An extreme value with its place."""
        known = [n for n in self.nodes if n.type.rank > 0 and n.data.exact and not n.type.element.is_bool]
        value = self.likely(known) if known else self._beside(self.family[0])
        if value.type.rank == 0 or value.type.element.is_bool:
            raise Unfit
        element = self.rng.choice((I32, I64))
        operation = Place(self.rng.randrange(value.type.rank), self.rng.random() < 0.55, element)
        return self.add_two(operation, value, element=element)[0]

    def two_reductions(self) -> Node:
        value = self.pick(lambda node: node.type.rank > 0)
        dim, element = self.rng.randrange(value.type.rank), value.type.element
        kept = tuple(d for d in range(value.type.rank) if d != dim)
        targets = [element, self.rng.choice((element, ACCUMULATORS.get(element, element)))]
        parts = []
        for target in targets:
            before = bodies.random_steps(self.rng, element, target) if target != element else ()
            parts.append(Reduce(self._combiner(combiners(target)), (dim,), kept, target, before))
        return self.add_two(TwoReductions(*parts), value, element=targets[1])[0]

    def softmax(self) -> Node:
        value = self.pick(lambda node: node.type.rank > 0 and node.type.element.is_float)
        return self.add(Softmax(self.rng.randrange(value.type.rank)), value)

    def _start(self, shape: tuple[int, ...], element: Element) -> tuple[float | None, list[Node]]:
        """Where a reduction starts: mostly at its neutral element, else at a value or at a tensor."""
        choice = self.rng.random()
        if choice < 0.8:
            return None, []
        if choice < 0.9:
            return (0.25 if element.is_float else 1), []
        return None, [self.operand(shape, element)]

    def contract(self, left: Node | None = None, right: Node | None = None) -> Node:
        """Every dimension of the left operand is a batch, a kept or a reduced one."""
        left = left or self.pick(lambda node: 1 <= node.type.rank <= 3 and not node.type.element.is_bool)
        rank, element = left.type.rank, left.type.element
        labels = list("bmk") if rank == 3 else ["m", "k"][-rank:]
        if self.rng.random() < 0.6:
            self.rng.shuffle(labels)
        sizes = dict(zip(labels, left.type.shape, strict=True))
        if right is None:
            other = self._other_labels(labels)
            sizes.setdefault("n", self.extent())
            right = self.operand(tuple(sizes[label] for label in other), element)
        else:
            other = self._labels_of(right, sizes)
        result = [label for label in "bmn" if label in labels + other]
        if self.rng.random() < 0.2:
            self.rng.shuffle(result)
        loops = [label for label in "bmnk" if label in labels + other]
        if self.rng.random() < 0.25:
            self.rng.shuffle(loops)
        target = ACCUMULATORS.get(element, element)
        sizes = [dict(zip(labels + other, left.type.shape + right.type.shape, strict=True))[label] for label in loops]
        if np.prod(sizes) > MAX_WORK:
            raise Unfit
        shape = tuple(dict(zip(loops, sizes, strict=True))[label] for label in result)
        start, tensor = self._start(shape, target)
        is_named = self.rng.random() < 0.7
        names = ["".join(part) for part in (labels, other, result, loops)]
        return self.add(Contract(*names, target, start, bool(tensor), is_named), left, right, *tensor)

    def product(self, subscripts: str = "") -> Node:
        """A product that Linalg has a name for."""
        left, right = (subscripts or self.rng.choice(list(NAMED))).split("->")[0].split(",")
        result = "".join(label for label in "bmn" if label in left + right)
        known = [n for n in self.nodes if n.type.rank == len(left) and not n.type.element.is_bool]
        element = self.rng.choice([e for e in self.family if not e.is_bool] or [I8])
        value = self.likely(known) if known else self.leaf(tuple(self.extent() for _ in left), element)
        sizes = {"n": self.extent()} | dict(zip(left, value.type.shape, strict=True))
        element = value.type.element
        weights = self.operand(tuple(sizes[label] for label in right), element)
        target = ACCUMULATORS.get(element, element)
        start, tensor = self._start(tuple(sizes[label] for label in result), target)
        loops = "".join(label for label in "bmnk" if label in left + right)
        operation = Contract(left, right, result, loops, target, start, bool(tensor), is_named=True)
        return self.add(operation, value, weights, *tensor)

    def _other_labels(self, labels: list[str]) -> list[str]:
        other = [label for label in labels if label != "m"] + (["n"] if self.rng.random() < 0.8 else [])
        if "b" in other and self.rng.random() < 0.2:
            other.remove("b")
        if self.rng.random() < 0.6:
            self.rng.shuffle(other)
        return other

    def _labels_of(self, right: Node, sizes: dict[str, int]) -> list[str]:
        """Labels for an operand that must share the reduced dimension."""
        fitting = [dim for dim, extent in enumerate(right.type.shape) if extent == sizes["k"]]
        if not fitting or right.type.rank > 2:
            raise Unfit
        chosen = self.rng.choice(fitting)
        return ["k" if dim == chosen else "n" for dim in range(right.type.rank)]
