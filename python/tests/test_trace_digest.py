# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of equal digests are lowered once, so whatever lowering reads must change the digest."""

from __future__ import annotations

import pytest
import torch
from streamtensor.frontend import digest_module, export_module, trace_digest


class Scaled(torch.nn.Module):
    def __init__(self, factor=2.0, literal=3.0, slope=0.0):
        super().__init__()
        self.linear, self._factor, self._literal = torch.nn.Linear(6, 6), factor, literal
        self.act = torch.nn.LeakyReLU(slope) if slope else torch.nn.ReLU()

    def forward(self, x):
        return self.act(self.linear(x)) * self._factor + torch.tensor([self._literal, 1.0]).repeat(3)


def digest(rows=3, dtype=torch.float32, **choices):
    return digest_module(Scaled(**choices).to(dtype).eval(), (torch.zeros(rows, 6, dtype=dtype),))


def test_values_of_parameters_do_not_count():
    assert digest() == digest()


@pytest.mark.parametrize(
    "other", [{"factor": 2.5}, {"literal": 4.0}, {"slope": 0.5}, {"rows": 4}, {"dtype": torch.float64}]
)
def test_everything_else_does(other):
    assert digest(**other) != digest()


def test_an_exported_module_has_its_digest():
    assert export_module(Scaled().eval(), (torch.zeros(3, 6),)).traced == digest()


def test_an_object_may_be_another_one_the_next_time(monkeypatch):
    monkeypatch.setattr(trace_digest, "_parts", lambda program: ["call <object object at 0x7f00>"])
    assert digest() != digest()
