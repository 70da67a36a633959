# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types by name: `float32`, `bfloat16`, `int8`, `bool`, as PyTorch and interface.json spell them."""

from __future__ import annotations

import re

from streamtensor import lazy_torch as torch
from streamtensor.errors import RunError


def from_name(name: str) -> torch.dtype:
    """The type that holds elements of `name` in host memory: narrow integers lie in whole bytes."""
    integer = re.fullmatch(r"(u?)int(\d+)", name)
    if integer:
        width = max(8, 1 << (int(integer[2]) - 1).bit_length())
        name = f"{integer[1]}int{width}"
    found = getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise RunError(f"The design has elements of type '{name}', which PyTorch cannot hold.")
    return found


def is_half(dtype: torch.dtype) -> bool:
    return dtype in (torch.float16, torch.bfloat16)


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
