# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converters between random itensor types, run natively; every token that arrives is compared with the definition."""

from __future__ import annotations

import fuzz.pairs
import harness
import numpy as np
import pytest
import type_pairs

PAIRS, BATCH = 200, 25
EXECUTED = 500


def pairs(group: int) -> list[type_pairs.Pair]:
    base = harness.seed() + group * BATCH
    return [type_pairs.generate(base + index, sharing=index % 5 < 3) for index in range(BATCH)]


def run_natively(chosen: list[type_pairs.Pair], seeds: list[int], tmp_path) -> str:
    """Compares what arrives with the definition; returns the IR with the converters' buffers."""
    source, design = tmp_path / "pairs.mlir", tmp_path / "design.mlir"
    source.write_text(type_pairs.module(chosen))
    harness.optimise(source, design, start_after="fuse", dump_dir=tmp_path).succeed()
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    batch.build()
    data = [np.arange(np.prod(pair.source.shape()), dtype=np.float32).reshape(pair.source.shape()) for pair in chosen]
    failures = []
    for seed, pair, values, actual in zip(seeds, chosen, data, program(*data), strict=True):
        expected = pair.result.stream(values).reshape(actual.shape)
        if not np.array_equal(actual, expected):
            wrong = np.argwhere(actual != expected)[0].tolist()
            failures.append(f"seed {seed}: {pair.source} to {pair.result}: first wrong at {wrong}")
    assert not failures, f"{len(failures)} of {len(chosen)}\n" + "\n".join(failures)
    return next(tmp_path.glob("*-materialise.mlir")).read_text()


@pytest.mark.parametrize("group", range(PAIRS // BATCH))
def test_tokens_arrive_as_the_type_says(group: int, tmp_path) -> None:
    base = harness.seed() + group * BATCH
    run_natively(pairs(group), [base + index for index in range(BATCH)], tmp_path)


@pytest.mark.parametrize(
    ("generate", "kind"), [(type_pairs.windows, "line_buffer"), (type_pairs.repeats, "repeat_buffer")]
)
def test_small_buffers_run_right(generate, kind: str, tmp_path) -> None:
    seeds = [harness.seed() + index for index in range(BATCH)]
    text = run_natively([generate(seed) for seed in seeds], seeds, tmp_path)
    assert text.count(f"through <{kind} ") >= BATCH // 2


def test_every_level_sends_the_same_tokens(tmp_path) -> None:
    """More pairs, executed by the interpreter after every phase."""
    first = harness.seed() + PAIRS
    numbers = range(first, first + EXECUTED)
    failures = [
        f"make fuzz N=0 PAIRS=1 SEED={seed}: {failure.message}"
        for start in range(0, EXECUTED, fuzz.pairs.BATCH)
        for seed, failure in fuzz.pairs.check(numbers[start : start + fuzz.pairs.BATCH], tmp_path / "work")
    ]
    assert not failures, "\n".join(failures)


def test_half_of_the_pairs_share_some_loops(capsys) -> None:
    chosen = [pair for group in range(PAIRS // BATCH) for pair in pairs(group)]
    share = np.mean([pair.shares_some for pair in chosen])
    revisit = np.mean([any(loop.dim is None for loop in pair.result.loops) for pair in chosen])
    with capsys.disabled():
        print(
            f"\ntype pairs: seed {harness.seed()}, {len(chosen)}, {share:.0%} share some but not all loops, "
            f"{revisit:.0%} revisit"
        )
    assert share >= 0.5
