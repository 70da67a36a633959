# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the generated HLS C++ natively: one shared library per design, cached by content."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import platform
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from streamtensor import diagnostics, headers, paths, process
from streamtensor.errors import CrashedToolError, RunError, ToolError

# No contraction of multiply and add: results must agree bit for bit at every level.
FLAGS = (
    "-std=c++17",
    "-O3",
    "-ffp-contract=off",
    "-fwrapv",
    "-march=native",
    "-fPIC",
    "-shared",
    "-Wl,-Bsymbolic",
    "-w",
)


class RefusedError(CrashedToolError):
    """The C++ compiler refused a design, for `reason`."""

    def __init__(self, reason: str, outcome: process.Outcome):
        super().__init__(
            f"The C++ compiler refused the generated design: {reason}. This is a defect of StreamTensor; reproduce it "
            f"with `{shlex.join(word for word in outcome.command if word != '-o' and not word.endswith('.so'))}`."
        )
        self.reason = reason


def build(directory: Path, sources: Sequence[str], time_limit: float) -> Path:
    """Compiles `sources` (relative to `directory`), for at most `time_limit` seconds, and gives the library's path.

    Quick if it was built before.
    """
    compiler = paths.find_compiler()
    files = [directory / name for name in sources]
    library = paths.cache_directory() / "native" / f"{_key(compiler, directory, files)}.so"
    if not library.exists():
        _compile(compiler, files, library, time_limit)
    return library


@functools.cache
def load(library: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise RunError(f"The native design {library} cannot be loaded ({error}): remove it and run again.") from error


def _key(compiler: Path, directory: Path, files: list[Path]) -> str:
    digest = hashlib.sha256()
    digest.update(_version(compiler).encode())
    digest.update(" ".join(FLAGS).encode())
    digest.update(_headers_digest() + _processor())
    # Kernels written by hand may include files of any name, in folders of their own.
    written = {path for path in (directory / "hls").rglob("*") if path.is_file() and path.suffix != ".cpp"}
    for path in sorted({*files, *written}):
        digest.update(str(path.relative_to(directory)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def _processor() -> bytes:
    """What the processor can do: a cache may be shared by machines that differ."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else [platform.processor()]
    return next((line for line in lines if line.startswith(("flags", "Features"))), lines[0]).encode()


@functools.cache
def _headers_digest() -> bytes:
    digest = hashlib.sha256()
    for directory in headers.native_include_directories():
        for path in sorted(directory.rglob("*.h")):
            digest.update(path.read_bytes())
    return digest.digest()


@functools.cache
def _version(compiler: Path) -> str:
    return process.run([compiler, "--version"], 30.0, remedy=process.AGAIN).stdout.splitlines()[0]


def _compile(compiler: Path, sources: list[Path], library: Path, time_limit: float) -> None:
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        handle, work = tempfile.mkstemp(prefix=f".{library.stem}.", suffix=".so", dir=library.parent)
        os.close(handle)
    except OSError as error:
        if diagnostics.is_of_full_disk(error):
            raise _no_space(library.parent) from error
        raise ToolError(
            f"The cache {library.parent} cannot be written: {error.strerror}. Set XDG_CACHE_HOME."
        ) from error
    try:
        options = [f"-I{path}" for path in headers.native_include_directories()]
        outcome = process.run([compiler, *FLAGS, *options, *sources, "-o", work], time_limit)
        if outcome.code != 0:
            raise _failure(outcome, library.parent)
        os.replace(work, library)
    finally:
        if os.path.exists(work):
            os.unlink(work)


def _no_space(cache: Path) -> Exception:
    """The compiler writes to the cache and, on its way, to the folder of temporary files."""
    return diagnostics.no_space(
        f"{cache} or {tempfile.gettempdir()}", "set XDG_CACHE_HOME and TMPDIR to directories on a disk with space"
    )


def _failure(outcome: process.Outcome, cache: Path) -> Exception:
    if "No space left on device" in outcome.stderr:
        return _no_space(cache)
    errors = [line for line in outcome.stderr.splitlines() if "error" in line] or outcome.stderr.splitlines()[-1:]
    return RefusedError(errors[0].strip() if errors else "it gave no reason", outcome)
