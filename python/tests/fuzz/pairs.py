# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random pairs of itensor types: converters between them, executed at every level and compared with the definition."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import harness
import numpy as np
import type_pairs
from streamtensor import paths
from type_pairs import Pair

from fuzz import compiler
from fuzz.compiler import Failure

BATCH = 50
TIME_LIMIT = 300.0


@dataclass
class PairCounts:
    """What the pairs of a campaign were like, and those that failed, with their seeds."""

    pairs: int = 0
    sharing: int = 0
    revisiting: int = 0
    failures: list[tuple[int, Failure]] = field(default_factory=list)

    def add(self, pairs: Sequence[Pair], failures: Sequence[tuple[int, Failure]]) -> None:
        self.pairs += len(pairs)
        self.sharing += sum(pair.shares_some for pair in pairs)
        self.revisiting += sum(any(loop.dim is None for loop in pair.result.loops) for pair in pairs)
        self.failures += failures

    def merge(self, other: PairCounts) -> None:
        for name in ("pairs", "sharing", "revisiting", "failures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def lines(self) -> list[str]:
        if not self.pairs:
            return []
        return [
            f"type pairs          {self.pairs}, {self.sharing / self.pairs:.0%} share some but not all loops, "
            f"{self.revisiting / self.pairs:.0%} revisit",
            f"failures of pairs   {len(self.failures)}",
        ]


def pair_of(seed: int) -> Pair:
    return type_pairs.generate(seed, sharing=seed % 5 < 3)


def count(numbers: range) -> PairCounts:
    """The counts of the pairs of some seeds, in a directory of its own."""
    counts = PairCounts()
    with tempfile.TemporaryDirectory(prefix="streamtensor-fuzz-") as scratch:
        failures = check(numbers, Path(scratch) / "work")
    counts.add([pair_of(seed) for seed in numbers], failures)
    return counts


def check(seeds: Sequence[int], directory: Path) -> list[tuple[int, Failure]]:
    """The pairs that fail; all in one module first, one by one only where that fails."""
    pairs = [pair_of(seed) for seed in seeds]
    found = _check_module(pairs, directory)
    if isinstance(found, dict):
        return [(seeds[index], failure) for index, failure in found.items()]
    if len(seeds) == 1:
        return [(seeds[0], found)]
    return [failure for seed in seeds for failure in check([seed], directory)]


def _check_module(pairs: Sequence[Pair], directory: Path) -> Failure | dict[int, Failure]:
    """The failure of the module, or the pairs whose tokens are wrong."""
    directory.mkdir(parents=True)
    try:
        source = directory / "pairs.mlir"
        source.write_text(type_pairs.module(list(pairs)))
        data = [np.arange(np.prod(p.source.shape()), dtype=np.float32).reshape(p.source.shape()) for p in pairs]
        failure = _lower(source, directory) or _execute(directory, data)
        return failure or _compare(pairs, data, directory)
    finally:
        shutil.rmtree(directory)


def _lower(source: Path, directory: Path) -> Failure | None:
    words = f"device={harness.device_file()} start-after=fuse dump-dir={directory}"
    command = [paths.find_tool("streamtensor-opt"), source, f"--streamtensor-pipeline={words}", "-o", "/dev/null"]
    return compiler.failure_of(compiler.run(command, TIME_LIMIT), "error")


def _execute(directory: Path, data: Sequence[np.ndarray]) -> Failure | None:
    flags = []
    for index, values in enumerate(data):
        np.save(directory / f"arg{index}.npy", values)
        flags.append(f"--input={directory / f'arg{index}.npy'}")
    phases = sorted(directory.glob("[0-9][0-9]-*.mlir"))
    command = [paths.find_tool("streamtensor-run"), *phases, *flags, f"--output-dir={directory}"]
    tool = compiler.run(command, TIME_LIMIT)
    different = [line for line in tool.stdout.splitlines() if "differs from" in line]
    return Failure("levels", different[0]) if different else compiler.failure_of(tool, "interpreter")


def _compare(pairs: Sequence[Pair], data: Sequence[np.ndarray], directory: Path) -> dict[int, Failure]:
    wrong = {}
    for index, (pair, values) in enumerate(zip(pairs, data, strict=True)):
        actual = np.load(directory / f"result{index}.npy")
        expected = pair.result.stream(values).reshape(actual.shape)
        if not np.array_equal(actual, expected):
            place = np.argwhere(actual != expected)[0].tolist()
            wrong[index] = Failure("mismatch", f"{pair.source} to {pair.result}: first wrong at {place}")
    return wrong
