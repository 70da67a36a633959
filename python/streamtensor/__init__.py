# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StreamTensor: PyTorch models as streaming dataflow accelerators for FPGAs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

# PyTorch's threads spin while they wait for one another, on cores that others could use. Read as PyTorch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Weights of a large model are new memory in each step: PyTorch asks for large pages of it, as its documentation says.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

from streamtensor.errors import (
    CompileError,
    CrashError,
    DeviceError,
    DifferenceError,
    Error,
    RunError,
    SourceError,
    ToolError,
    UnsupportedOpError,
)
from streamtensor.options import Options

if TYPE_CHECKING:
    from streamtensor.compiler import compile
    from streamtensor.design import Design
    from streamtensor.llm import LanguageModel
    from streamtensor.llm_files import compile_llm, load_llm
    from streamtensor.sampling import Sampling

__all__ = [
    "CompileError",
    "CrashError",
    "Design",
    "DeviceError",
    "DifferenceError",
    "Error",
    "LanguageModel",
    "Options",
    "RunError",
    "Sampling",
    "SourceError",
    "ToolError",
    "UnsupportedOpError",
    "compile",
    "compile_llm",
    "load_llm",
]

_LAZY = {
    "compile": "streamtensor.compiler",
    "Design": "streamtensor.design",
    "LanguageModel": "streamtensor.llm",
    "Sampling": "streamtensor.sampling",
    "compile_llm": "streamtensor.llm_files",
    "load_llm": "streamtensor.llm_files",
}


def __getattr__(name: str):
    """Loads what needs PyTorch on first use, so that `streamtensor --help` is quick."""
    if name not in _LAZY:
        raise AttributeError(f"module 'streamtensor' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_LAZY[name]), name)
