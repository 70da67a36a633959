# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reciprocals as divisions: torch-mlir's own stop at run time where PyTorch gives infinity."""

from __future__ import annotations

import torch


def decompositions() -> dict:
    return {torch.ops.aten.reciprocal.default: _reciprocal}


def _reciprocal(value: torch.Tensor) -> torch.Tensor:
    dtype = value.dtype if value.is_floating_point() else torch.get_default_dtype()
    return torch.div(torch.ones((), dtype=dtype), value.to(dtype))
