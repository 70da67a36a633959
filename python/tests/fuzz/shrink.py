# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small: fewer results, fewer operations, smaller extents, simpler operations.

A step is kept if the program still fails in the same way. Every candidate is typed and evaluated anew, so that its
reference is its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from fuzz.elements import Unfit
from fuzz.ops_map import Map
from fuzz.ops_reduce import Contract, Reduce
from fuzz.ops_two import TwoMaps, TwoReductions
from fuzz.ops_window import Convolve
from fuzz.program import Leaf, Node, Operation, Program

Rewrite = Callable[[Node, tuple[Node, ...]], Operation | Node | None]


def shrink(program: Program, fails: Callable[[Program], bool], seconds: float = 60.0) -> Program:
    """The smallest program found within the time for which `fails` holds, as it does for `program`."""
    end = time.monotonic() + seconds
    tried = set()
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in _candidates(program):
            text = candidate.text()
            if text in tried or time.monotonic() > end:
                continue
            tried.add(text)
            if fails(candidate):
                program, progress = candidate, True
                break
    return program


def _candidates(program: Program) -> Iterator[Program]:
    for make in (_single_results, _cuts, _bypasses, _extents, _simpler):
        yield from make(program)


def _rebuilt(program: Program, rewrite: Rewrite) -> Program | None:
    """The program after `rewrite`, which gives another operation, another node, or None to keep what is there."""
    made: dict[Node, Node] = {}
    try:
        for node in program.nodes:
            operands = tuple(made[operand] for operand in node.operands)
            changed = rewrite(node, operands)
            if isinstance(changed, Node):
                made[node] = changed
                continue
            operation = changed or node.operation
            operation = operation.adapt([operand.type for operand in operands])
            kept = operands[: len(operands) - _drops_tensor(node.operation, operation)]
            made[node] = Node(operation, kept)
    except (Unfit, ValueError, IndexError):
        return None
    results = list(dict.fromkeys(made[node] for node in program.results))
    nodes = list(dict.fromkeys(made.values()))
    return Program(nodes, results, program.seed).without_dead_nodes()


def _drops_tensor(before: Operation, after: Operation) -> int:
    return int(getattr(before, "has_tensor", False) and not getattr(after, "has_tensor", False))


def _each(program: Program, rewrites: Iterator[tuple[Node, Operation | None]]) -> Iterator[Program]:
    """One program for every node and what it becomes; None makes it an argument."""
    for chosen, operation in rewrites:

        def rewrite(node: Node, operands: tuple[Node, ...], chosen=chosen, operation=operation):
            if node is not chosen:
                return None
            return operation or Node(Leaf(node.type, node.data))

        candidate = _rebuilt(program, rewrite)
        if candidate and candidate.operations:
            yield candidate


def _single_results(program: Program) -> Iterator[Program]:
    if len(program.results) > 1:
        for result in program.results:
            if not result.is_leaf:
                yield Program(program.nodes, [result], program.seed).without_dead_nodes()


def _cuts(program: Program) -> Iterator[Program]:
    """A computed value becomes an argument."""
    inner = [node for node in program.operations if node not in program.results]
    inner.sort(key=lambda node: -len(node.ancestors))
    yield from _each(program, ((node, None) for node in inner))


def _bypasses(program: Program) -> Iterator[Program]:
    """An operation gives way to an operand of its type."""
    for chosen in program.operations:
        for index, operand in enumerate(chosen.operands):
            if operand.type != chosen.type:
                continue

            def rewrite(node: Node, operands: tuple[Node, ...], chosen=chosen, index=index):
                return operands[index] if node is chosen else None

            candidate = _rebuilt(program, rewrite)
            if candidate and candidate.operations:
                yield candidate


def _extents(program: Program) -> Iterator[Program]:
    """All leaves' dimensions of one extent become smaller."""
    leaves = [node for node in program.nodes if node.is_leaf]
    for extent in sorted({e for node in leaves for e in node.type.shape if e > 1}, reverse=True):
        for smaller in sorted({1, 2, 3, 4, extent // 2, extent - 1}):
            if not 0 < smaller < extent:
                continue

            def rewrite(node: Node, operands: tuple[Node, ...], extent=extent, smaller=smaller):
                return _cropped(node.operation, extent, smaller) if node.is_leaf else None

            candidate = _rebuilt(program, rewrite)
            if candidate:
                yield candidate


def _cropped(leaf: Leaf, extent: int, smaller: int) -> Leaf:
    shape = tuple(smaller if e == extent else e for e in leaf.type.shape)
    data = leaf.data.each(lambda array: np.array(array[tuple(slice(0, e) for e in shape)]))
    return replace(leaf, type=replace(leaf.type, shape=shape), data=data)


def _simpler(program: Program) -> Iterator[Program]:
    yield from _each(program, ((node, other) for node in program.nodes for other in _forms(node)))


def _forms(node: Node) -> Iterator[Operation]:
    """Simpler operations of the same result type."""
    operation = node.operation
    if isinstance(operation, Leaf) and operation.is_constant:
        yield replace(operation, is_constant=False, is_filled=False)
    if isinstance(operation, TwoMaps | TwoReductions):
        yield operation.first
    if isinstance(operation, Convolve) and operation.has_tensor:
        yield replace(operation, has_tensor=False)
    if isinstance(operation, Reduce | Contract):
        if operation.has_tensor or operation.start is not None:
            yield replace(operation, has_tensor=False, start=None)
        if isinstance(operation, Reduce) and operation.before and node.operands[0].type.element == operation.element:
            yield replace(operation, before=())
    if isinstance(operation, Map):
        if operation.form != "generic":
            yield replace(operation, form="generic")
        for count in range(1, len(operation.steps)):
            if operation.steps[count - 1].element == operation.steps[-1].element:
                yield replace(operation, steps=operation.steps[:count])
