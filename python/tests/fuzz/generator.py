# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs: one to twelve operations, five in the median, of few extents so that values can meet again."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from fuzz import bodies, elements
from fuzz.elements import Data, Element, Type, Unfit
from fuzz.ops_move import Broadcast, Collapse, Concat, Expand, Pad, Slice, Transpose
from fuzz.ops_reduce import MAX_WORK, Contract, Reduce, combiners
from fuzz.ops_window import Convolve, Pool
from fuzz.program import MAX_ELEMENTS, Leaf, Node, Operation, Program

# One, even, odd and prime extents; `LONG` at most once per program.
EXTENTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31)
LONG = (61, 96, 97, 128, 257)
# Of 100 programs, so many have 1, 2, … 12 operations.
LENGTHS = (6, 9, 14, 17, 15, 12, 8, 6, 5, 4, 2, 2)
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
_ACCUMULATORS = {elements.F16: elements.F32, elements.BF16: elements.F32}
_ACCUMULATORS |= {elements.I4: elements.I32, elements.I8: elements.I32, elements.I16: elements.I32}
_ATTEMPTS = 30


class Generator:
    """A program under construction; every method of `STEPS` adds at least one operation or raises Unfit."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(self.rng.getrandbits(32))
        self.seed = seed
        self.nodes: list[Node] = []
        self.family = self.rng.choices(list(FAMILIES), list(FAMILIES.values()))[0]
        self.extents = self.rng.sample(EXTENTS, 3)
        if self.rng.random() < 0.2:
            self.extents.append(self.rng.choice(LONG))

    # Values

    def leaf(self, shape: tuple[int, ...], element: Element, is_constant: bool = False) -> Node:
        kind = Type(shape, element)
        if kind.size > MAX_ELEMENTS:
            raise Unfit
        values = self._splat(kind) if is_constant and self.rng.random() < 0.4 else self._values(kind)
        data = Data(values, values.copy()) if element.is_float else Data.of(values)
        node = Node(Leaf(kind, data, is_constant))
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
            if np.prod(shape) <= MAX_ELEMENTS:
                return shape

    def extent(self) -> int:
        return self.rng.choice(self.extents)

    def pick(self, accept: Callable[[Node], bool] = lambda node: True, is_computed: bool = False) -> Node:
        """Recent results are likelier than leaves."""
        fitting = [node for node in self.nodes if accept(node) and not (is_computed and node.is_leaf)]
        if not fitting:
            raise Unfit
        weights = [(1 if node.is_leaf else 4) * (1 + index) for index, node in enumerate(fitting)]
        return self.rng.choices(fitting, weights)[0]

    def add(self, operation: Operation, *operands: Node) -> Node:
        node = Node(operation, operands)
        self.nodes.append(node)
        return node

    # Element-wise

    def map(self, operands: list[Node], maps: list[tuple[int, ...]], rank: int, target: Element | None = None) -> Node:
        return self.add(bodies.random_map(self.rng, operands, maps, rank, target), *operands)

    def unary(self) -> Node:
        value = self.pick()
        dims = list(range(value.type.rank))
        if self.rng.random() < 0.25:
            self.rng.shuffle(dims)
        return self.map([value], [tuple(dims)], len(dims))

    def cast(self) -> Node:
        value = self.pick()
        target = self.rng.choice([element for element in self.family if element != value.type.element] or [None])
        if target is None:
            target = self.rng.choice(elements.ELEMENTS)
        return self.map([value], [tuple(range(value.type.rank))], value.type.rank, target)

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
            dims = sorted(self.rng.sample(range(len(shape)), self.rng.randint(1, len(shape))))
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

    # Reductions and contractions

    def reduce(self, value: Node | None = None, dims: list[int] | None = None, names: tuple[str, ...] = ()) -> Node:
        value = value or self.pick(lambda node: node.type.rank > 0)
        rank, element = value.type.rank, value.type.element
        if dims is None:
            dims = sorted(self.rng.sample(range(rank), self.rng.randint(1, min(2, rank))))
        kept = [dim for dim in range(rank) if dim not in dims]
        if len(kept) > 1 and self.rng.random() < 0.2:
            self.rng.shuffle(kept)
        before = ()
        target = _ACCUMULATORS.get(element, element) if self.rng.random() < 0.5 else element
        if target != element or self.rng.random() < 0.2:
            before = bodies.random_steps(self.rng, element, target)
        fitting = [combiner for combiner in combiners(target) if not names or combiner.name in names]
        combiner = self.rng.choices(fitting, [3 if c.name in ("sum", "maximum") else 1 for c in fitting])[0]
        start, tensor = self._start(tuple(value.type.shape[dim] for dim in kept), target)
        operation = Reduce(combiner, tuple(dims), tuple(kept), target, before, start, bool(tensor))
        return self.add(operation, value, *tensor)

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
        target = _ACCUMULATORS.get(element, element)
        sizes = [dict(zip(labels + other, left.type.shape + right.type.shape, strict=True))[label] for label in loops]
        if np.prod(sizes) > MAX_WORK:
            raise Unfit
        shape = tuple(dict(zip(loops, sizes, strict=True))[label] for label in result)
        start, tensor = self._start(shape, target)
        is_named = self.rng.random() < 0.7
        names = ["".join(part) for part in (labels, other, result, loops)]
        return self.add(Contract(*names, target, start, bool(tensor), is_named), left, right, *tensor)

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

    # Windows

    def window(self) -> Node:
        """A convolution or a pooling over a known image or a new one."""
        rng, count = self.rng, self.rng.choice((1, 2, 2))
        known = [n for n in self.nodes if n.type.rank == count + 2 and not n.type.element.is_bool]
        if known and rng.random() < 0.7:
            image = rng.choice(known)
        else:
            spatial = [rng.choice((4, 5, 7, 8, 9, 12)) for _ in range(count)]
            image = self.leaf((rng.choice((1, 1, 2)), rng.choice((1, 2, 3, 4)), *spatial), rng.choice(self.family))
        if image.type.element.is_bool:
            raise Unfit
        strides = tuple(rng.choice((1, 1, 2)) for _ in range(count))
        dilations = tuple(rng.choice((1, 1, 1, 2)) for _ in range(count))
        sizes, element = tuple(rng.choice((1, 2, 3)) for _ in range(count)), image.type.element
        if rng.random() < 0.4:
            return self.add(Pool(strides, dilations, element, sizes, rng.random() < 0.5), image)
        kernel = self.operand((rng.choice((1, 2, 3, 4)), image.type.shape[1], *sizes), element)
        return self.add(Convolve(strides, dilations, _ACCUMULATORS.get(element, element)), image, kernel)

    # Movement

    def transpose(self) -> Node:
        value = self.pick(lambda node: node.type.rank > 1)
        order = list(range(value.type.rank))
        self.rng.shuffle(order)
        return self.add(Transpose(tuple(order)), value)

    def broadcast(self) -> Node:
        value = self.pick(lambda node: node.type.rank <= 2)
        return self.add(Broadcast((self.rng.randint(0, value.type.rank),), (self.extent(),)), value)

    def expand(self) -> Node:
        value = self.pick(lambda node: 1 <= node.type.rank <= 3)
        dim = self.rng.randrange(value.type.rank)
        extent = value.type.shape[dim]
        return self.add(Expand(dim, self.rng.choice([f for f in range(1, extent + 1) if extent % f == 0])), value)

    def collapse(self) -> Node:
        value = self.pick(lambda node: node.type.rank > 1)
        return self.add(Collapse(self.rng.randrange(value.type.rank - 1)), value)

    def slice(self) -> Node:
        value = self.pick(lambda node: any(extent > 1 for extent in node.type.shape))
        wide = [dim for dim, extent in enumerate(value.type.shape) if extent > 1]
        cut = self.rng.sample(wide, self.rng.randint(1, min(2, len(wide))))
        boxes = [self._range(extent) if dim in cut else (0, extent, 1) for dim, extent in enumerate(value.type.shape)]
        return self.add(Slice(*zip(*boxes, strict=True)), value)

    def _range(self, extent: int) -> tuple[int, int, int]:
        size = self.rng.choice((1, extent // 2, self.rng.randint(1, extent - 1)))
        low = self.rng.randint(0, extent - size)
        stride = self.rng.choice((2, 3)) if self.rng.random() < 0.06 else 1
        return low, max(1, (extent - low) // stride if stride > 1 else size), stride

    def concat(self) -> Node:
        first = self.pick(lambda node: node.type.rank > 0)
        dim = self.rng.randrange(first.type.rank)
        shape, parts = first.type.shape, [first]
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            fitting = [
                node
                for node in self.nodes
                if node.type.element == first.type.element
                and node.type.shape[:dim] + node.type.shape[dim + 1 :] == shape[:dim] + shape[dim + 1 :]
                and node.type.rank == first.type.rank
            ]
            if self.rng.random() < 0.3:
                fitting = [self.leaf((*shape[:dim], self.extent(), *shape[dim + 1 :]), first.type.element)]
            parts.append(self.rng.choice(fitting))
        self.rng.shuffle(parts)
        return self.add(Concat(dim), *parts)

    def pad(self) -> Node:
        value = self.pick(lambda node: 1 <= node.type.rank <= 3)
        low = [self.rng.choice((0, 0, 1, 2, 4)) for _ in value.type.shape]
        high = [self.rng.choice((0, 0, 1, 3, 4)) for _ in value.type.shape]
        if not any(low + high):
            high[-1] = 1
        fill = self.rng.choice((0.5, 0)) if value.type.element.is_float else self.rng.choice((0, 1))
        return self.add(Pad(tuple(low), tuple(high), fill), value)

    # What makes branches meet again

    def residual(self) -> Node:
        value = self.pick(lambda node: node.type.rank > 0, is_computed=True)
        dims = tuple(range(value.type.rank))
        branch = value
        for _ in range(self.rng.randint(1, 2)):
            branch = self.map([branch], [dims], len(dims), value.type.element)
        return self.binary(value, branch)

    def normalise(self) -> Node:
        """A reduction of a value meets the value: softmax and norms are made of such pieces."""
        value = self.pick(lambda node: node.type.rank > 0 and not node.type.element.is_bool, is_computed=True)
        dim = self.rng.randrange(value.type.rank)
        reduced = self.reduce(value, [dim], ("sum", "maximum"))
        kept = reduced.operation.kept
        if reduced.type.element != value.type.element:
            raise Unfit
        return self.map([value, reduced], [tuple(range(value.type.rank)), kept], value.type.rank)

    def rotate(self) -> Node:
        """The halves of a dimension change places and meet the whole again."""
        value = self.pick(lambda node: any(extent % 2 == 0 for extent in node.type.shape), is_computed=True)
        dim = self.rng.choice([dim for dim, extent in enumerate(value.type.shape) if extent % 2 == 0])
        half = value.type.shape[dim] // 2
        sizes = (*value.type.shape[:dim], half, *value.type.shape[dim + 1 :])
        ones, low = (1,) * len(sizes), [0] * len(sizes)
        first = self.add(Slice(tuple(low), sizes, ones), value)
        low[dim] = half
        second = self.add(Slice(tuple(low), sizes, ones), value)
        return self.binary(value, self.add(Concat(dim), second, first))

    def chain(self) -> Node:
        """A contraction of a computed value reads it in an order of its own."""
        return self.contract(
            self.pick(lambda node: 2 <= node.type.rank <= 3 and not node.type.element.is_bool, is_computed=True)
        )

    def self_contract(self) -> Node:
        value = self.pick(lambda node: node.type.rank == 2 and not node.type.element.is_bool, is_computed=True)
        return self.contract(value, value)


STEPS = {
    "unary": 3, "cast": 9, "binary": 8, "ternary": 4, "choose": 2, "outer": 1, "reduce": 6, "contract": 8,
    "transpose": 2, "broadcast": 1, "expand": 2, "collapse": 2, "slice": 3, "concat": 2, "pad": 1,
    "residual": 5, "normalise": 6, "rotate": 1, "self_contract": 4, "chain": 10, "window": 3,
}  # fmt: skip


def _add_step(generator: Generator, names: tuple[str, ...] = tuple(STEPS)) -> None:
    """One step if one fits; what a step that does not fit left behind is taken back."""
    count = len(generator.nodes)
    for _ in range(_ATTEMPTS):
        try:
            getattr(generator, generator.rng.choices(names, [STEPS[name] for name in names])[0])()
            return
        except Unfit:
            del generator.nodes[count:]


def generate(seed: int) -> Program:
    """The program of a seed."""
    generator = Generator(seed)
    rng = generator.rng
    target = rng.choices(range(1, len(LENGTHS) + 1), LENGTHS)[0]
    is_chained = target > 1 and rng.random() < 0.9
    shape = generator.shape((2, 2, 3) if is_chained else (1, 2, 2, 2, 3))
    element = rng.choice(
        [element for element in generator.family if not (is_chained and element.is_bool)] or [elements.I8]
    )
    generator.leaf(shape, element)
    if is_chained:
        _add_step(generator, ("contract",))
        _add_step(generator, ("chain", "self_contract", "normalise"))
    while sum(not node.is_leaf for node in generator.nodes) < target:
        _add_step(generator)
    return _finish(generator)


def _finish(generator: Generator) -> Program:
    """All values that nothing reads are results; at times one that is read, or an argument, is one as well."""
    used = {operand for node in generator.nodes for operand in node.operands}
    results = [node for node in generator.nodes if node not in used and not node.is_leaf]
    inner = [node for node in generator.nodes if node in used and not node.is_leaf]
    if inner and generator.rng.random() < 0.15:
        results.append(generator.rng.choice(inner))
    if generator.rng.random() < 0.02:
        results.append(generator.rng.choice([*results, *generator.nodes]))
    return Program(generator.nodes, results, generator.seed)
