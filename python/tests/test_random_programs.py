# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Linalg programs through the whole compiler, run natively and compared with numpy."""

from __future__ import annotations

import random

import fused_graph
import harness
import numpy as np
import pytest
import random_programs

PROGRAMS, BATCH = 200, 25
TOLERANCE = 1e-4


def options(seed: int) -> dict[str, int]:
    rng = random.Random(seed ^ 0x5EED)
    return {"tile_size": rng.choice((2, 4, 4, 8, 16)), "unroll": rng.choice((1, 4, 16, 64, 256))}


@pytest.fixture(scope="module")
def shares() -> dict[str, list[bool]]:
    return {"converter": [], "reconverge": []}


@pytest.mark.parametrize("group", range(PROGRAMS // BATCH))
def test_programs_agree_with_numpy(group: int, tmp_path, shares) -> None:
    base = harness.seed() + group * BATCH
    batch, programs, failures = harness.Batch(tmp_path), [], []
    for index in range(BATCH):
        seed, directory = base + index, tmp_path / f"seed{base + index}"
        program = random_programs.generate(seed, reorder=index % 3 != 2, reconverge=index % 2 == 0)
        try:
            design = harness.lower(program.text, directory, stop_after="stream", **options(seed))
            emitted = batch.add(harness.emit(design, directory / "out"))
        except AssertionError as error:
            failures.append(f"seed {seed} ({', '.join(program.steps)}): {str(error)[:1200]}")
            continue
        programs.append((seed, program, emitted))
        text = harness.phase_text(directory, "fuse")
        shares["converter"].append("itensor.converter" in text)
        shares["reconverge"].append(fused_graph.reconverges(text))
    batch.build()
    for seed, program, emitted in programs:
        failures += mismatches(seed, program, emitted)
    assert not failures, f"{len(failures)} of {BATCH} programs\n" + "\n".join(failures)


def mismatches(seed: int, program: random_programs.Program, emitted: harness.Emitted) -> list[str]:
    what = f"seed {seed} {options(seed)} ({', '.join(program.steps)})"
    try:
        results = emitted(*program.inputs)
    except RuntimeError as error:
        return [f"{what}: {error}"]
    errors = [
        harness.relative_error(np.asarray(actual), expected)
        for actual, expected in zip(results, program.results, strict=True)
    ]
    return [f"{what}: result {i} is off by {e:.2e}" for i, e in enumerate(errors) if not e <= TOLERANCE]


def test_half_have_converters_and_a_third_reconverge(shares, capsys) -> None:
    """Runs after the groups, in the same process."""
    if len(shares["converter"]) < PROGRAMS // 2:
        pytest.skip("the programs ran in other processes or were not selected")
    converter, reconverge = (np.mean(shares[key]) for key in ("converter", "reconverge"))
    with capsys.disabled():
        print(
            f"\nrandom programs: seed {harness.seed()}, {len(shares['converter'])} run, "
            f"{converter:.0%} with converters, {reconverge:.0%} re-converge"
        )
    assert converter >= 0.5
    assert reconverge >= 1 / 3
