# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is often taken for a source and is none, each with the way to one."""

from __future__ import annotations

import re
from pathlib import Path

from streamtensor.errors import SourceError

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_WEIGHTS = (".pt", ".pth", ".bin", ".safetensors", ".ckpt")
_WEIGHTS_ONLY = (
    "holds weights and no program. Load them into their module in a function that returns (module, example_inputs), "
    "and give package.module:function"
)


def describe(path: Path) -> SourceError:
    """Why `path` cannot be compiled, and what to give instead."""
    if path.is_dir():
        return SourceError(
            f"'{path}' is a directory without config.json: it is not a Hugging Face model. {_other(path)}"
        )
    if not path.exists():
        return SourceError(_missing(path))
    if path.suffix == ".onnx":
        return SourceError(
            f"'{path}' is an ONNX file. Give the PyTorch module that it was made from as package.module:factory (the "
            "package onnx2torch makes one of the file), or lower it to FILE.mlir with torch-mlir-import-onnx and "
            "torch-mlir-opt."
        )
    if (path.parent / "config.json").exists():
        return SourceError(f"'{path}' is one file of a Hugging Face model: give its directory, '{path.parent}'.")
    if path.suffix in _WEIGHTS:
        return SourceError(f"'{path}' {_WEIGHTS_ONLY}; of a language model, give the directory with config.json.")
    return SourceError(
        f"'{path}' is not a source: give FILE.mlir, a Hugging Face directory, FILE.gguf, or package.module:factory."
    )


def _other(path: Path) -> str:
    if (path / "design.json").exists():
        return "It is a design that was compiled before: give it to `streamtensor run`, `generate` or `simulate`."
    files = sorted([*path.glob("*.gguf"), *path.glob("*.mlir")])
    if files:
        return f"Give a file in it, such as '{files[0]}'."
    return "Give the directory that holds config.json and model.safetensors, or write config.json beside the weights."


def _missing(path: Path) -> str:
    text = f"There is no file '{path}'. Check the path; the working directory is {Path.cwd()}."
    if path.suffix in (".mlir", ".gguf", ".onnx", ".json", *_WEIGHTS) or not _HUB_NAME.fullmatch(str(path)):
        return text
    return (
        f"{text} A name of the Hugging Face Hub is not looked up: download the model, for example with `hf download "
        f"{path} --local-dir {path.name}`, and give its directory."
    )
