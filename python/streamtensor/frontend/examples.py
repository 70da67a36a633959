# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs by name, used by tests, documentation and `python -m streamtensor.frontend`."""

from __future__ import annotations

from collections.abc import Callable

import torch

from streamtensor.frontend import LinalgModule, export_module, models
from streamtensor.frontend.decoder import export_decoder_layer
from streamtensor.frontend.networks import NETWORKS


class CausalAttention(torch.nn.Module):
    """Scaled dot-product attention with a causal mask."""

    def forward(self, query, key, value):
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class TwoBranches(torch.nn.Module):
    """A residual whose two branches differ much in latency."""

    def __init__(self, features: int = 32):
        super().__init__()
        self.first = torch.nn.Linear(features, features)
        self.second = torch.nn.Linear(features, features)

    def forward(self, x):
        return x + self.second(torch.relu(self.first(x)))


class Rotary(torch.nn.Module):
    """Rotary embedding: the halves of a row are exchanged."""

    def forward(self, x, cos, sin):
        low, high = x.chunk(2, dim=-1)
        return x * cos + torch.cat((-high, low), dim=-1) * sin


def mlp() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Dimensions 7, 13 and 1."""
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(7, 13), torch.nn.ReLU(), torch.nn.Linear(13, 1))
    return module, (torch.randn(5, 7),)


def softmax() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Over a prime length."""
    return torch.nn.Softmax(dim=-1), (torch.randn(8, 31),)


def attention() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return CausalAttention(), tuple(torch.randn(2, 16, 8) for _ in range(3))


def residual() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    torch.manual_seed(0)
    return TwoBranches(), (torch.randn(16, 32),)


def rotary() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return Rotary(), tuple(torch.randn(8, 32) for _ in range(3))


MODULES: dict[str, Callable] = {
    "mlp": mlp,
    "softmax": softmax,
    "attention": attention,
    "residual": residual,
    "rotary": rotary,
}

LAYERS: dict[str, tuple[Callable, int]] = {
    "tiny-llama": (lambda: models.random_causal_lm(models.tiny_llama_config()), 8),
    "tiny-gpt2": (lambda: models.random_causal_lm(models.tiny_gpt2_config()), 8),
    "tiny-qwen2": (lambda: models.random_causal_lm(models.tiny_qwen2_config()), 8),
    "tiny-gemma3": (lambda: models.random_causal_lm(models.tiny_gemma3_config()), 8),
    "gpt2-medium": (lambda: models.random_causal_lm(models.gpt2_medium_config(num_layers=1)), 128),
    "qwen2.5-0.5b": (lambda: models.random_causal_lm(models.qwen2_0_5b_config()), 128),
    "llama-3.2-1b": (lambda: models.random_causal_lm(models.llama3_1b_config()), 128),
    "gemma-3-1b": (lambda: models.random_causal_lm(models.gemma3_1b_config()), 128),
    "smollm2": (lambda: models.load_causal_lm(models.smollm2_path())[0], 16),
}


def names() -> list[str]:
    return [*MODULES, *NETWORKS, *LAYERS]


def export_example(name: str, num_tokens: int | None = None) -> LinalgModule:
    small = MODULES | NETWORKS
    if name in small:
        return export_module(*small[name]())
    make_model, tokens = LAYERS[name]
    return export_decoder_layer(make_model(), num_tokens or tokens)
