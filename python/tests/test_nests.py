"""Leaves with lists of nests, written by hand: one after the other, and together with lag.

Rows of `x` come in blocks; a nest fills a tile, one multiplies it with `w`, one drains the sums. Every level must give
what numpy gives; both cycle counts must agree, and iterations that overlap must see the values of those that do not.
"""

import re
from dataclasses import dataclass

import harness
import numpy as np
import pytest
from hls_native import build


@dataclass(frozen=True)
class Shape:
    """`trips` serial trips of `blocks` blocks of `rows` rows of `columns`; weights in a block, or as tokens."""

    together: bool
    trips: int
    blocks: int
    rows: int
    columns: int
    in_block: bool = False

    def __str__(self) -> str:
        order = "together" if self.together else "in_turn"
        weights = "_block" if self.in_block else ""
        return f"{order}_{self.trips}x{self.blocks}x{self.rows}x{self.columns}{weights}"


def program(shape: Shape) -> str:
    trips, blocks, rows, columns = shape.trips, shape.blocks, shape.rows, shape.columns
    total = trips * blocks * rows
    # Blocks in a row take turns, over the end of a trip too: a nest with lag is at the last block of the trip before.
    halves, half = (2, f"(s * {blocks} + b) mod 2") if shape.together else (1, "0")
    tile, sums = f"!dataflow.private<{halves}x{rows}x{columns}xf32>", f"!dataflow.private<{halves}x{rows}xf32>"
    fifo, block = "!dataflow.stream<f32, 2>", f"!dataflow.buffer<{columns}xf32>"
    if shape.in_block:
        weights = f"""
        %ws = dataflow.buffer "ws" blocks 2 : {block}
        dataflow.leaf "load_w" load [{trips}, {columns}] writes(%ws at 1 : {block}) {{
        ^bb0(%s: index, %k: index):
          %v = dataflow.load %w affine_map<(s, k) -> (k)> : !dataflow.port<{columns}xf32> -> f32
          dataflow.store %v, %ws affine_map<(s, k) -> (k)> : f32, {block}
        }}"""
        taken = f"%wk = dataflow.load %ws affine_map<(s, b, k, i) -> (k)> : {block} -> f32"
        acquired = f" reads(%ws at 1 : {block})"
    else:
        weights = f"""
        %ws = dataflow.stream "ws" : {fifo}
        dataflow.leaf "load_w" load [{trips}, {blocks}, {columns}] {{
        ^bb0(%s: index, %b: index, %k: index):
          %v = dataflow.load %w affine_map<(s, b, k) -> (k)> : !dataflow.port<{columns}xf32> -> f32
          dataflow.stream_write %v, %ws : f32, {fifo}
        }}"""
        taken = f"%wk = dataflow.stream_read %ws when affine_set<(s, b, k, i) : (i == 0)> : {fifo} -> f32"
        acquired = ""
    together, lag = (" attributes {together}", (" lag 1", " lag 2")) if shape.together else ("", ("", ""))
    return f"""
    func.func @main(%x: tensor<{total}x{columns}xf32>, %w: tensor<{columns}xf32>) -> tensor<{total}xf32> {{
      %y = dataflow.launch @matvec(%x, %w)
        : (tensor<{total}x{columns}xf32>, tensor<{columns}xf32>) -> tensor<{total}xf32>
      return %y : tensor<{total}xf32>
    }}
    dataflow.design @matvec {{
      %x = dataflow.port in "x" : !dataflow.port<{total}x{columns}xf32>
      %w = dataflow.port in "w" : !dataflow.port<{columns}xf32>
      %y = dataflow.port out "y" : !dataflow.port<{total}xf32>
      %xs = dataflow.stream "xs" : {fifo}
      %ys = dataflow.stream "ys" : {fifo}
      dataflow.leaf "load_x" load [{total}, {columns}] {{
      ^bb0(%i: index, %k: index):
        %v = dataflow.load %x affine_map<(i, k) -> (i, k)> : !dataflow.port<{total}x{columns}xf32> -> f32
        dataflow.stream_write %v, %xs : f32, {fifo}
      }}
      {weights}
      dataflow.leaf "matvec" compute [{trips}, {blocks}]{acquired}{together} {{
      ^bb0(%s: index, %b: index, %tile: {tile}, %acc: !dataflow.private<{rows}xf32>, %sums: {sums}):
        dataflow.nest "fill" [{rows}, {columns}] {{
        ^bb0(%i: index, %k: index):
          %v = dataflow.stream_read %xs : {fifo} -> f32
          dataflow.store %v, %tile affine_map<(s, b, i, k) -> ({half}, i, k)> : f32, {tile}
        }}
        dataflow.nest "core" [{columns}, {rows}]{lag[0]} {{
        ^bb0(%k: index, %i: index):
          {taken}
          %v = dataflow.load %tile affine_map<(s, b, k, i) -> ({half}, i, k)> : {tile} -> f32
          %old = dataflow.load %acc affine_map<(s, b, k, i) -> (i)> : !dataflow.private<{rows}xf32> -> f32
          %first = dataflow.test affine_set<(s, b, k, i) : (k == 0)>
          %zero = arith.constant 0.0 : f32
          %start = arith.select %first, %zero, %old : f32
          %product = arith.mulf %v, %wk : f32
          %sum = arith.addf %start, %product : f32
          dataflow.store %sum, %acc affine_map<(s, b, k, i) -> (i)> : f32, !dataflow.private<{rows}xf32>
          dataflow.store %sum, %sums affine_map<(s, b, k, i) -> ({half}, i)>
            when affine_set<(s, b, k, i) : (k - {columns - 1} == 0)> : f32, {sums}
        }}
        dataflow.nest "drain" [{rows}]{lag[1]} {{
        ^bb0(%i: index):
          %v = dataflow.load %sums affine_map<(s, b, i) -> ({half}, i)> : {sums} -> f32
          dataflow.stream_write %v, %ys : f32, {fifo}
        }}
      }}
      dataflow.leaf "store_y" store [{total}] {{
      ^bb0(%i: index):
        %v = dataflow.stream_read %ys : {fifo} -> f32
        dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<{total}xf32>
      }}
    }}"""


def random_shapes(count: int) -> list[Shape]:
    draw = np.random.default_rng(harness.seed())
    pick = lambda *among: int(draw.choice(among))  # noqa: E731
    return [
        Shape(bool(draw.integers(2)), pick(1, 2, 3), pick(1, 2, 3, 5), pick(1, 2, 4, 9), pick(1, 3, 8), pick(0, 1) == 1)
        for _ in range(count)
    ]


FIXED = [Shape(together, 1, 6, 8, 4) for together in (False, True)]


def run(tool: str, *arguments: object) -> str:
    return harness.run_tool(f"streamtensor-{tool}", *arguments).succeed().stdout


def count_cycles(text: str) -> int:
    return int(re.search(r"(\d+) cycles", text).group(1))


@pytest.mark.parametrize("shape", dict.fromkeys(FIXED + random_shapes(14)), ids=str)
def test_every_level_agrees(shape, tmp_path):
    native = build(program(shape), tmp_path)
    draw = np.random.default_rng(harness.seed())
    x = draw.standard_normal((shape.trips * shape.blocks * shape.rows, shape.columns), dtype=np.float32)
    w = draw.standard_normal(shape.columns, dtype=np.float32)
    (y,) = native(x, w)
    np.testing.assert_allclose(y, x @ w, rtol=1e-5, atol=1e-5)
    (again,) = native(x, w)
    np.testing.assert_array_equal(again, y)

    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "w.npy", w)
    np.save(tmp_path / "y.npy", y)
    scheduled, inputs = tmp_path / "scheduled.mlir", [f"--input={tmp_path / name}.npy" for name in "xw"]
    assert "differs" not in run("run", scheduled, *inputs, f"--compare={tmp_path / 'y.npy'}")
    assert "differs" not in run("run", scheduled, "--pipelined", *inputs, f"--compare={tmp_path / 'y.npy'}")

    device = ("--device", harness.device_file())
    assert count_cycles(run("test-sim", scheduled, *device)) == count_cycles(run("sim", scheduled))


def test_lag_hides_the_fill_and_the_drain(tmp_path):
    """Eight blocks in turn cost fill + core + drain each; with lag, about the longest of them."""
    cycles = {}
    for together in (False, True):
        directory = tmp_path / str(together)
        directory.mkdir()
        build(program(Shape(together, 1, 8, 10, 16)), directory)
        cycles[together] = count_cycles(run("sim", directory / "scheduled.mlir"))
    # Iterations: 8 x (160 + 160 + 10) against 9 x 160 + 10.
    assert cycles[False] - cycles[True] > 8 * 330 - (9 * 160 + 10)
