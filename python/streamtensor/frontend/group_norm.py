# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Group norm as reductions over groups: the stock decomposition gathers its parameters by tables of indices. And RMS
norm without an epsilon, which torch-mlir takes for one of zero: PyTorch's is that of the type."""

from __future__ import annotations

import torch

from streamtensor.frontend import half_sums


def _group_norm(given, weight, bias, batch, channels, positions, groups, epsilon):
    x, weight, bias = map(half_sums.widened, (given, weight, bias))
    rows = x.reshape(batch, groups, channels // groups * positions)
    mean = rows.mean(dim=-1, keepdim=True)
    centred = rows - mean
    scale = torch.rsqrt((centred * centred).mean(dim=-1, keepdim=True) + epsilon)
    result = (centred * scale).reshape(batch, channels, positions)
    if weight is not None:
        result = result * weight.reshape(1, channels, 1)
    if bias is not None:
        result = result + bias.reshape(1, channels, 1)
    return result.reshape(x.shape).to(given.dtype), mean.reshape(batch, groups), scale.reshape(batch, groups)


def _rms_norm(given, shape, weight=None, epsilon=None):
    if epsilon is not None:
        return NotImplemented
    return torch.ops.aten.rms_norm.default(given, shape, weight, torch.finfo(given.dtype).eps)


def decompositions() -> dict:
    return {torch.ops.aten.native_group_norm.default: _group_norm, torch.ops.aten.rms_norm.default: _rms_norm}
