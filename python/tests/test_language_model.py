# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layer loop: one design for all layers, its own tokens fed back, PyTorch's layers shut off."""

from __future__ import annotations

import copy
import dataclasses

import pytest
import streamtensor as st
import torch
from number_words import Words
from streamtensor import CompileError, Error, RunError, Sampling, UnsupportedOpError, reference
from streamtensor.frontend import models
from streamtensor.frontend.cached_decoder import context_of, export_layer
from streamtensor.layer_program import HostLayers, Shape, layer_program
from streamtensor.llm import LanguageModel, Pass, end_tokens
from streamtensor.reference import Comparison, Reference, generate_checked, generate_followed, without_layers


class StandIn(HostLayers):
    """A design whose one layer is a copy of PyTorch's, with the parameters that it is given."""

    def __init__(self, model, max_context, tokens_per_pass=1, factor=1.0):
        context = context_of(model, max_context)
        super().__init__(dataclasses.replace(context, model=copy.deepcopy(model)), Shape(tokens_per_pass, max_context))
        self.places, self.counts = [], []
        self._factor = factor

    def execute(self, inputs, parameters, scalars):
        self.places.append(int(inputs[3][0]))
        self.counts.append(scalars["tokens"])
        place = {"context": max(self.places[-1], 1), "position": self.places[-1]}
        assert scalars == {**place, "tokens": self.counts[-1]}
        hidden, *rows = super().execute(inputs, parameters, scalars)
        return [hidden * self._factor, *rows]


def language_model(model, max_context, tokens_per_pass=1, factor=1.0):
    return LanguageModel(StandIn(model, max_context, tokens_per_pass, factor), model, Words())


CONFIGS = [
    models.tiny_llama_config,
    models.tiny_gpt2_config,
    models.tiny_qwen2_config,
    models.tiny_qwen3_config,
    models.tiny_gemma3_config,
    models.tiny_mistral_config,
    models.tiny_phi3_config,
]


@pytest.fixture(params=CONFIGS, ids=lambda config: config.__name__)
def model(request):
    model = models.random_causal_lm(request.param())
    model.generation_config.eos_token_id = None
    return model


@pytest.mark.parametrize("tokens_per_pass", [1, 4])
@pytest.mark.parametrize("prompt_tokens", [1, 7, 33])
def test_the_loop_gives_pytorchs_continuation_up_to_the_last_position(model, prompt_tokens, tokens_per_pass):
    prompt = " ".join(str(7 * index % 90 + 1) for index in range(prompt_tokens))
    llm = language_model(model, 48, tokens_per_pass)
    reference, generation, comparison = generate_checked(llm, prompt, 49 - prompt_tokens)
    assert generation.tokens == reference.tokens
    assert len(generation.tokens) == 49 - prompt_tokens
    assert comparison.positions == 48
    assert comparison.logit_error < 1e-5
    assert comparison.layer_error < 1e-5


def test_each_token_is_read_once(model):
    llm = language_model(model, 16, 4)
    llm.generate("1 2 3 4 5 6", 4)
    assert llm.design.places == [place for place in (0, 4, 6, 7, 8) for _ in range(2)]
    assert llm.design.counts == [count for count in (4, 2, 1, 1, 1) for _ in range(2)]


def test_a_second_prompt_sees_nothing_of_the_first(model):
    alone = language_model(model, 32, 4).generate("9 8 7", 8).tokens
    llm = language_model(model, 32, 4)
    llm.generate("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 16)
    assert llm.generate("9 8 7", 8).tokens == alone
    llm.design.places.clear()
    llm.generate("9 8 7", 1)
    assert llm.design.places == [0, 0]


def test_stale_rows_change_nothing(model):
    """What a design reads of rows that are not there yet is masked by position, not by what they hold."""
    llm = language_model(model, 32, 4)
    expected, found, cache = [], [], llm.new_cache()
    llm.generate([1, 2, 3, 4, 5, 6], 8, observe=expected.append)

    def spoil(each):
        found.append(each)
        for buffer in (buffer for pair in cache._layers for buffer in pair):
            buffer.value[:, :, len(cache.tokens) :] = 1e3

    llm.generate([1, 2, 3, 4, 5, 6], 8, observe=spoil, cache=cache)
    assert all(torch.equal(a.logits, b.logits) for a, b in zip(found, expected, strict=True))


def test_a_cache_is_continued_as_far_as_the_text_is_the_same(model):
    llm = language_model(model, 32)
    cache = llm.new_cache()
    first = llm.generate([1, 2, 3, 4], 3, cache=cache).tokens
    llm.design.places.clear()
    longer = [1, 2, 3, 4, *first, 5, 6]
    found = llm.generate(longer, 4, cache=cache).tokens
    assert llm.design.places[::2] == [6, 7, 8, 9, 10, 11]
    assert found == llm.generate(longer, 4).tokens
    llm.design.places.clear()
    assert llm.generate([1, 2, 9], 4, cache=cache).tokens == llm.generate([1, 2, 9], 4).tokens
    assert llm.design.places[0] == 2


def test_a_cache_of_another_model_is_refused():
    one, other = (language_model(models.random_causal_lm(models.tiny_llama_config(), seed), 8) for seed in (0, 1))
    with pytest.raises(RunError, match="The cache holds keys and values of another model"):
        one.generate("1 2", 1, cache=other.new_cache())


def test_text_comes_in_pieces():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = language_model(model, 16)
    expected = llm.generate("3 14 15", 5)
    pieces = list(llm.stream("3 14 15", 5))
    assert "".join(pieces) == expected.text
    assert len(pieces) == 5


def test_a_character_of_several_tokens_comes_whole():
    class Bytes(Words):
        def decode(self, tokens):
            return bytes(tokens).decode(errors="replace")

    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8)
    llm.tokenizer = Bytes()
    llm.model.generation_config.eos_token_id = None
    euro = "a€b€".encode()
    assert list(llm._pieces(iter(euro), [])) == ["a", "€", "b", "€"]
    assert list(llm._pieces(iter(euro[:-1]), [])) == ["a", "€", "b", "\N{REPLACEMENT CHARACTER}"]


def test_draws_repeat_with_their_seed():
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 32)
    draws = [llm.generate("3 14", 12, sampling=Sampling(temperature=2.0, seed=seed)).tokens for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_a_wrong_design_is_seen():
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8, factor=1.1)
    _, _, comparison = generate_checked(llm, "3 14 15", 2)
    assert comparison.layer_error > 0.01


@pytest.mark.parametrize("tokens_per_pass", [1, 4])
def test_a_design_is_followed_layer_by_layer(model, tokens_per_pass):
    llm = language_model(model, 16, tokens_per_pass)
    reference, generation, comparison = generate_followed(llm, "3 14 15", 5)
    assert reference.tokens == generation.tokens == llm.generate("3 14 15", 5).tokens
    assert comparison.positions == 7
    assert comparison.layer_error < 1e-5


def test_errors_of_layers_that_are_followed_do_not_add_up():
    """Layers that are 1 % too large: each is 1 % off what PyTorch makes of the one before."""
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8, factor=1.01)
    _, _, comparison = generate_followed(llm, "3 14 15", 2)
    assert comparison.layers == pytest.approx([0.01] * len(comparison.layers), rel=1e-3)
    _, _, plain = generate_checked(llm, "3 14 15", 2)
    assert plain.layers[-1] > 0.015


def test_a_wrong_design_of_a_quantised_model_is_an_error(monkeypatch):
    written = []
    monkeypatch.setattr(reference, "write_run", lambda design, run: written.append(run))
    monkeypatch.setattr(reference, "is_quantised", lambda model: True)
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8, factor=1.02)
    with pytest.raises(RunError, match=r"a layer of the design is 0\.02 of its largest value from PyTorch's"):
        reference.check_generation(llm, "3 14 15", 2)
    assert written[0]["max_layer_error"] == pytest.approx(0.02, rel=1e-3)


def test_nan_is_never_a_small_error():
    comparison = Comparison()
    expected = Reference([1], "", [torch.ones(1, 2, 3)], torch.ones(1, 2, 3))
    broken = Pass(0, 1, [torch.full((1, 1, 3), float("nan"))], lambda hidden: hidden)
    comparison.add(broken, expected)
    comparison.add(Pass(1, 1, [torch.ones(1, 1, 3)], lambda hidden: hidden), expected)
    assert comparison.logit_error != comparison.logit_error


def test_pytorchs_layers_raise_while_they_are_shut_off(model):
    ids = torch.tensor([[1, 2, 3]])
    with without_layers(model), pytest.raises(Error, match="A decoder layer of PyTorch was called"):
        model(ids)
    assert model(ids).logits.shape == (1, 3, 100)


def test_too_many_tokens_are_refused_with_the_number_that_would_do():
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8)
    with pytest.raises(RunError, match=r"3 tokens with 7 new ones needs 9 positions, but the design has 8.*-context 9"):
        llm.generate("1 2 3", 7)
    with pytest.raises(RunError, match="The prompt is empty"):
        llm.generate("", 1)
    with pytest.raises(RunError, match="max_new_tokens is 0"):
        llm.generate("1", 0)
    with pytest.raises(RunError, match=r"max_new_tokens is 2\.5: it must be a whole number"):
        llm.generate("1", 2.5)
    with pytest.raises(RunError, match=r"The prompt is \[5\.5\]: it must be a text or the whole numbers"):
        llm.generate([5.5], 1)
    assert len(llm.generate("1 2 3", 6).tokens) == 6


@pytest.mark.parametrize("tokens_per_pass", [1, 4])
def test_texts_that_are_generated_in_turn_do_not_mix(tokens_per_pass):
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 16, tokens_per_pass)
    texts = ("3 14 15", "3 14 9 2 6")
    alone = [list(llm.tokens(text, 8)) for text in texts]
    in_turn = zip(*(llm.tokens(text, 8) for text in texts), strict=True)
    assert alone == [list(found) for found in zip(*in_turn, strict=True)]
    assert alone[0] != alone[1]


def test_generation_ends_at_an_end_token():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = language_model(model, 8)
    first = llm.generate("3 14 15", 1).tokens[0]
    model.generation_config.eos_token_id = [first]
    assert end_tokens(model) == {first}
    ended = llm.generate("3 14 15", 5)
    assert ended.tokens == [first]
    assert ended.text == ""


def test_layers_that_differ_cannot_share_a_design():
    config = models.tiny_gpt2_config()
    config.scale_attn_by_inverse_layer_idx = True
    context = context_of(models.random_causal_lm(config), 8)
    with pytest.raises(UnsupportedOpError, match="layers 0 and 1 of GPT2LMHeadModel compute different things"):
        layer_program(context, Shape(1, 8))


def test_layers_that_are_alike_are_lowered_once(monkeypatch):
    lowered = []

    def export(context, index, **keywords):
        lowered.append(index)
        return export_layer(context, index, **keywords)

    monkeypatch.setattr("streamtensor.layer_program.export_layer", export)
    layer_program(context_of(models.random_causal_lm(models.tiny_gemma3_config()), 8), Shape(1, 8))
    assert lowered == [0]


def test_a_model_without_a_tokenizer_continues_tokens():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = LanguageModel(StandIn(model, 16), model, None)
    found = llm.generate([1, 2, 3], 4)
    assert found.tokens == language_model(model, 16).generate([1, 2, 3], 4).tokens
    assert found.text == ""
    with pytest.raises(RunError, match=r"without a tokenizer: give the numbers of its tokens, or .*tokenizer=\.\.\."):
        llm.generate("hi", 2)


@pytest.mark.parametrize("asked", [0, "x", 8.0])
def test_a_context_is_a_number_of_tokens(asked, tmp_path):
    model = models.random_causal_lm(models.tiny_llama_config())
    with pytest.raises(CompileError, match=r"max_context is .*: it is a whole number of tokens, one at least"):
        st.compile_llm(model, max_context=asked, out=tmp_path / "out")


def test_a_context_beyond_the_model_is_refused():
    with pytest.raises(UnsupportedOpError, match="max_context is 65, but the model holds 1 to 64 positions"):
        context_of(models.random_causal_lm(models.tiny_llama_config()), 65)


def test_tables_that_change_with_the_length_of_the_text_are_refused():
    config = models.tiny_phi3_config()
    factors = {"short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
    config.rope_parameters = {"rope_type": "longrope", "rope_theta": 1e4, **factors}
    config.rope_parameters["original_max_position_embeddings"] = config.original_max_position_embeddings = 16
    model = models.random_causal_lm(config)
    with pytest.raises(UnsupportedOpError, match="rotary tables of Phi3ForCausalLM change with the length"):
        context_of(model, 32)
    assert context_of(model, 16).max_context == 16


def test_the_tokenizer_of_another_model_is_refused():
    llm = language_model(models.random_causal_lm(models.tiny_llama_config()), 8)
    with pytest.raises(RunError, match="gives token 100, but the model knows 100 tokens: it is the tokenizer of anoth"):
        llm.generate("3 100", 2)
    assert llm.encode("3 99") == [3, 99]
    for token in (-1, 100):
        with pytest.raises(RunError, match=rf"The prompt has token {token}, but the model knows tokens 0 to 99"):
            llm.encode([3, token, 1])
