# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the IR of every phase with the reference interpreter, on the program's own arguments."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import harness
import numpy as np
from streamtensor import paths

from fuzz import compiler, schedules, wild
from fuzz.compiler import Compiled, Failure
from fuzz.elements import BF16
from fuzz.natively import difference, other_bits

# Seconds to execute all phases of one program.
TIME_LIMIT = 60.0


def execute(entry: Compiled) -> None:
    """Compiles a program and executes its phases: the interpreter compares each with the one before, numpy the last.

    The design stays in the entry's path.
    """
    directory = entry.path.with_suffix("")
    directory.mkdir(parents=True)
    phases = _phases(entry, directory)
    if entry.failure is None:
        command = [
            paths.find_tool("streamtensor-run"),
            *phases,
            *wild.save(entry.program, entry.program.inputs(), directory),
            f"--output-dir={directory}",
        ]
        entry.failure = _failure(compiler.run(command, TIME_LIMIT))
    if entry.failure is not None and "beyond the tolerance" in entry.failure.message:
        # Numpy knows how far sums in another order may move the results of this very program.
        entry.failure = _each_alone(entry, phases, directory)
    if entry.failure is None:
        entry.failure = (
            _compare(entry, directory) or _overlap(entry, phases[-1], directory) or _resume(entry, phases, directory)
        )
        shutil.copyfile(phases[-1], entry.path)
    shutil.rmtree(directory)


def _phases(entry: Compiled, directory: Path) -> list[Path]:
    source = directory / "program.mlir"
    source.write_text(entry.program.text())
    flags = ("--mlir-disable-threading", f"--pass-activity={directory / 'activity.json'}")
    option = f"{entry.options.pipeline()} dump-dir={directory}"
    if entry.options.redraws and (schedule := schedules.write_redrawn(entry, source, directory)):
        option += f" schedule={schedule}"
    command = [paths.find_tool("streamtensor-opt"), *flags, source, option, "-o", "/dev/null"]
    entry.failure = compiler.failure_of(compiler.run(command, compiler.TIME_LIMIT), "error")
    entry.activity = _activity(directory / "activity.json")
    return sorted(directory.glob("[0-9][0-9]-*.mlir"))


def _activity(path: Path) -> dict | None:
    """What the passes did; nothing of a process that crashed."""
    if not path.exists():
        return None
    (module,) = json.loads(path.read_text())["modules"]
    module["passes"].pop("streamtensor-dump", None)
    return module


def _overlap(entry: Compiled, phase: Path, directory: Path) -> Failure | None:
    """The last phase once more, with iterations that overlap as the schedule says: the same bits."""
    flags = wild.save(entry.program, entry.program.inputs(), directory)
    pipelined = ("--pipelined", f"--output-dir={directory}")
    tool = compiler.run([paths.find_tool("streamtensor-run"), phase, *flags, *pipelined], TIME_LIMIT)
    if tool.code != 0:
        return compiler.failure_of(tool, "pipeline")
    for index, expected in enumerate(entry.interpreted):
        wrong = other_bits(np.load(directory / f"result{index}.npy"), expected)
        if wrong:
            return Failure("pipeline", f"result {index} of overlapping iterations {wrong}")
    return None


def _resume(entry: Compiled, phases: list[Path], directory: Path) -> Failure | None:
    """Takes one phase's printed IR up again: the same design, to the letter.

    What is compared is all that the last phase leaves, which is all that emitter and simulator read: the same C++ and
    cycles follow. Left out are locations, of which they print the source lines in comments and reports.
    """
    decided = 2 if entry.options.redraws else 0  # before that, another schedule would be chosen
    drawn = random.Random(entry.program.seed).choice(phases[decided:-1])
    again = directory / "again"
    again.mkdir()
    option = f"--streamtensor-pipeline={entry.options.text()} start-after={drawn.stem[3:]} dump-dir={again}"
    tool = compiler.run([paths.find_tool("streamtensor-opt"), drawn, option, "-o", "/dev/null"], compiler.TIME_LIMIT)
    if tool.code != 0:
        return compiler.failure_of(tool, "resume")
    if harness.without_locations(again / phases[-1].name) != harness.without_locations(phases[-1]):
        return Failure("resume", f"another design than without a stop after {drawn.stem}")
    return None


def _failure(tool: compiler.Tool) -> Failure | None:
    different = [line for line in tool.stdout.splitlines() if "differs from" in line]
    if different:
        place = tool.stdout.splitlines().index(different[0]) - 1
        return Failure("levels", f"{tool.stdout.splitlines()[place]}\n{different[0]}")
    return compiler.failure_of(tool, "interpreter")


def _each_alone(entry: Compiled, phases: list[Path], directory: Path) -> Failure | None:
    """Executes the phases one by one and compares each with numpy."""
    flags = wild.save(entry.program, entry.program.inputs(), directory)
    for phase in phases:
        tool = compiler.run(
            [paths.find_tool("streamtensor-run"), phase, *flags, f"--output-dir={directory}"], TIME_LIMIT
        )
        if failure := _failure(tool) or _compare(entry, directory):
            return Failure(failure.kind, f"{phase.name}: {failure.message}")
    return None


def _compare(entry: Compiled, directory: Path) -> Failure | None:
    entry.interpreted = [np.load(directory / f"result{index}.npy") for index in range(len(entry.program.results))]
    for index, (values, node) in enumerate(zip(entry.interpreted, entry.program.results, strict=True)):
        wrong = difference(values.view(BF16.dtype) if node.type.element is BF16 else values, node)
        if wrong:
            return Failure("levels", f"every phase: result {index} ({node.type}) {wrong}")
    return None
