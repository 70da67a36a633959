# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Designs on NumPy archives: `streamtensor run`."""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import torch

from streamtensor import output
from streamtensor.design import Design
from streamtensor.errors import RunError
from streamtensor.progress import Progress


def run_npz(directory: Path, inputs: Path, outputs: Path, progress: Progress) -> dict[str, tuple[int, ...]]:
    """Runs a design on arg0, arg1, … of `inputs` and writes result0, result1, … to `outputs`."""
    if not outputs.absolute().parent.is_dir():
        raise RunError(f"{outputs} cannot be written: there is no directory '{outputs.parent}'. Make it first.")
    output.check_file(outputs)
    design = Design(directory)
    values = _load(inputs, [tensor.dtype for tensor in design.inputs])
    with progress.stage("build"):
        design.interface.build()
    with progress.stage("run"):
        results = design.compute(*values)
    arrays = {f"result{index}": _to_numpy(value) for index, value in enumerate(results)}
    _save(outputs, arrays)
    return {name: array.shape for name, array in arrays.items()}


def _load(path: Path, dtypes: list[torch.dtype]) -> list[torch.Tensor]:
    count = len(dtypes)
    try:
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            raise RunError(f"{path} holds one array, not an archive of them: write it with numpy.savez(path, arg0=…).")
        with loaded as archive:
            missing = [f"arg{index}" for index in range(count) if f"arg{index}" not in archive]
            unknown = sorted(set(archive) - {f"arg{index}" for index in range(count)})
            if missing or unknown:
                found = (("lacks", missing), ("holds", unknown))
                wrong = [f"{verb} {', '.join(names)}" for verb, names in found if names]
                raise RunError(
                    f"{path} {' and '.join(wrong)}: the design takes {count} input(s), arg0 to arg{count - 1}."
                )
            return [_to_torch(f"arg{index}", archive[f"arg{index}"], dtype) for index, dtype in enumerate(dtypes)]
    except FileNotFoundError as error:
        raise RunError(f"There is no file '{path}': write the inputs with numpy.savez(path, arg0=…).") from error
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise RunError(
            f"{path} is not an archive of arrays of numbers ({error}): write it with numpy.savez."
        ) from error


def _to_torch(name: str, array: np.ndarray, dtype: torch.dtype) -> torch.Tensor:
    """NumPy has no bf16: such inputs are given as float32."""
    value = torch.from_numpy(np.require(array, array.dtype.newbyteorder("="), requirements="C"))
    if dtype == torch.bfloat16 and value.dtype == torch.float32:
        return value.to(dtype)
    if value.dtype != dtype:
        wanted = "float32" if dtype == torch.bfloat16 else str(dtype).removeprefix("torch.")
        raise RunError(
            f"The array {name} is of {array.dtype.name}, but the design was compiled for {wanted}: write "
            f"{name}.astype(numpy.{wanted}), or compile again."
        )
    return value


def _to_numpy(value: torch.Tensor) -> np.ndarray:
    """NumPy has no bf16: such results are written as float32, which holds every value of it."""
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def _save(path: Path, arrays: dict[str, np.ndarray]) -> None:
    target = path.resolve()  # What a link leads to.
    try:
        handle, work = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".npz", dir=target.parent)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)
        os.chmod(work, 0o644)
        os.replace(work, target)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        if os.path.exists(work):
            os.unlink(work)
