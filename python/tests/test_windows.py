# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings of every shape, against PyTorch."""

from __future__ import annotations

import module_batch
import pytest
import torch
from torch import nn

torch.manual_seed(0)


def _images(*shape: int) -> list[torch.Tensor]:
    return [torch.randn(shape)]


CASES = {
    "3x3": (nn.Conv2d(3, 8, 3), _images(1, 3, 10, 10)),
    "padded": (nn.Conv2d(3, 8, 3, padding=1), _images(1, 3, 8, 8)),
    "stride-2": (nn.Conv2d(4, 8, 3, stride=2, padding=1), _images(1, 4, 9, 9)),
    "dilated": (nn.Conv2d(4, 8, 3, dilation=2), _images(1, 4, 9, 10)),
    "all-unequal": (nn.Conv2d(4, 8, (3, 5), (2, 1), (0, 2), (1, 2)), _images(2, 4, 11, 13)),
    "1x1": (nn.Conv2d(8, 16, 1), _images(1, 8, 6, 6)),
    "1x1-stride-2": (nn.Conv2d(8, 16, 1, stride=2), _images(1, 8, 7, 7)),
    "1x1-stride-3": (nn.Conv2d(8, 16, 1, stride=3, bias=False), _images(1, 8, 7, 10)),
    "kernel-above-tile": (nn.Conv2d(3, 4, 11, stride=4, padding=2), _images(1, 3, 27, 27)),
    "batch": (nn.Conv2d(3, 8, 3), _images(2, 3, 6, 7)),
    "prime-width": (nn.Conv2d(3, 8, 3, padding=1), _images(1, 3, 5, 37)),
    "depthwise": (nn.Conv2d(8, 8, 3, groups=8, padding=1), _images(1, 8, 6, 6)),
    "depthwise-stride-2": (nn.Conv2d(8, 8, 3, groups=8, padding=1, stride=2), _images(1, 8, 6, 6)),
    "depthwise-multiplied": (nn.Conv2d(4, 8, 3, groups=4), _images(1, 4, 6, 6)),
    "grouped": (nn.Conv2d(8, 12, 3, groups=4, padding=1), _images(1, 8, 6, 6)),
    "1d": (nn.Conv1d(4, 8, 3, padding=1), _images(1, 4, 12)),
    "1d-causal-depthwise": (nn.Conv1d(8, 8, 4, groups=8, padding=3), _images(1, 8, 12)),
    "3d": (nn.Conv3d(2, 4, 3, padding=1), _images(1, 2, 4, 4, 4)),
    "after-one-another": (
        nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1, stride=2)),
        _images(1, 3, 7, 7),
    ),
    "max-pool": (nn.MaxPool2d(2), _images(1, 4, 8, 8)),
    "max-pool-overlapping": (nn.MaxPool2d(3, 2, 1), _images(1, 4, 9, 9)),
    "max-pool-ceil": (nn.MaxPool2d(3, 2, ceil_mode=True), _images(1, 4, 8, 8)),
    "max-pool-1d": (nn.MaxPool1d(2), _images(1, 4, 8)),
    "mean-pool": (nn.AvgPool2d(2), _images(1, 4, 8, 8)),
    "mean-pool-overlapping": (nn.AvgPool2d(3, 2, 1), _images(1, 4, 9, 9)),
    "mean-pool-valid-only": (nn.AvgPool2d(3, 2, 1, count_include_pad=False), _images(1, 4, 9, 9)),
    "mean-pool-to-2x2": (nn.AdaptiveAvgPool2d(2), _images(1, 4, 8, 8)),
    "mean-pool-to-1x1": (nn.AdaptiveAvgPool2d(1), _images(1, 4, 8, 8)),
    "pool-beside-its-input": (
        module_batch.Function(lambda x: nn.functional.max_pool2d(x, 3, 1, 1) + x),
        _images(1, 4, 6, 6),
    ),
    "f16": (nn.Conv2d(3, 8, 3, padding=1).half(), [torch.randn(1, 3, 6, 6).half()]),
    "i32": (
        module_batch.Function(nn.functional.conv2d),
        [torch.randint(-9, 9, (1, 3, 6, 6)).int(), torch.randint(-9, 9, (4, 3, 3, 3)).int()],
    ),
}
TOLERANCES = {"f16": 5e-3, "i32": 0}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("windows"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(TOLERANCES.get(name, 1e-5))
