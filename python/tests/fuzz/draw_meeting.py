# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps whose branches meet again, and shapes of programs that certain passes wait for."""

from __future__ import annotations

from fuzz.draw_movement import MovementSteps
from fuzz.draw_reductions import ReductionSteps
from fuzz.elements import I8, Unfit
from fuzz.ops_move import Concat, Slice
from fuzz.ops_reduce import Contract
from fuzz.program import Node
from fuzz.values import ACCUMULATORS


class MeetingSteps(ReductionSteps, MovementSteps):
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

    def attend(self) -> Node:
        """Two contractions of one computed value meet in a third, which holds one and reads the other row by row."""
        known = [n for n in self.nodes if n.type.rank == 2 and n.type.shape[0] >= 8 and not n.type.element.is_bool]
        element = self.rng.choice([e for e in self.family if not e.is_bool] or [I8])
        value = self.likely(known) if known else self.leaf((self.rng.choice((8, 12, 16)), self.extent()), element)
        value = self.map([value], [(0, 1)], 2)
        width = value.type.shape[1]
        element, extent = value.type.element, self.extent()
        target = ACCUMULATORS.get(element, element)
        queries, keys = (
            self.add(
                Contract("mk", "kn", "mn", "mnk", target, is_named=True), value, self.operand((width, extent), element)
            )
            for _ in range(2)
        )
        return self.add(Contract("mk", "nk", "mn", "mnk", ACCUMULATORS.get(target, target)), queries, keys)

    def carry(self) -> Node:
        """A long reduction of a computed value into few columns, whose rows may all be held at once."""
        rng = self.rng
        element = rng.choice([e for e in self.family if not e.is_bool] or [I8])
        rows, depth, width = rng.choice((8, 16, 24)), rng.choice((32, 48, 64)), rng.choice((12, 16, 24))
        batch = (2,) if rng.random() < 0.25 and rows < 24 else ()
        value = self.leaf((*batch, rows, depth), element)
        value = self.map([value], [tuple(range(value.type.rank))], value.type.rank, element)
        weights = self.operand((*batch, depth, width), element)
        target = ACCUMULATORS.get(element, element) if rng.random() < 0.7 else element
        outer = "b" if batch else ""
        orders = [(f"{outer}mn", f"{outer}mnk"), (f"{outer}nm", f"{outer}mnk"), (f"{outer}mn", f"{outer}kmn")]
        labels = (f"{outer}mk", f"{outer}kn", *rng.choice(orders))
        return self.add(Contract(*labels, target, is_named=rng.random() < 0.5), value, weights)

    def read_together(self) -> Node:
        """Products of one matrix with vectors, along its rows and its columns; one read can serve both."""
        rng = self.rng
        element = rng.choice([e for e in self.family if not e.is_bool] or [I8])
        rows, columns = (rng.choice((16, 32, 48)) if rng.random() < 0.5 else self.extent() for _ in range(2))
        matrix = self.leaf((rows, columns), element)
        target = ACCUMULATORS.get(element, element)
        along = self.add(Contract("mk", "k", "m", "mk", target), matrix, self.operand((columns,), element))
        given = along if target == element and rng.random() < 0.5 else self.operand((rows,), element)
        return self.add(Contract("mk", "m", "k", "km", target), matrix, given)

    def parts(self) -> Node:
        """A contraction that is read in parts only, as a joint projection of queries, keys and values is."""
        value = self.pick(lambda node: node.type.rank == 2 and not node.type.element.is_bool)
        element, count = value.type.element, self.rng.choice((2, 2, 3))
        width, target = self.extent(), ACCUMULATORS.get(element, element)
        weights = self.leaf((value.type.shape[1], width * count), element)
        whole = self.add(Contract("mk", "kn", "mn", "mnk", target, is_named=True), value, weights)
        sizes = (value.type.shape[0], width)
        cut = [self.add(Slice((0, index * width), sizes, (1, 1)), whole) for index in range(count)]
        return self.binary(cut[0], cut[1])

    def see_through(self) -> Node:
        """A copy, moved on, meets its reader: a transpose, then a reshape, a slice or a border, then arithmetic."""
        copy = self.rng.choice((self.transpose, self.broadcast))()
        before = len(self.nodes)
        self.rng.choice((self.expand, self.collapse, self.slice, self.pad, self.concat))(copy)
        value = self.nodes[-1] if len(self.nodes) > before else copy
        return self.map([value], [tuple(range(value.type.rank))], value.type.rank)

    def reshape_between(self) -> Node:
        """Arithmetic on both sides of a reshape."""
        value = self.pick(lambda node: node.type.rank > 0)
        value = self.map([value], [tuple(range(value.type.rank))], value.type.rank)
        value = self.rng.choice((self.expand, self.collapse))(value)
        return self.map([value], [tuple(range(value.type.rank))], value.type.rank)
