# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m fuzz`: a campaign of random programs; ends with 1 if one failed."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import vitis_compile

from fuzz import campaign, effort, module_runs, pairs

# Programs that a process is given at a time, and after how many progress is told.
CHUNK, REPORTED = campaign.BATCH, 500


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="number of programs")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first program; the next one has the next seed")
    parser.add_argument("--pairs", type=int, default=0, help="number of random pairs of itensor types")
    parser.add_argument("--modules", type=int, default=None, help="modules of PyTorch; without it a twentieth of COUNT")
    parser.add_argument("--native", type=int, default=None, help="how many run natively too; without it a fifth")
    parser.add_argument("--levels", type=int, default=None, help="how many are executed after every phase; all")
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), help="where failing programs go")
    parser.add_argument("--shrink-seconds", type=float, default=60.0, help="time to make one failing program small")
    parser.add_argument("--shrink-limit", type=int, default=20, help="how many failing programs are made small")
    parser.add_argument("--coverage", type=Path, help="where the shares of programs are written as JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--patience", type=float, default=1.0, help="factor on limits of time")
    parser.add_argument("--optimise", default="O0", choices=["O0", "O1", "O2", "O3"], help="level of the native C++")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    effort.set_effort(options.patience, options.optimise)
    start = time.monotonic()
    vitis_compile.precompiled(vitis_compile.SYNTHESIS, vitis_compile.OF_DESIGNS)  # once for all processes
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        counts, pair_counts = _run_programs(options, pool), _run_pairs(options, pool)
        module_counts = _run_modules(options, pool)
    print(f"seed                {options.seed}")
    coverage = counts.coverage.lines() if counts.programs else []
    print("\n".join([*counts.lines(), *coverage, *pair_counts.lines(), *module_counts.lines()]))
    if options.coverage:
        counts.coverage.write(options.coverage)
    print(f"seconds             {time.monotonic() - start:.0f}")
    return 1 if counts.wrong or pair_counts.failures or module_counts.wrong else 0


def _run_pairs(options: argparse.Namespace, pool: ProcessPoolExecutor) -> pairs.PairCounts:
    counts = pairs.PairCounts()
    for found in pool.map(pairs.count, campaign.seeds(options.seed, options.pairs, pairs.BATCH)):
        counts.merge(found)
        for seed, failure in found.failures:
            print(f"FAILED {failure.kind}: {failure.message}\n  again with: make fuzz N=0 PAIRS=1 SEED={seed}")
        if counts.pairs % 1000 == 0:
            print(f"{counts.pairs} type pairs, {len(counts.failures)} failures", flush=True)
    return counts


def _run_modules(options: argparse.Namespace, pool: ProcessPoolExecutor) -> module_runs.ModuleCounts:
    counts = module_runs.ModuleCounts()
    number = options.modules if options.modules is not None else options.count // 20
    for found in pool.map(module_runs.count, campaign.seeds(options.seed, number, module_runs.BATCH)):
        counts.merge(found)
        for entry in found.wrong:
            place = module_runs.store(entry, options.failures)
            command = entry.repeat_command()
            print(f"FAILED {entry.failure.signature()}\n  in {place}; again with: {command}", flush=True)
    return counts


def _run_programs(options: argparse.Namespace, pool: ProcessPoolExecutor) -> campaign.Counts:
    start, counts = time.monotonic(), campaign.Counts()
    native = options.native if options.native is not None else options.count // 5
    every_level = options.levels if options.levels is not None else options.count
    seen: set[str] = set()
    chunks = campaign.seeds(options.seed, options.count, CHUNK)
    ways = [campaign.Ways(index * CHUNK < native, index * CHUNK < every_level) for index in range(len(chunks))]
    with tempfile.TemporaryDirectory(prefix="streamtensor-fuzz-") as scratch:
        for found in pool.map(campaign.count, chunks, ways):
            counts.merge(found)
            for entry in found.wrong:
                _report(entry, seen, Path(scratch), options)
            if counts.programs % REPORTED < CHUNK or found.wrong:
                seconds = time.monotonic() - start
                print(f"{counts.programs} programs, {len(counts.wrong)} failures, {seconds:.0f} s", flush=True)
    return counts


def _report(entry, seen: set[str], directory: Path, options: argparse.Namespace) -> None:
    """Prints and stores a failure; one of each kind is made small."""
    signature = entry.failure.signature()
    reduced = None
    if signature not in seen and len(seen) < options.shrink_limit:
        reduced = campaign.reduce(entry, directory, options.shrink_seconds)
    seen.add(signature)
    place = campaign.store(entry, reduced, options.failures)
    print(f"FAILED {signature}\n  in {place}; again with: {campaign.repeat_command(entry.seed)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
