# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every element type that PyTorch and the designs share, against PyTorch: arithmetic, reductions, casts, compares."""

from __future__ import annotations

import harness
import module_batch
import pytest
import streamtensor as st
import torch
from torch import nn

torch.manual_seed(0)
FLOATS = {"f16": (torch.float16, 2e-3), "bf16": (torch.bfloat16, 2e-2), "f64": (torch.float64, 1e-12)}
INTEGERS = {"i8": torch.int8, "u8": torch.uint8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
rows = torch.randn(4, 8)
mask, other_mask = rows > 0, torch.randn(4, 8) > 0


def _integers(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    info = torch.iinfo(dtype)
    return torch.randint(max(info.min, -1000), min(info.max, 1000), shape).to(dtype)


def _float_cases() -> dict[str, module_batch.Case]:
    cases = {}
    for name, (dtype, _) in FLOATS.items():
        x, y, w = (torch.randn(shape).to(dtype) for shape in ((4, 8), (4, 8), (8, 4)))
        cases[f"{name}-arithmetic"] = (lambda x, y: x + y * 2, [x, y])
        cases[f"{name}-matmul"] = (lambda x, w: x @ w, [x, w])
        cases[f"{name}-softmax"] = (lambda x: torch.softmax(x, -1), [x])
        cases[f"{name}-layer-norm"] = (lambda x: nn.functional.layer_norm(x, (8,)), [x])
        cases[f"{name}-gelu"] = (nn.functional.gelu, [x])
        cases[f"{name}-largest"] = (lambda x: x.amax(-1), [x])
        cases[f"{name}-to-f32"] = (lambda x: x.float() * 2, [x])
        cases[f"{name}-from-f32"] = (lambda x, dtype=dtype: (x * 2).to(dtype), [rows])
    return cases


def _integer_cases() -> dict[str, module_batch.Case]:
    cases = {}
    for name, dtype in INTEGERS.items():
        x, y, w = _integers(dtype, 4, 8), _integers(dtype, 4, 8), _integers(dtype, 8, 4)
        cases[f"{name}-arithmetic"] = (lambda x, y: x + y * 2 - x * y, [x, y])
        cases[f"{name}-matmul"] = (lambda x, w: x @ w, [x, w])
        cases[f"{name}-sum"] = (lambda x: x.sum(-1), [x])
        cases[f"{name}-largest"] = (lambda x: x.amax(-1), [x])
        cases[f"{name}-compare"] = (lambda x, y: (x > y, x == y), [x, y])
        cases[f"{name}-clamp"] = (lambda x: x.clamp(0, 7), [x])
        cases[f"{name}-to-f32"] = (lambda x: x.float() * 0.5, [x])
        cases[f"{name}-from-f32"] = (lambda x, dtype=dtype: x.to(dtype), [rows.abs() * 40])
    return cases


EXACT = _integer_cases() | {
    "i8-by-i8-to-i32": (lambda x, w: x.int() @ w.int(), [_integers(torch.int8, 4, 8), _integers(torch.int8, 8, 4)]),
    "shift-and-mask": (lambda x, y: (x >> 2) ^ (x & y), [_integers(torch.int32, 4, 8)] * 2),
    "quantise": (lambda x: torch.clamp(torch.round(x * 10), -128, 127).to(torch.int8), [rows]),
    "select": (torch.where, [mask, rows, -2 * rows]),
    "fill": (lambda x, m: x.masked_fill(m, -1e9), [rows, mask]),
    "logic": (lambda a, b: (a & b, a | b, ~a, a ^ b), [mask, other_mask]),
    "any-and-all": (lambda m: (m.any(-1), m.all(-1)), [mask]),
    "count": (lambda m: m.sum(-1), [mask]),
    "mask-to-f32": (lambda m: m.float(), [mask]),
    "not-a-number": (lambda x: torch.isnan(x / x), [rows * mask]),
}
CASES = _float_cases() | EXACT


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("types"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(0 if name in EXACT else FLOATS[name.split("-")[0]][1])


def test_a_design_has_the_types_that_the_module_declares(tmp_path):
    pixels = _integers(torch.uint8, 4, 8)
    design = st.compile(module_batch.Function(lambda x: x + x), (pixels,), st.Options(), tmp_path / "out")
    assert torch.equal(design(pixels), pixels + pixels)
    with pytest.raises(st.RunError, match="has dtype int8, but the design was compiled for uint8"):
        design(pixels.to(torch.int8))


NARROW = """
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#I = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<4x8xi8>, %w: tensor<8x6xi4>) -> (tensor<4x6xi32>, tensor<8x6xi4>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xi8>, tensor<8x6xi4>) outs(%f : tensor<4x6xi32>) {
  ^bb0(%a: i8, %b: i4, %s: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i4 to i32
    %m = arith.muli %p, %q : i32
    %t = arith.addi %s, %m : i32
    linalg.yield %t : i32
  } -> tensor<4x6xi32>
  %g = tensor.empty() : tensor<8x6xi4>
  %h = linalg.generic {indexing_maps = [#I, #I], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x6xi4>) outs(%g : tensor<8x6xi4>) {
  ^bb0(%a: i4, %o: i4):
    %c = arith.constant 3 : i4
    %v = arith.addi %a, %c : i4
    linalg.yield %v : i4
  } -> tensor<8x6xi4>
  return %r, %h : tensor<4x6xi32>, tensor<8x6xi4>
}
"""


def test_four_bits_lie_in_bytes_and_wrap_around(tmp_path):
    """PyTorch has no such type: the program is Linalg."""
    design = harness.lower(NARROW, tmp_path / "program", tile_size=4, unroll=8)
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    batch.build()
    x, w = _integers(torch.int8, 4, 8).numpy(), torch.randint(-8, 8, (8, 6)).to(torch.int8).numpy()
    product, shifted = program(x, w)
    assert (product == x.astype("int32") @ w.astype("int32")).all()
    assert (shifted == (w + 3 + 8) % 16 - 8).all()
