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
    "-w",
)
_LIBRARY = ("-shared", "-Wl,-Bsymbolic")

# What the sources of designs include. That of links stands first: it says how wide numbers of ap_int.h may be.
COMMON_HEADERS = ("st_links.h", "hls_stream.h", "hls_streamofblocks.h", "hls_vector.h", "st_math.h", "st_native.h")


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
    library = _cache() / f"{_key(compiler, directory, files)}.so"
    if not library.exists():
        _build(compiler, files, library, time_limit)
    return library


def _build(compiler: Path, files: list[Path], library: Path, time_limit: float) -> None:
    command = [compiler, *FLAGS, *_LIBRARY, *folder_options()]
    precompiled = precompile_headers(compiler, FLAGS, time_limit)
    try:
        _compile([*command, *precompiled, *files], library, time_limit)
    except RefusedError:
        if not precompiled:
            raise
        _compile([*command, *files], library, time_limit)
        Path(precompiled[-1]).unlink(missing_ok=True)  # a header of the system is not what it was


def folder_options() -> list[str]:
    return [f"-I{path}" for path in headers.native_include_directories()]


def precompile_headers(compiler: Path, flags: Sequence[str], time_limit: float) -> list[str]:
    """Options with which a compilation with `flags` finds COMMON_HEADERS precompiled, in the cache (29 MB): to read
    them takes longer than to compile a small design. Clang alone takes them."""
    if "clang" not in _version(compiler):
        return []
    command = [str(compiler), *flags, *folder_options(), "-x", "c++-header", "-fpch-instantiate-templates"]
    command += ["-Xclang", "-fno-pch-timestamp"]  # the key has what is in the headers
    command += [word for name in COMMON_HEADERS for word in ("-include", name)]
    common = _cache() / f"{_digest(compiler, command).hexdigest()[:32]}.pch"
    if not common.exists():
        _compile([*command, os.devnull], common, time_limit)
    return ["-include-pch", str(common)]


@functools.cache
def load(library: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise RunError(f"The native design {library} cannot be loaded ({error}): remove it and run again.") from error


def _cache() -> Path:
    return paths.cache_directory() / "native"


def _digest(compiler: Path, words: Sequence[str]) -> hashlib._Hash:
    """Of the compiler, the words that it is given, the headers and the processor."""
    return hashlib.sha256(" ".join([_version(compiler), *words]).encode() + _headers_digest() + _processor())


def _key(compiler: Path, directory: Path, files: list[Path]) -> str:
    digest = _digest(compiler, [*FLAGS, *_LIBRARY])
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


def _compile(command: Sequence[str | Path], made: Path, time_limit: float) -> None:
    """Runs `command`, which makes a file of the cache; one that fails leaves none."""
    try:
        made.parent.mkdir(parents=True, exist_ok=True)
        handle, work = tempfile.mkstemp(prefix=f".{made.stem}.", suffix=made.suffix, dir=made.parent)
        os.close(handle)
    except OSError as error:
        if diagnostics.is_of_full_disk(error):
            raise _no_space(made.parent) from error
        raise ToolError(f"The cache {made.parent} cannot be written: {error.strerror}. Set XDG_CACHE_HOME.") from error
    try:
        outcome = process.run([*command, "-o", work], time_limit)
        if outcome.code != 0:
            raise _failure(outcome, made.parent)
        os.replace(work, made)
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
