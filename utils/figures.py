# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the figures of the documentation equal to what the benchmarks print.

A page marks a figure or a table with the name of a renderer in benchmarks/pages.py:

    <!-- figures: NAME -->…<!-- end of figures -->

What stands between is rendered from the answer of a program, kept in docs/figures/PROGRAM.json; benchmarks/pages.py
also names answers of programs that are given arguments. Without options this
checks every page against the answers; `--write` runs the programs again, keeps their answers and rewrites the pages.

usage: python utils/figures.py [--write] [PROGRAM...]
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = ROOT / "docs" / "figures"
_MARKED = re.compile(r"<!-- figures: (?P<name>[\w-]+) -->(?P<text>.*?)<!-- end of figures -->", re.DOTALL)

sys.path.insert(0, str(ROOT / "benchmarks"))
from pages import CALLS, RENDERERS  # noqa: E402

PROGRAMS = tuple(dict.fromkeys(program for program, _ in RENDERERS.values()))


def render(name: str) -> str:
    program, renderer = RENDERERS[name]
    return renderer(json.loads((ANSWERS / f"{program}.json").read_text()))


def rewritten(text: str) -> str:
    """`text` with every marked figure as the programs printed it; line breaks around a figure are the page's."""

    def put(match: re.Match) -> str:
        old = match["text"]
        before, after = old[: len(old) - len(old.lstrip())], old[len(old.rstrip()) :]
        return f"<!-- figures: {match['name']} -->{before}{render(match['name'])}{after}<!-- end of figures -->"

    return _MARKED.sub(put, text)


def pages() -> list[Path]:
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in tracked.stdout.split()]


def faults_of(page: Path) -> list[str]:
    """The marked figures of a page that differ from what the programs printed."""
    faults = []
    for match in _MARKED.finditer(page.read_text()):
        line = page.read_text()[: match.start()].count("\n") + 1
        name = match["name"]
        if name not in RENDERERS:
            faults.append(f"{page}:{line}: no renderer '{name}' in benchmarks/pages.py")
        elif " ".join(match["text"].split()) != " ".join(render(name).split()):
            faults.append(f"{page}:{line}: '{name}' is not what {' '.join(call(RENDERERS[name][0]))} printed")
    return faults


def shown() -> set[str]:
    """The names that the pages show."""
    return {match["name"] for page in pages() for match in _MARKED.finditer(page.read_text())}


def call(program: str) -> list[str]:
    """The benchmark that gives an answer, with its arguments."""
    name, *arguments = CALLS.get(program, (program,))
    return [f"benchmarks/{name}.py", *arguments]


def run(program: str) -> None:
    """Runs a benchmark and keeps its answer."""
    words = call(program)
    print("running", *words, flush=True)
    done = subprocess.run([sys.executable, *words, "--json"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    ANSWERS.mkdir(exist_ok=True)
    (ANSWERS / f"{program}.json").write_text(json.dumps(json.loads(done.stdout), indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}; all without")
    parser.add_argument("--write", action="store_true", help="run the programs and rewrite the pages")
    arguments = parser.parse_args()
    if unknown := set(arguments.programs) - set(PROGRAMS):
        parser.error(f"no figures come from {', '.join(sorted(unknown))}")
    if arguments.write:
        for program in arguments.programs or PROGRAMS:
            run(program)
        for page in pages():
            page.write_text(rewritten(page.read_text()))
    faults = [fault for page in pages() for fault in faults_of(page)]
    faults += [f"no page shows '{name}' of benchmarks/pages.py" for name in sorted(RENDERERS.keys() - shown())]
    print(*faults, sep="\n", end="\n" if faults else "")
    if not faults:
        print(f"{len(shown())} figures and tables: each is what its program printed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
