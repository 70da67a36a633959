# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vision models, as transformers has them."""

from __future__ import annotations

import torch
from torch import nn

from corpus.sample import Draw, Keywords, by_name, floats, indices

SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "image_size": 16,
    "patch_size": 8,
    "attn_implementation": "eager",
}


def vit() -> tuple[nn.Module, Draw]:
    from transformers import ViTConfig, ViTModel

    return Keywords(ViTModel(ViTConfig(**SHAPE)), ("pixel_values",), return_dict=False), floats((1, 3, 16, 16))


def clip_vision() -> tuple[nn.Module, Draw]:
    from transformers import CLIPVisionConfig, CLIPVisionModel

    model = CLIPVisionModel(CLIPVisionConfig(**SHAPE))
    return Keywords(model, ("pixel_values",), return_dict=False), floats((1, 3, 16, 16))


def clip_text() -> tuple[nn.Module, Draw]:
    """The state of the end token, found by argmax."""
    from transformers import CLIPTextConfig, CLIPTextModel

    names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "attn_implementation")
    sizes = {name: SHAPE[name] for name in names}
    model = CLIPTextModel(CLIPTextConfig(vocab_size=50, max_position_embeddings=12, eos_token_id=2, **sizes))
    return Keywords(model, ("input_ids",), return_dict=False), lambda: (indices(50, 2, 6),)


def convnext_layer() -> tuple[nn.Module, Draw]:
    """7x7 per channel, then an MLP over channels."""
    from transformers import ConvNextConfig
    from transformers.models.convnext.modeling_convnext import ConvNextLayer

    return ConvNextLayer(ConvNextConfig(layer_scale_init_value=0.5), dim=12), floats((1, 12, 9, 9))


def resnet() -> tuple[nn.Module, Draw]:
    """Stem, two stages of bottlenecks, pooling."""
    from transformers import ResNetConfig, ResNetModel

    config = ResNetConfig(embedding_size=8, hidden_sizes=[16, 32], depths=[1, 2], layer_type="bottleneck")
    return Keywords(ResNetModel(config), ("pixel_values",), return_dict=False), floats((1, 3, 32, 32))


def segformer_layer() -> tuple[nn.Module, Draw]:
    """Keys and values from a coarser grid."""
    from transformers import SegformerConfig
    from transformers.models.segformer.modeling_segformer import SegformerLayer

    sizes = {"hidden_size": 16, "num_attention_heads": 2, "drop_path": 0.0, "sequence_reduction_ratio": 2}
    layer = SegformerLayer(SegformerConfig(attn_implementation="eager"), mlp_ratio=2, **sizes)
    return Keywords(layer, ("hidden_states",), height=6, width=6), floats((1, 36, 16))


def swin_layer() -> tuple[nn.Module, Draw]:
    """Windows that are shifted by half."""
    from transformers import SwinConfig
    from transformers.models.swin.modeling_swin import SwinLayer

    config = SwinConfig(window_size=4, attn_implementation="eager")
    layer = SwinLayer(config, dim=16, input_resolution=(8, 8), num_heads=2, shift_size=2)
    return Keywords(layer, ("hidden_states",), input_dimensions=(8, 8)), floats((1, 64, 16))


def efficientnet_block() -> tuple[nn.Module, Draw]:
    """Inverted residual with squeeze and excitation."""
    from transformers import EfficientNetConfig
    from transformers.models.efficientnet.modeling_efficientnet import EfficientNetBlock

    sizes = {"in_dim": 8, "out_dim": 8, "stride": 1, "expand_ratio": 4, "kernel_size": 3, "drop_rate": 0.0}
    return EfficientNetBlock(EfficientNetConfig(), id_skip=True, adjust_padding=True, **sizes), floats((1, 8, 7, 7))


def mobilevit_layer() -> tuple[nn.Module, Draw]:
    """Pixels of patches as tokens, and back."""
    from transformers import MobileViTConfig
    from transformers.models.mobilevit.modeling_mobilevit import MobileViTLayer

    config = MobileViTConfig(patch_size=2, num_attention_heads=2, mlp_ratio=2.0)
    sizes = {"in_channels": 8, "out_channels": 8, "stride": 1, "hidden_size": 16, "num_stages": 1}
    return MobileViTLayer(config, **sizes), lambda: (torch.randn(1, 8, 8, 8),)


MODULES = by_name(
    {
        "vit": vit,
        "clip-vision": clip_vision,
        "clip-text": clip_text,
        "convnext-layer": convnext_layer,
        "resnet": resnet,
        "segformer-layer": segformer_layer,
        "swin-layer": swin_layer,
        "efficientnet-block": efficientnet_block,
        "mobilevit-layer": mobilevit_layer,
    }
)
