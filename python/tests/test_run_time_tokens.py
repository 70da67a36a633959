# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One design for prompts and single tokens: a pass of n tokens takes their time, and touches nothing of the others."""

from __future__ import annotations

from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
import transformers
from number_words import Words
from streamtensor import prediction
from streamtensor.frontend import decoder, models
from streamtensor.frontend.cached_decoder import CACHE_ARGUMENTS
from streamtensor.llm import LanguageModel
from streamtensor.memory import as_tensor
from streamtensor.options import Options
from streamtensor.reference import generate_checked

TOKENS, MAX_CONTEXT, TILE = 4, 40, 8
SCALES_OF_A_WORD = TILE  # one for each row of a tile of the cache
STALE = 1e9  # what lies where nothing may look


def wide_llama_config() -> transformers.LlamaConfig:
    """Whose rows are whole groups of 32."""
    return transformers.LlamaConfig(**models.TINY_SHAPE | {"hidden_size": 64, "intermediate_size": 128})


# The device chooses the lanes where `unroll` is none: as many as there are.
KINDS = {
    "few lanes": (models.tiny_llama_config, {}, 16),
    "many lanes": (models.tiny_llama_config, {}, None),
    "windows": (models.tiny_gemma3_config, {}, None),
    "quantised": (wide_llama_config, {"quantise": "w4a8", "group_size": 32}, None),
    "int8 cache": (models.tiny_llama_config, {"cache": "int8"}, None),
}


def compile_model(kind: str, tokens: int, out: Path) -> LanguageModel:
    config, sizes, unroll = KINDS[kind]
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    options = Options(tile_size=TILE, unroll=unroll)
    return st.compile_llm(model, Words(), MAX_CONTEXT, tokens, options=options, out=out, layers="host", **sizes)


@pytest.fixture(scope="module", params=KINDS)
def llm(request, tmp_path_factory):
    return compile_model(request.param, TOKENS, tmp_path_factory.mktemp("tokens") / "out")


def cycles(llm: LanguageModel, tokens: int) -> int:
    return llm.design.simulate(scalars={"tokens": tokens, "context": 16}).cycles


def test_the_design_takes_how_many_tokens_there_are(llm) -> None:
    assert not [text for text in llm.design.manifest["warnings"] if text.startswith("[counts")]
    scalars = {
        scalar["name"]: (scalar["low"], scalar["high"], scalar["step"]) for scalar in llm.design.interface.scalars
    }
    assert scalars["tokens"] == (1, TOKENS, 1)


@pytest.mark.parametrize("length", [1, 2, 7, 33])
def test_texts_of_any_length_up_to_the_last_position(llm, length) -> None:
    """In passes of 1 to 4 tokens; the longest ends at the last position."""
    prompt = " ".join(str(7 * index % 90 + 1) for index in range(length))
    reference, generation, comparison = generate_checked(llm, prompt, min(MAX_CONTEXT + 1 - length, 12))
    assert generation.tokens == reference.tokens
    if not llm.design.manifest["quantise"]:
        assert comparison.logit_error < 1e-5


class Layer:
    """The first layer of a model at one position, with what is stale behind its tokens and in its cache."""

    def __init__(self, llm: LanguageModel, position: int, tokens: int):
        generator = torch.Generator().manual_seed(harness.seed())
        context, self.position, self.tokens = llm.context, position, tokens
        interface = llm.design.interface
        self.scalars = interface.fill(context.scalars(position, tokens))
        ids = torch.randint(90, (1, position + tokens), generator=generator)
        self.rows = {
            a.name: torch.zeros(a.shape, dtype=a.dtype) for a in interface.arguments if a.name in CACHE_ARGUMENTS
        }
        layer, kind = context.wrap(0), context.kinds[0]
        with torch.no_grad():
            for start in range(position):
                found = layer(
                    context.embed(ids[:, start : start + 1], start),
                    *self.rows.values(),
                    *context.inputs(kind, start, 1),
                )
                self._write(self.rows, found[1:], start)
            hidden, inputs = context.embed(ids[:, position:], position), context.inputs(kind, position, tokens)
            self.expected, *new = layer(hidden, *self.rows.values(), *inputs)
        padded = torch.full((1, llm.tokens_per_pass, hidden.shape[2]), STALE)
        padded[:, :tokens] = hidden
        for rows in self.rows.values():
            rows[:, :, position:] = 99 if rows.dtype is torch.int8 else STALE
        self.places = torch.arange(position, position + tokens)
        self.after = {name: rows.clone() for name, rows in self.rows.items()}
        self._write(self.after, new, position)
        given = iter((padded, *self.rows.values(), *context.inputs(kind, position, llm.tokens_per_pass)))
        parameters = decoder.layer_parameters(llm.model, 0)
        self.values = [parameters[a.name] if a.kind == "parameter" else next(given) for a in interface.arguments]

    def _write(self, rows, new, position: int) -> None:
        for each, added in zip(rows.values(), new, strict=True):
            each[:, :, position : position + added.shape[2]] = added

    def check(self, found: list[torch.Tensor], loose: float) -> None:
        """`loose`: what a rounding may do, of the largest value."""
        hidden, *caches = found
        close = {"rtol": loose, "atol": loose * float(self.expected.abs().max())}
        torch.testing.assert_close(hidden[:, : self.tokens], self.expected, **close)
        assert not hidden[:, self.tokens :].any()
        for rows, before, after in zip(caches, self.rows.values(), self.after.values(), strict=True):
            if rows.shape != before.shape:  # The design gives the new rows, and the host writes them.
                rows = before.clone().index_copy(2, self.places, rows[:, :, : self.tokens])
            end = self.position + self.tokens
            new = slice(self.position, end)
            torch.testing.assert_close(rows[:, :, new], after[:, :, new], rtol=1e-4, atol=1e-4)
            assert torch.equal(rows[:, :, : self.position], before[:, :, : self.position])
            if rows.shape[3] == 1:  # Scales, which share words of memory: what is behind the new ones becomes zero.
                word = -(-end // SCALES_OF_A_WORD) * SCALES_OF_A_WORD
                assert not rows[:, :, end:word].any()
                end = word
            assert torch.equal(rows[:, :, end:], before[:, :, end:])


@pytest.mark.parametrize("tokens", range(1, TOKENS + 1))
@pytest.mark.parametrize("position", [0, 5, 8, MAX_CONTEXT - TOKENS])
def test_rows_of_other_tokens_are_neither_read_nor_written(llm, position, tokens) -> None:
    layer = Layer(llm, position, tokens)
    found = [as_tensor(value) for value in llm.design.interface.execute(layer.values, layer.scalars)]
    layer.check(found, 2e-2 if llm.design.manifest["quantise"] else 1e-5)


@pytest.mark.parametrize("options", [[], ["--pipelined"]], ids=["in order", "pipelined"])
def test_the_interpreter_takes_as_many_tokens(llm, options, tmp_path) -> None:
    for tokens in (1, 3):
        layer = Layer(llm, 5, tokens)
        words = [f"--scalar={name}={value}" for name, value in layer.scalars.items()]
        for number, value in enumerate(layer.values):
            np.save(tmp_path / f"{number}.npy", as_tensor(value).numpy())
            words.append(f"--input={tmp_path / f'{number}.npy'}")
        sized = llm.design.directory / "ir" / "sized.mlir"
        harness.run_tool("streamtensor-run", sized, *words, *options, f"--output-dir={tmp_path}").succeed()
        native = [as_tensor(value) for value in llm.design.interface.execute(layer.values, layer.scalars)]
        for number, value in enumerate(native):
            assert np.array_equal(np.load(tmp_path / f"result{number}.npy"), value.numpy()), number


def test_a_pass_takes_the_time_of_its_tokens(llm) -> None:
    taken = [cycles(llm, tokens) for tokens in range(1, TOKENS + 1)]
    assert taken == sorted(set(taken))
    assert taken[0] < 0.8 * taken[-1]  # the rest of a pass is latency


def test_predictions_know_full_passes_ragged_ones_and_single_tokens(llm) -> None:
    found = prediction.predict(llm.design, 6, 5)
    assert {each.tokens for each in found.samples} == {1, 2, TOKENS}
    layers, clock = llm.design.manifest["layers"], llm.design.manifest["clock_mhz"] * 1e3

    def milliseconds(tokens: int, position: int) -> float:
        scalars = {"tokens": tokens, "context": max(position, 1)}
        return layers * (llm.design.simulate(scalars=scalars).cycles / clock + found.launch_us * 1e-3)

    prompt = milliseconds(TOKENS, 0) + milliseconds(2, 4)
    assert found.ttft_ms == pytest.approx(prompt)
    answer = sum(milliseconds(1, position) for position in range(6, 10))
    assert found.latency_ms == pytest.approx(prompt + answer)
