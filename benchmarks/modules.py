# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every module of benchmarks/corpus as a user would and counts how it ends.

equal        the design, run natively, gives what PyTorch gives on the example inputs and on another draw
clear error  compile() refuses in one paragraph that names the operation, or quotes it, and its line
wrong        the design gives something else, or compile() says that it would
crashed      anything else: a stack trace, a signal, an error that is not clear, no end within the limit

Each module has a process of its own. Floats are equal up to 1e-4 of an element and 1e-5 of the result's largest
(bfloat16: 2e-2 of both); integers and booleans are equal exactly. `--check` ends with 1 if one is wrong or crashed,
or fewer than 45 are equal.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import streamtensor as st
import torch
from corpus import MODULES
from torch.utils._pytree import tree_leaves

VERDICTS = EQUAL, CLEAR, WRONG, CRASHED = "equal", "clear error", "wrong", "crashed"
LEAST_EQUAL = 45
SEEDS = (0, 1)  # of the example inputs, of the other draw
_PRELOADED = ["streamtensor", "streamtensor.frontend.export", "streamtensor.frontend.importer", "transformers"]
_OPERATION = re.compile(r"'[\w.:]+'|:\d+, '.+'")  # or the user's line in its own words
_LINE = re.compile(r"[\w.-]+\.\w+:\d+")


@dataclass(frozen=True)
class Ending:
    """How one module ended, why, and after how many seconds."""

    name: str
    verdict: str
    seconds: float
    reason: str = ""


def compile_and_compare(name: str, directory: Path) -> tuple[str, str]:
    """Verdict and reason, in this process."""
    torch.manual_seed(SEEDS[0])
    module, draw = MODULES[name]()
    examples = draw()
    torch.manual_seed(SEEDS[1])
    other = draw()
    try:
        design = st.compile(module, examples, st.Options(), directory / "out")
        for inputs in (examples, other):
            compare(module, inputs, design(*inputs))
    except st.Error as error:
        return judge(error)
    except AssertionError as error:
        return WRONG, str(error)
    return EQUAL, ""


@torch.no_grad()
def compare(module: torch.nn.Module, inputs: Sequence[torch.Tensor], found: object) -> None:
    """Raises AssertionError where `found` is not what PyTorch gives."""
    results, expected = _tensors(found), _tensors(module(*inputs))
    assert len(results) == len(expected), f"{len(results)} results, {len(expected)} expected"
    for actual, wanted in zip(results, expected, strict=True):
        torch.testing.assert_close(actual, wanted, equal_nan=True, **_tolerance(wanted))


def _tensors(value: object) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _tolerance(wanted: torch.Tensor) -> dict[str, float]:
    if not wanted.is_floating_point():
        return {"rtol": 0, "atol": 0}
    finite = wanted[wanted.isfinite()]
    largest = float(finite.abs().max()) if finite.numel() else 0.0
    relative, absolute = (1e-4, 1e-5) if wanted.dtype == torch.float32 else (2e-2, 2e-2)
    return {"rtol": relative, "atol": absolute * largest}


def judge(error: st.Error) -> tuple[str, str]:
    """An error is clear if it is one paragraph and names the operation and the user's line."""
    text = str(error)
    if isinstance(error, st.DifferenceError):
        return WRONG, text
    if isinstance(error, st.CrashError):
        return CRASHED, text
    is_clear = "\n" not in text and "Traceback" not in text and _OPERATION.search(text) and _LINE.search(text)
    return (CLEAR if is_clear else CRASHED), text


def _child(name: str, directory: Path) -> None:
    """Leaves the verdict in a file, and everything that is printed in another."""
    with (directory / "log.txt").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    try:
        verdict = compile_and_compare(name, directory)
    except BaseException:
        verdict = CRASHED, traceback.format_exc()
    (directory / "verdict.json").write_text(json.dumps(verdict))


def examine(name: str, work: Path, limit: float) -> Ending:
    """Runs one module in a process of its own."""
    directory = work / name
    directory.mkdir(parents=True)
    start = time.monotonic()
    child = multiprocessing.get_context("forkserver").Process(target=_child, args=(name, directory))
    child.start()
    child.join(limit)
    seconds = time.monotonic() - start
    if child.is_alive():
        child.kill()
        child.join()
        return Ending(name, CRASHED, seconds, f"no end within {limit:g} s")
    verdict = directory / "verdict.json"
    if not verdict.exists():
        return Ending(name, CRASHED, seconds, f"the process ended with {child.exitcode}")
    kind, reason = json.loads(verdict.read_text())
    return Ending(name, kind, seconds, reason)


def examine_all(names: Sequence[str], jobs: int, limit: float) -> Iterator[Ending]:
    multiprocessing.get_context("forkserver").set_forkserver_preload(_PRELOADED)
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda name: examine(name, Path(work), limit), names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(MODULES), help="modules; none for all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--jobs", type=int, default=2, help="modules at a time")
    parser.add_argument("--limit", type=float, default=300, help="seconds until a module counts as hanging")
    parser.add_argument("--check", action="store_true", help="fail on wrong or crashed ones")
    arguments = parser.parse_args()
    start, endings = time.monotonic(), []
    for ending in examine_all(arguments.names, arguments.jobs, arguments.limit):
        endings.append(ending)
        if not arguments.json:
            print(f"{ending.name:24} {ending.verdict:12} {ending.seconds:6.1f} s  {_first_line(ending)}", flush=True)
    counts = Counter(ending.verdict for ending in endings)
    totals = {verdict: counts[verdict] for verdict in VERDICTS}
    if arguments.json:
        modules = [asdict(ending) for ending in endings]
        print(json.dumps({"modules": modules, "totals": totals, "seconds": time.monotonic() - start}, indent=1))
    else:
        print(", ".join(f"{count} {verdict}" for verdict, count in totals.items()), "of", len(endings))
    is_good = not (totals[WRONG] or totals[CRASHED]) and totals[EQUAL] >= min(LEAST_EQUAL, len(endings))
    return int(arguments.check and not is_good)


def _first_line(ending: Ending) -> str:
    return ending.reason.strip().splitlines()[-1] if ending.reason else ""


if __name__ == "__main__":
    sys.exit(main())
