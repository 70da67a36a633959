# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports of kernels written by hand: orders, lanes and words at random, depths around them, views of FIFOs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
from hand_written_kernels import COLUMNS, ROWS, Kernel
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

TOLERANCE = 1e-5


@dataclass
class Port:
    """In which order and in which tokens a kernel takes or gives rows x columns of f32."""

    rows: int
    columns: int
    tile: tuple[int, int]
    loops: list[tuple[int, int, int | None]]  # trips, step, the dimension that moves
    lanes: int
    is_packed: bool

    @staticmethod
    def draw(random: np.random.Generator, rows: int, columns: int, revisits: bool) -> Port:
        tile = tuple(int(random.choice([d for d in (1, 2, 3, 4, 6, 8, 12) if n % d == 0])) for n in (rows, columns))
        loops: list = [(rows // tile[0], tile[0], 0), (columns // tile[1], tile[1], 1)]
        random.shuffle(loops)
        if revisits:
            loops.insert(int(random.integers(0, 2)), (int(random.integers(2, 4)), 1, None))
        row = tile[1] if tile[1] > 1 else tile[0]
        lanes = int(random.choice([lane for lane in range(1, row + 1) if row % lane == 0]))
        return Port(rows, columns, tile, loops, lanes, bool(random.integers(2)))

    @property
    def order(self) -> str:
        trips, steps = (", ".join(str(loop[part]) for loop in self.loops) for part in (0, 1))
        dims = ", ".join(f"d{loop}" for loop in range(len(self.loops)))
        places = ", ".join(self.place(dim, "d{0}") for dim in (0, 1))
        tile = f"{self.tile[0]}x{self.tile[1]}xf32"
        return f"!itensor.itensor<{tile}, iter_space: [{trips}] * [{steps}], iter_map: ({dims}) -> ({places})>"

    def place(self, dimension: int, name: str) -> str:
        (loop,) = (number for number, (_, _, moved) in enumerate(self.loops) if moved == dimension)
        return name.format(loop, self.loops[loop][1])

    @property
    def token(self) -> str:
        lanes = "f32" if self.lanes == 1 else f"vector<{self.lanes}xf32>"
        return f"!dataflow.stream<{f'i{32 * self.lanes}' if self.is_packed else lanes}>"

    @property
    def tokens(self) -> int:
        return int(np.prod([trips for trips, _, _ in self.loops])) * self.tile[0] * self.tile[1] // self.lanes

    @property
    def cpp_token(self) -> str:
        if not self.is_packed:
            return "float" if self.lanes == 1 else f"hls::vector<float, {self.lanes}>"
        widths = {32: "std::int32_t", 64: "std::int64_t"}
        bits = 32 * self.lanes
        return widths.get(bits, f"ap_uint<{bits}>" if bits > 64 else f"ap_int<{bits}>")

    def walk(self, statement: str) -> str:
        """C++ that visits the elements as the port's tokens carry them; `@` is the element at hand."""
        loops = [
            f"for (int d{loop} = 0; d{loop} < {trips}; ++d{loop})" for loop, (trips, _, _) in enumerate(self.loops)
        ]
        loops += [f"for (int r = 0; r < {self.tile[0]}; ++r)", f"for (int c = 0; c < {self.tile[1]}; ++c)"]
        place = f"data[{self.place(0, 'd{0} * {1}')} + r][{self.place(1, 'd{0} * {1}')} + c]"
        return "\n    ".join(loops) + f" {{\n      {statement.replace('@', place)}\n    }}"


def random_ports(random: np.random.Generator) -> tuple[Port, Port]:
    rows, columns = (int(random.choice([4, 6, 12, 24])) for _ in range(2))
    return Port.draw(random, rows, columns, bool(random.integers(2))), Port.draw(random, rows, columns, False)


def doubling(takes: Port, gives: Port, interval: int) -> str:
    """exp, then a kernel that takes everything before it gives twice of it, then negation."""
    tensor = f"tensor<{takes.rows}x{takes.columns}xf32>"
    return f"""
dataflow.extern @kernel source "kernel.h" nest [{takes.tokens + gives.tokens}] ii {interval} delay 5
    takes ["x" when affine_set<(d0) : ({takes.tokens - 1} - d0 >= 0)> : {takes.order} as {takes.token}]
    gives ["y" when affine_set<(d0) : (d0 - {takes.tokens} >= 0)> : {gives.order} as {gives.token}] {{
^bb0(%x: {tensor}):
  %y = arith.addf %x, %x : {tensor}
  dataflow.yield %y : {tensor}
}}
func.func @main(%x: {tensor}) -> {tensor} {{
  %empty = tensor.empty() : {tensor}
  %e = linalg.exp ins(%x : {tensor}) outs(%empty : {tensor}) -> {tensor}
  %y = dataflow.extern_task @kernel(%e) : ({tensor}) -> {tensor}
  %n = linalg.negf ins(%y : {tensor}) outs(%empty : {tensor}) -> {tensor}
  return %n : {tensor}
}}
"""


def header(takes: Port, gives: Port) -> str:
    """The kernel in C++, by the meaning of its ports alone."""
    read = (
        f"if (lane == 0)\n        taken = st::cast_token<hls::vector<float, {takes.lanes}>>(x.read());\n"
        f"      @ = taken[lane];\n      lane = (lane + 1) % {takes.lanes};"
    )
    write = (
        f"given[lane++] = 2 * @;\n      if (lane == {gives.lanes}) {{\n"
        f"        y.write(st::cast_token<{gives.cpp_token}>(given));\n        lane = 0;\n      }}"
    )
    return f"""#pragma once
#include "hls_stream.h"
#include "st_tokens.h"

inline void kernel(hls::stream<{takes.cpp_token}> &x, hls::stream<{gives.cpp_token}> &y) {{
  static float data[{takes.rows}][{takes.columns}];
  int lane = 0;
  hls::vector<float, {takes.lanes}> taken;
  {takes.walk(read)}
  hls::vector<float, {gives.lanes}> given;
  {gives.walk(write)}
}}
"""


PROGRAMS, NATIVE_PROGRAMS = 25, 4


def test_random_ports_agree_on_every_level(tmp_path: Path) -> None:
    """Orders, revisits, lanes and packed words at random; the levels agree, and depths let the design end."""
    print("seed", harness.seed())
    random = np.random.default_rng(harness.seed())
    for number in range(PROGRAMS):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "kernel.h").write_text("")  # Only the declaration counts here.
        source = directory / "program.mlir"
        source.write_text(doubling(*random_ports(random), int(random.integers(1, 4))))
        design = directory / "design.mlir"
        harness.optimise(source, design, dump_dir=directory, tile_size=int(random.choice([2, 4, 8]))).succeed(source)
        phases = sorted(directory.glob("[01][0-9]-*.mlir"))
        outcome = harness.run_tool("streamtensor-run", *phases, f"--output-dir={directory}").succeed(str(source))
        assert "differs" not in outcome.stdout
        x = np.load(directory / "arg0.npy").astype(np.float64)
        assert harness.relative_error(np.load(directory / "result0.npy").astype(np.float64), -2 * np.exp(x)) < TOLERANCE
        harness.simulate(design).succeed(str(source))


def test_random_ports_mean_natively_what_they_declare(tmp_path: Path) -> None:
    """A kernel that walks its ports by their types alone computes what the reference says: the compilation checks."""
    print("seed", harness.seed())
    random = np.random.default_rng(harness.seed() + 1)
    for number in range(NATIVE_PROGRAMS):
        directory = tmp_path / str(number)
        directory.mkdir()
        takes, gives = random_ports(random)
        (directory / "kernel.h").write_text(header(takes, gives))
        source = directory / "program.mlir"
        source.write_text(doubling(takes, gives, 1))
        design = st.compile(source, options=st.Options(tile_size=4), out=directory / "out")
        x = torch.from_numpy(random.uniform(-1, 1, (takes.rows, takes.columns)).astype(np.float32))
        assert harness.relative_error(design(x).double().numpy(), -2 * np.exp(x.double().numpy())) < TOLERANCE


RESIDUAL = """
func.func @main(%x: {tensor}) -> {tensor} {{
  %empty = tensor.empty() : {tensor}
  %e = linalg.exp ins(%x : {tensor}) outs(%empty : {tensor}) -> {tensor}
  %y = dataflow.extern_task @affine(%e) : ({tensor}) -> {tensor}
  %r = linalg.add ins(%y, %e : {tensor}, {tensor}) outs(%empty : {tensor}) -> {tensor}
  return %r : {tensor}
}}
"""


def deepest_fifo(directory: Path, kernel: Kernel) -> tuple[int, str]:
    """Tokens in the deepest FIFO of a residual connection around `kernel`, and what the sizing says of two slots."""
    directory.mkdir()
    source, design = directory / "program.mlir", directory / "design.mlir"
    (directory / "affine.h").write_text("")
    source.write_text(kernel.declaration() + RESIDUAL.format(tensor=f"tensor<{ROWS}x{COLUMNS}xf32>"))
    harness.optimise(source, design).succeed()
    harness.run_tool("streamtensor-run", design).succeed()
    shallow = directory / "shallow.mlir"
    refusal = harness.optimise(source, shallow, force_depth=2).stderr
    fifos = json.loads(harness.simulate(design).succeed().stdout)["fifos"]
    return max(fifo["depth"] for fifo in fifos), refusal


def test_depths_follow_the_declared_nest(tmp_path: Path) -> None:
    """What goes around a kernel waits in a FIFO for as long as the kernel's nest says."""
    streaming = deepest_fifo(tmp_path / "streaming", Kernel(attributes="ii 1 delay 40", order="tiles"))
    guards = ("(d0, d1) : (d0 == 0)", "(d0, d1) : (d0 - 1 == 0)")
    whole = deepest_fifo(tmp_path / "whole", Kernel(nest=(2, 128), guards=guards, order="tiles"))
    assert streaming[0] < 60 < 120 <= whole[0]
    assert streaming[1] == ""
    assert "deadlocks at these FIFO depths" in whole[1] and "task 'affine' waits for a token" in whole[1]


#: A FIFO written under one type and read under another: both ends are ours.
VIEWS = [("4xi16", "1xi64"), ("8xi1", "1xi8"), ("1xi32", "2xi16"), ("3xi4", "1xi12"), ("2xf32", "1xi64")]

VIEW = """
dataflow.design @view {{
  %x = dataflow.port in "x" : !dataflow.port<8x{written}>
  %y = dataflow.port out "y" : !dataflow.port<8x{read}>
  %s = dataflow.stream "s" : !dataflow.stream<{written_token}, 2>
  %v = dataflow.stream_cast %s : !dataflow.stream<{written_token}, 2> to !dataflow.stream<{read_token}, 2>
  dataflow.leaf "load" load [8] {{
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x{written}> -> {written_value}
    {flatten}
    dataflow.stream_write %flat, %s : {written_token}, !dataflow.stream<{written_token}, 2>
  }}
  dataflow.leaf "store" store [8] {{
  ^bb0(%i: index):
    %r = dataflow.stream_read %v : !dataflow.stream<{read_token}, 2> -> {read_token}
    {shape}
    dataflow.store %shaped, %y affine_map<(i) -> (i, 0)> : {read_value}, !dataflow.port<8x{read}>
  }}
}}
func.func @main(%x: tensor<8x{written}>) -> tensor<8x{read}> {{
  %y = dataflow.launch @view(%x) : (tensor<8x{written}>) -> tensor<8x{read}>
  return %y : tensor<8x{read}>
}}
"""


def as_token(shape: str) -> tuple[str, str]:
    """What a FIFO carries and what a memory access moves, of `4xi16`."""
    count, element = shape.split("x")
    return (element, element) if count == "1" else (f"vector<{shape}>", f"vector<1x{shape}>")


@pytest.mark.parametrize(("written", "read"), VIEWS)
def test_a_view_of_a_fifo_moves_no_bits(written: str, read: str, tmp_path: Path) -> None:
    (written_token, written_value), (read_token, read_value) = as_token(written), as_token(read)
    flatten = f"%flat = vector.shape_cast %t : {written_value} to {written_token}"
    shape = f"%shaped = vector.shape_cast %r : {read_token} to {read_value}"
    text = VIEW.format(
        written=written, read=read, written_token=written_token, written_value=written_value, read_token=read_token,
        read_value=read_value, flatten=flatten, shape=shape,
    )  # fmt: skip
    if written_token == written_value:
        text = text.replace(flatten, "").replace("%flat", "%t")
    if read_token == read_value:
        text = text.replace(shape, "").replace("%shaped", "%r")
    (tmp_path / "view.mlir").write_text(text)
    harness.run_tool("streamtensor-run", tmp_path / "view.mlir", f"--output-dir={tmp_path}").succeed()
    harness.emit(tmp_path / "view.mlir", tmp_path / "out", "--device=u55c")
    interface = Interface(tmp_path / "out")
    given = torch.from_numpy(np.load(tmp_path / "arg0.npy")).view(interface.arguments[0].dtype)
    (found,) = interface.execute([given])
    np.testing.assert_array_equal(as_tensor(found).numpy(), np.load(tmp_path / "result0.npy"))
