# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random designs of leaf tasks whose trip counts are scalars of the launch, as a user would write them, and what they
compute with numpy.

A design reads a matrix of `rows` times `cols` elements, both affine forms of two scalars, passes it through stages of
leaf tasks and stores what comes out. Values are small integers, so that float sums are exact.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Values = dict[str, int]


@dataclass(frozen=True)
class Count:
    """A trip count: text over s0 (n) and s1 (m), its value, its largest value."""

    text: str
    at: Callable[[Values], int]
    largest: int


@dataclass
class ScalarDesign:
    """IR and meaning of one design."""

    seed: int
    most: Values = field(default_factory=dict)
    declarations: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    functions: list[Callable[[np.ndarray, Values], np.ndarray]] = field(default_factory=list)
    shape: tuple[int, int] = (0, 0)
    shape_at: Callable[[Values], tuple[int, int]] = lambda values: (0, 0)
    result: tuple[int, int] = (0, 0)
    text: str = ""

    def expect(self, x: np.ndarray, values: Values) -> np.ndarray:
        rows, cols = self.shape_at(values)
        current = x[:rows, :cols]
        for function in self.functions:
            current = function(current, values)
        whole = np.zeros(self.result, dtype=np.float32)
        whole[: current.shape[0], : current.shape[1]] = current
        return whole


def draw(seed: int) -> ScalarDesign:
    return _Drawing(seed).draw()


COUNTS = "counts affine_map<()[s0, s1] -> ({})> (%n, %m)"
DIMS = "(d0, d1)[s0, s1]"
STREAM = "!dataflow.stream<f32>"


class _Drawing:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.design = ScalarDesign(seed)
        most = {"n": self.random.randint(1, 6), "m": self.random.randint(1, 6)}
        self.design.most = most
        self.rows, self.cols = self.count(), self.count()

    def count(self) -> Count:
        name = self.random.choice(("n", "m"))
        symbol, by, most = {"n": "s0", "m": "s1"}[name], self.random.randint(2, 3), self.design.most[name]
        kind = self.random.randrange(6)
        if kind == 0:
            return Count(f"{symbol} ceildiv {by}", lambda v: -(-v[name] // by), -(-most // by))
        if kind == 1:
            return Count(f"{symbol} floordiv {by} + 1", lambda v: v[name] // by + 1, most // by + 1)
        if kind == 2:
            return Count(f"{symbol} * {by}", lambda v: v[name] * by, most * by)
        if kind == 3:
            return Count(str(by), lambda v: by, by)
        return Count(symbol, lambda v: v[name], most)

    def draw(self) -> ScalarDesign:
        design = self.design
        first_rows, first_cols = self.rows, self.cols
        design.shape = (first_rows.largest, first_cols.largest)
        design.shape_at = lambda v: (first_rows.at(v), first_cols.at(v))
        self.stream = self.fifo()
        self.leaf(
            "load",
            "load",
            f"%v = dataflow.load %x affine_map<(d0, d1) -> (d0, d1)> : {_port(design.shape)} -> f32\n"
            + self.write("%v", self.stream),
        )
        for _ in range(self.random.randint(1, 5)):
            self.random.choice(self.stages)()
        design.result = (self.rows.largest, self.cols.largest)
        self.leaf(
            "store",
            "store",
            self.read("%v", self.stream)
            + f"dataflow.store %v, %y affine_map<(d0, d1) -> (d0, d1)> : f32, {_port(design.result)}\n",
        )
        design.text = self.print()
        return design

    def print(self) -> str:
        design = self.design
        given, made = _tensor(design.shape), _tensor(design.result)
        return "\n".join(
            [
                f"func.func @main(%x: {given}, %n: index, %m: index) -> {made} {{",
                f"  %y = dataflow.launch @d(%x) scalars(%n, %m) : ({given}) -> {made}",
                f"  return %y : {made}\n}}",
                "dataflow.design @d {",
                f'  %x = dataflow.port in "x" : {_port(design.shape)}',
                f'  %y = dataflow.port out "y" : {_port(design.result)}',
                *(
                    f'  %{name} = dataflow.scalar "{name}" from 1 to {most} : index'
                    for name, most in design.most.items()
                ),
                *design.declarations,
                *design.leaves,
                "}",
            ]
        )

    # Pieces of text.

    def fifo(self) -> str:
        name = f"f{len(self.design.declarations)}"
        self.design.declarations.append(f'%{name} = dataflow.stream "{name}" : {STREAM}')
        return name

    def read(self, value: str, fifo: str, guard: str = "", dims: str = DIMS) -> str:
        when = f" when affine_set<{dims} : ({guard})>" if guard else ""
        return f"{value} = dataflow.stream_read %{fifo}{when} : {STREAM} -> f32\n"

    def write(self, value: str, fifo: str, guard: str = "") -> str:
        when = f" when affine_set<{DIMS} : ({guard})>" if guard else ""
        return f"dataflow.stream_write {value}, %{fifo}{when} : f32, {STREAM}\n"

    def leaf(
        self, name: str, role: str, body: str, loops: tuple[Count, ...] = (), blocks: str = "", memory: str = ""
    ) -> None:
        loops = loops or (self.rows, self.cols)
        trips, counts = ", ".join(str(c.largest) for c in loops), ", ".join(c.text for c in loops)
        arguments = ", ".join([f"%i{loop}: index" for loop in range(len(loops))] + ([memory] if memory else []))
        number = len(self.design.leaves)
        head = f'dataflow.leaf "{name}{number}" {role} [{trips}] {COUNTS.format(counts)}{blocks}'
        self.design.leaves.append(f"{head} {{\n^bb0({arguments}):\n{body}}}")

    @property
    def stages(self) -> tuple[Callable[[], None], ...]:
        return (
            self.scale,
            self.sum_rows,
            self.first_column,
            self.widen,
            self.transpose,
            self.reverse,
            self.reverse_by_nests,
        )

    # Stages: each reads the rows in order and leaves the design with other ones.

    def scale(self) -> None:
        source, self.stream = self.stream, self.fifo()
        name = self.random.choice(("n", "m"))
        self.leaf(
            "scale",
            "compute",
            self.read("%v", source)
            + f"%k = arith.index_cast %{name} : index to i32\n%f = arith.sitofp %k : i32 to f32\n"
            + "%w = arith.addf %v, %f : f32\n"
            + self.write("%w", self.stream),
        )
        self.design.functions.append(lambda x, v: x + np.float32(v[name]))

    def sum_rows(self) -> None:
        """Partial sums in turn; one without a trip reads as zero."""
        source, self.stream = self.stream, self.fifo()
        place = "affine_map<(d0, d1) -> (0)>"
        memory = "!dataflow.private<1xf32>"
        last = f"d1 - ({self.cols.text}) + 1 == 0"
        self.leaf(
            "sum",
            "compute",
            self.read("%v", source)
            + f"%old = dataflow.load %acc {place} : {memory} -> f32\n%zero = arith.constant 0.0 : f32\n"
            + "%first = dataflow.test affine_set<(d0, d1) : (d1 == 0)>\n"
            + "%start = arith.select %first, %zero, %old : f32\n%new = arith.addf %start, %v : f32\n"
            + f"dataflow.store %new, %acc {place} : f32, {memory}\n"
            + self.write("%new", self.stream, last),
            memory=f"%acc: {memory}",
        )
        self.design.functions.append(lambda x, v: x.sum(axis=1, keepdims=True, dtype=np.float32))
        self.cols = Count("1", lambda v: 1, 1)

    def first_column(self) -> None:
        source, self.stream = self.stream, self.fifo()
        self.leaf("first", "compute", self.read("%v", source) + self.write("%v", self.stream, "d1 == 0"))
        self.design.functions.append(lambda x, v: x[:, :1])
        self.cols = Count("1", lambda v: 1, 1)

    def widen(self) -> None:
        """Each element of the only column several times."""
        if self.cols.largest != 1:
            self.scale()
            return
        source, self.stream = self.stream, self.fifo()
        self.cols = times = self.count()
        self.leaf("widen", "compute", self.read("%v", source, "d1 == 0") + self.write("%v", self.stream))
        self.design.functions.append(lambda x, v: np.repeat(x, times.at(v), axis=1))

    def transpose(self) -> None:
        """A block of the whole matrix."""
        rows, cols = self.rows, self.cols
        self.block(0, (cols, rows), "(d1, d0)", lambda x, v: x.T)
        self.rows, self.cols = cols, rows

    def reverse(self) -> None:
        """A block for each row."""
        place = f"(0, {self.cols.text} - d1 - 1)"
        self.block(1, (self.rows, self.cols), place, lambda x, v: x[:, ::-1])

    def reverse_by_nests(self) -> None:
        """Two nests of one leaf, one after the other, share a memory of a row."""
        source, self.stream = self.stream, self.fifo()
        memory = f"!dataflow.private<{self.cols.largest}xf32>"
        own = f"[{self.cols.largest}] counts affine_map<()[s0, s1] -> ({self.cols.text})>"
        store = f"dataflow.store %v, %row affine_map<(d0, d1) -> (d1)> : f32, {memory}\n"
        load = f"%v = dataflow.load %row affine_map<{DIMS} -> ({self.cols.text} - d1 - 1)> : {memory} -> f32\n"
        self.leaf(
            "turn",
            "compute",
            f'dataflow.nest "fill" {own} {{\n^bb0(%j: index):\n{self.read("%v", source)}{store}}}\n'
            f'dataflow.nest "drain" {own} {{\n^bb0(%j: index):\n{load}{self.write("%v", self.stream)}}}\n',
            (self.rows,),
            memory=f"%row: {memory}",
        )
        self.design.functions.append(lambda x, v: x[:, ::-1])

    def block(self, level: int, loops: tuple[Count, Count], place: str, function: Callable) -> None:
        source, self.stream = self.stream, self.fifo()
        shape = (self.rows.largest if level == 0 else 1, self.cols.largest)
        block = f"!dataflow.buffer<{shape[0]}x{shape[1]}xf32>"
        name = f"b{len(self.design.declarations)}"
        blocks = self.random.choice((1, 2))
        self.design.declarations.append(f'%{name} = dataflow.buffer "{name}" blocks {blocks} : {block}')
        row = "d0" if level == 0 else "0"
        self.leaf(
            "fill",
            "fill",
            self.read("%v", source)
            + f"dataflow.store %v, %{name} affine_map<(d0, d1) -> ({row}, d1)> : f32, {block}\n",
            blocks=f" writes(%{name} at {level} : {block})",
        )
        self.leaf(
            "drain",
            "drain",
            f"%v = dataflow.load %{name} affine_map<{DIMS} -> {place}> : {block} -> f32\n"
            + self.write("%v", self.stream),
            loops,
            f" reads(%{name} at {level} : {block})",
        )
        self.design.functions.append(function)


def _port(shape: tuple[int, int]) -> str:
    return f"!dataflow.port<{shape[0]}x{shape[1]}xf32>"


def _tensor(shape: tuple[int, int]) -> str:
    return f"tensor<{shape[0]}x{shape[1]}xf32>"
