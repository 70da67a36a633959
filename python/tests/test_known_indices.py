# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that depend on no input choose slices, against PyTorch; those that do stay lookups or are refused."""

from __future__ import annotations

import module_batch
import pytest
import torch
from streamtensor.frontend import export_module
from torch.nn import functional

torch.manual_seed(0)
x, image = torch.randn(4, 6), torch.randn(2, 3, 4, 6)
table = torch.randn(8, 6)

CASES: dict[str, module_batch.Case] = {
    "one": (lambda x: x[:, [-2]], [x]),
    "several": (lambda x: x[:, [0, 3, 4, 1]], [x]),
    "middle-dimension": (lambda x: x[:, :, [-1], :], [image]),
    "scalar": (lambda x: x[:, torch.tensor(2)], [x]),
    "computed": (lambda x: x[torch.arange(3) + 1], [x]),
    "repeated": (lambda x: x[torch.tensor([1, 1, 2, 0])], [x]),
    "of-two-dimensions": (lambda x: x[..., torch.tensor([[0, 1], [4, 3]])], [x]),
    "of-a-mask": (lambda x: x[:, torch.ones(4, dtype=torch.int64).cumsum(0) - 1], [x]),
    "select": (lambda x: torch.index_select(x, 1, torch.tensor([1, 0, 5])), [x]),
    "positions": (lambda x: x + functional.embedding(torch.arange(4) + 2, table), [x]),
    "flip": (lambda x: x.flip(-1), [x]),
    "many": (lambda x: x.flip(-1), [torch.randn(2, 70)]),
    "literal": (lambda x: torch.tensor([[1.0, 2.0], [3.0, 4.0]])[torch.tensor([1, 0])] + x[:2, :2], [x]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("indices"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(0)
    assert "tensor.extract " not in programs[name].text.text


def test_an_index_that_is_an_input_is_a_lookup():
    program = export_module(module_batch.Function(lambda t, i: t[i]), (table, torch.tensor([1, 5, 0])))
    assert "tensor.extract " in program.text
