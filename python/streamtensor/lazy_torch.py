# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch, imported when something of it is first used: that takes seconds, which a file compiles without."""

from __future__ import annotations


def __getattr__(name: str) -> object:
    import torch

    value = getattr(torch, name)
    if not name.startswith("__"):
        globals()[name] = value
    return value
