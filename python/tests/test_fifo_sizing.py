# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What smaller FIFOs cost: the sizings that benchmarks/fifo_sizing.py and the report compare."""

from __future__ import annotations

from itertools import pairwise

import fifo_sizing
import pytest
import streamtensor as st
import torch
from torch import nn

LOSSES = (0.0, 0.01, 0.3)


def compile_design(module: nn.Module, shape: tuple[int, int], out, **options: object) -> st.Design:
    torch.manual_seed(0)
    chosen = st.Options(unroll=64, decision="rules", compare=False, **options)
    return st.compile(module.eval(), (torch.randn(*shape),), chosen, out=out)


@pytest.fixture(scope="module")
def attention(tmp_path_factory) -> list[dict]:
    design = compile_design(fifo_sizing.Attention(16), (16, 16), tmp_path_factory.mktemp("attention") / "out")
    return fifo_sizing.compare(design, LOSSES)


def only(rows: list[dict], strategy: str, loss: float | None = None) -> dict:
    (row,) = [row for row in rows if row["strategy"] == strategy and row.get("loss") == loss]
    return row


def test_there_is_a_row_for_each_strategy_and_loss(attention):
    ways = [(row["strategy"], row.get("loss")) for row in attention]
    linear = [("lp", None), ("lp-conservative", None)]
    assert ways == [*linear, ("highwater", None), *(("search", loss) for loss in LOSSES)]


def test_the_front_is_monotone_and_beats_all_others(attention):
    memory = {id(row): (row["share"], row["bits"]) for row in attention}
    front = sorted((row for row in attention if row["on_front"]), key=lambda row: memory[id(row)])
    assert front
    for smaller, larger in pairwise(front):
        assert memory[id(smaller)] < memory[id(larger)]
        assert smaller["cycles"] > larger["cycles"]
    for row in attention:
        beaten = any(memory[id(o)] <= memory[id(row)] and o["cycles"] <= row["cycles"] for o in front if row["cycles"])
        assert beaten or not row["ends_whatever_the_timing"]


def test_a_deadlock_at_the_depths_of_the_linear_program_is_an_answer(attention):
    """A row of scores is summed before it is divided: the FIFO around the sum must hold it, whatever the rates."""
    row = only(attention, "lp-conservative")
    assert (row["cycles"], row["ends_whatever_the_timing"], row["on_front"]) == (None, False, False)
    assert "waits for a slot in FIFO" in row["fault"]
    assert "deadlock" in fifo_sizing.describe(row)


def test_without_loss_the_search_takes_less_memory_than_high_water(tmp_path):
    """At the least depths this product takes a cycle more, and no FIFO is to blame: the search must not end there."""
    rows = fifo_sizing.compare(compile_design(nn.Linear(64, 64, bias=False), (32, 64), tmp_path / "out"), (0.0,))
    most, found = only(rows, "highwater"), only(rows, "search", 0.0)
    assert found["cycles"] <= most["cycles"]
    assert found["bits"] < most["bits"]
    assert found["share"] < most["share"]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_compilation_with_a_loss_has_the_depths_of_its_row(attention, loss, tmp_path):
    design = compile_design(fifo_sizing.Attention(16), (16, 16), tmp_path / "out", fifo_loss=loss)
    simulated = design.simulate()
    row = only(attention, "search", loss)
    assert (simulated.cycles, 8 * simulated.memory["fifo_bytes"]) == (row["cycles"], row["bits"])
    assert design.manifest["options"]["fifo_loss"] == loss
