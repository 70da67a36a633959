# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of 16-bit floats, in 32 bits as PyTorch adds them up: squares of a norm soon exceed what 16 bits hold."""

from __future__ import annotations

from collections.abc import Callable

import torch

from streamtensor.dtypes import is_half


def widened(value: object) -> object:
    return value.float() if isinstance(value, torch.Tensor) and is_half(value.dtype) else value


def _in_32_bits(operation: Callable) -> Callable:
    def decompose(given: torch.Tensor, *others: object, dtype: torch.dtype | None = None, **named: object):
        if not is_half(given.dtype):
            return NotImplemented
        results = operation(given.float(), *map(widened, others), **named)
        if isinstance(results, torch.Tensor):
            return results.to(dtype or given.dtype)
        return results[0].to(given.dtype), *results[1:]

    return decompose


def decompositions() -> dict:
    aten = torch.ops.aten
    operations = (
        aten.sum.default,
        aten.sum.dim_IntList,
        aten.mean.default,
        aten.mean.dim,
        aten.native_layer_norm.default,
        aten.rms_norm.default,
        aten.linalg_vector_norm.default,
        aten.avg_pool2d.default,
        aten.avg_pool3d.default,
    )
    return {operation: _in_32_bits(operation) for operation in operations}
