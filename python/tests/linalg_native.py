# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a function of Linalg on tensors through MLIR's own lowering, as a reference that shares no code with ours."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

_LOWERING = (
    "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
    "--llvm-request-c-wrappers",
    "--buffer-results-to-out-params=modify-public-functions",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--arith-expand",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)


def _mlir_directory() -> Path:
    config = shutil.which("llvm-config-22") or "/usr/lib/llvm-22/bin/llvm-config"
    prefix = subprocess.run([config, "--prefix"], capture_output=True, text=True, check=True).stdout.strip()
    return Path(prefix)


def _descriptor(array: np.ndarray) -> ctypes.Structure:
    """The memref descriptor of MLIR's C interface."""
    rank = array.ndim
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    descriptor = type("Descriptor", (ctypes.Structure,), {"_fields_": fields})()
    descriptor.allocated = descriptor.aligned = array.ctypes.data
    for dim in range(rank):
        descriptor.sizes[dim] = array.shape[dim]
        descriptor.strides[dim] = array.strides[dim] // array.itemsize
    return descriptor


def build(text: str, directory: Path) -> ctypes.CDLL:
    """Compiles the module `text`, whose function is @main."""
    llvm = _mlir_directory()
    lowered = subprocess.run([llvm / "bin/mlir-opt", *_LOWERING], input=text, capture_output=True, text=True)
    assert lowered.returncode == 0, lowered.stderr
    translated = subprocess.run(
        [llvm / "bin/mlir-translate", "--mlir-to-llvmir"], input=lowered.stdout, capture_output=True, text=True
    )
    assert translated.returncode == 0, translated.stderr
    source, library = directory / "program.ll", directory / "program.so"
    source.write_text(translated.stdout)
    runtime = [f"-L{llvm}/lib", "-lmlir_c_runner_utils", f"-Wl,-rpath,{llvm}/lib", "-lm"]
    subprocess.run(["clang-22", "-O1", "-w", "-shared", "-fPIC", "-o", library, source, *runtime], check=True)
    return ctypes.CDLL(str(library))


def run(
    text: str, inputs: Sequence[np.ndarray], results: Sequence[tuple[tuple[int, ...], np.dtype]], directory: Path
) -> list[np.ndarray]:
    """The results of @main of `text`; `results` gives their shapes and types."""
    library = build(text, directory)
    outputs = [np.zeros(shape, dtype) for shape, dtype in results]
    # Copies: bufferization may work in place.
    arrays = [np.array(value, order="C") for value in inputs] + outputs
    descriptors = [_descriptor(array) for array in arrays]
    library._mlir_ciface_main(*(ctypes.byref(descriptor) for descriptor in descriptors))
    return outputs
