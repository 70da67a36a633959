# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which StreamTensor this is: its version, its commit where that is known, and the MLIR of its tools."""

from __future__ import annotations

import re
from importlib import metadata

from streamtensor import paths, process
from streamtensor.errors import ToolError

_TIME_LIMIT = 30.0
COMMIT_FILE = "commit"  # written beside an installed package when its wheel is built


def describe() -> str:
    """One line for `streamtensor --version`."""
    commit = _commit()
    known = f" (commit {commit})" if commit else ""
    return f"streamtensor {_package()}{known}, MLIR {_mlir()}"


def _package() -> str:
    try:
        return metadata.version("streamtensor")
    except metadata.PackageNotFoundError:  # a checkout on PYTHONPATH
        found = re.search(r'^version = "(.+)"$', (paths.CHECKOUT / "pyproject.toml").read_text(), re.MULTILINE)
        return found[1] if found else "unknown"


def _commit() -> str | None:
    recorded = paths.PACKAGE / COMMIT_FILE
    if recorded.exists():
        return recorded.read_text().strip() or None
    if not (paths.CHECKOUT / ".git").exists():
        return None
    try:
        described = process.run(
            ["git", "-C", paths.CHECKOUT, "describe", "--always", "--dirty", "--exclude=*"], _TIME_LIMIT
        )
    except ToolError:  # no git on this machine
        return None
    return described.stdout.strip() or None


def _mlir() -> str:
    try:
        said = process.run([paths.find_tool("streamtensor-opt"), "--version"], _TIME_LIMIT).stdout
    except ToolError:
        return "not found (run `streamtensor doctor`)"
    found = re.search(r"LLVM version (\S+)", said)
    return found[1] if found else "unknown"
