# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds properties of RapidCheck whose outcome nobody reads: their test passes whatever they find."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_STATEMENT = re.compile(r"^\s*(?:\(void\)\s*)?rc::check\(")


def faults_in(path: Path) -> list[str]:
    return [
        f"{path}:{number}: nothing reads whether this property holds: write EXPECT_TRUE(rc::check(...))"
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if _STATEMENT.match(line)
    ]


def main(folders: list[str]) -> int:
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.cpp"))
    faults = [fault for path in paths for fault in faults_in(path)]
    print("\n".join(faults) if faults else f"{len(paths)} unit tests: the outcome of every property is read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
