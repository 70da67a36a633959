# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program is lowered once, and again wherever its text would be another one."""

from __future__ import annotations

import pytest
import torch
from streamtensor.frontend import export, export_module, lowered_before
from streamtensor.frontend.linalg_module import Layers
from torch import nn

INPUTS = (torch.zeros(2, 6),)


class Shifted(nn.Module):
    def __init__(self, shift: int = 0):
        super().__init__()
        self.linear = nn.Linear(6, 4)
        self.register_buffer("shift", torch.full((4,), shift, dtype=torch.int32))
        self.register_buffer("scale", torch.ones(4), persistent=False)

    def forward(self, x):
        return (self.linear(x) + self.shift) * self.scale


@pytest.fixture
def lowered(monkeypatch) -> list:
    """The programs that are lowered."""
    monkeypatch.setattr(lowered_before, "_kept", {})
    found, decompose = [], export.decompose

    def note(program):
        found.append(program)
        return decompose(program)

    monkeypatch.setattr(export, "decompose", note)
    return found


def test_a_program_is_lowered_once_and_has_the_parameters_of_each_module(lowered):
    first, second = Shifted().eval(), Shifted().eval()
    texts = [export_module(module, INPUTS) for module in (first, second)]
    assert len(lowered) == 1
    assert texts[0].text == texts[1].text
    assert texts[0].arguments == texts[1].arguments
    assert texts[0].structure == texts[1].structure
    for module, text in zip((first, second), texts, strict=True):
        names = [argument.name for argument in text.arguments if argument.kind == "parameter"]
        assert list(text.parameters) == names == ["linear.weight", "linear.bias", "shift", "scale"]
        assert torch.equal(text.parameters["linear.weight"], module.linear.weight)
        assert not text.parameters["linear.weight"].requires_grad


def test_what_is_done_to_one_is_not_done_to_the_next(lowered):
    first = export_module(Shifted().eval(), INPUTS)
    first.arguments.clear()
    first.parameters.clear()
    second = export_module(Shifted().eval(), INPUTS)
    assert len(lowered) == 1
    assert len(second.arguments) == 1 + len(second.parameters) == 5


@pytest.mark.parametrize(
    "other",
    [
        {"prefix": "linear"},
        {"extents": {"x": ("tokens", "")}},
        {"layers": Layers(2)},
        {"layers": Layers(2, frozenset({"x"}))},
    ],
)
def test_with_other_names_it_is_lowered_again(other, lowered):
    texts = [export_module(Shifted().eval(), INPUTS, **given).text for given in ({}, other, other)]
    assert len(lowered) == 2
    assert texts[0] != texts[1] == texts[2]


def test_with_other_zeros_it_is_lowered_again(lowered):
    """Zero points that are 0 are left out of a program."""
    for shift in (0, 1, 2):
        export_module(Shifted(shift).eval(), INPUTS)
    assert len(lowered) == 2


def test_what_a_module_says_of_its_arguments_counts(lowered):
    plain, fixed = Shifted().eval(), Shifted().eval()
    fixed.row_major = frozenset({"x"})
    assert export_module(plain, INPUTS).text != export_module(fixed, INPUTS).text
    assert len(lowered) == 2


def test_few_are_kept(monkeypatch, lowered):
    monkeypatch.setattr(lowered_before, "_MOST", 2)
    for rows in (1, 2, 3, 3, 1):
        export_module(Shifted().eval(), (torch.zeros(rows, 6),))
    assert len(lowered) == 4
