# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs: up to twelve operations, five in the median, of few extents so that values can meet again."""

from __future__ import annotations

from collections.abc import Callable

from fuzz import elements, ops_map, ops_reduce, scalars
from fuzz.draw_meeting import MeetingSteps
from fuzz.draw_windows import WindowSteps
from fuzz.elements import Unfit
from fuzz.ops_lookup import Lookup
from fuzz.ops_move import Slice
from fuzz.ops_reduce import combiners
from fuzz.ops_window import CONVOLUTIONS, POOLINGS
from fuzz.program import Node, Program

# Of 100 programs, so many have 1, 2, … 12 operations.
LENGTHS = (10, 16, 20, 18, 13, 8, 5, 4, 2, 2, 1, 1)
# Of 1,000 programs, so many compute nothing, and so many hold what must be refused.
HOST_ONLY, REFUSED = 28, 19
_ATTEMPTS = 30


def _wishes() -> list[tuple[str, tuple]]:
    """Steps with their arguments: each scalar function, each combiner, each operation that Linalg has a name for."""
    kinds = {"float": elements.FLOATS, "integer": elements.INTEGERS, "boolean": (elements.I1,)}
    found = []
    for types in kinds.values():
        plain = [function for arity in (1, 2, 3) for function in scalars.functions(types[0], arity)]
        found += [("single", (function, types, False)) for function in plain]
        found += [("single", (function, types, True)) for function in scalars.comparisons(types[0])]
        found += [("combine", (combiner.name, types)) for combiner in combiners(types[0])]
    found += [("named", key) for key in ops_map.NAMED if key[0] != "select"]
    found += [("cast", (word,)) for word in scalars.CASTS]
    found += [("product", (key,)) for key in (*ops_reduce.NAMED, "bk,bkn->bn")]
    often = ("place", "lookup", "slice", "attend", "attend", "attend", "reshape_between")
    plain = ("two", "two_reductions", "softmax", "choose", "concat", "broadcast", "unary", "transpose")
    found += [(name, ()) for name in (*often, *often, *plain, "reshape_between")]
    found += [("convolve", (key,)) for key in CONVOLUTIONS] + [("pool", (key,)) for key in POOLINGS]
    return found


# Programs draw what they like, and each has some wishes beside: in turn, so that none is rare.
WISHES = _wishes()


class Generator(MeetingSteps, WindowSteps):
    """A program under construction; every method of `STEPS` adds at least one operation or raises Unfit."""

    def wish(self, number: int) -> Node:
        """The seed's wish of this number; the numbers are spread over the list."""
        name, arguments = WISHES[(self.seed + number * len(WISHES) // 3) % len(WISHES)]
        return getattr(self, name)(*arguments)

    def refused(self) -> Node:
        """What the documentation excludes: elements that a stream would have to skip, a table that is computed."""
        if self.rng.random() < 0.7:
            value = self.pick(lambda node: any(extent % 2 and extent > 2 for extent in node.type.shape))
            dim = next(dim for dim, extent in enumerate(value.type.shape) if extent % 2 and extent > 2)
            sizes = tuple(extent // 2 if d == dim else extent for d, extent in enumerate(value.type.shape))
            strides = tuple(2 if d == dim else 1 for d in range(value.type.rank))
            return self.add(Slice((0,) * value.type.rank, sizes, strides), value)
        table = self.pick(lambda node: 1 <= node.type.rank <= 2, is_computed=True)
        return self.add(Lookup(), table, self._rows(table.type.shape[0]))


STEPS = {
    "unary": 5, "cast": 8, "compare": 6, "binary": 7, "ternary": 3, "choose": 1.3, "outer": 1, "named": 4, "two": 1.3,
    "reduce": 6.5, "place": 1.8, "two_reductions": 1.2, "softmax": 1.3,
    "contract": 4, "product": 3, "self_contract": 4, "chain": 10, "attend": 1.3, "parts": 1, "carry": 2,
    "read_together": 2,
    "convolve": 4, "pool": 4.5,
    "transpose": 2, "broadcast": 1, "expand": 2, "collapse": 2, "slice": 3, "concat": 2, "pad": 1, "lookup": 2.3,
    "residual": 4, "normalise": 4, "rotate": 1, "see_through": 1.5, "reshape_between": 1.5,
}  # fmt: skip


def _add_step(generator: Generator, names: tuple[str, ...] = tuple(STEPS)) -> None:
    """One step if one fits."""
    for _ in range(_ATTEMPTS):
        if _try(generator, getattr(generator, generator.rng.choices(names, [STEPS[name] for name in names])[0])):
            return


def generate(seed: int) -> Program:
    """The program of a seed."""
    generator = Generator(seed)
    rng = generator.rng
    kind = rng.randrange(1000)
    if kind < HOST_ONLY:
        return _host_only(generator)
    target = rng.choices(range(1, len(LENGTHS) + 1), LENGTHS)[0]
    is_chained = target > 1 and rng.random() < 0.85
    shape = generator.shape((2, 2, 3) if is_chained else (0, 1, 1, 2, 2, 2, 2, 3, 3))
    element = rng.choice(
        [element for element in generator.family if not (is_chained and element.is_bool)] or [elements.I8]
    )
    generator.leaf(shape, element)
    if is_chained:
        _add_step(generator, ("contract",))
        _add_step(generator, ("chain", "self_contract", "normalise", "attend", "parts", "carry"))
    if target > 2 and rng.random() < 0.35:
        _add_step(generator, ("residual", "normalise", "rotate"))
    for number in range(1 + (target > 1) + (target > 4)):
        _try(generator, lambda number=number: generator.wish(number), attempts=4)
    while _count_operations(generator) < target:
        _add_step(generator)
    if kind < HOST_ONLY + REFUSED:
        _try(generator, generator.refused, attempts=4)
    return _finish(generator)


def _try(generator: Generator, step: Callable[[], Node], attempts: int = 1) -> bool:
    """Whether the step fits; what one that does not has left behind is taken back."""
    count = len(generator.nodes)
    for _ in range(attempts):
        try:
            step()
            if _count_operations(generator) <= len(LENGTHS):
                return True
        except Unfit:
            pass
        del generator.nodes[count:]
    return False


def _count_operations(generator: Generator) -> int:
    return sum(not node.is_leaf for node in generator.nodes)


def _host_only(generator: Generator) -> Program:
    """Arguments and constants, reshaped at most: no design is made."""
    rng = generator.rng
    for _ in range(rng.randint(1, 3)):
        generator.leaf(generator.shape((0, 1, 2, 3)), rng.choice(generator.family), rng.random() < 0.3)
    for _ in range(rng.choice((0, 0, 1, 2))):
        _try(generator, rng.choice((generator.expand, generator.collapse)))
    results = [rng.choice(generator.nodes) for _ in range(rng.randint(1, 3))]
    if not any(node.is_argument for node in generator.nodes):
        generator.leaf((3,), rng.choice(generator.family))
    return Program(generator.nodes, results, generator.seed)


def _finish(generator: Generator) -> Program:
    """All values that nothing reads are results; at times also one that is read, an argument, a constant, or one of
    them twice."""
    rng = generator.rng
    used = {operand for node in generator.nodes for operand in node.operands}
    results = [node for node in generator.nodes if node not in used and not node.is_leaf]
    inner = [node for node in generator.nodes if node in used and not node.is_leaf]
    if inner and rng.random() < 0.15:
        results.append(rng.choice(inner))
    if rng.random() < 0.02:
        results.append(rng.choice([node for node in generator.nodes if node.is_argument]))
    if rng.random() < 0.02:
        results.append(rng.choice(results))
    if rng.random() < 0.02:
        results.append(generator.leaf(generator.shape((0, 1, 2)), rng.choice(generator.family), is_constant=True))
    if rng.random() < 0.02:
        generator.leaf(generator.shape((0, 1, 2)), rng.choice(generator.family))
    return Program(generator.nodes, results, generator.seed)
