# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether everything that StreamTensor needs is there, and how to repair it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from streamtensor import devices, headers, paths, process
from streamtensor.errors import Error

_PACKAGES = (
    "torch",
    "torch-mlir",
    "transformers",
    "ml_dtypes",
    "safetensors",
    "gguf",
    "jinja2",
    "plotly",
    "typer",
    "rich",
)
_HEADERS = ("ap_int.h", "ap_fixed.h", "hls_stream.h")


@dataclass(frozen=True)
class Finding:
    name: str
    good: bool
    detail: str


def examine() -> list[Finding]:
    """Python, tools, compiler, headers, devices, packages."""
    checks: list[tuple[str, Callable[[], str]]] = [("python", _python)]
    checks += [(name, lambda name=name: _tool(name)) for name in paths.TOOLS]
    checks += [("C++ compiler", _compiler), ("runtime headers", _headers), ("devices", _devices)]
    checks += [(name, lambda name=name: _package(name)) for name in _PACKAGES]
    return [_find(name, check) for name, check in checks]


def _find(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check())
    except Error as error:
        return Finding(name, False, str(error))


def _python() -> str:
    return sys.version.split()[0]


def _tool(name: str) -> str:
    path = paths.find_tool(name)
    outcome = process.run([path, "--version"], 60.0)
    if outcome.code != 0:
        raise Error(
            f"{path} does not start: {outcome.stderr.strip().splitlines()[-1:]}; install libmlir-22 and libllvm22"
        )
    return str(path)


def _compiler() -> str:
    path = paths.find_compiler()
    return f"{path} ({process.run([path, '--version'], 60.0).stdout.splitlines()[0]})"


def _headers() -> str:
    directories = headers.native_include_directories()
    for name in _HEADERS:
        if not any((directory / name).is_file() for directory in directories):
            raise Error(f"{name} was not found in {', '.join(map(str, directories))}; reinstall StreamTensor")
    return ", ".join(_HEADERS)


def _devices() -> str:
    found = [devices.load_device(path).name for path in devices.device_files()]
    if not found:
        raise Error(f"{paths.devices_directory()} holds no device file; reinstall StreamTensor")
    return ", ".join(found)


def _package(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError as error:
        raise Error(f"not installed; run `pip install {name}`") from error
