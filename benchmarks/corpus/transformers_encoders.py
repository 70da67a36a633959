# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoders of text and speech, as transformers has them."""

from __future__ import annotations

import torch
from torch import nn

from corpus.sample import Draw, Keywords, by_name, floats, indices

VOCABULARY = 50
TOKENS = 7
SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 24,
    "attn_implementation": "eager",
}


def _text() -> tuple[torch.Tensor, ...]:
    return (indices(VOCABULARY, 2, TOKENS),)


def _masked_text() -> tuple[torch.Tensor, ...]:
    """Token ids, and which of them are text."""
    mask = torch.ones(2, TOKENS, dtype=torch.int64)
    mask[1, 5:] = 0
    return indices(VOCABULARY, 2, TOKENS), mask


def bert() -> tuple[nn.Module, Draw]:
    from transformers import BertConfig, BertModel

    return Keywords(BertModel(BertConfig(**SHAPE)), ("input_ids", "attention_mask"), return_dict=False), _masked_text


def roberta_embeddings() -> tuple[nn.Module, Draw]:
    """Positions count the tokens that are no padding."""
    from transformers import RobertaConfig
    from transformers.models.roberta.modeling_roberta import RobertaEmbeddings

    return RobertaEmbeddings(RobertaConfig(**SHAPE)), _text


def albert() -> tuple[nn.Module, Draw]:
    """One layer's parameters, used twice."""
    from transformers import AlbertConfig, AlbertModel

    return Keywords(AlbertModel(AlbertConfig(embedding_size=16, **SHAPE)), ("input_ids",), return_dict=False), _text


def deberta_v2() -> tuple[nn.Module, Draw]:
    """Attention to content and to relative position."""
    from transformers import DebertaV2Config
    from transformers.models.deberta_v2.modeling_deberta_v2 import DebertaV2Encoder

    config = DebertaV2Config(relative_attention=True, pos_att_type=["c2p", "p2c"], position_buckets=8, **SHAPE)
    encoder = DebertaV2Encoder(config)
    mask = torch.ones(1, TOKENS, dtype=torch.int64)
    names = ("hidden_states", "attention_mask")
    module = Keywords(encoder, names, output_hidden_states=False, return_dict=False)
    return module, lambda: (torch.randn(1, TOKENS, 32), mask)


def xlnet_layer() -> tuple[nn.Module, Draw]:
    """Relative scores, shifted into place."""
    from transformers import XLNetConfig
    from transformers.models.xlnet.modeling_xlnet import XLNetLayer

    layer = XLNetLayer(XLNetConfig(d_model=32, n_head=4, d_inner=48, n_layer=1))
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(0, 0.2)
    bound = {"output_g": None, "attn_mask_h": None, "attn_mask_g": None, "seg_mat": None}
    return Keywords(layer, ("output_h", "r"), **bound), floats((TOKENS, 2, 32), (2 * TOKENS, 2, 32))


def longformer() -> tuple[nn.Module, Draw]:
    from transformers import LongformerConfig, LongformerModel

    model = LongformerModel(LongformerConfig(attention_window=4, **(SHAPE | {"attn_implementation": None})))
    return Keywords(model, ("input_ids",), return_dict=False), lambda: (indices(VOCABULARY, 1, 8),)


def t5_encoder_block() -> tuple[nn.Module, Draw]:
    """Relative positions in buckets."""
    from transformers import T5Config
    from transformers.models.t5.modeling_t5 import T5Block

    config = T5Config(d_model=32, d_kv=8, d_ff=48, num_heads=4, relative_attention_num_buckets=8)
    return T5Block(config, has_relative_attention_bias=True), floats((2, TOKENS, 32))


def bart_decoder_layer() -> tuple[nn.Module, Draw]:
    """Attention to itself, then to an encoder's states."""
    from transformers import BartConfig
    from transformers.models.bart.modeling_bart import BartDecoderLayer

    config = BartConfig(d_model=32, decoder_attention_heads=4, decoder_ffn_dim=48, attn_implementation="eager")
    layer = BartDecoderLayer(config, layer_idx=0)
    return Keywords(layer, ("hidden_states", "encoder_hidden_states"), use_cache=False), floats((2, 5, 32), (2, 9, 32))


def whisper_encoder_layer() -> tuple[nn.Module, Draw]:
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoderLayer

    config = WhisperConfig(d_model=32, encoder_attention_heads=4, encoder_ffn_dim=48, attn_implementation="eager")
    return Keywords(WhisperEncoderLayer(config), ("hidden_states",), attention_mask=None), floats((1, 12, 32))


def wav2vec2_features() -> tuple[nn.Module, Draw]:
    """A waveform through strided convolutions and a group norm."""
    from transformers import Wav2Vec2Config
    from transformers.models.wav2vec2.modeling_wav2vec2 import Wav2Vec2FeatureEncoder

    layers = {"conv_dim": (16, 16, 24), "conv_stride": (5, 2, 2), "conv_kernel": (10, 3, 2)}
    return Wav2Vec2FeatureEncoder(Wav2Vec2Config(num_feat_extract_layers=3, **layers)), floats((1, 160))


def conformer_layer() -> tuple[nn.Module, Draw]:
    """Half-step feed forward, attention, gated depthwise convolution."""
    from transformers import Wav2Vec2ConformerConfig
    from transformers.models.wav2vec2_conformer.modeling_wav2vec2_conformer import Wav2Vec2ConformerEncoderLayer

    sizes = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 48}
    config = Wav2Vec2ConformerConfig(conv_depthwise_kernel_size=5, position_embeddings_type=None, **sizes)
    return Wav2Vec2ConformerEncoderLayer(config), floats((1, 9, 32))


MODULES = by_name(
    {
        "bert": bert,
        "roberta-embeddings": roberta_embeddings,
        "albert": albert,
        "deberta-v2": deberta_v2,
        "xlnet-layer": xlnet_layer,
        "longformer": longformer,
        "t5-encoder-block": t5_encoder_block,
        "bart-decoder-layer": bart_decoder_layer,
        "whisper-encoder-layer": whisper_encoder_layer,
        "wav2vec2-features": wav2vec2_features,
        "conformer-layer": conformer_layer,
    }
)
