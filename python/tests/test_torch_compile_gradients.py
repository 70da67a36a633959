# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="streamtensor"): a design has no backward pass, so results that need one are an error."""

from __future__ import annotations

import warnings

import pytest
import torch
import torch._dynamo
from streamtensor.torch_backend import streamtensor

NEEDS_GRADIENTS = r"need gradients, and a design computes none.*torch\.no_grad\(\).*requires_grad_\(False\)"


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """Nothing compiled before, and no fall back to PyTorch."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    torch._dynamo.reset()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="StreamTensor runs a graph")
        yield


def compiled(module):
    return torch.compile(module, backend=streamtensor, dynamic=False)


def test_parameters_that_need_gradients_are_refused():
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=NEEDS_GRADIENTS):
        compiled(torch.nn.Linear(4, 3))(torch.ones(2, 4))


def test_inputs_that_need_gradients_are_refused():
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=NEEDS_GRADIENTS):
        compiled(lambda x: x * 2)(torch.ones(2, requires_grad=True))


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients_parameters_may_need_them(mode):
    module, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
    with mode():
        result = compiled(module)(x)
        torch.testing.assert_close(result, module(x))
    assert not result.requires_grad


def test_switching_gradients_on_later_is_refused_too():
    module, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
    fast = compiled(module)
    with torch.no_grad():
        fast(x)
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=NEEDS_GRADIENTS):
        fast(x)


def test_a_frozen_module_passes():
    module, x = torch.nn.Linear(4, 3).requires_grad_(False), torch.randn(2, 4)
    torch.testing.assert_close(compiled(module)(x), module(x))


def test_results_that_carry_no_gradient_pass():
    x = torch.tensor([[1.0, 3.0, 2.0]], requires_grad=True)
    assert compiled(lambda x: x.argmax(-1))(x).item() == 1
