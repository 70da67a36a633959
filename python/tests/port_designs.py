# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random designs of leaf tasks around external memory, as a user would write them, and what they compute with numpy.

One leaf loads rows of `x`, and of `z` if there is one; one puts their sum into `kv`, which is read and written; one
reads `kv` and stores it to `y`. Ports are striped over several interfaces, `x` and `z` share theirs, and `y` may be
written over those that `x` is read over.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

TYPES = {"i32": np.int32, "i8": np.int8, "f32": np.float32}
#: What orders reads and writes of `kv`: one token behind all writes, or all reads; one behind each row that is
#: written; nothing, where a launch reads other rows than it writes.
ORDERS = ("written first", "read first", "row by row", "next launch")
INTERFACE = "#dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>"


@dataclass(frozen=True)
class PortDesign:
    """`rows` rows of `columns` elements go into `kv`, which has `more` rows besides, from row `at` on.

    They go there in `parts` of a row, and are read in `read_parts`; where a port is striped whole rows move, or
    the part of one stripe is stored.
    """

    seed: int
    element: str
    rows: int
    more: int
    at: int
    columns: int
    order: str
    x_stripes: int
    kv_stripes: int
    y_stripes: int
    parts: int
    read_parts: int
    has_z: bool
    is_turned: bool
    shares_y: bool

    @property
    def all_rows(self) -> int:
        return self.rows + self.more

    @property
    def first_read(self) -> int:
        """Without an order the rows before those that are written are read, or the rows behind them."""
        return self.rows if self.order == "next launch" and self.at == 0 else 0

    @property
    def read_rows(self) -> int:
        return self.more if self.order == "next launch" else self.all_rows

    def inputs(self) -> list[np.ndarray]:
        draw = np.random.default_rng(self.seed)
        shapes = [(self.rows, self.columns)] * (1 + self.has_z) + [(self.all_rows, self.columns)]
        return [draw.integers(-40, 40, shape).astype(TYPES[self.element]) for shape in shapes]

    def expect(self, x: np.ndarray, *others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tensor `kv` and the tensor `y`."""
        *added, old = others
        given = x[::-1] if self.is_turned else x
        new = old.copy()
        new[self.at : self.at + self.rows] = sum(added, given)
        seen = old if self.order == "read first" else new
        return new, seen[self.first_read : self.first_read + self.read_rows]

    def text(self) -> str:
        return _Printer(self).print()


def draw(seed: int) -> PortDesign:
    rng = random.Random(seed)
    order = ORDERS[seed % len(ORDERS)]
    stripes = [rng.choice((1, 1, 2, 4)) for _ in range(3)]
    columns = max(stripes) * rng.choice((4, 8, 16))
    rows = rng.randint(2, 24)
    more = 0 if order == "row by row" else rng.randint(order == "next launch", 12)
    x_stripes, kv_stripes, y_stripes = stripes
    chosen = rng.choice((1, 2, 4))
    # Of a row in stripes the part that lies in one can be stored alone.
    parts = 1 if x_stripes > 1 or chosen == 1 else kv_stripes if kv_stripes > 1 else chosen
    read_parts = 1 if max(kv_stripes, y_stripes) > 1 else chosen
    at = rng.choice((0, more)) if order == "next launch" else rng.randint(0, more)
    shares = x_stripes == y_stripes and parts == read_parts and rng.random() < 0.7
    return PortDesign(
        seed,
        rng.choice(list(TYPES)),
        rows,
        more,
        at,
        columns,
        order,
        *(x_stripes, kv_stripes, y_stripes),
        *(parts, read_parts),
        rng.random() < 0.5,
        rng.random() < 0.5,
        shares,
    )


class _Printer:
    def __init__(self, design: PortDesign):
        self.design = design
        self.x, self.kv, self.y = (
            f"{rows}x{design.columns}x{design.element}" for rows in (design.rows, design.all_rows, design.read_rows)
        )
        self.token = f"vector<{design.columns // design.parts}x{design.element}>"

    def print(self) -> str:
        inputs = {"x": self.x, "z": self.x, "kv": self.kv}
        if not self.design.has_z:
            inputs.pop("z")
        given = ", ".join(f"%{name}: tensor<{shape}>" for name, shape in inputs.items())
        names, types = ", ".join(f"%{name}" for name in inputs), ", ".join(f"tensor<{s}>" for s in inputs.values())
        made = f"(tensor<{self.kv}>, tensor<{self.y}>)"
        return f"""
        func.func @main({given}) -> {made} {{
          %a, %b = dataflow.launch @through_ports({names}) : ({types}) -> {made}
          return %a, %b : tensor<{self.kv}>, tensor<{self.y}>
        }}
        dataflow.design @through_ports {{
          {self.declarations()}
          {self.load()}
          {self.leaves_of_kv()}
        }}"""

    def declarations(self) -> str:
        design, lines = self.design, []
        stripes = {"x": design.x_stripes, "kv": design.kv_stripes, "y": design.y_stripes}
        vias = {name: [f"%{name}{index}" for index in range(number)] for name, number in stripes.items()}
        if design.shares_y:
            vias["y"] = vias["x"]
        for name in dict.fromkeys(name for via in vias.values() for name in via):
            lines.append(f'{name} = dataflow.interface "gmem_{name[1:]}" {INTERFACE}')
        via = {name: ", ".join(names) for name, names in vias.items()}
        for name in ("x", "z") if design.has_z else ("x",):
            lines.append(f'%{name} = dataflow.port in "{name}" via {via["x"]} : !dataflow.port<{self.x}>')
        unordered = " next_launch" if design.order == "next launch" else ""
        lines.append(f'%kv = dataflow.port inout "kv"{unordered} via {via["kv"]} : !dataflow.port<{self.kv}>')
        lines.append(f'%y = dataflow.port out "y" via {via["y"]} : !dataflow.port<{self.y}>')
        lines.append(f'%f = dataflow.stream "f" : !dataflow.stream<{self.token}>')
        if not unordered:
            order = f"orders %kv : !dataflow.port<{self.kv}>"
            lines.append(f'%done = dataflow.stream "done" {order} : !dataflow.stream<i1>')
        return "\n          ".join(lines)

    def load(self) -> str:
        """Rows of `x`, the last one first if they are turned, with those of `z` in their own order."""
        design, word = self.design, f"vector<1x{self.design.columns // self.design.parts}x{self.design.element}>"
        row = f"{design.rows - 1} - i" if design.is_turned else "i"
        width = design.columns // design.parts
        body = [
            f"%a = dataflow.load %x affine_map<(i, j) -> ({row}, j * {width})> : !dataflow.port<{self.x}> -> {word}"
        ]
        value = "%a"
        if design.has_z:
            body.append(
                f"%b = dataflow.load %z affine_map<(i, j) -> (i, j * {width})> : !dataflow.port<{self.x}> -> {word}"
            )
            body.append(f"%c = arith.add{design.element[0]} %a, %b : {word}")
            value = "%c"
        body.append(f"%t = vector.shape_cast {value} : {word} to {self.token}")
        body.append(f"dataflow.stream_write %t, %f : {self.token}, !dataflow.stream<{self.token}>")
        return _leaf("load", "load", (design.rows, design.parts), body)

    def leaves_of_kv(self) -> str:
        """In the order in which a sequential run calls them: who gives the token first."""
        leaves = [self.append(), self.read()]
        return "\n".join(leaves[::-1] if self.design.order == "read first" else leaves)

    def append(self) -> str:
        design, width = self.design, self.design.columns // self.design.parts
        word, last = f"vector<1x{width}x{design.element}>", design.parts - 1
        body = [
            f"%t = dataflow.stream_read %f : !dataflow.stream<{self.token}> -> {self.token}",
            f"%v = vector.shape_cast %t : {self.token} to {word}",
            f"dataflow.store %v, %kv affine_map<(i, j) -> (i + {design.at}, j * {width})> : {word}, "
            f"!dataflow.port<{self.kv}>",
        ]
        if design.order == "read first":
            body.insert(0, _take("i == 0, j == 0"))
        elif design.order == "written first":
            body += _give(f"i - {design.rows - 1} == 0, j - {last} == 0")
        elif design.order == "row by row":
            body += _give(f"j - {last} == 0")
        return _leaf("append", "store", (design.rows, design.parts), body)

    def read(self) -> str:
        design, width = self.design, self.design.columns // self.design.read_parts
        word, last = f"vector<1x{width}x{design.element}>", design.read_parts - 1
        body = [
            f"%v = dataflow.load %kv affine_map<(i, j) -> (i + {design.first_read}, j * {width})> : "
            f"!dataflow.port<{self.kv}> -> {word}",
            f"dataflow.store %v, %y affine_map<(i, j) -> (i, j * {width})> : {word}, !dataflow.port<{self.y}>",
        ]
        if design.order == "read first":
            body += _give(f"i - {design.read_rows - 1} == 0, j - {last} == 0")
        elif design.order != "next launch":
            body.insert(0, _take("j == 0" if design.order == "row by row" else "i == 0, j == 0"))
        return _leaf("read", "load", (design.read_rows, design.read_parts), body)


def _take(guard: str) -> str:
    return f"%go = dataflow.stream_read %done when affine_set<(i, j) : ({guard})> : !dataflow.stream<i1> -> i1"


def _give(guard: str) -> list[str]:
    write = f"dataflow.stream_write %true, %done when affine_set<(i, j) : ({guard})> : i1, !dataflow.stream<i1>"
    return ["%true = arith.constant true", write]


def _leaf(name: str, role: str, trips: tuple[int, int], body: list[str]) -> str:
    lines = "\n            ".join(body)
    return f"""dataflow.leaf "{name}" {role} [{trips[0]}, {trips[1]}] {{
          ^bb0(%i: index, %j: index):
            {lines}
          }}"""
