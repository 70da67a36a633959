# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Designs whose leaf tasks give to each other in a circle, as layers do: interpreter, native C++, both simulators."""

from __future__ import annotations

import random

import harness
import numpy as np
import pytest
import torch
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor
from test_scalars import check_cycles, size

STREAM = "!dataflow.stream<f32>"
FIRST, LATER = "(d0, d1) : (d0 == 0)", "(d0, d1) : (d0 - 1 >= 0)"
AGAIN, LAST = "(d0, d1)[s0] : (s0 - d0 - 2 >= 0)", "(d0, d1)[s0] : (d0 - s0 + 1 == 0)"


def draw(seed: int) -> tuple[str, int, list[int]]:
    """A ring of leaf tasks, each of which adds a number of its own; the IR, the most trips and the numbers.

    Between two of them the rows may pass through a block, so that a whole row is on the way.
    """
    chosen = random.Random(seed)
    most, width = chosen.randint(2, 5), chosen.randint(1, 9)
    added = [chosen.randint(1, 5) for _ in range(chosen.randint(1, 3))]
    counts = f"compute [{most}, {width}] counts affine_map<()[s0] -> (s0, {width})> (%layers)"
    arguments = "^bb0(%t: index, %i: index):"
    channels, leaves = [], []
    ring = ["h"]
    for number, value in enumerate(added):
        source, target = ring[-1], f"f{number}"
        read = f"%v = dataflow.stream_read %{source} : {STREAM} -> f32"
        if number == 0:
            read = f"""%new = dataflow.stream_read %s when affine_set<{FIRST}> : {STREAM} -> f32
    %old = dataflow.stream_read %h when affine_set<{LATER}> : {STREAM} -> f32
    %first = dataflow.test affine_set<{FIRST}>
    %v = arith.select %first, %new, %old : f32"""
        leaves.append(f"""dataflow.leaf "add{number}" {counts} {{
  {arguments}
    {read}
    %c = arith.constant {value}.0 : f32
    %w = arith.addf %v, %c : f32
    dataflow.stream_write %w, %{target} : f32, {STREAM}
  }}""")
        channels.append(f'%{target} = dataflow.stream "{target}" : {STREAM}')
        ring.append(target)
        if chosen.random() < 0.5:
            block = f"!dataflow.buffer<{width}xf32>"
            channels.append(f'%b{number} = dataflow.buffer "b{number}" blocks {chosen.choice((1, 2))} : {block}')
            channels.append(f'%g{number} = dataflow.stream "g{number}" : {STREAM}')
            leaves.append(f"""dataflow.leaf "fill{number}" {counts} writes(%b{number} at 1 : {block}) {{
  {arguments}
    %v = dataflow.stream_read %{target} : {STREAM} -> f32
    dataflow.store %v, %b{number} affine_map<(d0, d1) -> (d1)> : f32, {block}
  }}
  dataflow.leaf "drain{number}" {counts} reads(%b{number} at 1 : {block}) {{
  {arguments}
    %v = dataflow.load %b{number} affine_map<(d0, d1) -> ({width - 1} - d1)> : {block} -> f32
    dataflow.stream_write %v, %g{number} : f32, {STREAM}
  }}""")
            ring.append(f"g{number}")
    leaves.append(f"""dataflow.leaf "leave" {counts} {{
  {arguments}
    %v = dataflow.stream_read %{ring[-1]} : {STREAM} -> f32
    dataflow.stream_write %v, %h when affine_set<{AGAIN}> : f32, {STREAM}
    dataflow.stream_write %v, %o when affine_set<{LAST}> : f32, {STREAM}
  }}""")
    chosen.shuffle(leaves)
    lines = "\n  ".join([*channels, *leaves])
    reversals = sum(name.startswith("g") for name in ring)
    text = f"""func.func @main(%x: tensor<{width}xf32>, %layers: index) -> tensor<{width}xf32> {{
  %y = dataflow.launch @ring(%x) scalars(%layers) : (tensor<{width}xf32>) -> tensor<{width}xf32>
  return %y : tensor<{width}xf32>
}}
dataflow.design @ring {{
  %x = dataflow.port in "x" : !dataflow.port<{width}xf32>
  %y = dataflow.port out "y" : !dataflow.port<{width}xf32>
  %layers = dataflow.scalar "layers" from 1 to {most} : index
  %s = dataflow.stream "s" : {STREAM}
  %o = dataflow.stream "o" : {STREAM}
  %h = dataflow.stream "h" back : {STREAM}
  {lines}
  dataflow.leaf "load" load [{width}] {{
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<{width}xf32> -> f32
    dataflow.stream_write %v, %s : f32, {STREAM}
  }}
  dataflow.leaf "store" store [{width}] {{
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : {STREAM} -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<{width}xf32>
  }}
}}"""
    return text, most, [*added, *[0] * reversals]


@pytest.mark.parametrize("number", range(6))
def test_rings_agree_for_every_number_of_trips(number: int, tmp_path) -> None:
    text, most, steps = draw(harness.seed() + number)
    sized = size(text, tmp_path)
    harness.translate(sized, tmp_path / "out").succeed(text)
    interface = Interface(tmp_path / "out")
    (argument,) = interface.arguments
    x = np.random.default_rng(number).integers(-9, 9, argument.shape).astype(np.float32)
    given, found = tmp_path / "x.npy", tmp_path / "found.npy"
    np.save(given, x)
    for layers in range(1, most + 1):
        expected = x + np.float32(layers * sum(steps))
        if steps.count(0) * layers % 2:
            expected = expected[::-1].copy()
        np.save(found, expected)
        for options in ([], ["--pipelined"]):
            harness.run_tool(
                "streamtensor-run",
                sized,
                *harness.settings({"layers": layers}),
                *options,
                f"--input={given}",
                f"--compare={found}",
            ).succeed(text)
        (y,) = interface.execute([torch.from_numpy(x)], {"layers": layers})
        np.testing.assert_array_equal(as_tensor(y).numpy(), expected)
        check_cycles(sized, {"layers": layers})
