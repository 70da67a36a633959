# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every law has its label in three places: the rationale, a diagnostic, and a test of that diagnostic.

A label is written `[dialect.law]`: in docs/rationale/ in backticks, in lib/ inside a string literal, in test/ in a file
of errors. A label that one of the three does not know is a law that nobody explains, enforces or tests.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

_LABEL = r"\[([a-z]+\.[a-z]+)\]"
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def labels_in_docs(root: Path) -> dict[str, Path]:
    return _collect(root.glob("docs/rationale/*.md"), lambda text: re.findall(rf"`{_LABEL}`", text))


def labels_in_diagnostics(root: Path) -> dict[str, Path]:
    def inside_strings(text: str) -> list[str]:
        return [label for string in _STRING.findall(text) for label in re.findall(_LABEL, string)]

    return _collect(root.glob("lib/**/*.cpp"), inside_strings)


def labels_in_tests(root: Path) -> dict[str, Path]:
    files = [*root.glob("test/**/*-errors.mlir"), *root.glob("test/**/*-errors.test")]
    return _collect(files, lambda text: re.findall(_LABEL, text))


def _collect(files, find) -> dict[str, Path]:
    found = {}
    for file in sorted(files):
        for label in find(file.read_text()):
            found.setdefault(label, file)
    return found


def faults(root: Path) -> list[str]:
    """One line for each label that is missing somewhere."""
    places = {
        "the rationale": labels_in_docs(root),
        "a diagnostic": labels_in_diagnostics(root),
        "a test of errors": labels_in_tests(root),
    }
    first = defaultdict(list)
    for labels in places.values():
        for label, file in labels.items():
            first[label].append(file)
    return [
        f"{first[label][0]}: [{label}] is missing in {place}"
        for label in sorted(first)
        for place, labels in places.items()
        if label not in labels
    ]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    broken = faults(root)
    known = len(labels_in_docs(root))
    print("\n".join(broken) if broken else f"{known} laws: each is explained, enforced and tested")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
