# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m mutation`: builds mutants and runs their tests; ends with 1 if one survived."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from mutation.checkout import Checkout, NotBuilt
from mutation.drawn import draw
from mutation.mutant import Moved, Mutant
from mutation.named import NAMED

ROOT = Path(__file__).resolve().parents[2]


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("--named", default=".*", help="of the named mutants those whose name holds this; '-' for none")
    parser.add_argument("--random", type=int, default=0, help="how many are drawn at random")
    parser.add_argument("--programs", type=int, default=75, help="random programs that each of these must pass")
    parser.add_argument("--seed", type=int, default=1, help="of those drawn at random")
    parser.add_argument(
        "--checkout", type=Path, default=ROOT / ".cache/mutation", help="a copy with a build of its own"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--unchecked", action="store_true", help="do not run the tests on the unchanged sources first")
    return parser.parse_args(words)


def chosen(options: argparse.Namespace, root: Path) -> list[Mutant]:
    named = [m for m in NAMED if options.named in (".*", m.name) or options.named in m.name]
    # Twice as many as wanted: some do not compile.
    return [*named, *draw(root, options.seed, 2 * options.random, options.programs)]


def outcome(mutant: Mutant, checkout: Checkout) -> str:
    """`killed by TEST` or `SURVIVED`; raises Moved and NotBuilt."""
    with mutant.applied(checkout.root):
        checkout.build(mutant.tests)
        for test in mutant.tests:
            if not checkout.passes(test):
                return f"killed by {test}"
    return "SURVIVED"


def run(mutants: list[Mutant], checkout: Checkout, wanted: int) -> int:
    """Gives the number of survivors."""
    killed, survivors, moved = 0, [], 0
    for mutant in mutants:
        if killed + len(survivors) == wanted:
            break
        start = time.monotonic()
        try:
            found = outcome(mutant, checkout)
        except NotBuilt:
            continue
        except Moved as error:
            print(f"MOVED     {mutant.name}: {error}", flush=True)
            moved += 1
            wanted -= 1
            continue
        killed += found != "SURVIVED"
        print(f"{found:9} {mutant.name} ({time.monotonic() - start:.0f} s)", flush=True)
        if found == "SURVIVED":
            survivors.append(mutant)
            print("  " + mutant.description.replace("\n", "\n  "), flush=True)
    print(f"{killed} killed, {len(survivors)} survived, {moved} no longer fit the source", flush=True)
    return len(survivors) + moved


def check_baseline(mutants: list[Mutant], checkout: Checkout) -> bool:
    """Tests that fail without a mutant say nothing about one."""
    tests = tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
    checkout.build(tests)
    failing = [test for test in tests if not checkout.passes(test)]
    for test in failing:
        print(f"{test} fails on the unchanged sources")
    return not failing


def main() -> int:
    options = arguments()
    checkout = Checkout.of(options.checkout.resolve(), ROOT, options.jobs)
    mutants = chosen(options, checkout.root)
    if not options.unchecked and not check_baseline(mutants, checkout):
        return 2
    named = sum(mutant in NAMED for mutant in mutants)
    return 1 if run(mutants, checkout, named + options.random) else 0


if __name__ == "__main__":
    sys.exit(main())
