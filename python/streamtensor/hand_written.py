# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written by hand: does the C++ compute what its declaration says?

    python -m streamtensor.hand_written out/ SEED SECONDS

runs the generated HLS C++ natively on random data and compares with what the interpreter finds from the references.
It is a process of its own, so that a kernel that never ends can be stopped.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from streamtensor import diagnostics, native, numpy_files, paths, process
from streamtensor import lazy_torch as torch
from streamtensor.errors import CompileError, Error
from streamtensor.interface import Interface, Tensor
from streamtensor.memory import as_tensor

SIZED_FILE = "sized.mlir"


def names(directory: Path) -> list[str]:
    """The kernels written by hand in the design of an output directory."""
    data = json.loads((directory / "interface.json").read_text())
    return sorted({name for design in data["designs"] for name in design["hand_written"]})


def check(directory: Path, seed: int, time_limit: float) -> None:
    """Raises CompileError if the kernels written by hand in a design do not do what they declare."""
    kernels = names(directory)
    if not kernels:
        return
    command = [sys.executable, "-m", "streamtensor.hand_written", directory, str(seed), str(time_limit)]
    outcome = process.run(command, time_limit)
    if outcome.code != 0:
        reason = outcome.stderr.strip().splitlines()[-1:] or [f"the run ended with code {outcome.code}"]
        raise CompileError(reason[0])


def compare(directory: Path, seed: int, time_limit: float) -> None:
    """Runs the design natively and by the interpreter on random data of `seed`."""
    kernels = names(directory)
    interface = Interface(directory)
    random = np.random.default_rng(seed)
    inputs = [_draw(random, tensor) for tensor in interface.arguments]
    try:
        results = [as_tensor(result) for result in interface.execute(inputs)]
    except native.RefusedError as error:
        raise CompileError(
            f"{_subject(kernels)}: the C++ compiler refused the header, or the call with one hls::stream per port: "
            f"{error.reason}."
        ) from error
    except Error as error:
        raise CompileError(f"{_subject(kernels)} went wrong in a native run: {error}") from error
    with tempfile.TemporaryDirectory() as folder:
        words = [paths.find_tool("streamtensor-run"), directory / "ir" / SIZED_FILE]
        words += [f"--input={numpy_files.save(Path(folder) / f'arg{i}.npy', value)}" for i, value in enumerate(inputs)]
        words += [
            f"--compare={numpy_files.save(Path(folder) / f'found{i}.npy', value)}" for i, value in enumerate(results)
        ]
        outcome = process.run(words, time_limit)
    if outcome.code == 0:
        return
    found = diagnostics.parse(outcome.stderr)
    reason = found[0].text if found else outcome.stderr.strip().partition("error: ")[2]
    raise CompileError(
        f"{_subject(kernels)} and the references differ on random data of seed {seed}: {reason.strip()}. Mend the C++, "
        "or the reference in the declaration."
    )


def _subject(kernels: list[str]) -> str:
    listed = ", ".join(f"@{name}" for name in kernels)
    return f"The kernel written by hand {listed}" if len(kernels) == 1 else f"The kernels written by hand {listed}"


def _draw(random: np.random.Generator, tensor: Tensor) -> torch.Tensor:
    if tensor.dtype.is_floating_point:
        return torch.from_numpy(random.uniform(-1, 1, tensor.shape)).to(tensor.dtype)
    low = 0 if tensor.dtype in (torch.bool, torch.uint8) else -8
    return torch.from_numpy(random.integers(low, 2 if tensor.dtype is torch.bool else 8, tensor.shape)).to(tensor.dtype)


if __name__ == "__main__":
    try:
        compare(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
    except Error as problem:
        sys.exit(str(problem))
