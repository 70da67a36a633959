# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports of kernels written by hand: orders, lanes and words at random, depths around them, views of FIFOs."""

from __future__ import annotations

import json
from pathlib import Path

import harness
import numpy as np
import pytest
import torch
from hand_written_kernels import COLUMNS, ROWS, Kernel
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

TOLERANCE = 1e-5


def random_order(random: np.random.Generator, rows: int, columns: int, revisits: bool) -> tuple[str, int, int]:
    """An itensor type over rows x columns of f32, the tokens it has, and the elements in a row of a tile."""
    tile = [int(random.choice([d for d in (1, 2, 3, 4, 6, 8, 12) if extent % d == 0])) for extent in (rows, columns)]
    loops = [(rows // tile[0], tile[0], 0), (columns // tile[1], tile[1], 1)]
    random.shuffle(loops)
    if revisits:
        loops.insert(int(random.integers(0, 2)), (int(random.integers(2, 4)), 1, None))
    trips, steps, dims = zip(*loops, strict=True)
    places = ["0", "0"]
    for loop, dim in enumerate(dims):
        if dim is not None:
            places[dim] = f"d{loop}"
    names = ", ".join(f"d{loop}" for loop in range(len(loops)))
    text = (
        f"!itensor.itensor<{tile[0]}x{tile[1]}xf32, iter_space: [{', '.join(map(str, trips))}] * "
        f"[{', '.join(map(str, steps))}], iter_map: ({names}) -> ({places[0]}, {places[1]})>"
    )
    return text, int(np.prod(trips)), tile[1] if tile[1] > 1 else tile[0]


def random_port(random: np.random.Generator, rows: int, columns: int, revisits: bool) -> tuple[str, int]:
    """A port's order and token, and the tokens that it moves."""
    order, tiles, row = random_order(random, rows, columns, revisits)
    count = int(random.choice([lane for lane in range(1, row + 1) if row % lane == 0]))
    lane_token = "f32" if count == 1 else f"vector<{count}xf32>"
    token = str(random.choice([lane_token, f"i{32 * count}"]))
    shape = order.partition("<")[2].partition("xf32")[0].split("x")
    return f"{order} as !dataflow.stream<{token}>", tiles * int(shape[0]) * int(shape[1]) // count


def random_program(random: np.random.Generator) -> str:
    """exp, then a kernel that takes everything before it gives something, then negation."""
    rows, columns = (int(random.choice([4, 6, 12, 24])) for _ in range(2))
    takes, gives = (random_port(random, rows, columns, bool(revisits)) for revisits in (random.integers(2), 0))
    tensor = f"tensor<{rows}x{columns}xf32>"
    return f"""
dataflow.extern @kernel source "kernel.h" nest [{takes[1] + gives[1]}] ii {random.integers(1, 4)} delay 5
    takes ["x" when affine_set<(d0) : ({takes[1] - 1} - d0 >= 0)> : {takes[0]}]
    gives ["y" when affine_set<(d0) : (d0 - {takes[1]} >= 0)> : {gives[0]}] {{
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


PROGRAMS = 25


def test_random_ports_agree_on_every_level(tmp_path: Path) -> None:
    """Orders, revisits, lanes and packed words at random; the levels agree, and depths let the design end."""
    print("seed", harness.seed())
    random = np.random.default_rng(harness.seed())
    for number in range(PROGRAMS):
        directory = tmp_path / str(number)
        directory.mkdir()
        source = directory / "program.mlir"
        (directory / "kernel.h").write_text("")  # Only the declaration counts here.
        source.write_text(random_program(random))
        design = directory / "design.mlir"
        harness.optimise(source, design, dump_dir=directory, tile_size=int(random.choice([2, 4, 8]))).succeed(source)
        phases = sorted(directory.glob("[01][0-9]-*.mlir"))
        outcome = harness.run_tool("streamtensor-run", *phases, f"--output-dir={directory}").succeed(str(source))
        assert "differs" not in outcome.stdout
        x = np.load(directory / "arg0.npy").astype(np.float64)
        assert harness.relative_error(np.load(directory / "result0.npy").astype(np.float64), -2 * np.exp(x)) < TOLERANCE
        harness.simulate(design).succeed(str(source))


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
    harness.translate(tmp_path / "view.mlir", tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    given = torch.from_numpy(np.load(tmp_path / "arg0.npy")).view(interface.arguments[0].dtype)
    (found,) = interface.execute([given])
    np.testing.assert_array_equal(as_tensor(found).numpy(), np.load(tmp_path / "result0.npy"))
