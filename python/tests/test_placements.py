# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters and indexed writes, which the front end writes as places that look for what is put there."""

from __future__ import annotations

import module_batch
import pytest
import torch
from streamtensor import errors
from streamtensor.frontend import export_module

torch.manual_seed(0)
X, SOURCE = torch.randn(4, 7), torch.randn(4, 7)
INDEX = torch.stack([torch.randperm(7) for _ in range(4)])
TWICE = torch.randint(0, 7, (4, 7))
COUNTS, MORE = torch.randint(-9, 9, (4, 7)), torch.randint(-9, 9, (4, 7))
CACHE, KEYS = torch.randn(2, 8, 3), torch.randn(2, 2, 3)
SPECIAL = torch.tensor([[float("inf"), float("nan"), float("-inf"), 1.0, 2.0, 3.0, 4.0]]).repeat(4, 1)


def reduced(how: str, includes: bool):
    return lambda x, i, s: x.scatter_reduce(1, i, s, how, include_self=includes)


def put(*indices, accumulate: bool = False):
    return lambda x, v: torch.ops.aten.index_put(
        x, [i if i is None else torch.tensor(i) for i in indices], v, accumulate
    )


def assigned(x, i, v):
    x = x.clone()
    x[:, i] = v
    return x


class Mixture(torch.nn.Module):
    """The two best of four experts for each token, their shares scattered among zeros."""

    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(8, 4)
        self.up = torch.nn.Parameter(torch.randn(4, 8, 8))

    def forward(self, x):
        best, which = self.gate(x).topk(2)
        shares = torch.zeros(x.shape[0], 4).scatter(1, which, best.softmax(-1))
        return torch.einsum("te,eij,tj->ti", shares, self.up, x)


class ImagesAmongWords(torch.nn.Module):
    """Features of images in the place of the word 9."""

    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(10, 8)

    def forward(self, ids, features):
        embedded = self.words(ids)
        return embedded.masked_scatter((ids == 9).unsqueeze(-1).expand_as(embedded), features)


CASES = {
    "scatter": (lambda x, i, s: x.scatter(1, i, s), [X, INDEX, SOURCE]),
    "scatter-columns": (lambda x, i, s: x.scatter(0, i, s), [X, TWICE % 4, SOURCE]),
    "scatter-a-number": (lambda x, i: x.scatter(1, i, 3.0), [X, TWICE[:, :3]]),
    "scatter-to-a-part": (lambda x, i, s: x.scatter(1, i, s), [X, INDEX[:2, :3], SOURCE]),
    "scatter-to-one": (lambda x, i, s: x.scatter(0, i, s) * 2, [X[0], INDEX[0], SOURCE[0]]),
    "scatter-booleans": (lambda x, i, s: x.scatter(1, i, s), [X > 0, TWICE, SOURCE > 0]),
    "scatter-not-finite": (lambda x, i, s: x.scatter(1, i, s), [X, INDEX, SPECIAL]),
    "add": (lambda x, i, s: x.scatter_add(1, i, s), [X, TWICE, SOURCE]),
    "add-not-finite": (lambda x, i, s: x.scatter_add(1, i, s), [X, INDEX, SPECIAL]),
    "add-integers": (lambda x, i, s: x.scatter_add(0, i, s), [COUNTS, TWICE % 4, MORE]),
    "put-row": (put([2, 0]), [X, torch.randn(2, 7)]),
    "put-row-from-the-end": (put([-1, 0]), [X, torch.randn(7)]),
    "put-columns": (put(None, [5, 1, 3]), [X, torch.randn(4, 3)]),
    "put-elements": (put([0, 3], [1, 6]), [X, torch.randn(2)]),
    "put-a-block": (put([[0], [3]], [[1, 6, 2]]), [X, torch.randn(2, 3)]),
    "put-apart": (put([1, 0], None, [2, 1]), [CACHE, torch.randn(2, 8)]),
    "put-in-the-middle": (put(None, [4, 5]), [CACHE, KEYS]),
    "add-to-rows": (put([2, 0, 2], accumulate=True), [X, torch.randn(3, 7)]),
    "add-to-elements": (put([0, 3, 0], [1, 6, 1], accumulate=True), [X, torch.randn(3)]),
    "index-copy": (lambda x, i, v: x.index_copy(1, i, v), [CACHE, torch.tensor([6, 2]), KEYS]),
    "index-add": (lambda x, i, v: x.index_add(1, i, v, alpha=0.5), [CACHE, torch.tensor([6, 6]), KEYS]),
    "index-fill": (lambda x, i: x.index_fill(1, i, 2.5), [X, torch.tensor([6, 2])]),
    "assigned": (assigned, [X, torch.tensor([3, -7]), torch.randn(4, 2)]),
    "fold": (lambda x: torch.nn.functional.fold(x, (5, 4), (2, 3)), [torch.randn(1, 12, 8)]),
    "scatter-diagonal": (lambda x, y: torch.diagonal_scatter(x, y), [X, torch.randn(4)]),
    "scatter-upper-diagonal": (
        lambda x, y: torch.diagonal_scatter(x, y, 2, 2, 1),
        [torch.randn(2, 5, 4), torch.randn(2, 3)],
    ),
    "scatter-lower-diagonal": (lambda x, y: torch.diagonal_scatter(x, y, -1), [torch.randn(5, 4), torch.randn(4)]),
    "fill-diagonal": (lambda x: x.clone().fill_diagonal_(2.0), [X]),
    "by-mask": (lambda x, m, s: x.masked_scatter(m, s), [X, SOURCE > 0, SOURCE]),
    "by-mask-of-rows": (
        lambda x, m, s: x.masked_scatter(m.unsqueeze(-1), s),
        [CACHE, KEYS[:, 0, :1].repeat(1, 8) > 0, CACHE],
    ),
    "by-mask-of-integers": (lambda x, m, s: x.masked_scatter(m, s), [COUNTS, MORE > 0, MORE.flatten()]),
    "by-empty-mask": (lambda x, m, s: x.masked_scatter(m, s), [X, X > 99, SOURCE[0]]),
    "images-among-words": (ImagesAmongWords(), [torch.tensor([[1, 2, 9, 9, 3], [9, 4, 5, 6, 9]]), torch.randn(4, 8)]),
    "experts": (Mixture(), [torch.randn(5, 8)]),
} | {
    f"{how}{'' if includes else '-alone'}": (reduced(how, includes), [X, TWICE, SOURCE])
    for how in ("sum", "prod", "mean", "amax", "amin")
    for includes in (True, False)
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("placements"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)


def test_too_many_comparisons_are_refused():
    module = module_batch.Function(lambda x, i, s: x.scatter(0, i, s))
    tall = torch.zeros(40_000, 1)
    with pytest.raises(errors.UnsupportedOpError, match=r"aten\.scatter\.src"):
        export_module(module, (tall, torch.zeros(40_000, 1, dtype=torch.int64), tall))
