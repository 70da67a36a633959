# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that IR shown in documentation stands in a test, so that no example goes out of date.

Every block tagged `mlir` in a TableGen description or a page of docs/ must be consecutive lines of a file in test/,
apart from indentation and from the comments of the test. Each operation of the two dialects shows one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_BLOCK = re.compile(r"^ *```mlir\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_OPERATION = re.compile(r'^def \w+ : (?P<dialect>ITensor|Dataflow)_Op<"(?P<name>\w+)".*?^}', re.MULTILINE | re.DOTALL)


def examples(page: str) -> list[str]:
    """The blocks of a page, each normalised as tests are."""
    return [normalise(match["text"]) for match in _BLOCK.finditer(page)]


def normalise(text: str) -> str:
    """Lines without indentation, comments and blank lines, each ended by a newline."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"\n{line}\n" for line in lines if line and not line.startswith("//"))


def faults(root: Path) -> list[str]:
    tests = [normalise(path.read_text()) for path in sorted(root.glob("test/**/*.mlir"))]
    pages = [*root.glob("include/**/*.td"), *root.glob("docs/**/*.md")]
    stale = [
        f"{page}: no test has this example:{example.replace(chr(10) * 2, chr(10)).rstrip()}"
        for page in sorted(pages)
        for example in examples(page.read_text())
        if not any(example in test for test in tests)
    ]
    operations = "".join(path.read_text() for path in sorted(root.glob("include/**/*.td")))
    bare = [f"{m['dialect'].lower()}.{m['name']}" for m in _OPERATION.finditer(operations) if not examples(m[0])]
    return stale + [f"{name} has no example in its description" for name in bare]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    broken = faults(root)
    print("\n".join(broken) if broken else "every example of the documentation stands in a test")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
