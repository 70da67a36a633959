# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules of PyTorch, compiled and run as native C++, against PyTorch; and one of them through `st.compile`."""

from __future__ import annotations

import pickle
from collections import Counter

import harness
import module_batch
import pytest
import streamtensor as st
import torch
from fuzz import module_runs, modules

COUNT, GROUP = 16, 8


def first_seed() -> int:
    return harness.seed() % 1_000_000


def seeds(count: int) -> range:
    return range(first_seed(), first_seed() + count)


@pytest.mark.parametrize("group", range(COUNT // GROUP))
def test_modules_give_what_pytorch_gives(group: int, tmp_path) -> None:
    """Of every third seed single operations, which NaN and infinity go through as in PyTorch."""
    numbers = seeds(COUNT)[group * GROUP : (group + 1) * GROUP]
    wrong = [entry for entry in module_runs.check(numbers, tmp_path / "work") if entry.is_wrong]
    lines = [f"{e.repeat_command()}: {' '.join(e.steps)}: {e.failure.kind}: {e.failure.message[:600]}" for e in wrong]
    assert not wrong, f"{len(wrong)} of {GROUP} modules\n" + "\n".join(lines)


def test_a_campaign_reports_modules(tmp_path, monkeypatch) -> None:
    """One that gives something else than PyTorch, and one that the front end refuses."""
    numbers = [first_seed() // 3 * 3 + offset for offset in (1, 2)]
    counts = module_runs.ModuleCounts()
    draw = modules.draw

    def wrong(seed: int) -> tuple:
        graph, inputs = draw(seed)
        if seed == numbers[0]:
            monkeypatch.setattr(module_batch, "expected", lambda *_: [2 * r + 1 for r in expected(graph, inputs)])
        else:
            graph.steps.append(("fft", torch.fft.fft, (0,)))
            monkeypatch.setattr(module_batch, "expected", expected)
        return graph, inputs

    expected = module_batch.expected
    monkeypatch.setattr(modules, "draw", wrong)
    counts.add(module_runs.check(numbers, tmp_path / "work"))
    assert [(entry.seed, entry.failure.kind) for entry in counts.wrong] == [
        (numbers[0], "mismatch"),
        (numbers[1], "export"),
    ]
    assert counts.lines()[-1].split() == ["failures", "of", "modules", "2", "{'mismatch':", "1,", "'export':", "1}"]
    for entry in pickle.loads(pickle.dumps(counts)).wrong:  # as a process of the campaign hands them over
        told = (module_runs.store(entry, tmp_path) / "failure.txt").read_text().splitlines()
        assert told[0] == f"make fuzz N=0 MODULES=1 SEED={entry.seed}"
        assert entry.failure.kind in told and " ".join(entry.steps) in told
    assert "func.func @main" in (tmp_path / f"module{numbers[0]}" / "program.mlir").read_text()


def test_modules_are_varied() -> None:
    names = Counter(name for seed in seeds(300) for name in set(modules.draw(seed)[0].names))
    missing = {"linear", "attention", "softmax", "residual", "conv2d", "gated", "cat", "slice", "transpose"} - set(
        names
    )
    assert not missing
    assert len(names) >= 45


def test_a_module_through_the_driver(tmp_path) -> None:
    module, inputs = modules.draw(first_seed())
    design = st.compile(module, inputs, st.Options(tile_size=8, unroll=32), tmp_path / "out")
    with torch.no_grad():
        expected = module(*inputs)
    found = design(*inputs)
    torch.testing.assert_close(found, expected, rtol=module_runs.TOLERANCE, atol=module_runs.TOLERANCE)
