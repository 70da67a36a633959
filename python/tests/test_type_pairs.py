# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converters between random itensor types, run natively; every token that arrives is compared with the definition."""

from __future__ import annotations

import harness
import numpy as np
import pytest
import type_pairs

PAIRS, BATCH = 200, 25


def pairs(group: int) -> list[type_pairs.Pair]:
    base = harness.seed() + group * BATCH
    return [type_pairs.generate(base + index, sharing=index % 5 < 3) for index in range(BATCH)]


@pytest.mark.parametrize("group", range(PAIRS // BATCH))
def test_tokens_arrive_as_the_type_says(group: int, tmp_path) -> None:
    chosen = pairs(group)
    source, design = tmp_path / "pairs.mlir", tmp_path / "design.mlir"
    source.write_text(type_pairs.module(chosen))
    harness.optimise(source, design, start_after="fuse", dump_dir=tmp_path).succeed()
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    batch.build()
    data = [np.arange(np.prod(pair.source.shape()), dtype=np.float32).reshape(pair.source.shape()) for pair in chosen]
    failures = []
    for index, (pair, values, actual) in enumerate(zip(chosen, data, program(*data), strict=True)):
        expected = pair.result.stream(values).reshape(actual.shape)
        if not np.array_equal(actual, expected):
            wrong = np.argwhere(actual != expected)[0].tolist()
            seed = harness.seed() + group * BATCH + index
            failures.append(f"seed {seed}: {pair.source} to {pair.result}: first wrong at {wrong}")
    assert not failures, f"{len(failures)} of {BATCH}\n" + "\n".join(failures)


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
