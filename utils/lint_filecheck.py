# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds FileCheck and lit directives that do nothing.

A directive without its colon, or with a misspelt suffix, is a comment: the check it was meant to make never runs. A
number that may be any number is not checked either.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_SUFFIXES = {"NEXT", "SAME", "NOT", "DAG", "LABEL", "EMPTY"}
_DIRECTIVE = re.compile(r"^\s*(?://|#|;)\s*(?P<name>(?:RUN\b|[A-Z0-9_-]*CHECK[A-Z0-9_-]*))(?P<rest>.*)$")
_PREFIX_OPTION = re.compile(r"--?check-prefix(?:es)?[= ]([A-Za-z0-9_,-]+)")
_ANY_NUMBER = re.compile(r"[=:] ?\{\{\[0-9\]\+\}\}")
_COUNT = re.compile(r"COUNT-[0-9]+")


def prefixes_of(text: str) -> set[str]:
    """The prefixes that the file's RUN lines give FileCheck."""
    named = {prefix for group in _PREFIX_OPTION.findall(text) for prefix in group.split(",")}
    return named | {"CHECK"}


def fault_of(name: str, rest: str, prefixes: set[str]) -> str | None:
    """What is wrong with a directive called `name` that is followed by `rest`, or None."""
    if not re.match(r"(\{LITERAL\})?:", rest):
        return "has no colon"
    if name != "RUN" and _ANY_NUMBER.search(rest):
        return "takes any number: write the number, or bind it to a name that is used again"
    if name in prefixes or name == "RUN":
        return None
    prefix = max((p for p in prefixes if name.startswith(p + "-")), key=len, default=None)
    if prefix is None:
        return "is no prefix of a RUN line"
    suffix = name[len(prefix) + 1 :]
    return None if suffix in _SUFFIXES or _COUNT.fullmatch(suffix) else f"ends in '{suffix}', which FileCheck lacks"


def faults_in(path: Path) -> list[str]:
    text = path.read_text()
    prefixes = prefixes_of(text)
    faults = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _DIRECTIVE.match(line)
        fault = match and fault_of(match["name"], match["rest"], prefixes)
        if fault:
            faults.append(f"{path}:{number}: the directive '{match['name']}' {fault}")
    if "FileCheck" in text and not _has_check(text, prefixes):
        faults.append(f"{path}: FileCheck runs without any directive")
    return faults


def _has_check(text: str, prefixes: set[str]) -> bool:
    names = "|".join(re.escape(prefix) for prefix in prefixes)
    return re.search(rf"(?:{names})(?:-[A-Z0-9-]+)?(?:\{{LITERAL\}})?:", text) is not None


def main(folders: list[str]) -> int:
    paths = sorted(p for folder in folders for s in ("*.mlir", "*.test") for p in Path(folder).rglob(s))
    faults = [fault for path in paths for fault in faults_in(path)]
    print("\n".join(faults) if faults else f"{len(paths)} lit files: every directive is alive")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
