# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with unusual arguments and results, against PyTorch."""

from __future__ import annotations

import module_batch
import pytest
import streamtensor as st
import torch
from torch import nn

rows, square, row = torch.randn(4, 8), torch.randn(8, 8), torch.randn(8)
scalar = torch.randn(())


def _same_twice(x):
    y = x + 1
    return y, y, y.reshape(32)


def _result_that_is_read(x):
    y = x + 1
    return y, torch.relu(y) * 2


CASES = {
    "two-results": (lambda x: (x + 1, x * 2), [rows]),
    "one-result-three-times": (_same_twice, [rows]),
    "a-result-that-is-read": (_result_that_is_read, [rows]),
    "an-argument-as-result": (lambda x: (x, x + 1), [rows]),
    "a-constant-as-result": (lambda x: (x + 1, torch.tensor([1.0, 2.0, 3.0])), [rows]),
    "an-unused-argument": (lambda x, y: x * 2, [rows, row]),
    "rank-zero": (lambda x, y: x * y, [scalar, scalar]),
    "rank-zero-to-all": (lambda x, y: x * y, [rows, scalar]),
    "everything-to-rank-zero": (lambda x: x.sum(), [rows]),
    "one-element": (lambda x: x + 1, [torch.randn(1, 1)]),
    "x-plus-x": (lambda x: x + x, [rows]),
    "x-times-x": (lambda x: x @ x, [square]),
    "x-times-its-transpose": (lambda x: x @ x.T, [rows]),
    "transpose": (lambda x: x.T, [rows]),
    "slice": (lambda x: x[:, 2:5], [rows]),
    "one-element-of-many": (lambda x: x[2, 5], [rows]),
    "overlapping-slices": (lambda x: x[:, 1:] - x[:, :-1], [rows]),
    "concatenation": (lambda x, y: torch.cat([x, y], 1), [rows, torch.randn(4, 3)]),
    "padding": (lambda x: nn.functional.pad(x, (1, 2)), [rows]),
    "expansion": (lambda x: x.expand(4, 8), [row]),
}

# Nothing to compute: the host passes tensors on, and there is no design.
WITHOUT_COMPUTE = {
    "identity": (lambda x: x, [rows]),
    "exchange": (lambda x, y: (y, x), [rows, row]),
    "rank-zero-identity": (lambda x: x, [scalar]),
    "reshape": (lambda x: x.reshape(8, 4), [rows]),
    "constant": (lambda x: torch.tensor([1.0, 2.0, 3.0]), [rows]),
    "splat": (lambda x: (torch.ones(3, 4), x), [rows]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES | WITHOUT_COMPUTE, tmp_path_factory.mktemp("signatures"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)
    assert programs[name].program.interface["designs"]


@pytest.mark.parametrize("name", WITHOUT_COMPUTE)
def test_nothing_to_compute_is_a_host_program(name, programs):
    programs[name].check(0)
    assert not programs[name].program.interface["designs"]


def test_a_host_program_runs_simulates_and_reports(tmp_path):
    module = module_batch.Function(lambda x: (x.reshape(8, 4), x))
    design = st.compile(module, (rows,), st.Options(), tmp_path / "out")
    reshaped, same = design(rows)
    assert torch.equal(reshaped, rows.reshape(8, 4))
    assert torch.equal(same, rows)
    assert design.simulate().cycles == 0
    assert design.report().exists()
