# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison of printed C++ with the simulated machine sees what is changed in either."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import harness
import numpy as np
import pytest
from fuzz import model, natively, printed

PROGRAM = """
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>)
                     outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, dict]:
    """The emitted design and what the simulator says about it."""
    directory = tmp_path_factory.mktemp("matmul")
    design = harness.lower(PROGRAM, directory, tile_size=8, unroll=8, decision="rules")
    machine = json.loads(harness.simulate(design).succeed().stdout)
    return harness.emit(design, directory / "out"), machine


def source_of(directory: Path) -> Path:
    return directory / "hls" / "accelerator.cpp"


def test_a_design_agrees_with_its_machine(built) -> None:
    directory, machine = built
    assert list(model.differences(machine, directory)) == []


@pytest.mark.parametrize("name", ["interval", "guards", "one-port", "pieces", "frozen-writer", "assembled-words"])
def test_leaves_of_other_intervals_agree(name: str, tmp_path) -> None:
    """Designs of which some interval is above 1, or some access guarded."""
    source, design = harness.paths.CHECKOUT / "test/Sim" / f"{name}.mlir", tmp_path / "design.mlir"
    passes = ("--dataflow-attach-device=device=u55c", "--streamtensor-size-phase")
    harness.run_tool("streamtensor-opt", source, *passes, "-o", design).succeed()
    machine = json.loads(harness.simulate(design).succeed().stdout)
    assert list(model.differences(machine, harness.emit(design, tmp_path / "out"))) == []
    assert max(task["ii"] for task in machine["tasks"]) == {"interval": 9, "one-port": 2, "pieces": 2}.get(name, 1)


# What is printed, what stands there instead, and what is said about it.
CHANGES = {
    "interval": (r"pipeline II=1", "pipeline II=2", r"II is 2 in C\+\+, 1 in the machine"),
    "style": (r"style=flp", "style=stp", r"style is stp in C\+\+, flp"),
    "trips": (r"i0 < 2;", "i0 < 3;", r"trips is \[3, "),
    "nest": (r"turn < 32\)", "turn < 31)", r"iterations of nests is \[62, 512\] in C\+\+, \[64, 512\] in the machine"),
    "lag": (r"step >= 1 && turn", "step >= 2 && turn", r"iterations of nests is \[64, 256\] in C\+\+"),
    "steps": (r"iteration < 544", "iteration < 543", r"iterations is 543 in C\+\+, 544 in the machine"),
    "depth": (r"(stream variable=\w+ depth=)31", r"\g<1>30", r"\(30, 32, 'srl'\) in C\+\+"),
    "fifo storage": (r"type=fifo impl=srl", "type=fifo impl=lutram", r"'lutram'\) in C\+\+"),
    "partition": (r"(variable=op_result type=complete dim=)1", r"\g<1>2", r"buffer op_result is 1 x .*\(1, 16, 8\)"),
    "private partition": (r"(variable=local_0 type=complete dim=)3", r"\g<1>2", r"local_0 is .*\[1, 8, 1\]"),
    "kind": (r"(variable=local_0 type=ram_2p impl=)lutram", r"\g<1>bram", r"'bram'\) in C\+\+"),
    "blocks": (r"(stream_of_blocks<op_result_block_t, )1> op_result;", r"\g<1>2> op_result;", "is 2 x"),
    "operator latency": (
        r"(op=fadd impl=fulldsp latency=)6",
        r"\g<1>7",
        r"\d fadd of fulldsp with 7 cycles in C\+\+, 0 in the machine",
    ),
    "operator": (r"\n#pragma HLS bind_op \S+ op=fmul .*", "", r"0 fmul of maxdsp with 3 cycles in C\+\+, 1 in"),
    "read burst": (r"max_read_burst_length=32", "max_read_burst_length=64", r"arg1: reads \[\(256, 64, 4\)\] in"),
    "written burst": (r"max_write_burst_length=32", "max_write_burst_length=16", r"writes \[\(256, 16, 2\)\] in C\+\+"),
    "bursts read": (
        r"num_read_outstanding=4",
        "num_read_outstanding=5",
        r"\(256, 32, 5\)\] in C.*\(256, 32, 4\) in the",
    ),
    "bursts written": (r"num_write_outstanding=2", "num_write_outstanding=3", r"\(256, 32, 3\)\] in C\+\+"),
    "port width": (
        r'(extern "C" void accelerator\(const )float',
        r"\g<1>double",
        r"gmem_arg0: reads \[\(64, 256, 2\)\] in C\+\+, \(32, 256, 2\) in the machine",
    ),
    "master": (r"bundle=gmem_arg0", "bundle=gmem_x", r"the masters .*\('gmem_x', 'read'\).* are declared, .*arg0"),
    "channel": (r"gmem_arg1:HBM\[1\]", "gmem_arg1:HBM[3]", r"gmem_arg1 is linked to HBM\[3\], HBM\[1\] in the machine"),
    "distance": (r"distance=\d+", "distance=100", "is met again after 64 iterations, not 100"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(name: str, built, tmp_path) -> None:
    directory, machine = built
    pattern, replacement, message = CHANGES[name]
    shutil.copytree(directory, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "vitis" / "accelerator.cfg" if name == "channel" else source_of(tmp_path)
    text = path.read_text()
    changed = re.sub(pattern, replacement, text, count=1)
    assert changed != text
    path.write_text(changed)
    found = list(model.differences(machine, tmp_path))
    assert any(re.search(message, line) for line in found), found


REUSE = """
void task(hls::stream<float> &in) {
  float local[4];
task_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
task_i1:
    for (int i1 = 0; i1 < 6; ++i1) {
#pragma HLS pipeline II=1 style=flp
      const float value = in.read();
      const float sum = (%s ? 0.0f : local[%s]) + value;
      local[%s] = sum;
    }
  }
}
"""


@pytest.mark.parametrize(
    ("replaced", "place", "distance"),
    [
        ("(i0 == 5)", "i1 % 4", 2),  # the last of a row and the first of the next: 5 % 4 is 1, two iterations on
        ("(i1 <= 3)", "i1 % 4", 4),  # rows begin anew
        ("(i0 == 0)", "i0", 1),
        ("(i1 == 0)", "st::floor_mod(i0 - 1, 4)", 1),
        ("(i1 >= 0)", "i0", None),
    ],
)
def test_distances_are_those_of_the_text(replaced: str, place: str, distance: int | None) -> None:
    design = printed.read_design(REUSE % (replaced, place, place))
    assert design.tasks["task"].distance("local") == distance


def test_bits_are_compared_as_they_are() -> None:
    one, other = np.array([1.0, 0.0], np.float32), np.array([1.0, -0.0], np.float32)
    assert natively.other_bits(one, one.copy()) is None
    assert "1 places, first at 1: 0.0 instead of -0.0" in natively.other_bits(one, other)
