# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules of PyTorch: exported, compiled, simulated and run natively, with counts, against PyTorch."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import module_batch
import numpy as np
import torch
from streamtensor import paths
from streamtensor.frontend import LinalgModule, export_module

from fuzz import compiler, model, modules, natively
from fuzz.compiler import Failure, Options

BATCH = 8
# Sums in another order, roots and exponentials of their results; single operations, with NaN and infinities.
TOLERANCE, SINGLE_TOLERANCE = 1e-4, 1e-6


@dataclass
class Module:
    """What a seed draws, with PyTorch's results, on its way to C++; `steps` are the names of its operations."""

    seed: int
    options: Options
    path: Path
    tolerance: float
    steps: list[str]
    expected: list[np.ndarray]
    text: LinalgModule | None = None
    arguments: list[np.ndarray] = field(default_factory=list)
    failure: Failure | None = None
    cycles: int = 0
    emitted: Path | None = None

    @property
    def is_wrong(self) -> bool:
        return self.failure is not None and not self.failure.is_rejection

    def repeat_command(self) -> str:
        return f"make fuzz N=0 MODULES=1 SEED={self.seed}"


def _draw(seed: int, directory: Path) -> tuple[Module, modules.Graph, tuple[torch.Tensor, ...]]:
    """Of every third seed single operations on special values."""
    draw, tolerance = (modules.draw_pointwise, SINGLE_TOLERANCE) if seed % 3 == 0 else (modules.draw, TOLERANCE)
    graph, inputs = draw(seed)
    expected = module_batch.expected(graph, inputs)
    path = directory / f"seed{seed}.mlir"
    return Module(seed, Options.of(seed), path, tolerance, graph.names, expected), graph, inputs


def _compile(seed: int, directory: Path) -> Module:
    entry, graph, inputs = _draw(seed, directory)
    try:
        entry.text = export_module(graph, inputs)
    except Exception as error:  # the front end has an error of its own for whatever it refuses
        entry.failure = Failure("export", f"{type(error).__name__}: {error}")
        return entry
    entry.arguments = module_batch.arguments(graph, inputs, entry.text)
    source = entry.path.with_suffix(".source.mlir")
    source.write_text(entry.text.text)
    command = [paths.find_tool("streamtensor-opt"), source, entry.options.pipeline(), "-o", entry.path]
    entry.failure = compiler.failure_of(compiler.run(command, compiler.TIME_LIMIT), "error")
    if entry.failure is None:
        model.check(entry)
    return entry


def _compare(entry: Module, native) -> Failure | None:
    try:
        found = module_batch.execute(native, entry.arguments)
    except (RuntimeError, ValueError, AssertionError) as error:
        return Failure("run", f"{type(error).__name__}: {error}")
    wrong = module_batch.difference(found, entry.expected, entry.tolerance)
    return Failure("mismatch", wrong) if wrong else None


def check(numbers: Sequence[int], directory: Path) -> list[Module]:
    """The modules of some seeds; the outcome of each is in its `failure`."""
    torch.set_num_threads(1)  # the native code runs in a fork, which has no threads of its parent
    directory.mkdir(parents=True)
    entries = [_compile(seed, directory) for seed in numbers]
    natively.run_all(entries, directory / "native", _compare)
    shutil.rmtree(directory)
    return entries


@dataclass
class ModuleCounts:
    """What a campaign has seen."""

    steps: list[int] = field(default_factory=list)
    cycles: int = 0
    failures: list[Module] = field(default_factory=list)

    def add(self, entries: Sequence[Module]) -> None:
        self.steps += [len(entry.steps) for entry in entries]
        self.cycles += sum(entry.cycles for entry in entries)
        self.failures += [entry for entry in entries if entry.failure]

    def merge(self, other: ModuleCounts) -> None:
        for name in ("steps", "cycles", "failures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def wrong(self) -> list[Module]:
        return [entry for entry in self.failures if entry.is_wrong]

    def lines(self) -> list[str]:
        if not self.steps:
            return []
        kinds = Counter(entry.failure.kind for entry in self.wrong)
        return [
            f"PyTorch modules     {len(self.steps)}, {np.median(self.steps):.0f} steps in the median, "
            f"{self.cycles:,} simulated cycles",
            f"modules refused     {len(self.failures) - len(self.wrong)}",
            f"failures of modules {len(self.wrong)} {dict(kinds) if kinds else ''}",
        ]


def count(numbers: range) -> ModuleCounts:
    """The counts of the modules of some seeds, in a directory of its own."""
    counts = ModuleCounts()
    with tempfile.TemporaryDirectory(prefix="streamtensor-fuzz-") as scratch:
        counts.add(check(numbers, Path(scratch) / "work"))
    return counts


def store(entry: Module, folder: Path) -> Path:
    """Writes the program of a failing module and what is known about it; gives its directory."""
    directory = folder / f"module{entry.seed}"
    directory.mkdir(parents=True, exist_ok=True)
    if entry.text is not None:
        entry.text.save(directory / "program.mlir")
    lines = (entry.repeat_command(), entry.options.pipeline(), " ".join(entry.steps), entry.failure.kind)
    (directory / "failure.txt").write_text("\n".join([*lines, entry.failure.message]) + "\n")
    return directory
