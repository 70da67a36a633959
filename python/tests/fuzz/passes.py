# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which passes do something: a pass fires in a program if it changes the IR."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from streamtensor import paths

from fuzz import compiler
from fuzz.compiler import Options
from fuzz.program import Program

_HEAD = re.compile(r"IR Dump After (\w+)")
_ALL, _CHANGED = "--mlir-print-ir-after-all", "--mlir-print-ir-after-change"


def count(programs: Sequence[Program], directory: Path) -> Counter:
    """For every pass of the pipeline, in how many of the programs it fires."""
    found = Counter(dict.fromkeys(_names(programs[0], directory, _ALL), 0))
    for program in programs:
        found.update(_names(program, directory, _ALL, _CHANGED))
    return found


def _names(program: Program, directory: Path, *flags: str) -> set[str]:
    source = directory / "program.mlir"
    source.write_text(program.text())
    option = Options.of(program.seed).pipeline()
    command = [paths.find_tool("streamtensor-opt"), "--mlir-disable-threading", source, option, "-o", "/dev/null"]
    return set(_HEAD.findall(compiler.run([*command, *flags], compiler.TIME_LIMIT).stderr))


def line(counts: Counter, programs: int) -> str:
    shares = ", ".join(f"{name} {number / programs:.0%}" for name, number in counts.most_common())
    return f"passes              {shares} (of {programs} programs)"
