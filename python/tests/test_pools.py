# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pools over windows of several sizes."""

from __future__ import annotations

import module_batch
import pytest
import torch
from torch.nn import functional

torch.manual_seed(0)
NAN = float("nan")

CASES = {
    "windows": (lambda x: functional.adaptive_max_pool2d(x, (3, 5), return_indices=True), [torch.randn(2, 3, 7, 11)]),
    "windows-of-rows": (lambda x: functional.adaptive_max_pool1d(x, 3), [torch.randn(2, 3, 7)]),
    "windows-with-nan": (
        lambda x: functional.adaptive_max_pool2d(x, 4),
        [torch.where(torch.rand(1, 6, 6) < 0.1, NAN, 1.0)],
    ),
    "windows-of-volumes": (lambda x: functional.adaptive_avg_pool3d(x, (2, 3, 2)), [torch.randn(1, 2, 5, 4, 3)]),
    "largest-of-volumes": (
        lambda x: functional.adaptive_max_pool3d(x, (2, 3, 1), return_indices=True),
        [torch.randn(1, 2, 5, 4, 3)],
    ),
    "whole-windows": (lambda x: functional.adaptive_max_pool2d(x, (3, 2), return_indices=True), [torch.randn(2, 6, 4)]),
    "pool-of-one": (lambda x: functional.max_pool2d(x, 2, return_indices=True), [torch.randn(2, 6, 4)]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("pools"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)
