# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models whose linears take turns with one set of multipliers."""

from __future__ import annotations

import json

import pytest
import streamtensor as st
from streamtensor.frontend import models
from streamtensor.options import Options
from streamtensor.reference import generate_checked
from test_cache_in_place import Words

MAX_CONTEXT = 40
CONFIGS = {
    "llama": (models.tiny_llama_config, 1, None),
    "gpt2": (models.tiny_gpt2_config, 3, "w4a8-symmetric"),
    "gemma3": (models.tiny_gemma3_config, 1, "w8a8"),
    "qwen3": (models.tiny_qwen3_config, 2, "w8a8"),
}


def compile_model(name: str, out, **options) -> st.LanguageModel:
    config, tokens, quantise = CONFIGS[name]
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    chosen = Options(tile_size=8, **options)
    return st.compile_llm(model, Words(), MAX_CONTEXT, tokens, chosen, out, quantise=quantise)


@pytest.mark.parametrize("name", CONFIGS)
def test_linears_in_turns_give_the_text_of_pytorch(name, tmp_path):
    llm = compile_model(name, tmp_path / name, unroll=64)
    schedule = json.loads((tmp_path / name / "schedule.json").read_text())
    assert {entry["engine"] for entry in schedule["operations"]} >= {None, "engine"}
    assert 'dataflow.leaf "engine' in (tmp_path / name / "ir" / "10-stream.mlir").read_text()
    for prompt in ("3", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 12)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4
