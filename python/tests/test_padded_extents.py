# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extents that are padded (lib/Transforms/Tile/PadExtents.cpp): nobody sees what lies behind them."""

from __future__ import annotations

import harness
import module_batch
import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor.memory import Layout, as_tensor
from torch import nn

torch.manual_seed(0)


def _chain(a, b, c):
    return torch.exp(a @ b) @ c


def _attention(x, w):
    """Causal, of 47 tokens: the softmax leaves out the keys behind them."""
    query, key, value = (x @ w).reshape(1, 47, 3, 2, 16).permute(2, 0, 3, 1, 4)
    return nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)


def _extremes(a, b):
    c = a @ b
    return c.amax(1), c.amin(0), (c > 0).any(1), (c > -9).all(0), c.prod(1), (1 / (1 + c.abs())).sum(1)


CASES: dict[str, module_batch.Case] = {
    "prime-extents": (torch.mm, [torch.randn(13, 61), torch.randn(61, 127)]),
    "one-argument-on-both-sides": (lambda a: a @ a.t(), [torch.randn(31, 31)]),
    "masked-between": (_chain, [torch.randn(17, 30), torch.randn(30, 31) / 9, torch.randn(31, 15)]),
    "several-results": (lambda a, b: (a @ b, (a @ b).sum(1), a), [torch.randn(29, 30), torch.randn(30, 47)]),
    "batches": (torch.bmm, [torch.randn(3, 15, 31), torch.randn(3, 31, 30)]),
    "integers": (torch.mm, [torch.randint(-99, 99, (31, 30)), torch.randint(-99, 99, (30, 47))]),
    "a-module": (
        nn.Sequential(nn.Linear(61, 127), nn.GELU(), nn.Linear(127, 31), nn.LayerNorm(31)),
        [torch.randn(7, 61)],
    ),
    "attention": (_attention, [torch.randn(1, 47, 32), torch.randn(32, 96) / 6]),
    "reductions": (_extremes, [torch.randn(29, 30), torch.randn(30, 31)]),
    "a-slice-of-it": (lambda a, b: (a @ b)[:, 3:20] + 1, [torch.randn(15, 31), torch.randn(31, 31)]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("padded"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    assert any(step["op"] == "pack" for step in programs[name].program.interface["main"]["steps"])
    programs[name].check(1e-5)


def test_what_is_infinite_meets_no_zeros_of_the_padding(tmp_path):
    """All products are infinite with one sign or finite, so the sums are no NaN; 0 times infinity would be one."""
    a, b, c = torch.rand(17, 30) + 1, torch.rand(30, 31) + 1, torch.rand(31, 15) + 1
    a[3, 4], b[5, 6] = float("inf"), float("inf")
    built = module_batch.build({"chain": (lambda a, b, c: (a @ b) @ c, [a, b, c])}, tmp_path)["chain"]
    (found,) = built.run()
    expected = ((a @ b) @ c).numpy()
    assert np.isinf(expected).any() and not np.isnan(expected).any()
    np.testing.assert_array_equal(np.isinf(found), np.isinf(expected))
    finite = np.isfinite(expected)
    assert harness.relative_error(found[finite], expected[finite]) <= 1e-5


def test_parameters_are_padded_once(tmp_path, monkeypatch):
    model = nn.Sequential(nn.Linear(61, 31)).eval()
    x = torch.randn(15, 61)
    design = st.compile(model, (x,), out=tmp_path / "out")
    first = as_tensor(design(x))
    packed: list[tuple[int, ...]] = []
    pack = Layout.pack
    monkeypatch.setattr(
        Layout, "pack", lambda layout, source: packed.append(tuple(source.shape)) or pack(layout, source)
    )
    torch.testing.assert_close(as_tensor(design(x)), first)
    weights = model[0].weight.numel()
    assert packed and all(np.prod(shape) < weights for shape in packed)
    torch.testing.assert_close(first, model(x), rtol=1e-4, atol=1e-5)
