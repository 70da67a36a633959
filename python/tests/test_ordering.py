# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, the largest elements and middle ones, which the front end writes as ranks and lookups."""

from __future__ import annotations

import module_batch
import pytest
import streamtensor as st
import torch
from streamtensor.ordered import Ordered

torch.manual_seed(0)
X = torch.randn(6, 11)
TIES = torch.randint(-3, 4, (5, 12))
SPECIAL = torch.tensor([[1.0, float("nan"), -0.0, float("inf"), 0.0, float("nan"), float("-inf"), 1.0]])
LOWEST = torch.full((2, 20), float("-inf"))
LOWEST[1, 3] = 2.0


class Routed(torch.nn.Module):
    """A mixture of experts, the best two of eight for each token."""

    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(16, 8, bias=False)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(16, 16) for _ in range(8))

    def forward(self, x):
        best, which = torch.topk(self.gate(x).softmax(-1), 2)
        best = best / best.sum(-1, keepdim=True)
        parts = (best.unsqueeze(-1) * torch.nn.functional.one_hot(which, 8)).sum(-2)
        return sum(expert(x) * parts[:, number, None] for number, expert in enumerate(self.experts))


CASES = {
    "sort": (lambda x: torch.sort(x, -1), [X]),
    "sort-down-a-column": (lambda x: torch.sort(x, 0, descending=True), [X]),
    "sort-of-integers": (lambda x: torch.sort(x, dim=1, stable=True), [TIES]),
    "sort-down-of-integers": (lambda x: torch.sort(x, dim=1, descending=True, stable=True), [TIES]),
    "sort-of-booleans": (lambda x: torch.sort(x, dim=1, stable=True), [TIES > 0]),
    "sort-of-a-scalar": (lambda x: torch.sort(x + 1), [torch.randn(())]),
    "sort-with-nan": (lambda x: torch.sort(x, stable=True), [SPECIAL]),
    "sort-down-with-nan": (lambda x: torch.sort(x, descending=True, stable=True), [SPECIAL]),
    "argsort": (lambda x: torch.argsort(x, 0, descending=True), [X]),
    "msort": (lambda x: torch.msort(x) * 2, [X]),
    "few": (lambda x: torch.topk(x, 2), [X]),
    "few-of-a-column": (lambda x: torch.topk(x, 1, 0), [X]),
    "few-with-nan": (lambda x: torch.topk(x, 1), [SPECIAL]),
    "few-of-the-lowest": (lambda x: torch.topk(x, 1)[0], [LOWEST]),
    "many": (lambda x: torch.topk(x, 5, 1), [X]),
    "smallest": (lambda x: torch.topk(x, 3, largest=False), [X]),
    "in-the-middle": (lambda x: torch.topk(x, 2, 1)[0], [torch.randn(3, 16, 4)]),
    "kth": (lambda x: torch.kthvalue(x, 3, 0, keepdim=True), [X]),
    "median": (lambda x: x.median(1), [X]),
    "median-of-all": (lambda x: x.median(), [X]),
    "median-with-nan": (lambda x: x.median(1)[0], [SPECIAL]),
    "median-of-numbers": (lambda x: x.nanmedian(1)[0], [SPECIAL]),
    "quantile": (lambda x: torch.quantile(x, 0.3, 1), [X]),
    "experts": (Routed(), [torch.randn(5, 16)]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("ordering"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)


def test_the_first_of_equal_elements_comes_first(programs, tmp_path):
    """Of the largest PyTorch promises no order; one by one is as by ranks."""
    cases = {
        "few": (lambda x: torch.topk(x, 3)[1], [torch.tensor([[2.0, 5.0, 5.0, 1.0, 5.0, *[0.0] * 10]])]),
        "lowest": (lambda x: torch.topk(x, 3)[1], [LOWEST]),
        "many": (lambda x: torch.topk(x, 3)[1], [torch.tensor([[2.0, 5.0, 5.0, 1.0, 5.0]])]),
    }
    built = module_batch.build(cases, tmp_path)
    assert built["few"].run()[0].tolist() == [[1, 2, 4]]
    assert built["lowest"].run()[0].tolist() == [[0, 1, 2], [3, 0, 1]]
    assert built["many"].run()[0].tolist() == [[1, 2, 4]]


class Chosen(torch.nn.Module):
    def forward(self, x):
        return torch.topk(x, 2), x.topk(7, 0), x.median(1), x.nanmedian(0), x.kthvalue(2, 1), x.sort(0), x.argsort(1)


def test_a_design_is_compared_with_its_order_of_equal_elements(tmp_path):
    """PyTorch's is another one, and promised nowhere."""
    ties = torch.randint(0, 3, (9, 16)).float()
    design = st.compile(Chosen(), (ties,), out=tmp_path / "design")
    ties[2] = ties[:, 5] = float("nan")
    found = torch.utils._pytree.tree_leaves(design(ties))
    with Ordered():
        expected = torch.utils._pytree.tree_leaves(Chosen()(ties))
    for have, want, own in zip(found, expected, torch.utils._pytree.tree_leaves(Chosen()(ties)), strict=True):
        torch.testing.assert_close(have, want, rtol=0, atol=0, equal_nan=True)
        if own.is_floating_point():
            torch.testing.assert_close(have, own, rtol=0, atol=0, equal_nan=True)


def test_a_search_is_compared_in_a_row_that_is_in_order(tmp_path):
    """The numbers that designs are compared on are in no order; PyTorch leaves open what it gives then."""
    module = module_batch.Function(lambda row, x: (torch.searchsorted(row, x), torch.bucketize(x, row, right=True)))
    row, x = torch.arange(9.0), torch.tensor([-1.0, 0.0, 3.5, 8.0, 20.0])
    design = st.compile(module, (row, x), out=tmp_path / "design")
    for have, want in zip(design(row, x), module(row, x), strict=True):
        assert torch.equal(have, want)


def test_a_place_takes_no_more_cycles_than_elements(tmp_path):
    """A position that goes with its element from one to the next takes five cycles of each."""
    x = torch.randn(64, 128)
    design = st.compile(module_batch.Function(lambda x: x.argmin(-1)), (x,), out=tmp_path / "design")
    assert design.simulate().cycles < x.numel()


def test_a_sort_has_hundreds_of_lanes(tmp_path):
    """Its three steps one after the other: ranks, who has which, and what lies there. The first lanes that come to
    mind take more LUTs than the card has.
    """
    rows, row, lanes, steps = 8, 256, 512, 3
    module = module_batch.Function(lambda x: x.sort(-1).values)
    design = st.compile(module, (torch.randn(rows, row),), st.Options(compare=False), tmp_path / "design")
    simulated = design.simulate()
    assert simulated.cycles <= steps * rows * row * row / lanes
    assert simulated.data["resources"]["lut"]["used"] <= simulated.data["resources"]["lut"]["placeable"]
