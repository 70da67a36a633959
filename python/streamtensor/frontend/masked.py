# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements that count in a reduction, and in place of the others one that changes nothing."""

from __future__ import annotations

import torch


def masked(is_kept: torch.Tensor, values: torch.Tensor, neutral: float) -> torch.Tensor:
    # Not a product with zeros and ones: infinity times zero is no number.
    return torch.where(is_kept, values, torch.full((), neutral, dtype=values.dtype, device=values.device))


def limits(dtype: torch.dtype) -> tuple[float, float]:
    """What is neutral to a maximum and to a minimum."""
    if dtype.is_floating_point:
        return -torch.inf, torch.inf
    return torch.iinfo(dtype).min, torch.iinfo(dtype).max
