# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants at random of scheduling, sizing, simulation, emission: operators, constants, bounds, dropped statements."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from mutation.mutant import Edit, Mutant
from mutation.nearest import nearest_tests

FOLDERS = ("lib/Schedule", "lib/Sim", "lib/Sizing", "lib/Target/HLSCpp")
# What describes a run and decides nothing.
EXCLUDED = ("Timeline.cpp", "Deadlock.cpp", "Testbench.cpp", "HostFiles.cpp", "CppText.cpp")
# A pattern with what takes its place.
SWAPS = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" / ", " * "),
    (r" % ", " / "),
    (r"\+= ", "-= "),
    (r"\bstd::max\b", "std::min"),
    (r"\bstd::min\b", "std::max"),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\bllvm::divideCeil\(([^,()]*(?:\([^()]*\))?[^,()]*), ([^,()]*(?:\([^()]*\))?[^,()]*)\)", r"(\1) / (\2)"),
]
_CONSTANT = re.compile(r"(?<![\w.\"{])(\d+)(?![\w.\"}])")
# How many elements a container holds without the heap changes no result.
_CAPACITY = re.compile(r"\bSmall\w+<[^<>]*, $")
_STATEMENT = re.compile(r"^\s+(?!return\b|break|continue|using|const\b|auto\b|bool\b|int64_t\b)[\w.\[\]>()*-]+.*;$")
_DECLARATION = re.compile(r"^\s+[\w:<>,\s&*]+ \w+( = .*|\(.*\))?;$")


def _code(line: str) -> str:
    """The line without its comment and with its strings blanked, at the same places."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + " " * (len(match[0]) - 2) + '"', line)
    return line.split("//", 1)[0].rstrip()


def changes_of(line: str) -> Iterator[str]:
    """Every line that may take the place of this one; the empty one drops a statement."""
    code = _code(line)
    if ".blank()" in code or "llvm_unreachable(" in code:  # an empty line of the C++, a line that no run reaches
        return
    if not code.strip() or code.lstrip().startswith(("#", "*", "template", "static_assert", "case", "assert")):
        return
    for pattern, replacement in SWAPS:
        for match in re.finditer(pattern, code):
            if "<" in pattern and "template" in code:
                continue
            yield line[: match.start()] + match.expand(replacement) + line[match.end() :]
    for match in _CONSTANT.finditer(code):
        if _CAPACITY.search(code[: match.start()]):
            continue
        number = int(match[1])
        for other in {number + 1, max(0, number - 1)} - {number}:
            yield line[: match.start()] + str(other) + line[match.end() :]
    if _STATEMENT.match(code) and not _DECLARATION.match(code):
        yield ""


def mutants_of(file: str, text: str, programs: int) -> Iterator[Mutant]:
    """Every mutant of a file, each known by its line."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for index, changed in enumerate(changes_of(line)):
            # Some lines around make the place the only one of its kind.
            for around in range(1, len(lines)):
                first, last = max(0, number - around), number + around + 1
                old = "\n".join(lines[first:last])
                if text.count(old) == 1:
                    new = "\n".join([*lines[first:number], changed, *lines[number + 1 : last]])
                    name = f"{file}:{number + 1}.{index}"
                    yield Mutant(name, (Edit(file, old, new),), nearest_tests(file, programs))
                    break


def draw(root: Path, seed: int, count: int, programs: int = 75) -> list[Mutant]:
    """`count` mutants, each file as likely as it has lines."""
    found = [
        mutant
        for folder in FOLDERS
        for path in sorted((root / folder).glob("*.cpp"))
        if path.name not in EXCLUDED
        for mutant in mutants_of(str(path.relative_to(root)), path.read_text(), programs)
    ]
    return random.Random(seed).sample(found, min(count, len(found)))
