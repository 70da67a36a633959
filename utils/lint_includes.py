# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no C++ or TableGen file includes a file of a room above its own.

The rooms are folders below lib/ and include/streamtensor/, in the order in which they may be built upon: a file may
include its own room and those before it, so that no circle of files crosses a folder.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOMS = (
    "Support",
    "Device",
    "Dialect/Program/IR",
    "Dialect/ITensor/IR",
    "Dialect/Dataflow/IR",
    "Analysis",
    "Dialect/ITensor/Transforms",
    "Dialect/Dataflow/Transforms",
    "Interpreter",
    "Sim",
    "Schedule",
    "Placement",
    "Sizing",
    "Transforms",
    "Conversion",
    "Target/HLSCpp",
    "Target/Vitis",
    "Target/Host",
    "Target/Output",
    "Reducer",
    "Pipelines",
)
_INCLUDE = re.compile(r'^\s*#?include "(?P<path>[^"]+)"', re.MULTILINE)
_TREES = ("include/streamtensor/", "lib/")


def room_of(path: str) -> int | None:
    """The place of the room that holds `path`, counted from the lowest; None outside of all rooms."""
    return next((place for place, room in enumerate(ROOMS) if path.startswith(room + "/")), None)


def faults_in(root: Path, path: Path) -> list[str]:
    name = path.relative_to(root).as_posix()
    inside = next(name.removeprefix(tree) for tree in _TREES if name.startswith(tree))
    own = room_of(inside)
    if own is None:
        return [f"{name} lies in no room: {', '.join(ROOMS)}"] if "/" in inside else []
    faults = []
    for match in _INCLUDE.finditer(path.read_text()):
        if match["path"].startswith("../"):
            faults.append(f"{name} includes {match['path']}: what another folder offers is below include/streamtensor/")
        if not match["path"].startswith("streamtensor/"):
            continue
        other = room_of(match["path"].removeprefix("streamtensor/"))
        if other is None or other > own:
            faults.append(f"{name} includes {match['path']}: {ROOMS[own]} may not build upon what lies above it")
    return faults


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    files = [path for tree in _TREES for end in ("h", "cpp", "td") for path in sorted((root / tree).rglob(f"*.{end}"))]
    faults = [fault for path in files for fault in faults_in(root, path)]
    print("\n".join(faults) if faults else f"{len(files)} files: every include leads down")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
