# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds what the documentation points to and the source tree has not.

Links lead to a file and, behind `#`, to a heading of it. Pages of docs/rationale name the files of passes, as
`LoopOrder.cpp`, and of tests, as `loop-order*.mlir`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SOURCE_FILE = re.compile(r"`(?:[\w/]+/)?([A-Z]\w*\.(?:cpp|h|td)|[a-z0-9*-]+\.mlir)`")


def anchors(page: Path) -> set[str]:
    """What a link may say behind `#`: headings in lower case, their blanks as `-`, without punctuation."""
    headings = _HEADING.findall(_FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    broken = []
    for target, anchor in _LINK.findall(page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        file = page.parent / target if target else page
        if not file.exists():
            broken.append(f"{page}: the link '{target}' leads nowhere")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            broken.append(f"{page}: the link '{target}#{anchor}' leads to no heading")
    return broken


def unknown_files(page: Path, names: set[str]) -> list[str]:
    """Source files that a page names and that are nowhere; `*` stands for any letters, of one file at least."""
    named = dict.fromkeys(_SOURCE_FILE.findall(page.read_text()))
    return [
        f"{page}: no file is called '{name}'"
        for name in named
        if not (any(fnmatchcase(each, name) for each in names) if "*" in name else name in names)
    ]


def faults(files: list[Path]) -> list[str]:
    """One line for each fault of the pages among `files`, which are all of the tree."""
    names = {file.name for file in files}
    pages = [file for file in files if file.suffix == ".md"]
    rationale = [page for page in pages if page.parent.name == "rationale"]
    return [fault for page in pages for fault in broken_links(page)] + [
        fault for page in rationale for fault in unknown_files(page, names)
    ]


def main() -> int:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    files = [file for file in map(Path, listed) if file.exists()]
    broken = faults(files)
    pages = sum(file.suffix == ".md" for file in files)
    print("\n".join(broken) if broken else f"{pages} pages: every link leads to a file and a heading")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
