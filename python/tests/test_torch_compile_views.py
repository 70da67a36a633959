# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With torch.compile, results share memory with inputs and with each other as in PyTorch, and have its strides."""

import pytest
import streamtensor  # noqa: F401, the backend
import torch


def _row_after_break(x):
    y = x * 2
    row = y[0]
    torch._dynamo.graph_break()
    row.add_(1)
    return y


def _slot_of_input(x):
    slot = x.view(-1)[1:4]
    total = (slot * 2).sum()
    torch._dynamo.graph_break()
    slot.copy_(slot + total)
    return x.sum()


def _parts(x):
    low, high = (x * 3).chunk(2, dim=1)
    torch._dynamo.graph_break()
    low.add_(1)
    return low, high, low + high


def _repeated(x):
    y = (x + 1)[:, :1].expand(4, 6)
    torch._dynamo.graph_break()
    return y.stride(), y


def _turned(x):
    y = x.T * 2
    torch._dynamo.graph_break()
    return y.T.view(-1)


class _Weight(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(6.0), requires_grad=False)

    def forward(self, x):
        return self.weight.view(2, 3), x + self.weight


def _in_place(x, function):
    """What `function` gives, when its first result is written to, and what becomes of its input."""
    results = function(x)
    results = results if isinstance(results, tuple) else (results,)
    first = next(result for result in results if isinstance(result, torch.Tensor))
    if 0 not in first.stride():
        first.add_(1)
    return [r.tolist() if isinstance(r, torch.Tensor) else r for r in results], x.tolist()


@pytest.mark.filterwarnings("ignore:StreamTensor runs a graph in PyTorch instead")  # What writes in place does.
@pytest.mark.parametrize(
    "function", [_row_after_break, _slot_of_input, _parts, _repeated, _turned, lambda x: x.view(-1)]
)
def test_results_lie_in_memory_as_in_pytorch(function):
    found = []
    for backend in ("eager", "streamtensor"):
        torch._dynamo.reset()
        x = torch.arange(30.0)[6:].view(4, 6)  # Which begins behind its memory.
        with torch.no_grad():
            found.append(_in_place(x, torch.compile(function, backend=backend, dynamic=False)))
    assert found[0] == found[1]


def test_a_view_of_a_parameter_is_one():
    torch._dynamo.reset()
    module = _Weight()
    with torch.no_grad():
        view, total = torch.compile(module, backend="streamtensor", dynamic=False)(torch.ones(6))
    view.add_(1)
    assert module.weight.tolist() == [1, 2, 3, 4, 5, 6]
    assert total.tolist() == [1, 2, 3, 4, 5, 6]


def test_a_view_under_another_type_runs_in_pytorch():
    torch._dynamo.reset()
    x = torch.ones(4)
    with torch.no_grad(), pytest.warns(UserWarning, match="a result is a view, of type torch.int32"):
        view = torch.compile(lambda x: x.view(torch.int32), backend="streamtensor", dynamic=False)(x)
    view.zero_()
    assert x.tolist() == [0, 0, 0, 0]
