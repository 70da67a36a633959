# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the compiler and the simulator on programs: many in one process, one by one only where something fails."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import harness
import numpy as np
from streamtensor import paths

from fuzz import effort
from fuzz.program import Program

# Seconds for one program; a batch gets as many times that.
TIME_LIMIT = 20.0
_SEPARATOR = "// -----"
# What a program may be refused for: limits that the documentation states.
CLEAR_REASONS = (
    r"does not fit on",
    r"exceeds the device",
    r"has no streaming form",
    r"puts a tensor into another one",
    r"takes a scalar out of a tensor",
    r"\[device\.operator\]",
    r"takes every n-th element",
)


@dataclass(frozen=True)
class Options:
    """How a program is compiled; `redraws`: with tiles, orders and lanes at random, where its phases are executed."""

    tile_size: int
    unroll: int
    sizing: str = "search"
    converters: str = "minimal"
    group_bytes: int = 0
    redraws: bool = False
    padding: int = 12
    fusion_plan: str = "greedy"

    @staticmethod
    def of(seed: int) -> Options:
        rng = random.Random(seed ^ 0x5EED)
        sizing = rng.choices(("search", "highwater"), (7, 3))[0]  # the linear program alone may deadlock
        # Mostly what users take, at times any number: primes, and more than there is to divide.
        tile = rng.choice((2, 2, 3, 3, 4, 4, 8, 8, 16)) if rng.random() < 0.7 else rng.randint(1, 37)
        unroll = rng.choice((1, 4, 16, 64, 256)) if rng.random() < 0.7 else rng.randint(1, 300)
        rule = rng.choices(("minimal", "paper"), (9, 1))[0]
        # With few bytes a design is split in groups, which hand tensors on through external memory.
        group_bytes = rng.choices((0, 1, 256), (82, 12, 6))[0]
        redraws = rng.random() < 0.25
        # Extents are small here: at times any may be padded.
        padding = rng.choices((0, 12, 100), (1, 3, 6))[0]
        plan = rng.choice(("greedy", "optimal")) if group_bytes else "greedy"
        return Options(tile, unroll, sizing, rule, group_bytes, redraws, padding, plan)

    def text(self) -> str:
        rule = f"converter-rule={self.converters} group-bytes={self.group_bytes} fusion-plan={self.fusion_plan}"
        lanes = f"tile-size={self.tile_size} unroll={self.unroll} padding={self.padding}"
        return f"{lanes} sizing={self.sizing} {rule}"

    def pipeline(self) -> str:
        return f"--streamtensor-pipeline=device={harness.device_file()} {self.text()}"


@dataclass(frozen=True)
class Failure:
    """What went wrong with a program: `kind` is rejected, error, crash, hang, deadlock, emit, build, run, mismatch."""

    kind: str
    message: str

    @property
    def is_rejection(self) -> bool:
        return self.kind == "rejected"

    def signature(self) -> str:
        """The same for failures of one cause, as far as messages tell: names and numbers left out."""
        line = next((line for line in self.message.splitlines() if "error:" in line), self.message[:300])
        line = re.sub(r"^.*?error: ", "", line)
        return f"{self.kind}: " + re.sub(r"'[^']*'|\"[^\"]*\"|[\d.]+(e-?\d+)?|<.*>", "_", line)[:160]


@dataclass(frozen=True)
class Tool:
    """How a process ended; `code` is None after its time limit."""

    code: int | None
    stdout: str
    stderr: str


def run(command: Sequence[object], seconds: float) -> Tool:
    limit = effort.limit(seconds)
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return Tool(None, "", f"no end within {limit:g} seconds")
    return Tool(done.returncode, done.stdout, done.stderr)


def failure_of(tool: Tool, kind: str) -> Failure | None:
    """The failure that the end of a process means, `kind` where it gave an error of its own."""
    if tool.code == 0:
        return None
    if tool.code is None:
        return Failure("hang", tool.stderr)
    if tool.code != 1 or "LLVM ERROR" in tool.stderr or "Stack dump" in tool.stderr:
        return Failure("crash", f"signal or code {tool.code}\n{tool.stderr[-1500:]}")
    if kind == "error" and any(re.search(reason, tool.stderr) for reason in CLEAR_REASONS):
        kind = "rejected"
    return Failure("deadlock" if "deadlock" in tool.stderr else kind, tool.stderr[:2000])


@dataclass
class Compiled:
    """A program at stream level, in a file, or why there is none. `emitted` holds its C++, `activity` what its passes
    did and `interpreted` what the reference interpreter computed with its last phase, where watched; `wild` are other
    arguments with what it gives for them."""

    program: Program
    options: Options
    path: Path
    failure: Failure | None = None
    cycles: int = 0
    emitted: Path | None = None
    activity: dict | None = None
    interpreted: list[np.ndarray] | None = None
    wild: tuple[list[np.ndarray], list[np.ndarray]] | None = None

    @property
    def has_converter(self) -> bool:
        return self.activity is not None and "itensor.converter" in self.activity["operations"]


def entry_of(program: Program, options: Options, directory: Path) -> Compiled:
    return Compiled(program, options, directory / f"seed{program.seed}.mlir")


def compile_all(programs: Sequence[Program], options: Options, directory: Path) -> list[Compiled]:
    """Every program through the whole pipeline."""
    directory.mkdir(parents=True, exist_ok=True)
    compiled = [entry_of(program, options, directory) for program in programs]
    text = f"\n{_SEPARATOR}\n".join(program.text() for program in programs)
    tool = _optimise(text, options, directory / "batch.mlir", TIME_LIMIT * len(programs))
    parts = tool.stdout.split(_SEPARATOR)
    if tool.code == 0 and len(parts) == len(programs):
        for entry, part in zip(compiled, parts, strict=True):
            entry.path.write_text(part)
        return compiled
    for entry in compiled:
        tool = _optimise(entry.program.text(), options, directory / "single.mlir", TIME_LIMIT)
        entry.path.write_text(tool.stdout)
        entry.failure = failure_of(tool, "error")
    return compiled


def _optimise(text: str, options: Options, source: Path, limit: float) -> Tool:
    source.write_text(text)
    tool = paths.find_tool("streamtensor-opt")
    # Every pass's input and output are executed; what is wrong is shrunk here, at the level of the generator.
    validate = ("--validate", "--validate-dir=", "--validate-reduce-seconds=0")
    return run([tool, "--mlir-disable-threading", "--split-input-file", *validate, source, options.pipeline()], limit)


def emit(entry: Compiled) -> None:
    """HLS C++ beside the design."""
    entry.emitted = entry.path.with_suffix(".out")
    tool = run([paths.find_tool("streamtensor-translate"), entry.path, f"--output-dir={entry.emitted}"], TIME_LIMIT)
    entry.failure = failure_of(tool, "emit")
