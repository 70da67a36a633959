# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors as the .npy files that the tools read and write: bf16, which NumPy lacks, lies there as its bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamtensor import lazy_torch as torch


def save(path: Path, value: torch.Tensor) -> Path:
    is_bfloat16 = value.dtype is torch.bfloat16
    np.save(path, value.view(torch.int16).numpy().view(np.uint16) if is_bfloat16 else value.numpy())
    return path


def load(path: Path, dtype: torch.dtype) -> torch.Tensor:
    """The tensor of a file; `dtype` says the sign of its integers and whether 16 bits are a bf16."""
    array = np.load(path, allow_pickle=False)
    value = torch.from_numpy(array.view(np.int16) if dtype is torch.bfloat16 else array)
    return value if value.dtype == dtype else value.view(dtype)
