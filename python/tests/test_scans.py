# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums, products and extremes, and rolls, which the front end writes as masked sums and joined slices."""

from __future__ import annotations

import module_batch
import pytest
import torch

torch.manual_seed(0)
INFINITY, NAN = float("inf"), float("nan")
MASK = torch.randint(0, 2, (3, 16))

CASES = {
    "rows": (lambda x: torch.cumsum(x, -1), [torch.randn(5, 37)]),
    "outer-dimension": (lambda x: torch.exp(x).cumsum(0) * 2, [torch.randn(24, 6, 2)]),
    "positions-of-a-mask": (lambda m: (m.cumsum(-1) - 1).clamp(min=0), [MASK]),
    "of-booleans": (lambda m: m.cumsum(1), [MASK.bool()]),
    "to-another-type": (lambda m: torch.cumsum(m, 1, dtype=torch.float32) * 0.5, [MASK]),
    "infinity": (lambda x: torch.cumsum(x, 0), [torch.tensor([1.0, 2.0, float("inf"), 3.0])]),
    "scalar": (lambda x: torch.cumsum(x, 0) + 1, [torch.randn(())]),
    "one": (lambda x: torch.cumsum(x, 0) + 1, [torch.randn(1)]),
    "product": (lambda x: torch.cumprod(x, 1), [torch.randn(4, 9)]),
    "product-of-integers": (lambda x: torch.cumprod(x, 0) - 1, [torch.randint(-3, 4, (7, 3))]),
    "largest": (lambda x: torch.cummax(x, 1), [torch.randn(3, 17)]),
    "smallest-of-integers": (lambda x: torch.cummin(x, 0), [torch.randint(-3, 4, (12, 3))]),
    "largest-with-nan": (lambda x: torch.cummax(x, 0), [torch.tensor([1.0, -NAN, 3.0, NAN, 2.0])]),
    "smallest-of-infinity": (lambda x: torch.cummin(x, 0), [torch.tensor([INFINITY, INFINITY, 3.0, 3.0, -INFINITY])]),
    "logarithm-of-sum": (lambda x: torch.logcumsumexp(x, 1), [30 * torch.randn(3, 17)]),
    "logarithm-of-nothing": (lambda x: torch.logcumsumexp(x, 0), [torch.tensor([-INFINITY, -INFINITY, 1.0])]),
    "roll": (lambda x: torch.roll(x, 3, 1) + 1, [torch.randn(4, 16)]),
    "roll-twice": (lambda x: torch.roll(x, (1, -2), (0, 1)), [torch.randn(4, 16)]),
    "roll-flat": (lambda x: torch.roll(x, 5) * 2, [torch.randn(4, 6)]),
    "roll-by-nothing": (lambda x: torch.roll(x, 16, 1) + 1, [torch.randn(4, 16)]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("scans"))


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"infinity"}))
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)


def test_infinity_stays_where_it_is(programs):
    (found,) = programs["infinity"].run()
    assert found.tolist() == [1.0, 3.0, float("inf"), float("inf")]
