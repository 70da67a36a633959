# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Linalg programs, of floats and of integers, through the whole pipeline, the interpreter after every phase,
the simulator and the native C++."""

from __future__ import annotations

import json
import re
from pathlib import Path

import harness
import numpy as np
import pytest
from fuzz import campaign, compiler, coverage, wild
from fuzz.elements import F32
from fuzz.ops_reduce import summed
from streamtensor import paths

PROGRAMS, NATIVE, GROUP = 100, 50, 50
DRAWN = 2000
FURTHER = 800


@pytest.fixture(scope="module")
def counts() -> campaign.Counts:
    return campaign.Counts()


def first_seed() -> int:
    return harness.seed() % 1_000_000


@pytest.mark.parametrize("group", range(PROGRAMS // GROUP))
def test_programs_agree_with_numpy(group: int, tmp_path, counts) -> None:
    numbers = range(first_seed() + group * GROUP, first_seed() + (group + 1) * GROUP)
    ways = campaign.Ways(natively=group * GROUP < NATIVE)
    entries = campaign.check(campaign.programs_of(numbers), ways, tmp_path / "work")
    counts.add(entries, ways)
    wrong = [entry for entry in entries if entry.failure and not entry.failure.is_rejection]
    lines = [f"{campaign.repeat_command(e.program.seed)}: {e.failure.kind}: {e.failure.message[:600]}" for e in wrong]
    assert not wrong, f"{len(wrong)} of {GROUP} programs\n" + "\n".join(lines)


# What only programs ask for that declare it at their arguments and results; and, rare among so few, products that read
# one matrix, of which `shared-reads.mlir` has each case, engines of a single token (`token-engine.mlir`), and blocks
# that take UltraRAMs (`assembled-words.mlir`).
DECLARED = (
    "dataflow-assemble-words",
    "dataflow-loop-layers",
    "dataflow-run-time-counts",
    "dataflow-share-engines",
    "dataflow-write-in-place",
    "streamtensor-lay-token-weights",
    "streamtensor-share-loads",
)


def test_programs_are_varied(counts, capsys, tmp_path) -> None:
    """Runs after the groups, in the same process."""
    if counts.programs < PROGRAMS:
        pytest.skip("the programs ran in other processes or were not selected")
    with capsys.disabled():
        shown = [line for line in counts.lines() if not line.startswith("share")]
        print(f"\nrandom programs from seed {first_seed()}\n" + "\n".join(shown))
    assert counts.converters / counts.programs >= 0.25
    assert counts.reconverging / counts.programs >= 0.3
    assert 4 <= np.median(counts.operations) <= 6
    # At most one in fifty is refused; a sample of a few hundred may lie two standard deviations above.
    expected = 0.02 * counts.programs
    assert sum(entry.failure.is_rejection for entry in counts.failures) <= expected + 2 * expected**0.5
    assert all(counts.coverage.groups["element types"].values())
    missing = {name for name, count in counts.coverage.groups["passes"].items() if not count} - set(DECLARED)
    assert not _unreached(missing, tmp_path)


def _unreached(passes: set[str], directory: Path) -> set[str]:
    """Of `passes`, those that further programs do not need either: some have one program in a hundred."""
    first = first_seed() + PROGRAMS
    for program in campaign.programs_of(range(first, first + FURTHER)):
        if not passes:
            break
        source, activity = directory / "program.mlir", directory / "activity.json"
        source.write_text(program.text())
        command = [
            paths.find_tool("streamtensor-opt"),
            f"--pass-activity={activity}",
            source,
            "--streamtensor-pipeline",
        ]
        compiler.run([*command, "-o", "/dev/null"], compiler.TIME_LIMIT)
        ran = json.loads(activity.read_text())["modules"][0]["passes"]
        passes = {name for name in passes if name not in ran or not ran[name]["changes"]}
    return passes


def test_the_generator_reaches_everything() -> None:
    """Programs that are drawn only; a campaign shows the same for passes, with more programs."""
    reached = coverage.Coverage()
    for program in campaign.programs_of(range(first_seed(), first_seed() + DRAWN)):
        reached.add_program(program)
    rare = [f"{name} ({group}) {share:.2%}" for group, name, share in reached.rare() if share < coverage.FLOOR / 2]
    assert not rare, ", ".join(rare)


def test_arguments_are_drawn_that_hold_what_is_no_number() -> None:
    """Most programs have floats; of these each but a few have a NaN, an infinity or a large value among them."""
    programs = [p for p in campaign.programs_of(range(first_seed(), first_seed() + 100)) if wild.is_defined(p)]
    special = [np.concatenate([np.zeros(1), *(_floats(v) for v in wild.inputs(p))]) for p in programs]
    assert len(programs) > 90
    for meets in (np.isnan, np.isinf, lambda values: np.abs(values) > 1e4):
        assert sum(bool(meets(values).any()) for values in special) > 40


def _floats(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float64).reshape(-1)


def test_every_scalar_operation_that_can_be_emitted_is_drawn() -> None:
    text = (harness.paths.CHECKOUT / "lib/Target/HLSCpp/Arithmetic.cpp").read_text()
    emitted = set(re.findall(r'"((?:arith|math)\.\w+)"', text))
    casts = set(re.findall(r"arith::(\w+)Op\b", text)) - {"CmpI", "CmpF"}
    emitted |= {f"arith.{name.lower()}" for name in casts - {"IndexCast", "IndexCastUI"}}
    drawn = {name.split("_")[0] for name in coverage.Coverage().groups["operations"]}
    assert not emitted - drawn


def test_a_failure_says_how_to_repeat_it() -> None:
    assert "fuzz: " in (harness.paths.CHECKOUT / "Makefile").read_text()
    assert campaign.repeat_command(7) == "make fuzz N=1 NATIVE=1 SEED=7"


def test_a_sum_is_moved_by_a_number_at_least():
    """Half a rounding of 212 is less than half of the distance to the next number of f32, 1.5e-5."""
    total = np.asarray(212.00764510417085)
    for magnitude in (total, 100 * total):
        moved = summed(total, total, magnitude, False, F32).narrow
        assert moved - F32.round(total) >= np.spacing(np.float32(total))
    assert summed(total, total, total, True, F32).narrow == F32.round(total)
