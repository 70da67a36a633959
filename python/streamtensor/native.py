# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the generated HLS C++ natively: one shared library per design, cached by content."""

from __future__ import annotations

import ctypes
import errno
import functools
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from streamtensor import diagnostics, paths, process
from streamtensor.errors import RunError, ToolError

# No contraction of multiply and add: results must agree bit for bit at every level.
FLAGS = ("-std=c++17", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-w")
TIME_LIMIT = 600.0


def build(directory: Path, sources: Sequence[str], include_dirs: Sequence[str] = ()) -> Path:
    """Compiles `sources` (relative to `directory`) and gives the library's path; quick if it was built before."""
    compiler = paths.find_compiler()
    includes = [directory / name for name in include_dirs]
    key = _key(compiler, directory, includes)
    library = paths.cache_directory() / "native" / f"{key}.so"
    if not library.exists():
        _compile(compiler, [directory / name for name in sources], includes, library)
    return library


@functools.cache
def load(library: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise RunError(f"The native design {library} cannot be loaded ({error}): remove it and run again.") from error


def include_directories() -> list[Path]:
    """Where generated code finds its headers, after its own directory."""
    return [paths.runtime_directory() / "include"]


def _key(compiler: Path, directory: Path, includes: list[Path]) -> str:
    digest = hashlib.sha256()
    digest.update(_version(compiler).encode())
    digest.update(" ".join(FLAGS).encode())
    for root in dict.fromkeys([directory, *includes, paths.runtime_directory()]):
        for path in sorted(root.rglob("*")):
            if path.suffix in (".cpp", ".h", ".hpp") and path.is_file():
                digest.update(path.name.encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


@functools.cache
def _version(compiler: Path) -> str:
    return process.run([compiler, "--version"], 30.0).stdout.splitlines()[0]


def _compile(compiler: Path, sources: list[Path], includes: list[Path], library: Path) -> None:
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        handle, work = tempfile.mkstemp(prefix=f".{library.stem}.", suffix=".so", dir=library.parent)
        os.close(handle)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise diagnostics.no_space(library.parent) from error
        raise ToolError(
            f"The cache {library.parent} cannot be written: {error.strerror}. Set XDG_CACHE_HOME."
        ) from error
    try:
        options = [f"-I{path}" for path in [*includes, *include_directories()]]
        outcome = process.run([compiler, *FLAGS, *options, *sources, "-o", work], TIME_LIMIT)
        if outcome.code != 0:
            raise _failure(outcome, library.parent)
        os.replace(work, library)
    finally:
        if os.path.exists(work):
            os.unlink(work)


def _failure(outcome: process.Outcome, cache: Path) -> Exception:
    if "No space left on device" in outcome.stderr:
        return diagnostics.no_space(cache)
    errors = [line for line in outcome.stderr.splitlines() if "error" in line] or outcome.stderr.splitlines()[-1:]
    return ToolError(
        f"The C++ compiler refused the generated design: {errors[0] if errors else 'it gave no reason'}. This is a "
        f"defect of StreamTensor; reproduce it with `{' '.join(outcome.command)}`."
    )
