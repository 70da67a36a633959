# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands and programs that a page of the documentation shows.

The fenced blocks `sh` and `python` of a page run in their order, in one scratch folder that shows the source tree's
files, its build and its virtual environment, so that a page may use what its earlier blocks wrote. The shell is a new
one: neither the virtual environment nor the build is on its PATH until the page says `. .venv/bin/activate`, which
holds for the later blocks too. Blocks with another tag or none are not run. A line `make TARGET` is left to continuous
integration: TARGET must be one that .ci/run reaches.

usage: python utils/run_documentation.py PAGE...
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^```(?P<tag>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_ACTIVATION = re.compile(r"^\. \S+/activate\b")
_MAKE = re.compile(r"^make(?: (?P<target>[a-z-]+))?$")


class DocumentationError(Exception):
    """A block that a page shows does not do what it should."""


@dataclass(frozen=True)
class Block:
    tag: str
    text: str
    line: int


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page that are run, with the line of the page each begins at."""
    found = (Block(m["tag"], m["text"], text[: m.start()].count("\n") + 1) for m in _BLOCK.finditer(text))
    return [block for block in found if block.tag in ("sh", "python")]


def targets_of_ci(root: Path = ROOT) -> set[str]:
    """The make targets that .ci/run reaches through the Makefile's prerequisites and recursive calls."""
    makefile = (root / "Makefile").read_text()
    rules = dict(re.findall(r"^([a-z-]+):[^=\n]*\n((?:\t.*\n)*)", makefile, re.MULTILINE))
    heads = dict(re.findall(r"^([a-z-]+):([^=\n#]*)", makefile, re.MULTILINE))
    reached, waiting = set(), re.findall(r"\bmake ([a-z-]+)", (root / ".ci/run").read_text())
    while waiting:
        target = waiting.pop()
        if target not in reached and target in rules:
            reached.add(target)
            waiting += f"{heads[target]} {rules[target]}".split()
    return reached


def command_of(block: Block, ci_targets: set[str], activations: Sequence[str] = ()) -> list[str]:
    """How a block is run, after the `activations` of earlier ones."""
    if block.tag == "python":
        return [sys.executable, "-c", block.text]
    lines = list(activations)
    for line in block.text.splitlines():
        make = _MAKE.match(line.split("#")[0].strip())
        if make and make["target"] not in ci_targets:
            raise DocumentationError(f"line {block.line}: '{line}' is a command that .ci/run never runs")
        lines += [] if make else [line]
    return ["bash", "-euo", "pipefail", "-c", "\n".join(lines)]


def activations_of(block: Block) -> list[str]:
    """The lines that change the shell for the later blocks."""
    lines = block.text.splitlines() if block.tag == "sh" else []
    return [line for line in lines if _ACTIVATION.match(line)]


def new_shell() -> dict[str, str]:
    """The environment without what this process has activated."""
    own = {Path(sys.prefix) / "bin", Path(sys.executable).parent, ROOT / "build/bin", ROOT / ".venv/bin"}
    path = [part for part in os.environ["PATH"].split(os.pathsep) if Path(part) not in own]
    hidden = ("VIRTUAL_ENV", "PYTHONPATH", "STREAMTENSOR_BIN")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "PATH": os.pathsep.join(path)}


def show_source_tree(scratch: Path) -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in sorted({"build", ".venv"} | {line.split("/")[0] for line in files.splitlines()}):
        (scratch / name).symlink_to(ROOT / name)


def run_page(page: Path) -> int:
    """Runs a page's blocks and returns their number; raises DocumentationError at the first that fails."""
    blocks, ci_targets = blocks_of(page.read_text()), targets_of_ci()
    environment = new_shell()
    activations: list[str] = []
    with tempfile.TemporaryDirectory(prefix="streamtensor-docs-") as scratch:
        show_source_tree(Path(scratch))
        for block in blocks:
            command = command_of(block, ci_targets, activations)
            activations += activations_of(block)
            run = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True)
            if run.returncode != 0:
                said = f"{block.text}\n{run.stdout}{run.stderr}"
                raise DocumentationError(f"{page}:{block.line}: this block ends with {run.returncode}:\n{said}")
    return len(blocks)


def main(pages: list[str]) -> int:
    try:
        for page in pages:
            print(f"{page}: {run_page(Path(page))} blocks ran")
    except DocumentationError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
