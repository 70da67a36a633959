# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types by the names MLIR gives them."""

from __future__ import annotations

import torch

_BY_NAME = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i64": torch.int64,
    "i32": torch.int32,
    "i16": torch.int16,
    "i8": torch.int8,
    "i1": torch.bool,
}
_BY_DTYPE = {dtype: name for name, dtype in _BY_NAME.items()}
_BY_DTYPE[torch.uint8] = "i8"


def from_name(name: str) -> torch.dtype:
    return _BY_NAME[name]


def name_of(dtype: torch.dtype) -> str:
    return _BY_DTYPE.get(dtype, str(dtype).removeprefix("torch."))
