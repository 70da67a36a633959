# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linears of one input as one linear: the same values, one product, names and copies that hold."""

from __future__ import annotations

import copy

import pytest
import torch
from streamtensor.frontend import gguf_weights
from streamtensor.joined_linears import LinearPart, join_linears
from streamtensor.quantise import quantise_model, quantised_linears
from streamtensor.schemes import SCHEMES
from torch import nn

HIDDEN, INNER = 64, 96


class Mlp(nn.Module):
    def __init__(self, bias: bool = False):
        super().__init__()
        self.gate_proj = nn.Linear(HIDDEN, INNER, bias)
        self.up_proj = nn.Linear(HIDDEN, INNER, bias)
        self.down_proj = nn.Linear(INNER, HIDDEN, bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(torch.relu(self.gate_proj(x)) * self.up_proj(x))


def pair(bias: bool = False, scheme: str = "w4a8") -> tuple[nn.Module, nn.Module]:
    """A quantised module, and the same with its linears joined."""
    torch.manual_seed(0)
    plain = Mlp(bias).eval()
    joined = copy.deepcopy(plain)
    return quantise_model(plain, scheme, 32), quantise_model(joined, scheme, 32, joins=True)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_values_are_those_of_the_linears_alone(scheme, bias):
    plain, joined = pair(bias, scheme)
    x = torch.randn(3, HIDDEN)
    with torch.no_grad():
        torch.testing.assert_close(joined(x), plain(x))
    assert sorted(quantised_linears(joined)) == ["down_proj", "gate_proj.joined"]


def test_the_joined_linear_is_computed_once_for_an_input_and_again_for_another():
    _, joined = pair()
    calls = []
    joined.gate_proj.joined.register_forward_pre_hook(lambda module, given: calls.append(given))
    x, y = torch.randn(1, HIDDEN), torch.randn(1, HIDDEN)
    with torch.no_grad():
        first, second = joined(x), joined(y)
        assert len(calls) == 2
        assert not torch.equal(first, second)
        # Another weight for the same input, as layers of one program have it.
        weight = quantise_model(nn.Linear(HIDDEN, 2 * INNER, bias=False), "w4a8", 32).weight
        other = torch.func.functional_call(joined, {"gate_proj.joined.weight": weight}, (y,))
        assert len(calls) == 3
    assert not torch.equal(other, second)


def test_a_copy_is_on_its_own():
    _, joined = pair()
    x = torch.randn(1, HIDDEN)
    with torch.no_grad():
        before = joined(x)
        other = copy.deepcopy(joined)
        other.gate_proj.joined = nn.Linear(HIDDEN, 2 * INNER)
        assert not torch.equal(other(x), before)
        torch.testing.assert_close(joined(x), before)


def test_the_program_has_one_product_for_all():
    _, joined = pair()
    program = torch.export.export(joined, (torch.randn(1, HIDDEN),))
    weights = [name for name in program.state_dict if name.startswith(("gate_proj", "up_proj"))]
    assert {name.split(".")[0] for name in weights} == {"gate_proj"}


def test_linears_of_different_inputs_or_kinds_stay_alone():
    class Attention(nn.Module):
        def __init__(self, keys: int, key_bias: bool):
            super().__init__()
            self.q_proj = nn.Linear(HIDDEN, HIDDEN, bias=False)
            self.k_proj = nn.Linear(keys, HIDDEN, bias=key_bias)
            self.v_proj = nn.Linear(keys, HIDDEN, bias=False)

    for module in (Attention(32, False), Attention(HIDDEN, True)):
        join_linears(module)
        assert not any(isinstance(part, LinearPart) for part in module.modules())


def test_int4_weights_of_a_gguf_file_stay_alone(monkeypatch):
    def read(path, linears):
        return {name: gguf_weights.quantise(part.weight.detach()) for name, part in linears.items()}

    monkeypatch.setattr(gguf_weights, "read", read)
    arguments = {"group_size": gguf_weights.GROUP, "origin": "model.gguf", "joins": True}
    assert sorted(quantised_linears(quantise_model(Mlp().eval(), "w4a8", **arguments))) == [
        "down_proj",
        "gate_proj",
        "up_proj",
    ]
    assert "gate_proj.joined" in quantised_linears(quantise_model(Mlp().eval(), "w8a8", **arguments))


def test_linears_quantised_in_other_groups_stay_alone():
    mlp = Mlp().eval()
    for part, group in ((mlp.gate_proj, 32), (mlp.up_proj, 64)):
        quantise_model(part, "w4a8", group)
    join_linears(mlp)
    assert not any(isinstance(part, LinearPart) for part in mlp.modules())
