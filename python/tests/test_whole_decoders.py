# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole decoders of transformers, and single layers, without a mask passed by hand, against PyTorch."""

from __future__ import annotations

import module_batch
import pytest
import torch
import transformers
from streamtensor.frontend import models
from torch.utils import _pytree as pytree

TOKENS = 6  # above every window
SHAPE = models.TINY_SHAPE | {"num_hidden_layers": 1}
WITHOUT_GROUPS = {name: value for name, value in SHAPE.items() if name != "num_key_value_heads"}
FALCON = {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4}

CONFIGS = {
    "llama": lambda: transformers.LlamaConfig(**SHAPE),
    "gpt2": lambda: transformers.GPT2Config(n_embd=32, n_layer=1, n_head=2, n_positions=64, vocab_size=100),
    "qwen2": lambda: transformers.Qwen2Config(**SHAPE),
    "qwen3": lambda: transformers.Qwen3Config(**SHAPE, head_dim=8),
    "gemma3": lambda: transformers.Gemma3TextConfig(**SHAPE, head_dim=16, sliding_window=4),
    "phi3": lambda: transformers.Phi3Config(**SHAPE, pad_token_id=0, sliding_window=4),
    "mistral": lambda: transformers.MistralConfig(**SHAPE, sliding_window=4),
    "gpt-neox": lambda: transformers.GPTNeoXConfig(**WITHOUT_GROUPS),
    "falcon": lambda: transformers.FalconConfig(**FALCON),
    "falcon-alibi": lambda: transformers.FalconConfig(**FALCON, alibi=True),
    "opt": lambda: transformers.OPTConfig(
        hidden_size=32,
        word_embed_proj_dim=32,
        ffn_dim=48,
        num_hidden_layers=1,
        num_attention_heads=4,
        vocab_size=100,
        max_position_embeddings=64,
    ),
}


def body(name: str) -> torch.nn.Module:
    torch.manual_seed(0)
    return transformers.AutoModel.from_config(CONFIGS[name]()).eval()


class Layer(torch.nn.Module):
    """A layer as the model calls it, but for the mask."""

    def __init__(self, layer: torch.nn.Module, bound: dict[str, object]):
        super().__init__()
        self.layer = layer
        self.bound = bound

    def forward(self, hidden_states, *tables):
        positions = {"position_embeddings": tables} if tables else {}
        return self.layer(hidden_states, **positions, **self.bound)


LAYERS = {
    "llama": {},
    "qwen3": {},
    "gemma3": {},
    "phi3": {},
    "mistral": {},
    "gpt-neox": {"attention_mask": None},
    "falcon": {"alibi": None, "attention_mask": None},
}


def layer(name: str) -> module_batch.Case:
    model = body(name)
    layers = model.h if name == "falcon" else model.layers
    positions, hidden = torch.arange(TOKENS)[None], torch.randn(1, TOKENS, 32)
    kind = ["sliding_attention"] if name == "gemma3" else []
    with torch.no_grad():
        tables = model.rotary_emb(hidden, positions, *kind)
    return Layer(layers[0], LAYERS[name]), [hidden, *tables]


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    ids = torch.randint(100, (1, TOKENS))
    cases = {name: (body(name), [ids]) for name in CONFIGS}
    cases |= {f"layer-{name}": layer(name) for name in LAYERS}
    return module_batch.build(cases, tmp_path_factory.mktemp("decoders"))


@pytest.mark.parametrize("name", CONFIGS)
def test_whole_decoders_take_token_ids(name, programs):
    """Caches are results too, and everything stands where the model puts it."""
    program = programs[name]
    program.check(1e-5)
    with torch.no_grad():
        expected = program.module(*program.inputs)
    found = program.text.structure.restore([torch.from_numpy(array) for array in program.run()])
    assert type(found) is type(expected)
    assert pytree.tree_structure(found) == pytree.tree_structure(expected)


@pytest.mark.parametrize("name", LAYERS)
def test_single_layers_need_no_mask(name, programs):
    programs[f"layer-{name}"].check(1e-5)
