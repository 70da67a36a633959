# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles between simulated positions: near what a simulation gives there, and few simulations where they are lines."""

from __future__ import annotations

import pytest
import streamtensor as st
from streamtensor.frontend import models
from streamtensor.options import Options
from streamtensor.prediction import between, predict, sample

ROWS = range(4, 2052, 4)
# A stage that grows takes over from one that does not; two that grow; one that jumps, as a burst more does.
CURVES = {
    "constant": lambda rows: 5000,
    "line": lambda rows: 900 + 3 * rows,
    "bend": lambda rows: max(4000, 100 + 5 * rows),
    "two bends": lambda rows: max(3000, 2 * rows, 7 * rows - 8000),
    "jump": lambda rows: 4000 + rows + (150 if rows > 1300 else 0),
    "square": lambda rows: 2000 + rows * rows // 100,
}


@pytest.mark.parametrize("name", CURVES)
def test_between_samples_the_error_is_at_most_one_percent(name) -> None:
    asked = []

    def simulate(rows: int) -> int:
        asked.append(rows)
        return CURVES[name](rows)

    found = sample(ROWS, simulate)
    assert len(asked) == len(set(asked)) == len(found) <= 65
    for rows in ROWS:
        assert between(found, rows) == pytest.approx(CURVES[name](rows), rel=0.01), rows


def test_lines_need_few_simulations() -> None:
    assert len(sample(ROWS, CURVES["line"])) == 9


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_few_positions_are_simulated_each(count) -> None:
    assert list(sample(range(count), lambda rows: 3 * rows)) == list(range(count))


def test_the_error_on_a_design_is_at_most_one_percent(tmp_path) -> None:
    """At positions that were not simulated."""
    model = models.random_causal_lm(models.tiny_llama_config())
    options = Options(tile_size=4, unroll=64, compare=False)
    llm = st.compile_llm(model, None, 61, tokens_per_pass=4, options=options, out=tmp_path / "out")
    found = predict(llm.design, 4, 58)
    known = {each.rows: each.cycles for each in found.samples if each.tokens == 1}
    others = [rows for rows in range(4, 61, 4) if rows not in known]
    assert len(others) >= 4
    for rows in others:
        exact = llm.design.simulate(scalars={"tokens": 1, "context": rows}).cycles
        assert between(known, rows) == pytest.approx(exact, rel=0.01), rows
