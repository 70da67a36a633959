# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of tables in external memory at positions that the data give: embeddings, index_select, flips."""

from __future__ import annotations

import module_batch
import pytest
import streamtensor as st
import torch
from streamtensor import errors
from streamtensor.frontend import export_module
from torch import nn
from torch.nn import functional

torch.manual_seed(0)


def _positions(limit: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.randint(0, limit, shape).to(dtype)


def _assign_by_numbers(x: torch.Tensor, i: torch.Tensor, j: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[i], x[:, j] = 1.5, x.sum(1)
    return x + 1


class LanguageModel(nn.Module):
    """Tokens and positions embedded, a norm, and logits from the same table."""

    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(50, 12), nn.Embedding(16, 12)
        self.norm, self.head = nn.LayerNorm(12), nn.Linear(12, 50, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, x):
        hidden = self.tokens(x) * 3.0 + self.positions(torch.arange(x.shape[1]))
        return self.head(self.norm(hidden))


CASES = {
    "embedding": (nn.Embedding(10, 8), [_positions(10, 5)]),
    "of-a-batch": (nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 4)), [_positions(10, 2, 5)]),
    "by-i32": (nn.Embedding(10, 8), [_positions(10, 5, dtype=torch.int32)]),
    "bf16": (nn.Embedding(10, 8).bfloat16(), [_positions(10, 5)]),
    "language-model": (LanguageModel(), [_positions(50, 1, 7)]),
    "prime-row": (nn.Embedding(10, 13), [_positions(10, 3)]),
    "single-elements": (lambda t, i: torch.index_select(t, 0, i) * 2, [torch.randn(9), _positions(9, 5)]),
    "slices": (lambda t, i: torch.index_select(t, 0, i), [torch.randn(6, 4, 8), _positions(6, 4)]),
    "two-of-one-table": (
        lambda t, i, j: torch.index_select(t, 0, i) + torch.index_select(t, 0, j),
        [torch.randn(6, 8), _positions(6, 4), _positions(6, 4)],
    ),
    "flip": (lambda x: x.flip(0) + 1, [torch.randn(12, 8)]),
}
# Elements at computed positions, and rows of what a design computes.
GATHERS = {
    "gather-rows": (lambda x, i: x.gather(0, i), [torch.randn(5, 6), _positions(5, 3, 6)]),
    "gather-columns": (lambda x, i: x.gather(1, i), [torch.randn(5, 6), _positions(6, 4, 3)]),
    "gather-integers": (lambda x, i: x.gather(1, i) + 1, [_positions(9, 3, 20), _positions(20, 3, 2)]),
    "gather-booleans": (lambda x, i: (x > 0).gather(1, i), [torch.randn(3, 7), _positions(7, 3, 4)]),
    "of-a-sum": (lambda t, i: (t + 1)[i], [torch.randn(6, 5), _positions(6, 4)]),
    "by-two": (lambda t, i, j: t[i, j], [torch.randn(6, 5, 3), _positions(6, 4), _positions(5, 4)]),
    "from-behind": (lambda t, i: (t * 2)[i - 3], [torch.randn(6, 5), _positions(6, 4)]),
    "by-32-bits": (lambda t, i: t[:, i - 3], [torch.randn(5, 6), _positions(6, 4, dtype=torch.int32)]),
    "by-a-number": (lambda x, i: (x[i] * 2, x[:, i]), [torch.randn(5, 6), torch.tensor(3)]),
    "by-a-number-from-behind": (lambda x, i: (x + 1)[i - 4, i], [torch.randn(5, 6), torch.tensor(2)]),
    "by-the-number": (lambda x, i: x[i.item()], [torch.randn(5, 6), torch.tensor([3])]),
    "at-the-largest": (lambda x: x[x.sum(1).argmax()], [torch.randn(5, 6)]),
    "assigned-by-numbers": (_assign_by_numbers, [torch.randn(5, 6), torch.tensor(3), torch.tensor(-2)]),
    "take": (lambda x, i: (x.take(i), x.take(i[0, 0])), [torch.randn(5, 6), torch.tensor([[29, -1], [3, -30]])]),
    "by-argmax": (lambda x, s: x[torch.arange(3), s.argmax(1)], [torch.randn(3, 7, 4), torch.randn(3, 7)]),
    "row-of-a-row": (lambda t, i: (t + 1)[i[i]], [torch.randn(6, 5), _positions(6, 6)]),
    "flip-columns": (lambda x: x.flip(0, 2), [torch.randn(3, 4, 5)]),
    "bilinear": (lambda x: functional.interpolate(x, (5, 7), mode="bilinear"), [torch.randn(1, 2, 3, 4)]),
    "labels": (functional.cross_entropy, [torch.randn(6, 5), _positions(5, 6)]),
    "infinity-beside": (lambda x, i: x.gather(0, i), [torch.tensor([float("inf"), 2.0, 3.0]), torch.tensor([1, 2])]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES | GATHERS, tmp_path_factory.mktemp("lookups"))


@pytest.mark.parametrize("name", [*CASES, *GATHERS])
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-2 if name == "bf16" else 1e-5)


def test_the_table_stays_in_external_memory(programs):
    (design,) = programs["embedding"].program.interface["designs"]
    assert [10, 8] in [port["shape"] for port in design["ports"] if port["direction"] == "in"]


def test_a_row_outside_is_the_nearest_one(tmp_path):
    table = nn.Embedding(10, 8)
    options = st.Options(tile_size=8, unroll=8, validate=True)
    design = st.compile(table, (_positions(10, 4),), options, tmp_path / "out")
    found = design(torch.tensor([-1, 10, 3, 1000]))
    assert torch.equal(found, table.weight[[0, 9, 3, 9]])


def test_an_element_outside_is_the_nearest_one(tmp_path):
    x = torch.randn(2, 4)
    module = module_batch.Function(lambda x, i: torch.gather(x, 1, i))
    options = st.Options(tile_size=8, unroll=8, validate=True)
    design = st.compile(module, (x, _positions(4, 2, 3)), options, tmp_path / "out")
    found = design(x, torch.tensor([[-5, 4, 2], [3, 100, 0]]))
    assert torch.equal(found, x.gather(1, torch.tensor([[0, 3, 2], [3, 3, 0]])))


def test_what_is_found_keeps_its_bits(tmp_path):
    x = torch.tensor([-0.0, float("inf"), float("-inf"), float("nan"), 1e-45, 2.0])
    module = module_batch.Function(lambda x, y, i: torch.cat([x, y])[i])
    options = st.Options(tile_size=8, unroll=8, validate=True)
    design = st.compile(module, (x, -x, torch.arange(12)), options, tmp_path / "out")
    order = torch.randperm(12)
    found, wanted = design(x, -x, order), torch.cat([x, -x])[order]
    assert torch.equal(found.view(torch.int32), wanted.view(torch.int32))


def test_a_search_has_lanes_along_all_loops(tmp_path):
    rows, row, positions, lanes = 64, 16, 32, 64
    module = module_batch.Function(lambda x, i: torch.relu(x)[i])
    options = st.Options(tile_size=16, unroll=lanes)
    design = st.compile(module, (torch.randn(rows, row), _positions(rows, positions)), options, tmp_path / "out")
    simulated = design.simulate()
    iterations = positions * rows * row // lanes
    slowest = max(simulated.tasks, key=lambda task: task["busy"])
    assert iterations <= slowest["busy"] <= 1.1 * iterations


def test_a_row_that_is_read_and_written_by_a_number_is_refused():
    """It is a view, which shows what is written later."""

    def read_and_write(x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        x = x.clone()
        row = x[i]
        x[i] = 0
        return row

    module = module_batch.Function(read_and_write)
    with pytest.raises(errors.UnsupportedOpError, match=r"number that a tensor holds .*\.py:.*i\.reshape\(1\)"):
        export_module(module, (torch.randn(5, 6), torch.tensor(3)))
