# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pads of every mode and sign against PyTorch; a negative amount cuts off."""

from __future__ import annotations

import harness
import module_batch
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import pad

torch.manual_seed(0)
image, row, volume = torch.randn(1, 2, 5, 6), torch.randn(2, 3, 7), torch.randn(1, 1, 3, 4, 5)
integers = torch.randint(-9, 9, (2, 5, 6), dtype=torch.int32)


def _padded(mode: str, x: torch.Tensor, *amounts: int) -> module_batch.Case:
    return lambda x: pad(x, amounts, mode=mode), [x]


CASES: dict[str, module_batch.Case] = {
    "time-shift": (nn.ZeroPad2d((0, 0, 1, -1)), [torch.randn(1, 5, 6)]),
    "shift-back": (nn.ZeroPad2d((0, 0, -1, 1)), [torch.randn(1, 5, 6)]),
    "cut-last": _padded("constant", image, -1, -2),
    "cut-first-dimension": _padded("constant", image, 0, 0, 0, 0, -1, 0),
    "mixed": (lambda x: pad(x, (-1, 2, -1, -2, 1, -1), value=3.0), [image]),
    "mixed-integers": (lambda x: pad(x, (-1, 2, 3, -2, 1, -1), value=3), [integers]),
    "used-after": (lambda x: torch.relu(pad(x, (2, -2))) + x, [image]),
    **{f"{mode}-cut-row": _padded(mode, row, -1, 2) for mode in ("reflect", "replicate", "circular")},
    "reflect-far": _padded("reflect", torch.randn(1, 2, 40), 34, 34),
    **{f"{mode}-image": _padded(mode, image, 1, 2, 2, 1) for mode in ("reflect", "replicate", "circular")},
    **{f"{mode}-mixed-image": _padded(mode, image, -1, 2, 3, -2) for mode in ("reflect", "replicate", "circular")},
    **{f"{mode}-volume": _padded(mode, volume, -1, 2, 1, -2, 1, 1) for mode in ("reflect", "replicate", "circular")},
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("pads"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(0)


SHIFT = """
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[1, -2] high[-1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
"""


def test_a_file_of_linalg_may_cut_too(tmp_path):
    """Every phase agrees with the source, and the design with numpy."""
    (tmp_path / "shift.mlir").write_text(SHIFT)
    design = tmp_path / "design.mlir"
    harness.optimise(tmp_path / "shift.mlir", design, dump_dir=tmp_path / "phases", tile_size=4).succeed()
    phases = sorted((tmp_path / "phases").glob("*.mlir"))
    harness.run_tool("streamtensor-run", tmp_path / "shift.mlir", *phases).succeed()
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    batch.build()
    x = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    expected = np.zeros_like(x)
    expected[1:, :4] = x[:3, 2:]
    np.testing.assert_array_equal(program(x)[0], expected)
