# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny Hugging Face directories of many families through the compiler, or refused by name before any work."""

from __future__ import annotations

import re

import pytest
import streamtensor as st
import torch
from corpus import model_directories
from corpus.model_directories import WORDS
from model_directories import LAYER_TOLERANCE, REQUIRED
from streamtensor import llm, llm_files
from streamtensor.frontend import models
from streamtensor.reference import FOLLOWED_LAYER_ERROR, generate_checked, generate_followed

EXPERTS = r"MixtralForCausalLM sends each token to a few of its experts"
NO_ATTENTION = r"MambaForCausalLM is not a causal language model that StreamTensor knows: it needs attention in layers"
REFUSED = {"mixtral": EXPERTS, "mamba": NO_ATTENTION}


# 64 tokens after prompts of several lengths; the longest text ends exactly at the last position.
NEW_TOKENS = 64
PROMPTS = [[3 + 5 * index % len(WORDS) for index in range(length)] for length in (1, 7, 33)]
MAX_CONTEXT = len(PROMPTS[-1]) + NEW_TOKENS - 1


@pytest.mark.parametrize("name", REQUIRED)
def test_designs_continue_as_pytorch_does(name, tmp_path):
    source, options = model_directories.save(name, tmp_path / name), st.Options(tile_size=8, unroll=16)
    compiled = llm_files.compile_llm(source, max_context=MAX_CONTEXT, options=options, out=tmp_path / "out")
    for prompt in PROMPTS:
        reference, generation, comparison = generate_checked(compiled, prompt, NEW_TOKENS)
        assert generation.tokens == reference.tokens
        assert len(generation.tokens) == NEW_TOKENS
        assert comparison.layer_error < LAYER_TOLERANCE


def test_designs_read_several_tokens_in_a_pass(tmp_path):
    source, options = model_directories.save("gemma3", tmp_path / "model"), st.Options(tile_size=8, unroll=16)
    compiled = llm_files.compile_llm(source, max_context=40, tokens_per_pass=4, options=options, out=tmp_path / "out")
    reference, generation, comparison = generate_checked(compiled, " ".join(WORDS[:7]), 34)
    assert generation.tokens == reference.tokens
    assert comparison.positions == 40
    assert comparison.layer_error < LAYER_TOLERANCE


@pytest.mark.parametrize("name", REQUIRED)
def test_quantised_designs_continue_as_quantised_pytorch_does(name, tmp_path):
    """Every layer, and the choice of each token, by PyTorch on what the design gave for the layer before."""
    source, options = model_directories.save(name, tmp_path / name), st.Options(tile_size=8)
    out = tmp_path / "out"
    compiled = llm_files.compile_llm(source, max_context=MAX_CONTEXT, options=options, out=out, quantise="w4a8")
    generated = compiled.generate(PROMPTS[1], NEW_TOKENS)
    compiled = llm_files.load_llm(out)
    for prompt in PROMPTS:
        reference, generation, comparison = generate_followed(compiled, prompt, NEW_TOKENS)
        assert generation.tokens == reference.tokens
        assert len(generation.tokens) == NEW_TOKENS
        assert comparison.positions == len(prompt) + NEW_TOKENS - 1
        assert comparison.layer_error < FOLLOWED_LAYER_ERROR
        assert prompt != PROMPTS[1] or generation.tokens == generated.tokens
    float_model, _ = models.load_causal_lm(source)
    ids = torch.tensor([compiled.encode("the cat")])
    assert not torch.allclose(float_model(ids).logits, compiled.model(ids).logits, rtol=1e-2, atol=1e-2)


def test_a_directory_that_torchao_has_quantised(tmp_path):
    import transformers
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, PerGroup

    kind = Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(32))
    source = model_directories.save("llama", tmp_path / "model")
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source, dtype=torch.float32, quantization_config=transformers.TorchAoConfig(kind)
    )
    model.save_pretrained(source)
    options = st.Options(tile_size=8, unroll=16)
    compiled = llm_files.compile_llm(source, max_context=24, options=options, out=tmp_path / "out")
    assert {a.dtype for a in compiled.design.interface.arguments if a.name.endswith("weight.qdata")} == {torch.int8}
    reference, generation, comparison = generate_followed(llm_files.load_llm(tmp_path / "out"), "the cat", 20)
    assert generation.tokens == reference.tokens
    assert comparison.layer_error < FOLLOWED_LAYER_ERROR
    with pytest.raises(st.CompileError, match="quantised already"):
        llm_files.compile_llm(source, quantise="w4a8", out=tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", sorted(model_directories.CONFIGS.keys() - REFUSED.keys()))
def test_the_layer_loop_is_the_whole_model(name):
    torch.manual_seed(0)
    llm.check_loop(models.random_causal_lm(model_directories.CONFIGS[name]()), 12)


@pytest.mark.parametrize("name", REFUSED)
def test_others_are_refused_by_name_before_their_weights_are_read(name, tmp_path):
    source = model_directories.save(name, tmp_path / name)
    (source / "model.safetensors").write_bytes(b"")
    with pytest.raises(st.CompileError, match=REFUSED[name]):
        llm_files.compile_llm(source, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("scheme", [None, "w4a8"])
@pytest.mark.parametrize("kind", ["BloomConfig", "GPTJConfig"])
def test_layers_that_read_more_than_the_loop_gives_are_refused(kind, scheme, tmp_path):
    """Bloom's read a bias of distances, GPT-J's the numbers of positions."""
    import transformers

    config = getattr(transformers, kind)(hidden_size=32, num_hidden_layers=1, num_attention_heads=4, vocab_size=64)
    config.rotary_dim, name = 4, kind.replace("Config", "ForCausalLM")
    model = models.random_causal_lm(config)
    with pytest.raises(st.UnsupportedOpError, match=rf"The layers of {name} read more than .*one by one"):
        llm_files.compile_llm(model, None, 8, out=tmp_path / "out", quantise=scheme)
    assert not (tmp_path / "out").exists()


def test_what_stands_around_the_layers_is_not_left_out():
    import transformers

    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 64}
    config = transformers.CohereConfig(intermediate_size=48, logit_scale=0.5, **sizes)
    with pytest.raises(st.UnsupportedOpError, match="CohereForCausalLM computes more than an embedding"):
        llm.check_loop(models.random_causal_lm(config), 8)


@pytest.mark.parametrize(("change", "advice"), [("bfloat16", "call model.float()"), ("train", "call model.eval()")])
def test_models_that_round_or_drop_numbers_are_refused(change, advice):
    import transformers

    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 64}
    model = models.random_causal_lm(transformers.LlamaConfig(intermediate_size=48, attention_dropout=0.5, **sizes))
    with pytest.raises(st.CompileError, match=re.escape(advice)):
        llm.check_loop(getattr(model, change)(), 8)
