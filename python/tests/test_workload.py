# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens of a pass that are chosen for texts of a given length."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import streamtensor as st
from streamtensor import workload
from streamtensor.errors import CapacityError, CompileError
from streamtensor.frontend import models
from streamtensor.prediction import predict
from streamtensor.progress import Progress
from streamtensor.workload import Workload, try_passes
from test_language_model import Words


def _try(monkeypatch, latencies: dict[int, float], text: Workload, most: int = 16, is_whole: bool = True) -> Workload:
    """With designs of these latencies, of which others do not fit."""

    def build(tokens: int, directory) -> None:
        if tokens not in latencies:
            raise CapacityError("It does not fit.", {})
        (directory / str(tokens)).mkdir(parents=True)

    monkeypatch.setattr(workload, "StoredDesign", lambda directory: int(directory.name))
    monkeypatch.setattr(workload, "predict", lambda tokens, *_: SimpleNamespace(latency_ms=latencies[tokens]))
    return try_passes(text, build, most, is_whole, Progress())


@pytest.mark.parametrize(
    ("latencies", "prompt", "tried"),
    [
        ({1: 4.0, 2: 3.0, 4: 3.5, 8: 1.0}, 32, [1, 2, 4]),  # until one is slower
        ({1: 4.0, 2: 3.0}, 32, [1, 2]),  # or does not fit
        ({1: 4.0, 2: 3.0, 4: 2.0, 8: 1.0}, 7, [1, 2, 4]),  # or the prompt is shorter
        ({1: 4.0, 2: 4.0, 4: 4.0, 8: 4.0, 16: 4.0, 32: 1.0}, 64, [1, 2, 4, 8, 16]),
    ],
)
def test_the_fastest_of_those_that_are_tried_is_taken(latencies, prompt, tried, monkeypatch):
    found = _try(monkeypatch, latencies, Workload(prompt, 8))
    assert list(found.latency_ms) == tried
    best = min(latencies[tokens] for tokens in tried)
    assert found.tokens_per_pass == min(tokens for tokens in tried if latencies[tokens] == best)


def test_what_cannot_be_chosen_is_said(monkeypatch):
    with pytest.raises(CapacityError):  # not even one token a pass
        _try(monkeypatch, {2: 1.0}, Workload(4, 4))
    with pytest.raises(CompileError, match="one token of prompt at least"):
        _try(monkeypatch, {1: 1.0}, Workload(4, 0))
    with pytest.raises(CompileError, match="leave the lengths of the text out"):
        _try(monkeypatch, {1: 1.0}, Workload(4, 4), is_whole=False)
    with pytest.raises(CompileError, match="leave one of the two out"):
        st.compile_llm(None, tokens_per_pass=2, workload=(4, 4))
    with pytest.raises(CompileError, match="tokens_per_pass is 0"):
        st.compile_llm(models.random_causal_lm(models.tiny_llama_config()), Words(), 8, tokens_per_pass=0)


def test_a_model_is_compiled_for_its_texts(tmp_path):
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = st.compile_llm(model, Words(), 8, workload=(2, 2), options=st.Options(compare=False), out=tmp_path / "out")
    facts = llm.design.manifest["workload"]
    assert (facts["prompt_tokens"], facts["new_tokens"], set(facts["latency_ms"])) == (2, 2, {"1", "2"})
    assert facts["latency_ms"][str(llm.tokens_per_pass)] == min(facts["latency_ms"].values())
    assert predict(llm.design, 2, 2).latency_ms == pytest.approx(min(facts["latency_ms"].values()))
