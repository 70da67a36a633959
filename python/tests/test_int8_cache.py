# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values in int8: a design, and the layer loop, are PyTorch whose attention sees the same rounded rows."""

from __future__ import annotations

import copy
import json
import re

import pytest
import torch
from number_words import Words
from streamtensor import CompileError, UnsupportedOpError, compile_llm
from streamtensor.frontend import models
from streamtensor.frontend.cached_attention import Block, in_int8, levels, weighted_sum
from streamtensor.frontend.cached_decoder import context_of
from streamtensor.layer_program import HostLayers, Shape
from streamtensor.llm import LanguageModel
from streamtensor.options import Options
from streamtensor.reference import generate_checked

CONFIGS = [
    models.tiny_llama_config,
    models.tiny_gpt2_config,
    models.tiny_qwen3_config,
    models.tiny_gemma3_config,
    models.tiny_phi3_config,
]
PROMPT = "8 15 22 29 36 43 50"


def tiny(config) -> torch.nn.Module:
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    return model


def on_host(model, tokens_per_pass: int, cache: str) -> LanguageModel:
    layers = HostLayers(context_of(copy.deepcopy(model), 32, cache), Shape(tokens_per_pass, 32))
    layers.manifest["cache"] = cache
    return LanguageModel(layers, model, Words())


def test_rows_are_rounded_by_head_and_token():
    torch.manual_seed(0)
    rows = torch.randn(1, 2, 5, 16) * torch.tensor([1.0, 100.0])[None, :, None, None]
    block = in_int8(rows)
    assert block.rows.dtype is torch.int8
    assert block.scales.shape == (1, 2, 5, 1)
    assert torch.equal(block.rows.abs().amax(-1), torch.full((1, 2, 5), 127, dtype=torch.int8))
    assert bool(((block.rows * block.scales - rows).abs() <= 0.5001 * block.scales).all())


def random_block(rows: int) -> Block:
    return in_int8(torch.randn(1, 2, rows, 16) * torch.tensor([1.0, 100.0])[None, :, None, None])


def test_scores_are_products_of_integers_with_both_scales_taken_out():
    torch.manual_seed(0)
    keys, queries = random_block(5), random_block(3)
    whole = [Block(block.rows * block.scales) for block in (keys, queries)]
    assert torch.allclose(keys.dot(queries), whole[0].dot(whole[1]), rtol=1e-5, atol=1e-3)
    assert torch.equal(keys.dot(queries), keys.dot(queries, torch.float64))


def test_weights_are_integers_of_one_unit_wherever_a_text_is_cut():
    torch.manual_seed(0)
    values, weights = random_block(9), torch.rand(1, 2, 3, 9)
    found = weighted_sum([values], [weights], 512)
    exact = weights @ (values.rows * values.scales)
    step = (weights * values.scales.transpose(2, 3)).amax(-1, keepdim=True) / levels(512)
    assert bool(((found - exact).abs() <= 9 * 127 * 0.5001 * step).all())
    assert not torch.equal(found, exact)
    for cut in range(1, 9):
        blocks = [Block(values.rows[:, :, part], values.scales[:, :, part]) for part in (slice(cut), slice(cut, None))]
        assert torch.equal(weighted_sum(blocks, [weights[..., :cut], weights[..., cut:]], 512), found)
    assert torch.equal(weighted_sum([values], [weights], 512, torch.float64), found)


@pytest.mark.parametrize("positions", [1, 256, 257, 512, 4096])
def test_no_sum_over_as_many_rows_as_a_pass_may_see_leaves_32_bits(positions):
    rows = 2 * positions
    values = Block(torch.full((1, 1, rows, 1), -127, dtype=torch.int8), torch.ones(1, 1, rows, 1))
    found = weighted_sum([values], [torch.ones(1, 1, 1, rows)], positions)
    assert torch.allclose(found, torch.tensor(-127.0 * rows), rtol=1e-6)
    assert levels(positions) in (2**15 - 1, (2**31 - 1) // (256 * positions))


def test_weights_of_zero_give_zero():
    values = random_block(4)
    assert not bool(weighted_sum([values], [torch.zeros(1, 2, 1, 4)], 8).any())


def test_rows_of_zeros_stay_zeros():
    assert not bool(in_int8(torch.zeros(1, 1, 2, 4)).rows.any())


@pytest.mark.parametrize("tokens_per_pass", [1, 4])
@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.__name__)
def test_a_text_gives_the_same_however_it_is_cut(config, tokens_per_pass):
    """The loop reads it in passes, PyTorch at once; with float rows both find something else."""
    model = tiny(config)
    reference, generation, comparison = generate_checked(on_host(model, tokens_per_pass, "int8"), PROMPT, 12)
    assert generation.tokens == reference.tokens
    assert comparison.positions == 18
    assert comparison.logit_error < 1e-4  # where the noise of floats turns an integer
    plain, _, _ = generate_checked(on_host(model, tokens_per_pass, "float"), PROMPT, 1)
    difference = (plain.logits - reference.logits[:, :7]).abs().max()
    assert 3 * comparison.logit_error < float(difference)
    assert 5e-4 < float(difference / plain.logits.abs().max()) < 2e-2


@pytest.fixture(scope="module", params=[None, "w4a8"])
def compiled(request, tmp_path_factory):
    import transformers

    shape = models.TINY_SHAPE | {"intermediate_size": 64}
    model = tiny(lambda: transformers.LlamaConfig(**shape))
    out = tmp_path_factory.mktemp("int8") / "out"
    llm = compile_llm(model, None, 24, quantise=request.param, cache="int8", out=out)
    llm.tokenizer = Words()
    return llm


def test_a_design_is_the_model_with_rounded_rows(compiled):
    reference, generation, comparison = generate_checked(compiled, PROMPT, 18)
    assert generation.tokens == reference.tokens
    assert comparison.positions == 24
    assert comparison.layer_error < (1e-5 if compiled.design.manifest["quantise"] is None else 2e-2)


def test_the_cache_of_a_design_is_int8(compiled):
    cache = [a for a in compiled.design.manifest["arguments"] if a["name"] in ("keys", "values")]
    assert [a["type"] for a in cache] == ["int8", "int8"]
    interface = json.loads((compiled.design.directory / "interface.json").read_text())
    ports = {port["name"]: port for each in interface["designs"] for port in each["ports"]}
    assert {ports[name]["dtype"] for name in ports if name in ("keys", "values")} <= {"int8"}
    assert compiled.design.manifest["cache"] == "int8"


def test_a_directory_remembers_its_cache(compiled):
    again = LanguageModel(compiled.design, compiled.model, Words())
    assert again.context.has_int8_cache
    assert again.generate([3, 14, 15], 4).tokens == compiled.generate([3, 14, 15], 4).tokens


@pytest.fixture(
    scope="module", params=[(models.tiny_llama_config, 1), (models.tiny_llama_config, 3), (models.tiny_gpt2_config, 4)]
)
def in_place(request, tmp_path_factory):
    """Of 40 positions, in passes of so many tokens."""
    config, tokens_per_pass = request.param
    out = tmp_path_factory.mktemp("scales") / "out"
    options = Options(tile_size=8, unroll=128)
    return compile_llm(tiny(config), Words(), 40, tokens_per_pass, cache="int8", options=options, out=out)


def text_of(tokens: int) -> str:
    return " ".join(str(7 * index % 90 + 1) for index in range(tokens))


def test_the_design_writes_scales_where_they_lie(in_place):
    """A word of memory holds those of a tile of rows, eight or half of it; no port is left for new ones."""
    assert in_place.design.updates == {"keys", "values", "key_scales", "value_scales"}
    assert not any("inplace" in warning for warning in in_place.design.manifest["warnings"])
    interface = json.loads((in_place.design.directory / "interface.json").read_text())
    ports = {port["name"]: port["direction"] for each in interface["designs"] for port in each["ports"]}
    assert ports["key_scales"] == ports["value_scales"] == "inout"
    assert [name for name in ports if name.startswith("result")] == ["result0"]
    design = (in_place.design.directory / "ir" / "sized.mlir").read_text()
    assert len(re.findall(r"store %\w+, %(?:key|value)_scales .*count = 1, lanes = [48]", design)) == 2


def test_texts_of_all_lengths_end_at_the_last_position(in_place):
    errors = []
    for prompt in (1, 7, 33):
        reference, generation, comparison = generate_checked(in_place, text_of(prompt), 41 - prompt)
        assert generation.tokens == reference.tokens
        assert comparison.positions == 40
        errors.append(comparison.layer_error)
    assert sorted(errors)[1] < 1e-5
    assert max(errors) < 1e-4  # where the noise of floats turns an integer of the cache


def test_a_text_behind_a_longer_one_finds_its_scales(in_place):
    """It keeps ten tokens of the first, the last two in a word that the first filled."""
    cache = in_place.new_cache()
    first = [7 * index % 90 + 1 for index in range(33)]
    in_place.generate(first, 8, cache=cache)
    for second in ([*first[:10], 3, 14, 15], [*first[:10], 9], [2, *first[1:9]]):
        expected, found = [], []
        new = 41 - len(second)
        tokens = in_place.generate(second, new, cache=cache, observe=found.append).tokens
        assert tokens == in_place.generate(second, new, observe=expected.append).tokens
        # Passes are cut at other tokens, so sums over the rows of the cache and of the pass are.
        assert torch.allclose(found[-1].logits, expected[-1].logits, rtol=0, atol=1e-6)


def wide_gpt2():
    import transformers

    shape = {"vocab_size": 100, "n_embd": 128, "n_head": 2, "n_layer": 2, "n_positions": 512, "n_inner": 256}
    return transformers.GPT2Config(**shape, bos_token_id=0, eos_token_id=0)


def wide_llama():
    """Two queries to a head of the cache, whose rows of keys are half a word."""
    import transformers

    shape = {"hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 512}
    return transformers.LlamaConfig(vocab_size=100, num_hidden_layers=2, max_position_embeddings=512, **shape)


@pytest.fixture(
    scope="module",
    params=[(wide_gpt2, "int8", 4, None), (wide_gpt2, "float", 4, 256), (wide_llama, "int8", 2, None)],
    ids=["gpt2-int8", "gpt2-float", "llama-int8"],
)
def striped(request, tmp_path_factory):
    """Of 512 positions."""
    config, cache, tokens, lanes = request.param
    sizes = {"cache": cache, "quantise": "w4a8-symmetric", "group_size": 64}
    options = Options(compare=False, unroll=lanes)
    out = tmp_path_factory.mktemp("stripes") / "out"
    return compile_llm(tiny(config), Words(), 512, tokens, options=options, out=out, **sizes)


def test_rows_lie_in_stripes_where_one_master_is_too_slow(striped):
    """Neighbouring rows, or parts of them, lie in memories of their own, and a new one goes where it belongs."""
    design = (striped.design.directory / "ir" / "sized.mlir").read_text()
    for name in ("keys", "values"):
        assert re.search(rf'port +inout "{name}" via %\w+_s0, %\w+_s1', design)
    assert not any("[ports.stripes]" in warning for warning in striped.design.manifest["warnings"])


@pytest.mark.parametrize(("prompt", "new"), [(7, 30), (500, 13)])
def test_a_text_in_stripes_is_that_of_the_model_up_to_the_last_position(striped, prompt, new):
    reference, generation, comparison = generate_checked(striped, text_of(prompt), new)
    assert generation.tokens == reference.tokens
    assert comparison.positions == prompt + new - 1
    assert comparison.layer_error < 2e-2


def test_what_cannot_have_such_a_cache_says_so():
    import transformers

    model = tiny(models.tiny_llama_config)
    with pytest.raises(CompileError, match="no cache of 'int4': known are float, int8"):
        context_of(model, 8, "int4")
    falcon = transformers.FalconConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=4, vocab_size=100)
    with pytest.raises(UnsupportedOpError, match="cannot read int8 rows: compile it with a float cache"):
        context_of(models.random_causal_lm(falcon), 8, "int8")
