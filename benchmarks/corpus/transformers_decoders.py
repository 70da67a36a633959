# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoder layers and recurrences of language models, as transformers has them."""

from __future__ import annotations

import torch
from torch import nn

from corpus.sample import Draw, Keywords, by_name, causal_mask, floats, rotary

TOKENS = 8
SHAPE = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "vocab_size": 50,
    "attn_implementation": "eager",
}


class _RotaryLayer(nn.Module):
    def __init__(self, layer: nn.Module):
        super().__init__()
        self.layer = layer

    def forward(self, hidden, cos, sin, mask):
        result = self.layer(hidden, attention_mask=mask, position_embeddings=(cos, sin))
        return result[0] if isinstance(result, tuple) else result


def _rotary_inputs(width: int) -> Draw:
    tables = rotary(TOKENS, width)
    return lambda: (torch.randn(1, TOKENS, 32), *tables, causal_mask(TOKENS))


def bloom_block() -> tuple[nn.Module, Draw]:
    """A bias that falls with the distance."""
    from transformers import BloomConfig
    from transformers.models.bloom.modeling_bloom import BloomBlock

    block = BloomBlock(BloomConfig(hidden_size=32, n_head=4), layer_idx=0)
    slopes = 2.0 ** -torch.arange(2.0, 10, 2)
    alibi = (slopes[:, None] * torch.arange(TOKENS)).reshape(4, 1, TOKENS)
    module = Keywords(block, ("hidden_states", "alibi", "attention_mask"))
    return module, lambda: (torch.randn(1, TOKENS, 32), alibi, causal_mask(TOKENS))


def gptj_block() -> tuple[nn.Module, Draw]:
    """Rotary pairs side by side, on a part of each head; attention and MLP in parallel."""
    from transformers import GPTJConfig
    from transformers.models.gptj.modeling_gptj import GPTJBlock

    config = GPTJConfig(n_embd=32, n_head=4, rotary_dim=4, n_positions=16, attn_implementation="eager")
    return _positioned(GPTJBlock(config, layer_idx=0))


def codegen_block() -> tuple[nn.Module, Draw]:
    """Queries, values and keys in interleaved parts of one projection."""
    from transformers import CodeGenConfig
    from transformers.models.codegen.modeling_codegen import CodeGenBlock

    return _positioned(CodeGenBlock(CodeGenConfig(n_embd=32, n_head=4, rotary_dim=4, n_positions=16), layer_idx=0))


def _positioned(block: nn.Module) -> tuple[nn.Module, Draw]:
    positions = torch.arange(TOKENS)[None]
    module = Keywords(block, ("hidden_states", "attention_mask", "position_ids"))
    return module, lambda: (torch.randn(1, TOKENS, 32), causal_mask(TOKENS), positions)


def gpt_neo_block() -> tuple[nn.Module, Draw]:
    """Attention to the nearest tokens; the mask is a buffer of the layer."""
    from transformers import GPTNeoConfig
    from transformers.models.gpt_neo.modeling_gpt_neo import GPTNeoBlock

    sizes = {"hidden_size": 32, "num_heads": 4, "num_layers": 1, "max_position_embeddings": 16, "window_size": 3}
    config = GPTNeoConfig(attention_types=[[["local"], 1]], attn_implementation="eager", **sizes)
    return GPTNeoBlock(config, layer_id=0), floats((1, TOKENS, 32))


def stablelm_layer() -> tuple[nn.Module, Draw]:
    """Rotary on a quarter of each head."""
    from transformers import StableLmConfig
    from transformers.models.stablelm.modeling_stablelm import StableLmDecoderLayer

    config = StableLmConfig(num_key_value_heads=2, use_qkv_bias=True, **SHAPE)
    return _RotaryLayer(StableLmDecoderLayer(config, 0)), _rotary_inputs(8 // 4)


def cohere_layer() -> tuple[nn.Module, Draw]:
    from transformers import CohereConfig
    from transformers.models.cohere.modeling_cohere import CohereDecoderLayer

    config = CohereConfig(num_key_value_heads=2, use_qk_norm=True, **SHAPE)
    return _RotaryLayer(CohereDecoderLayer(config, 0)), _rotary_inputs(8)


def olmo2_layer() -> tuple[nn.Module, Draw]:
    """Norms of queries and keys, and behind each part of the layer."""
    from transformers import Olmo2Config
    from transformers.models.olmo2.modeling_olmo2 import Olmo2DecoderLayer

    return _RotaryLayer(Olmo2DecoderLayer(Olmo2Config(**SHAPE), 0)), _rotary_inputs(8)


def starcoder2_layer() -> tuple[nn.Module, Draw]:
    from transformers import Starcoder2Config
    from transformers.models.starcoder2.modeling_starcoder2 import Starcoder2DecoderLayer

    config = Starcoder2Config(num_key_value_heads=2, **SHAPE)
    return _RotaryLayer(Starcoder2DecoderLayer(config, 0)), _rotary_inputs(8)


def mamba_mixer() -> tuple[nn.Module, Draw]:
    """A selective state space, token after token."""
    from transformers import MambaConfig
    from transformers.models.mamba.modeling_mamba import MambaMixer

    config = MambaConfig(hidden_size=16, state_size=4, conv_kernel=3, expand=2, time_step_rank=2, num_hidden_layers=1)
    return MambaMixer(config, layer_idx=0), floats((1, 5, 16))


class _Rwkv(nn.Module):
    """A weighted mean of all values so far, with weights that decay."""

    def __init__(self, width: int):
        super().__init__()
        self.decay, self.first = nn.Parameter(torch.randn(width)), nn.Parameter(torch.randn(width))

    def forward(self, key, value):
        from transformers.models.rwkv.modeling_rwkv import rwkv_linear_attention_cpu

        return rwkv_linear_attention_cpu(self.decay, self.first, key, value)[0]


def rwkv_attention() -> tuple[nn.Module, Draw]:
    return _Rwkv(16), floats((2, 5, 16), (2, 5, 16))


MODULES = by_name(
    {
        "bloom-block": bloom_block,
        "gptj-block": gptj_block,
        "codegen-block": codegen_block,
        "gpt-neo-block": gpt_neo_block,
        "stablelm-layer": stablelm_layer,
        "cohere-layer": cohere_layer,
        "olmo2-layer": olmo2_layer,
        "starcoder2-layer": starcoder2_layer,
        "mamba-mixer": mamba_mixer,
        "rwkv-attention": rwkv_attention,
    }
)
