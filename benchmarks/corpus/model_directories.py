# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Twelve tiny language models with random weights, saved as Hugging Face directories with a tokenizer of words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

WORDS = ("the", "a", "cat", "dog", "sat", "on", "mat", "hat", "and", "ran", "fast", "home", "to", "see", "red", "sky")
VOCABULARY = 64
_COMMON = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 128,
    "bos_token_id": 0,
    "eos_token_id": 1,
}
_GATED = _COMMON | {"intermediate_size": 64, "num_key_value_heads": 2}
_TOKEN_IDS = {"bos_token_id": 0, "eos_token_id": 1}


def _make(config: str, **sizes: object) -> Callable[[], object]:
    def make() -> object:
        import transformers

        return getattr(transformers, config)(**sizes)

    return make


CONFIGS: dict[str, Callable[[], object]] = {
    "llama": _make("LlamaConfig", **_GATED),
    "gpt2": _make("GPT2Config", n_embd=32, n_layer=2, n_head=4, n_positions=128, vocab_size=VOCABULARY, **_TOKEN_IDS),
    "qwen2": _make("Qwen2Config", **_GATED),
    "qwen3": _make("Qwen3Config", head_dim=16, **_GATED),
    "gemma3": _make(
        "Gemma3TextConfig",
        head_dim=16,
        sliding_window=4,
        layer_types=["sliding_attention", "full_attention"] * 2,
        **_GATED | {"num_hidden_layers": 4},
    ),
    "phi3": _make("Phi3Config", pad_token_id=0, **_GATED),
    "mistral": _make("MistralConfig", sliding_window=8, **_GATED),
    "opt": _make("OPTConfig", ffn_dim=64, word_embed_proj_dim=32, pad_token_id=1, **_COMMON),
    "gpt-neox": _make("GPTNeoXConfig", intermediate_size=64, **_COMMON),
    "falcon": _make("FalconConfig", **_COMMON),
    "mixtral": _make("MixtralConfig", num_local_experts=4, **_GATED),
    "mamba": _make("MambaConfig", hidden_size=32, num_hidden_layers=2, state_size=4, vocab_size=VOCABULARY),
}


def save(name: str, directory: Path) -> Path:
    """The model `name` with weights that are not those of a fresh one: ones and zeros would hide a mistake."""
    import transformers

    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(CONFIGS[name]())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    model.generation_config.eos_token_id = None
    model.save_pretrained(directory)
    _tokenizer().save_pretrained(directory)
    return directory


def _tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {word: index for index, word in enumerate(["<s>", "</s>", "<unk>", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", eos_token="</s>")
