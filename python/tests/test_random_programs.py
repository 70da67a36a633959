# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Linalg programs, of floats and of integers, through the whole pipeline, the interpreter after every phase,
the simulator and the native C++."""

from __future__ import annotations

import harness
import numpy as np
import pytest
from fuzz import campaign

PROGRAMS, NATIVE, GROUP = 300, 200, 50


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


def test_programs_are_varied(counts, capsys) -> None:
    """Runs after the groups, in the same process."""
    if counts.programs < PROGRAMS:
        pytest.skip("the programs ran in other processes or were not selected")
    with capsys.disabled():
        shown = [line for line in counts.lines() if not line.startswith("share")]
        print(f"\nrandom programs from seed {first_seed()}\n" + "\n".join(shown))
    assert counts.converters / counts.programs >= 0.5
    assert counts.reconverging / counts.programs >= 1 / 3
    assert 4 <= np.median(counts.operations) <= 6
    assert sum(entry.failure.is_rejection for entry in counts.failures) <= 0.02 * counts.programs
    assert {"f32", "f64", "f16", "bf16", "i1", "i4", "i8", "i16", "i32", "i64"} <= set(counts.labels)


def test_a_failure_says_how_to_repeat_it() -> None:
    assert "fuzz: " in (harness.paths.CHECKOUT / "Makefile").read_text()
    assert campaign.repeat_command(7) == "make fuzz N=1 NATIVE=1 SEED=7"
