# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch without the roundings of f32: what a module gives then shows how well it is conditioned."""

from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map


def widen(value: object) -> object:
    """f64 for f32: of a tensor its values, of a type itself; anything else stays."""
    if value is torch.float32:
        return torch.float64
    if isinstance(value, torch.Tensor) and value.dtype is torch.float32:
        return value.double()
    return value


class Widened(TorchDispatchMode):
    """Within, PyTorch computes in f64 what the user's code computes in f32, also where it names the type."""

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        found = operation(*tree_map(widen, arguments), **tree_map(widen, keywords or {}))
        return found if torch.Tag.inplace_view in operation.tags else tree_map(widen, found)
