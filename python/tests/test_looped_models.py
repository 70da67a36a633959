# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole language models whose layers run on the device: the texts of PyTorch, and of one launch for each layer."""

from __future__ import annotations

import json

import pytest
import streamtensor as st
import torch
from streamtensor import cli, llm_files
from streamtensor.frontend import models
from streamtensor.llm import parameters_of
from streamtensor.options import Options
from streamtensor.prediction import predict
from streamtensor.reference import generate_checked
from test_cache_in_place import Words

MAX_CONTEXT = 40
CONFIGS = {
    "llama": (models.tiny_llama_config, 1, None),
    "gpt2": (models.tiny_gpt2_config, 3, None),
    "gemma3": (models.tiny_gemma3_config, 2, None),  # two kinds of layers
    "qwen3": (models.tiny_qwen3_config, 1, "w8a8"),
}


@pytest.fixture(scope="module", params=CONFIGS)
def both(request, tmp_path_factory):
    config, tokens, quantise = CONFIGS[request.param]
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    # Engines are for one launch; lanes, and so the order of sums, are those of the other without them.
    folder, options = tmp_path_factory.mktemp(request.param), Options(tile_size=8, unroll=16, engines=False)
    return [
        st.compile_llm(model, Words(), MAX_CONTEXT, tokens, options, folder / layers, quantise=quantise, layers=layers)
        for layers in ("device", "host")
    ]


@pytest.mark.parametrize("prompt_tokens", [1, 7, 33])
def test_texts_are_pytorchs_and_those_of_one_launch_for_each_layer(both, prompt_tokens):
    device, _ = both
    assert device.design.interface.layers == len(parameters_of(device.model, False)) >= 2
    prompt = " ".join(str(7 * index % 90 + 1) for index in range(prompt_tokens))
    reference, generation, comparison = generate_checked(device, prompt, MAX_CONTEXT + 1 - prompt_tokens)
    assert generation.tokens == reference.tokens
    assert comparison.positions == MAX_CONTEXT
    assert comparison.layer_error < 1e-4
    passes = [[], []]
    texts = [llm.generate(prompt, 4, observe=each.append).tokens for llm, each in zip(both, passes, strict=True)]
    assert texts[0] == texts[1]
    for one, other in zip(*passes, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(one.layers, other.layers, strict=True))


def test_a_second_text_sees_nothing_of_the_first(both):
    device, _ = both
    device.generate("9 8 7 6 5 4 3 2 1", 12)
    again = device.generate("3 1 4", 6).tokens
    cache = device.new_cache()
    assert device.generate("3 1 4", 6, cache=cache).tokens == again
    assert device.generate("3 1 4 1 5", 6, cache=cache).tokens == device.generate("3 1 4 1 5", 6).tokens


def test_a_launch_for_all_layers_is_faster(both):
    device, host = (predict(llm.design, 4, 4) for llm in both)
    assert (device.layers_on, device.launches_per_pass) == ("device", 1)
    assert (host.layers_on, host.launches_per_pass) == ("host", host.layers)
    assert device.latency_ms < host.latency_ms
    cycles = [max(each.cycles for each in found.samples) for found in (device, host)]
    assert cycles[0] < cycles[1] * 1.05


def test_designs_are_opened_again(both):
    device, _ = both
    opened = llm_files.LanguageModel(device.design, device.model, Words(), llm_files._load(device.design))
    assert opened.generate("1 2 3", 5).tokens == device.generate("1 2 3", 5).tokens
    manifest = json.loads((device.design.directory / "design.json").read_text())
    assert manifest["layers_on"] == "device"


def test_who_goes_through_the_layers_is_checked(tmp_path, capsys):
    model = models.random_causal_lm(models.tiny_llama_config())
    with pytest.raises(st.CompileError, match="layers is 'card': choose one of device, host"):
        st.compile_llm(model, Words(), 8, out=tmp_path / "out", layers="card")
    (tmp_path / "x.mlir").write_text("module {}")
    assert cli.run(["compile", str(tmp_path / "x.mlir"), "-o", str(tmp_path / "y"), "--layers", "host"]) == 1
    assert "--layers is for those alone" in capsys.readouterr().err
