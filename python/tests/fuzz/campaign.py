# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many programs through everything, with counts, and small versions of those that fail."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fuzz import compiler, levels, model, natively, program, wild
from fuzz.compiler import Compiled, Failure, Options
from fuzz.coverage import Coverage
from fuzz.generator import generate
from fuzz.program import Node, Program
from fuzz.shrink import shrink

BATCH = 25


@dataclass(frozen=True)
class Ways:
    """How a program is executed beside being compiled and simulated."""

    natively: bool = True
    at_every_level: bool = True


def check(programs: Sequence[Program], ways: Ways, directory: Path) -> list[Compiled]:
    """Compiles, simulates and executes programs; the outcome of each is in its `failure`."""
    groups: dict[Options, list[Program]] = {}
    for entry in programs:
        groups.setdefault(Options.of(entry.seed), []).append(entry)
    return check_groups(groups, ways, directory)


def check_groups(groups: dict[Options, list[Program]], ways: Ways, directory: Path) -> list[Compiled]:
    compiled = _compile(groups, ways, directory)
    for entry in compiled:
        if entry.failure is None:
            model.check(entry)
    if ways.natively:
        for entry in compiled:
            if entry.failure is None:
                wild.interpret(entry)
    for start in range(0, len(compiled), BATCH):
        batch = compiled[start : start + BATCH]
        if ways.natively:
            natively.run_all(batch, directory / "native", natively.compare_program)
        else:
            natively.compile_as_vitis(batch, directory / "native")
    shutil.rmtree(directory)
    return compiled


def _compile(groups: dict[Options, list[Program]], ways: Ways, directory: Path) -> list[Compiled]:
    """Each by itself with all its phases executed, or all of a group in one process."""
    if ways.at_every_level:
        entries = [compiler.entry_of(p, options, directory) for options, members in groups.items() for p in members]
        for entry in entries:
            levels.execute(entry)
        return entries
    return [
        entry
        for index, (options, members) in enumerate(groups.items())
        for entry in compiler.compile_all(members, options, directory / f"group{index}")
    ]


LEVEL_KINDS = ("levels", "interpreter", "pipeline", "resume")
NATIVE_KINDS = ("build", "run", "mismatch", "bits", "emit", "model", "cycles")


@dataclass(frozen=True)
class Failed:
    """A program that failed, by its seed."""

    seed: int
    options: Options
    failure: Failure

    @property
    def program(self) -> Program:
        return generate(self.seed)


def reduce(entry: Failed, directory: Path, seconds: float) -> Program:
    """A small program that fails as `entry` does."""
    failure = entry.failure
    is_native = failure.kind in NATIVE_KINDS or "native" in failure.message
    ways = Ways(is_native, failure.kind in LEVEL_KINDS or (failure.kind in ("hang", "crash") and not is_native))

    def fails(candidate: Program) -> bool:
        found = check_groups({entry.options: [candidate]}, ways, directory / "shrinking")[0].failure
        if found is None or found.kind != failure.kind:
            return False
        return failure.kind in ("mismatch", "bits", "levels", "deadlock") or found.signature() == failure.signature()

    return shrink(entry.program, fails, seconds)


@dataclass
class Counts:
    """What a campaign has seen."""

    programs: int = 0
    native: int = 0
    levels: int = 0
    cycles: int = 0
    converters: int = 0
    reconverging: int = 0
    operations: list[int] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    failures: list[Failed] = field(default_factory=list)

    def add(self, entries: Sequence[Compiled], ways: Ways) -> None:
        self.programs += len(entries)
        for entry in entries:
            self.native += ways.natively and entry.failure is None
            self.levels += ways.at_every_level and entry.failure is None
            self.cycles += entry.cycles
            self.operations.append(len(entry.program.operations))
            self.coverage.add(entry)
            self.converters += entry.has_converter
            self.reconverging += program.reconverges(entry.program)
            if entry.failure:
                self.failures.append(Failed(entry.program.seed, entry.options, entry.failure))

    def merge(self, other: Counts) -> None:
        for name in ("programs", "native", "levels", "cycles", "converters", "reconverging", "operations", "failures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.coverage.merge(other.coverage)

    @property
    def wrong(self) -> list[Failed]:
        return [entry for entry in self.failures if not entry.failure.is_rejection]

    def lines(self) -> list[str]:
        if not self.programs:
            return []
        rejected = len(self.failures) - len(self.wrong)
        kinds = Counter(entry.failure.kind for entry in self.wrong)
        return [
            f"programs            {self.programs}, {np.median(self.operations):.0f} operations in the median",
            f"shapes of graphs    {self.reconverging / self.programs:.0%} re-converge, "
            f"{self.converters / self.programs:.0%} with converters",
            f"through every level {self.levels}",
            f"through native C++  {self.native}",
            f"simulated cycles    {self.cycles:,}",
            f"refused clearly     {rejected} ({rejected / self.programs:.1%})",
            f"failures            {len(self.wrong)} {dict(kinds) if kinds else ''}",
        ]


def store(entry: Failed, reduced: Program | None, folder: Path) -> Path:
    """Writes a failing program, its small version and what is known about it; gives its directory."""
    directory = folder / f"seed{entry.seed}"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "program.mlir").write_text(entry.program.text())
    if reduced:
        save(reduced, entry.options, directory / "reduced")
    text = f"{repeat_command(entry.seed)}\n{entry.options.pipeline()}\n{entry.failure.kind}\n"
    (directory / "failure.txt").write_text(text + entry.failure.message + "\n")
    return directory


def save(kept: Program, options: Options, path: Path) -> None:
    """PATH.mlir, its options in the first line, and PATH.npz with its arguments and what they give."""
    path.with_suffix(".mlir").write_text(f"// {options.text()}\n{kept.text()}")
    values = {f"arg{index}": _plain(node) for index, node in enumerate(kept.arguments)}
    values |= {f"result{index}": _plain(node) for index, node in enumerate(kept.results)}
    np.savez(path.with_suffix(".npz"), **values)


def _plain(node: Node) -> np.ndarray:
    """Floats in float64, which NumPy can store whatever their type."""
    return node.data.narrow.astype(np.float64) if node.type.element.is_float else node.data.narrow


def repeat_command(seed: int) -> str:
    return f"make fuzz N=1 NATIVE=1 SEED={seed}"


def count(numbers: range, ways: Ways) -> Counts:
    """The counts of the programs of some seeds, in a directory of its own."""
    counts = Counts()
    with tempfile.TemporaryDirectory(prefix="streamtensor-fuzz-") as scratch:
        counts.add(check(programs_of(numbers), ways, Path(scratch) / "work"), ways)
    return counts


def seeds(first: int, count: int, chunk: int) -> list[range]:
    return [range(start, min(start + chunk, first + count)) for start in range(first, first + count, chunk)]


def programs_of(numbers: range) -> list[Program]:
    return [generate(seed) for seed in numbers]
