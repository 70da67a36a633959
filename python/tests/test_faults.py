# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults put into a design on purpose: each is caught, by the verifier, the size phase or the native comparison.

The design divides every row by its sum and transposes, through a block buffer of two rows that is passed three times.
"""

from __future__ import annotations

import harness
import numpy as np
import pytest

DESIGN = """
#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 1 == 0)>
#row = affine_set<(d0, d1, d2) : (d2 == 0)>
dataflow.design @normalise {
  %in = dataflow.port in "x" : !dataflow.port<6x4xf32>
  %out = dataflow.port out "y" : !dataflow.port<4x6xf32>
  %loaded = dataflow.stream "loaded" : !dataflow.stream<vector<2xf32>>
  %direct = dataflow.stream "direct" : !dataflow.stream<vector<2xf32>>
  %around = dataflow.stream "around" : !dataflow.stream<vector<2xf32>>
  %sum = dataflow.stream "sum" : !dataflow.stream<f32>
  %block = dataflow.buffer "block" blocks 2 : !dataflow.buffer<2x4xf32>
  dataflow.leaf "load" load [6, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1 * 2)> : !dataflow.port<6x4xf32> -> vector<1x2xf32>
    %w = vector.shape_cast %v : vector<1x2xf32> to vector<2xf32>
    dataflow.stream_write %w, %loaded : vector<2xf32>, !dataflow.stream<vector<2xf32>>
  }
  dataflow.leaf "fork" fork [6, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %loaded : !dataflow.stream<vector<2xf32>> -> vector<2xf32>
    dataflow.stream_write %v, %direct : vector<2xf32>, !dataflow.stream<vector<2xf32>>
    dataflow.stream_write %v, %around : vector<2xf32>, !dataflow.stream<vector<2xf32>>
  }
  dataflow.leaf "sum" compute [6, 2] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %around : !dataflow.stream<vector<2xf32>> -> vector<2xf32>
    %low = vector.extract_strided_slice %v {offsets = [0], sizes = [1], strides = [1]} : vector<2xf32> to vector<1xf32>
    %high = vector.extract_strided_slice %v {offsets = [1], sizes = [1], strides = [1]} : vector<2xf32> to vector<1xf32>
    %both = arith.addf %low, %high : vector<1xf32>
    %one = vector.extract %both[0] : f32 from vector<1xf32>
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %start = dataflow.test #first
    %old = arith.select %start, %zero, %before : f32
    %new = arith.addf %old, %one : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %sum when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "scale" compute [3, 2, 2] writes(%block at 1 : !dataflow.buffer<2x4xf32>) {
  ^bb0(%b: index, %i: index, %j: index):
    %s = dataflow.stream_read %sum when #row : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %direct : !dataflow.stream<vector<2xf32>> -> vector<2xf32>
    %t = vector.broadcast %s : f32 to vector<2xf32>
    %q = arith.divf %v, %t : vector<2xf32>
    %c = vector.shape_cast %q : vector<2xf32> to vector<1x2xf32>
    dataflow.store %c, %block affine_map<(d0, d1, d2) -> (d1, d2 * 2)> : vector<1x2xf32>, !dataflow.buffer<2x4xf32>
  }
  dataflow.leaf "store" store [3, 4, 2] reads(%block at 1 : !dataflow.buffer<2x4xf32>) {
  ^bb0(%b: index, %j: index, %i: index):
    %v = dataflow.load %block affine_map<(d0, d1, d2) -> (d2, d1)> : !dataflow.buffer<2x4xf32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1, d2) -> (d1, d0 * 2 + d2)> : f32, !dataflow.port<4x6xf32>
  }
}
func.func @main(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %y = dataflow.launch @normalise(%x) : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
"""

# What only a run shows: text before, text after, in the IR or in the generated C++.
SILENT = {
    "none": ("", ""),
    "guard": ("(d0, d1) : (d1 == 0)", "(d0, d1) : (d0 == 0)"),
    "lane": ("{offsets = [1], sizes", "{offsets = [0], sizes"),
    "map": ("-> (d1, d0 * 2 + d2)>", "-> (d1, d0 * 2 - d2 + 1)>"),
    "reduction": ("%both = arith.addf", "%both = arith.maximumf"),
}
IN_CPP = {
    "address": ("i0 * 2 + i2", "i0 + i2"),
    "fewer": ("store_i0:\n  for (int i0 = 0; i0 < 3;", "store_i0:\n  for (int i0 = 0; i0 < 2;"),
    "more": ("store_i0:\n  for (int i0 = 0; i0 < 3;", "store_i0:\n  for (int i0 = 0; i0 < 4;"),
}

ORDER = """
!rows = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!columns = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = dataflow.kernel "reorder"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !rows
    %c = itensor.converter %s : !rows to !columns
    %i = itensor.instance : !columns
    %w = dataflow.task "copy" outs(%i : !columns) -> !columns {
    ^bb0(%o: !columns):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %l = scf.for %x = %c0 to %c4 step %c1 iter_args(%p = %o) -> (!columns) {
        %m = scf.for %y = %c0 to %c2 step %c1 iter_args(%q = %p) -> (!columns) {
          %v = itensor.read %c[%x, %y] : !columns -> tensor<4x2xf32>
          %u = itensor.write %v into %q[%x, %y] : tensor<4x2xf32>, !columns
          scf.yield %u : !columns
        }
        scf.yield %m : !columns
      }
      dataflow.yield %l : !columns
    }
    %z = itensor.to_tensor %w : !columns -> tensor<8x8xf32>
    dataflow.yield %z : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
"""


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1) if old else text


def read(text: str, tmp_path, *options: str) -> harness.Outcome:
    """Parses and verifies; nothing is lowered."""
    path = tmp_path / "input.mlir"
    path.write_text(text)
    return harness.run_tool("streamtensor-opt", path, *options, "-o", tmp_path / "output.mlir")


def assert_refused(text: str, old: str, new: str, message: str, tmp_path, *options: str) -> None:
    read(text, tmp_path, *options).succeed()
    outcome = read(changed(text, old, new), tmp_path, *options)
    assert outcome.code == 1
    assert message in outcome.stderr


@pytest.fixture(scope="module")
def native(tmp_path_factory) -> dict[str, harness.Emitted]:
    """The design with each fault that passes the verifier, and with a fault in its C++, compiled together."""
    directory = tmp_path_factory.mktemp("faults")
    batch, programs = harness.Batch(directory), {}
    for name, (old, new) in SILENT.items():
        source = directory / f"{name}.mlir"
        source.write_text(changed(DESIGN, old, new))
        programs[name] = batch.add(harness.emit(source, directory / name, "--device=u55c"))
    for name, (old, new) in IN_CPP.items():
        emitted = harness.emit(directory / "none.mlir", directory / name, "--device=u55c")
        source = emitted / "hls/normalise.cpp"
        source.write_text(changed(source.read_text(), old, new))
        programs[name] = batch.add(emitted)
    batch.build()
    return programs


def is_right(program: harness.Emitted) -> bool:
    x = np.random.default_rng(harness.seed()).uniform(1, 2, (6, 4)).astype(np.float32)
    (y,) = program(x)
    return harness.relative_error(y, (x / x.sum(1, keepdims=True)).T) < 1e-5


def test_the_design_without_a_fault_is_right(native):
    assert is_right(native["none"])


def test_guard_on_the_wrong_loop(native):
    assert not is_right(native["guard"])


def test_lane_taken_twice(native):
    assert not is_right(native["lane"])


def test_map_that_reverses_a_block(native):
    assert not is_right(native["map"])


def test_reduction_with_another_combiner(native):
    assert not is_right(native["reduction"])


def test_address_in_the_generated_code(native):
    assert not is_right(native["address"])


@pytest.mark.parametrize(("fault", "message"), [("fewer", "still holds 1 blocks"), ("more", "is read while empty")])
def test_number_of_blocks_in_the_generated_code(native, fault, message):
    with pytest.raises(RuntimeError, match=f"block buffer 'block' {message}"):
        is_right(native[fault])


def test_block_count(tmp_path):
    old = "compute [3, 2, 2] writes(%block at 1 :"
    assert_refused(DESIGN, old, old.replace("at 1", "at 0"), "[design.blocks]", tmp_path)


def test_missing_fork(tmp_path):
    assert_refused(DESIGN, "stream_read %around", "stream_read %direct", "[design.ends]", tmp_path)


def test_depth_that_deadlocks(tmp_path):
    text = DESIGN.replace("6x4", "6x64").replace("4x6", "64x6").replace("2x4", "2x64").replace("[6, 2]", "[6, 32]")
    text = (
        text.replace("d1 - 1 == 0", "d1 - 31 == 0")
        .replace("[3, 2, 2]", "[3, 2, 32]")
        .replace("[3, 4, 2]", "[3, 64, 2]")
    )
    device = "--dataflow-attach-device=device=u55c"
    read(text, tmp_path, device, "--streamtensor-size-phase").succeed()
    outcome = read(text, tmp_path, device, "--streamtensor-size-phase=force-depth=2")
    assert outcome.code == 1
    assert "deadlocks" in outcome.stderr
    assert "FIFO 'direct'" in outcome.stderr


def test_loop_order(tmp_path):
    assert_refused(ORDER, "itensor.read %c[%x, %y]", "itensor.read %c[%y, %x]", "[itensor.", tmp_path)


def test_cast_instead_of_a_converter(tmp_path):
    assert_refused(ORDER, "itensor.converter", "itensor.cast", "[itensor.cast]", tmp_path)
