# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that the front end writes in a plain form."""

from __future__ import annotations

import module_batch
import pytest
import torch
from torch.nn import functional

torch.manual_seed(0)
INFINITY, NAN = float("inf"), float("nan")
X, Y = torch.randn(3, 7), torch.randn(3, 7)
BOUNDS, COUNTS = torch.tensor([-1.0, 0.0, 0.0, 1.5]), torch.randint(-99, 99, (3, 7))
LARGE = torch.tensor([3e30, 0.0, INFINITY, -INFINITY, 1e-30, NAN, 3.0])
OTHER = torch.tensor([4e30, 0.0, NAN, 1.0, 0.0, 1.0, -4.0])
ZEROS = torch.tensor([0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY])

ENDS = torch.tensor([INFINITY, -INFINITY, 100.0, -INFINITY])
ALL = torch.cat([torch.linspace(-12, 12, 41), LARGE, -LARGE, ZEROS, 1e-5 * torch.randn(5)])
WITHIN = torch.cat([torch.linspace(-1, 1, 41), torch.tensor([1.5, -1.5, NAN, 1e-6, -0.0])])
BAG, STARTS = torch.tensor([1, 2, 8, 2, 0, 5, 2]), torch.tensor([0, 3, 3, 6])
EXPONENTS = torch.tensor([88.5, -88.5, 20.0, -3.0, 0.5, -0.25, 1e-6, 200.0])

CASES = {
    "tan": (torch.tan, [torch.linspace(-4, 4, 40)]),
    "asin": (torch.asin, [WITHIN]),
    "acos": (torch.acos, [WITHIN]),
    "sinh": (torch.sinh, [ALL]),
    "sinh-of-large": (torch.sinh, [EXPONENTS]),
    "cosh": (torch.cosh, [ALL]),
    "cosh-of-large": (torch.cosh, [EXPONENTS]),
    "asinh": (torch.asinh, [ALL]),
    "acosh": (torch.acosh, [ALL]),
    "atanh": (torch.atanh, [WITHIN]),
    "sinh-of-integers": (torch.sinh, [COUNTS % 5]),
    "atanh-of-halves": (torch.atanh, [(X / 8).to(torch.float16)]),
    "hypot": (torch.hypot, [X, Y]),
    "hypot-of-large": (torch.hypot, [LARGE, OTHER]),
    "log-of-sum": (torch.logaddexp, [torch.cat([LARGE, 50 * X[0], ENDS]), torch.cat([OTHER, 50 * Y[0], ENDS.flip(0)])]),
    "log-of-sum-alike": (torch.logaddexp, [torch.cat([X[0], ENDS]), torch.cat([X[0], ENDS])]),
    "log-of-sum-of-twos": (torch.logaddexp2, [torch.cat([50 * X[0], ENDS]), torch.cat([50 * Y[0], ENDS.roll(1)])]),
    "sign-bit": (torch.signbit, [ZEROS]),
    "sign-bit-of-integers": (torch.signbit, [COUNTS]),
    "copy-sign": (torch.copysign, [X, Y]),
    "copy-sign-of-zero": (lambda x, y: 1 / torch.copysign(x, y), [torch.ones(6), ZEROS]),
    "copy-sign-of-a-number": (lambda x: torch.copysign(x, -2.0), [X]),
    "copy-sign-to-integers": (torch.copysign, [COUNTS, COUNTS.flip(0)]),
    "distances": (torch.cdist, [X, torch.randn(5, 7)]),
    "distances-of-batches": (lambda x, y: torch.cdist(x, y, 1.0), [torch.randn(2, 3, 4), torch.randn(2, 5, 4)]),
    "distances-of-many": (torch.cdist, [torch.randn(30, 4), torch.randn(27, 4)]),
    "distance": (torch.dist, [X, Y]),
    "largest-distance": (lambda x, y: torch.dist(x, y, INFINITY), [X, Y]),
    "in-sorted": (lambda x: torch.searchsorted(BOUNDS, x), [torch.tensor([[-2.0, 0.0, 1.5], [NAN, 0.5, INFINITY]])]),
    "in-sorted-right": (lambda x: torch.searchsorted(BOUNDS, x, right=True), [torch.tensor([-1.0, 0.0, 1.5, NAN])]),
    "in-sorted-rows": (lambda r, x: torch.searchsorted(r.sort(1)[0], x, side="right", out_int32=True), [X, Y]),
    "bucketize": (lambda x: torch.bucketize(x, BOUNDS), [torch.tensor([[-2.0, 0.0, 1.5], [NAN, 0.5, INFINITY]])]),
    "bucketize-right": (
        lambda x: torch.bucketize(x, BOUNDS, right=True, out_int32=True),
        [torch.tensor([-1.0, 0.0, NAN])],
    ),
    "in-sorted-one": (lambda x: torch.searchsorted(x, 0.25), [BOUNDS]),
    "block-diagonal": (lambda a, b: torch.block_diag(a, b, b[0]), [X, torch.randn(2, 3)]),
    "mean-of-integers": (lambda x: (x.mean(1, dtype=torch.float32), x.mean(dtype=torch.float32)), [COUNTS]),
    "add-product": (lambda x, y: torch.addmv(x[:, 0], x, y[0], beta=0.5, alpha=2), [X, Y]),
    "of-a-scalar": (lambda x: (*x.max(0), *x.cummax(0), x.argmin(), x.logcumsumexp(0)), [torch.randn(())]),
    "larger-of-a-scalar": (lambda x, y: (torch.fmax(x, y), torch.fmin(y, x)), [LARGE, torch.tensor(NAN)]),
    "quotients-of-bytes": (lambda x: (x.to(torch.int8) // 3, x.abs().to(torch.uint8) // 7), [COUNTS]),
    "quotients-of-shorts": (lambda x, y: x.to(torch.int16) // (y.to(torch.int16) | 1), [COUNTS, COUNTS.flip(0)]),
    "bounds-of-integers": (lambda x: x.clamp(0.5, 3), [COUNTS]),
    "bags": (torch.nn.EmbeddingBag(9, 5), [torch.randint(9, (4, 3))]),
    "bags-of-several-sizes": (torch.nn.EmbeddingBag(9, 5, mode="max"), [BAG, STARTS]),
    "bags-with-padding": (torch.nn.EmbeddingBag(9, 5, mode="mean", padding_idx=2), [BAG, STARTS]),
    "bags-by-weights": (
        lambda t, i, o, w: functional.embedding_bag(
            i, t, o, mode="sum", per_sample_weights=w, include_last_offset=True
        ),
        [torch.randn(9, 5), BAG, torch.tensor([0, 3, 7]), torch.randn(7)],
    ),
    "left": (lambda x, y: x << (y & 7), [COUNTS, COUNTS.flip(0)]),
    "left-by-two": (lambda x: (x << 2) + 1, [COUNTS.to(torch.int32)]),
    "right": (lambda x, y: x >> (y & 7), [COUNTS, COUNTS.flip(0)]),
    "bits": (lambda x: (x | 6, x ^ -3, x & 12, torch.bitwise_right_shift(x, 1)), [COUNTS]),
    "right-by-two": (lambda x: x >> 2, [COUNTS]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("plain-forms"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)
