# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles between simulated positions: near what a simulation gives there, and few simulations where they are lines."""

from __future__ import annotations

import pytest
import streamtensor as st
from streamtensor.frontend import models
from streamtensor.options import Options
from streamtensor.prediction import Passes, between, sample

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


@pytest.fixture(scope="module")
def passes(tmp_path_factory):
    model = models.random_causal_lm(models.tiny_llama_config())
    options, out = Options(tile_size=4, unroll=64, compare=False), tmp_path_factory.mktemp("tiny") / "out"
    llm = st.compile_llm(model, None, 61, tokens_per_pass=4, options=options, out=out)
    return Passes(llm.design, 4, 58)


def test_the_error_on_a_design_is_at_most_one_percent(passes) -> None:
    """At the first positions of tiles that were not simulated."""
    known = {each.rows for each in passes.samples if each.tokens == 1}
    places = [position for position in range(5, 61, 4) if passes.rows(position) not in known]
    assert len(places) >= 4
    for position in places:
        assert passes.cycles(1, position) == pytest.approx(passes.simulate(1, position), rel=0.01), position


def test_a_pass_is_simulated_with_the_scalars_of_its_launch(passes) -> None:
    """The first position of a tile takes as long as its last, and longer than the last of the tile before."""
    found = [passes.simulate(1, position) for position in (52, 53, 56)]
    assert found[0] < found[1] == found[2]
    assert passes.simulate(4, 0) > passes.simulate(1, 0)
