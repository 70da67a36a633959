# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole language model in a GGUF file, in each form of weights that such files commonly have, becomes a design."""

from __future__ import annotations

from pathlib import Path

import gguf
import pytest
import streamtensor as st
import torch
from streamtensor.frontend import models
from streamtensor.quantise import is_quantised, quantised_linears
from streamtensor.reference import FOLLOWED_LAYER_ERROR, generate_checked, generate_followed
from test_gguf_weights import FORMS, NAMES, encode
from torch import nn

TEXT = "the hat on the mat"
NEW_TOKENS, MAX_CONTEXT = 8, 32
END = "</s>"
MERGES = ("t h", "th e", "a t", "Ġ the", "Ġ o", "Ġo n", "Ġ h", "Ġ m")
MORE_BITS = ("self_attn.v_proj", "mlp.down_proj")  # of Q4_K_M, in half of its layers

# The form of each kind of weight, by a file's usual name, and the scheme in which the design takes the model.
FILES = {
    "Q4_0": (lambda name: FORMS.Q4_0, "w4a8"),
    "Q4_1": (lambda name: FORMS.Q4_1, "w4a8"),
    "Q4_K_M": (lambda name: FORMS.Q6_K if name in MORE_BITS else FORMS.Q4_K, "w4a8"),
    "Q8_0": (lambda name: FORMS.Q8_0, "w8a8"),
    "F16": (lambda name: FORMS.F16, None),
}


def byte_letters() -> list[str]:
    """How a byte-level vocabulary spells the bytes 0 to 255."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in shown else chr(next(others)) for byte in range(256)]


TOKENS = [*byte_letters(), *(merge.replace(" ", "") for merge in MERGES), "<s>", END]


def interleaved(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of queries and keys as files have them: the two halves of each head in turn."""
    return weight.reshape(heads, 2, -1, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


def in_halves(weight: torch.Tensor, heads: int) -> torch.Tensor:
    return weight.reshape(heads, -1, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


def write(path: Path, forms) -> nn.Module:
    """A tiny Llama with its tokenizer in `path`; gives the model that the file holds, in floats."""
    import transformers

    shape = models.TINY_SHAPE | {"hidden_size": 256, "intermediate_size": 256, "vocab_size": len(TOKENS)}
    config = transformers.LlamaConfig(**shape, tie_word_embeddings=True, rms_norm_eps=1e-5, rope_theta=5000.0)
    model = models.random_causal_lm(config)
    writer = gguf.GGUFWriter(path, "llama")
    write_header(writer, config)

    def add(name: str, weight: torch.Tensor, form) -> torch.Tensor:
        data = encode(weight.detach().contiguous().numpy(), form)
        writer.add_tensor(name, data, raw_dtype=form)
        return torch.tensor(gguf.dequantize(data, form)).reshape(weight.shape)

    embedding = model.get_input_embeddings()
    embedding.weight.data = add("token_embd.weight", embedding.weight, forms("embed_tokens"))
    norms = {"output_norm": model.model.norm}
    for index, layer in enumerate(model.model.layers):
        norms |= {
            f"blk.{index}.attn_norm": layer.input_layernorm,
            f"blk.{index}.ffn_norm": layer.post_attention_layernorm,
        }
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
        for name, stored in NAMES.items():
            linear, count = layer.get_submodule(name), heads.get(stored)
            rows = interleaved(linear.weight, count) if count else linear.weight
            held = add(f"blk.{index}.{stored}.weight", rows, forms(name))
            linear.weight.data = in_halves(held, count) if count else held
    for name, norm in norms.items():
        norm.weight.data += 0.1 * torch.randn(norm.weight.shape)
        add(f"{name}.weight", norm.weight, FORMS.F32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model.tie_weights()
    return model


def write_header(writer: gguf.GGUFWriter, config) -> None:
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(TOKENS)
    kinds = [gguf.TokenType.CONTROL if token in ("<s>", END) else gguf.TokenType.NORMAL for token in TOKENS]
    writer.add_token_types(kinds)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(TOKENS.index("<s>"))
    writer.add_eos_token_id(TOKENS.index(END))


@pytest.fixture(scope="module", params=FILES)
def file(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / f"{request.param}.gguf"
    forms, scheme = FILES[request.param]
    return path, write(path, forms), scheme


def test_the_model_is_that_of_the_file(file):
    path, expected, _ = file
    model, tokenizer = models.load_causal_lm(path)
    found = model.state_dict()
    for name, weight in expected.state_dict().items():
        torch.testing.assert_close(found[name], weight, rtol=1e-6, atol=1e-6 * float(weight.abs().max()))
    ids = tokenizer(TEXT)["input_ids"]
    assert [TOKENS[number] for number in ids[:4]] == ["the", "Ġh", "at", "Ġon"]
    assert tokenizer.decode(ids) == TEXT
    with torch.no_grad():
        torch.testing.assert_close(model(torch.tensor([ids])).logits, expected(torch.tensor([ids])).logits)


def test_the_design_continues_as_pytorch_does(file, tmp_path):
    path, floats, scheme = file
    options = st.Options(tile_size=8, unroll=64)
    llm = st.compile_llm(path, max_context=MAX_CONTEXT, options=options, out=tmp_path / "out", quantise=scheme)
    llm.model.generation_config.eos_token_id = None
    assert is_quantised(llm.model) is (scheme is not None)
    generate = generate_followed if scheme else generate_checked
    reference, generation, comparison = generate(llm, TEXT, NEW_TOKENS)
    assert comparison.positions == len(llm.encode(TEXT)) + NEW_TOKENS - 1
    assert comparison.layer_error < (FOLLOWED_LAYER_ERROR if scheme else 1e-5)
    assert generation.tokens == reference.tokens
    for name, linear in quantised_linears(llm.model).items():
        if path.stem.startswith("Q4") and not name.endswith(MORE_BITS):  # the integers of the file
            expected = floats.get_submodule(name).weight
            error = (linear.weight.detach().dequantize() - expected).abs().max() / expected.abs().max()
            assert float(error) < 2e-6, name
