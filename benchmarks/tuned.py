# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how far the compiler's own choice is from the best that a search finds. All cycles are simulated.

Each kernel of benchmarks/kernels.py, and each decoder layer of benchmarks/lanes.py that is named, is compiled for the
U55C with as many lanes as a budget of DSPs has; for kernels its dies have room for anything, as in that program. Then
`streamtensor tune` looks for fewer cycles in two ways, each with the DSPs of that design at most: `near` draws
operations of the best schedules anew, `uniform` draws all tiles, orders and lanes. `ratio` is the compiler's cycles
over those of the best schedule of both; `refused` counts the schedules that take more DSPs, do not fit or are none, and
uniform ones that are slower than the compiler's, or near ones by more than a quarter. A layer that does not fit has a
row that says so. Searches of hours may be interrupted: with `--keep DIRECTORY` the same command goes on.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import results
import streamtensor as st
import zoo
from kernels import BUDGETS, CARD, DSPS_PER_UNIT
from lanes import LANES
from polybench import KERNELS
from streamtensor.devices import larger, load_device
from streamtensor.frontend import export_module
from streamtensor.progress import quiet_libraries
from streamtensor.tuning import Search, Tuned, tune

NEAR = 1.25  # Schedules that are slower by more are not worth their neighbours.
ROOM = 64  # Times what the dies of the card have.


def export(name: str, source: Path, tokens: int) -> None:
    if name in KERNELS:
        kernel = KERNELS[name]
        export_module(kernel.module(), kernel.inputs()).save(source)
    else:
        zoo.export(name, source, tokens)


def search(
    directory: Path, sampler: str, trials: int, limits: dict[str, float], arguments: argparse.Namespace
) -> Tuned:
    asked = Search(directory, trials, sampler=sampler, seed=arguments.seed, name=sampler, limits=limits)
    return tune(asked, directory.parent / f"{sampler}.json", arguments.workers)


def measure(source: Path, card: Path, lanes: int, scratch: Path, arguments: argparse.Namespace) -> dict:
    options = st.Options(device=str(card), unroll=lanes, compare=False, force=True)
    simulated = st.compile(source, options=options, out=scratch / "design").simulate().data
    cycles, dsps = simulated["cycles"], simulated["resources"]["dsp"]["used"]
    near, uniform = {"dsp": dsps, "cycles": NEAR * cycles}, {"dsp": dsps, "cycles": cycles}
    searches = {
        "near": search(scratch / "design", "near", arguments.trials, near, arguments),
        "uniform": search(scratch / "design", "random", arguments.samples, uniform, arguments),
    }
    best = {name: tuned.best[0]["cycles"] for name, tuned in searches.items()}
    return {
        "cycles": cycles,
        "dsp": dsps,
        "best": min(best.values()),
        "ratio": cycles / min(best.values()),
        **best,
        "trials": arguments.trials,
        "samples": arguments.samples,
        "refused": sum(tuned.refused for tuned in searches.values()),
    }


@contextmanager
def scratch_for(program: str, lanes: int, keep: Path | None) -> Iterator[Path]:
    """Where the design and the trials of a search lie: in `keep`, or for as long as it takes."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="streamtensor-tuned-") as scratch:
            yield Path(scratch)
    else:
        kept = keep / f"{re.sub('[^a-z0-9.]+', '-', program)}-{lanes}"
        kept.mkdir(parents=True, exist_ok=True)
        yield kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = (*KERNELS, *zoo.NAMES)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{'; '.join(names)}; none for all kernels")
    parser.add_argument(
        "--dsps", type=int, action="append", help=f"a budget; without it {', '.join(map(str, BUDGETS))}"
    )
    parser.add_argument("--tokens", type=int, default=32, help="of a layer (32)")
    parser.add_argument("--trials", type=int, default=500, help="near the best schedules (500)")
    parser.add_argument("--samples", type=int, default=500, help="anywhere (500)")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, metavar="DIRECTORY", help="of designs and trials, to go on with later")
    results.add_option(parser)
    arguments = parser.parse_args()
    quiet_libraries()
    zoo.check_names(parser, arguments.names, names, "kernel or layer")
    printed = results.Results(arguments.json)
    columns = ("lanes", "DSPs", "cycles", "near", "uniform", "refused")
    printed.line(f"{'program (simulated)':<28}{''.join(f'{column:>10}' for column in columns)}{'ratio':>7}")
    for name in arguments.names or KERNELS:
        budgets = [dsps // DSPS_PER_UNIT for dsps in arguments.dsps or BUDGETS] if name in KERNELS else [LANES]
        program = name if name in KERNELS else f"{name}, {arguments.tokens} tokens"
        for lanes in budgets:
            with scratch_for(program, lanes, arguments.keep) as scratch:
                source, card = scratch / "program.mlir", CARD
                export(name, source, arguments.tokens)
                if name in KERNELS:
                    card = scratch / "roomy.json"
                    larger(load_device(CARD), ROOM, card)
                try:
                    row = measure(source, card, lanes, scratch, arguments)
                except st.Error as error:
                    printed.add(f"{program:<28}{lanes:>10,}  {error}", name=program, lanes=lanes, error=str(error))
                    continue
            counts = (lanes, row["dsp"], row["cycles"], row["near"], row["uniform"], row["refused"])
            text = f"{program:<28}{''.join(f'{count:>10,.0f}' for count in counts)}{row['ratio']:>7.2f}"
            printed.add(text, name=program, lanes=lanes, **row)
    printed.end(simulated=True, device=st.Options().device)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
