# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps that move values and compute none."""

from __future__ import annotations

from fuzz.elements import I16, I32, I64, Data, Type
from fuzz.ops_lookup import Flip, Lookup
from fuzz.ops_move import Broadcast, Collapse, Concat, Expand, Pad, Slice, Transpose
from fuzz.program import Leaf, Node
from fuzz.values import Values


class MovementSteps(Values):
    def transpose(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: node.type.rank > 1, value=value)
        order = list(range(value.type.rank))
        self.rng.shuffle(order)
        return self.add(Transpose(tuple(order)), value)

    def broadcast(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: node.type.rank <= 2, value=value)
        return self.add(Broadcast((self.rng.randint(0, value.type.rank),), (self.extent(),)), value)

    def expand(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: 1 <= node.type.rank <= 3, value=value)
        dim = self.rng.randrange(value.type.rank)
        extent = value.type.shape[dim]
        return self.add(Expand(dim, self.rng.choice([f for f in range(1, extent + 1) if extent % f == 0])), value)

    def collapse(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: node.type.rank > 1, value=value)
        return self.add(Collapse(self.rng.randrange(value.type.rank - 1)), value)

    def slice(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: any(extent > 1 for extent in node.type.shape), value=value)
        wide = [dim for dim, extent in enumerate(value.type.shape) if extent > 1]
        cut = self.rng.sample(wide, self.rng.randint(1, min(2, len(wide))))
        is_strided = self.rng.random() < 0.12
        boxes = [
            (self._strided(extent) if is_strided else self._range(extent)) if dim in cut else (0, extent, 1)
            for dim, extent in enumerate(value.type.shape)
        ]
        ones = [dim for dim, (_, size, _) in enumerate(boxes) if size == 1]
        dropped = tuple(dim for dim in ones if self.rng.random() < 0.7)
        return self.add(Slice(*zip(*boxes, strict=True), dropped), value)

    def _range(self, extent: int) -> tuple[int, int, int]:
        size = max(1, self.rng.choice((1, extent // 2, self.rng.randint(1, extent - 1))))
        return self.rng.randint(0, extent - size), size, 1

    def _strided(self, extent: int) -> tuple[int, int, int]:
        """A column of the dimension, split in rows of `stride` elements."""
        strides = [stride for stride in range(2, extent + 1) if extent % stride == 0]
        stride = self.rng.choice(strides[:3])
        low = self.rng.randrange(extent)
        return low, self.rng.randint(1, (extent - 1 - low) // stride + 1), stride

    def concat(self, first: Node | None = None) -> Node:
        first = self.pick(lambda node: node.type.rank > 0, value=first)
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
        return self.add(Concat(dim, self.rng.random() < 0.55), *parts)

    def lookup(self) -> Node:
        """Rows of a table in external memory."""
        tables = [n for n in self.nodes if n.is_argument and n.type.rank in (1, 2, 3)]
        element = self.rng.choice(self.family)
        is_known = tables and self.rng.random() < 0.5
        table = self.rng.choice(tables) if is_known else self.leaf(self.shape((1, 2, 2, 3)), element)
        if self.rng.random() < 0.4:
            return self.add(Flip(), table)
        return self.add(Lookup(), table, self._rows(table.type.shape[0]))

    def _rows(self, limit: int) -> Node:
        """Places in a table of `limit` rows: those of a lookup before, or new ones."""
        known = [n for n in self.nodes if n.type.element.is_int and n.type.rank < 3]
        known = [n for n in known if n.data.narrow.min() >= 0 and n.data.narrow.max() < limit]
        if known and self.rng.random() < 0.5:
            return self.rng.choice(known)
        kind = Type(self.shape((0, 1, 1, 1, 2)), self.rng.choice((I16, I32, I64)))
        values = self.numbers.integers(0, limit, kind.shape).astype(kind.element.dtype)
        node = Node(Leaf(kind, Data.of(values)))
        self.nodes.append(node)
        return node

    def pad(self, value: Node | None = None) -> Node:
        value = self.pick(lambda node: 1 <= node.type.rank <= 3, value=value)
        low = [self.rng.choice((0, 0, 1, 2, 4)) for _ in value.type.shape]
        high = [self.rng.choice((0, 0, 1, 3, 4)) for _ in value.type.shape]
        if not any(low + high):
            high[-1] = 1
        fill = self.rng.choice((0.5, 0)) if value.type.element.is_float else self.rng.choice((0, 1))
        return self.add(Pad(tuple(low), tuple(high), fill), value)
