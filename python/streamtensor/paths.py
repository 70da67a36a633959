# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the parts of an installation are: tools, device files, runtime headers, cache.

They are looked for inside the installed package first; a source checkout serves its own build directory.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from streamtensor.errors import ToolError

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent
TOOLS = ("streamtensor-opt", "streamtensor-translate", "streamtensor-sim", "streamtensor-run", "streamtensor-reduce")


def tool_directories() -> list[Path]:
    """In order: $STREAMTENSOR_BIN, the package's bin, build/bin of a source checkout."""
    chosen = os.environ.get("STREAMTENSOR_BIN")
    own = [Path(chosen)] if chosen else []
    return [*own, PACKAGE / "bin", CHECKOUT / "build" / "bin"]


def find_tool(name: str) -> Path:
    for directory in tool_directories():
        path = directory / name
        if path.is_file() and os.access(path, os.X_OK):
            return path
    searched = ", ".join(str(directory) for directory in tool_directories())
    raise ToolError(
        f"The program {name} was not found in {searched}. Reinstall StreamTensor with `pip install .`, build the "
        "checkout with `cmake --preset default && ninja -C build`, or set STREAMTENSOR_BIN."
    )


def devices_directory() -> Path:
    return _part("devices")


def _part(name: str) -> Path:
    for path in (PACKAGE / name, CHECKOUT / name):
        if path.is_dir():
            return path
    raise ToolError(f"The directory {name} of StreamTensor was not found in {PACKAGE}. Reinstall with `pip install .`.")


def cache_directory() -> Path:
    """$XDG_CACHE_HOME/streamtensor, by default ~/.cache/streamtensor."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "streamtensor"


def find_compiler() -> Path:
    """The C++ compiler for native runs: $STREAMTENSOR_CXX, else clang++-22, clang++ or g++."""
    chosen = os.environ.get("STREAMTENSOR_CXX")
    candidates = [chosen] if chosen else ["clang++-22", "clang++", "g++"]
    for name in candidates:
        path = shutil.which(name)
        if path:
            return Path(path)
    raise ToolError(
        f"No C++ compiler was found (looked for {', '.join(candidates)}): a design runs as native code. Install one, "
        "for example with `apt-get install clang-22`, or set STREAMTENSOR_CXX to its path."
    )
