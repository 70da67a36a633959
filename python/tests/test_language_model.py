# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layer loop: one design for all layers, its own tokens fed back, PyTorch's layers shut off."""

from __future__ import annotations

import copy

import pytest
import torch
from streamtensor import Error, RunError, UnsupportedOpError
from streamtensor.frontend import models
from streamtensor.frontend.decoder import wrap_layer
from streamtensor.llm import LanguageModel, end_tokens, layer_program
from streamtensor.reference import Comparison, generate_checked, without_layers


class Words:
    """A tokenizer of numbers."""

    def __call__(self, text):
        return {"input_ids": [int(word) for word in text.split()]}

    def decode(self, tokens):
        return " ".join(map(str, tokens))


class StandIn:
    """A design whose one layer is a copy of PyTorch's, with the parameters that it is given."""

    def __init__(self, model, num_tokens, factor=1.0):
        self.manifest = {"num_tokens": num_tokens}
        self.calls = 0
        self._layer = wrap_layer(copy.deepcopy(model), 0)
        self._factor = factor

    def execute(self, inputs, parameters):
        self.calls += 1
        named = {f"layer.{name}": tensor for name, tensor in parameters.items()}
        return [torch.func.functional_call(self._layer, named, inputs) * self._factor]


CONFIGS = [
    models.tiny_llama_config,
    models.tiny_gpt2_config,
    models.tiny_qwen2_config,
    models.tiny_gemma3_config,
    models.tiny_mistral_config,
    models.tiny_phi3_config,
]


@pytest.fixture(params=CONFIGS, ids=lambda config: config.__name__)
def model(request):
    model = models.random_causal_lm(request.param())
    model.generation_config.eos_token_id = None
    return model


def test_the_loop_gives_pytorchs_continuation(model):
    llm = LanguageModel(StandIn(model, 8), model, Words())
    reference, generation, comparison = generate_checked(llm, "3 14 15", 5)
    assert generation.tokens == reference.tokens
    assert len(generation.tokens) == 5
    assert llm.design.calls == 5 * 2
    assert comparison.positions == 5 * 8
    assert comparison.logit_error < 1e-5
    assert comparison.layer_error < 1e-5


def test_a_wrong_design_is_seen():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = LanguageModel(StandIn(model, 8, factor=1.1), model, Words())
    _, _, comparison = generate_checked(llm, "3 14 15", 2)
    assert comparison.layer_error > 0.01


def test_nan_is_never_a_small_error():
    comparison = Comparison()
    step = type("Step", (), {"logits": torch.ones(1, 2, 3), "layers": [torch.ones(2)]})
    broken = type("Step", (), {"logits": torch.full((1, 2, 3), float("nan")), "layers": [torch.ones(2)]})
    comparison.add(broken, step)
    comparison.add(step, step)
    assert comparison.logit_error != comparison.logit_error


def test_pytorchs_layers_raise_while_they_are_shut_off(model):
    ids = torch.tensor([[1, 2, 3]])
    with without_layers(model), pytest.raises(Error, match="A decoder layer of PyTorch was called"):
        model(ids)
    assert model(ids).logits.shape == (1, 3, 100)


def test_too_many_tokens_are_refused_with_the_number_that_would_do():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = LanguageModel(StandIn(model, 8), model, Words())
    with pytest.raises(RunError, match=r"3 tokens with 7 new ones needs 9 positions, but the design has 8.*-tokens 9"):
        llm.generate("1 2 3", 7)
    with pytest.raises(RunError, match="The prompt is empty"):
        llm.generate("", 1)


def test_generation_ends_at_an_end_token():
    model = models.random_causal_lm(models.tiny_llama_config())
    llm = LanguageModel(StandIn(model, 8), model, Words())
    first = llm.generate("3 14 15", 1).tokens[0]
    model.generation_config.eos_token_id = [first]
    assert end_tokens(model) == {first}
    assert llm.generate("3 14 15", 5).tokens == [first]


def test_layers_that_differ_cannot_share_a_design():
    config = models.tiny_gpt2_config()
    config.scale_attn_by_inverse_layer_idx = True
    with pytest.raises(UnsupportedOpError, match="layers 0 and 1 of GPT2LMHeadModel compute different things"):
        layer_program(models.random_causal_lm(config), 8)
