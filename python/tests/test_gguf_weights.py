# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Int4 weights of a GGUF file are taken over as they are."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor.frontend import gguf_weights, models
from streamtensor.quantise import quantise_model, quantised_linears
from torch import nn

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
FORMS = gguf.GGMLQuantizationType


def encode(floats: np.ndarray, form: gguf.GGMLQuantizationType) -> np.ndarray:
    """`floats` [rows, columns] as a file holds them; of Q4_K and Q6_K, which gguf cannot write, other weights."""
    if form not in (FORMS.Q4_K, FORMS.Q6_K):
        return gguf.quantize(floats, form)
    # Any bytes with finite scales are weights: here about as large as those of a fresh model.
    random = np.random.default_rng(floats.ravel()[:4].view(np.uint32))
    size = gguf.GGML_QUANT_SIZES[form][1]
    blocks = random.integers(0, 256, (floats.size // 256, size), dtype=np.uint8)
    if form == FORMS.Q4_K:  # factors of scales and of lowest values; 7.5 is the mean of the integers
        factors = random.uniform(1e-4, 2e-4, (len(blocks), 1)) * (1, 7.5)
        blocks[:, :4] = factors.astype(np.float16).view(np.uint8)
    else:
        blocks[:, -2:] = random.uniform(1e-5, 2e-5, (len(blocks), 1)).astype(np.float16).view(np.uint8)
    return blocks.reshape(len(floats), -1)


def model_in_file(path, forms) -> nn.Module:
    """A tiny Llama whose weights `path` holds; rows of queries and keys in another order, as transformers does it."""
    import transformers

    shape = models.TINY_SHAPE | {"hidden_size": 256, "intermediate_size": 256}
    model = models.random_causal_lm(transformers.LlamaConfig(**shape))
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("llama.block_count", 2)
    for index in range(2):
        for name, stored in NAMES.items():
            linear, form = model.get_submodule(f"model.layers.{index}.{name}"), forms(index, name)
            data = encode(linear.weight.detach().numpy(), form)
            writer.add_tensor(f"blk.{index}.{stored}.weight", data, raw_dtype=form)
            floats = torch.from_numpy(gguf.dequantize(data, form))
            order = torch.randperm(len(floats)) if stored in ("attn_q", "attn_k") else slice(None)
            linear.weight.data = floats[order]
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return model


def weights(model: nn.Module) -> dict[str, torch.Tensor]:
    linears = {name: part for name, part in model.named_modules() if isinstance(part, nn.Linear)}
    return {name: part.weight.detach().clone() for name, part in linears.items() if name != "lm_head"}


@pytest.mark.parametrize("scheme", ["w4a8", "w4a8-symmetric"])
@pytest.mark.parametrize("form", [FORMS.Q4_0, FORMS.Q4_1, FORMS.Q4_K], ids=lambda form: form.name)
def test_no_weight_is_rounded_again(tmp_path, form, scheme):
    path = tmp_path / "model.gguf"
    model = model_in_file(path, lambda index, name: form)
    floats = weights(model)
    quantise_model(model, scheme, 32, path)
    linears = quantised_linears(model)
    assert linears.keys() == floats.keys()
    for name, linear in linears.items():
        weight = linear.weight.detach()
        assert int(weight.qdata.min()) >= -8
        assert int(weight.qdata.max()) <= 7
        assert weight.zero_point.dtype is (torch.int8 if form == FORMS.Q4_0 else torch.float32)
        error = (weight.dequantize() - floats[name]).abs().max() / floats[name].abs().max()
        assert float(error) < (1e-12 if form == FORMS.Q4_0 else 2e-6)


def test_other_weights_of_the_file_take_the_form_of_those(tmp_path):
    """Q8_0 is rounded to int4; its group's smallest and largest weight stay."""
    path = tmp_path / "model.gguf"
    model = model_in_file(path, lambda index, name: FORMS.Q8_0 if name == "mlp.down_proj" and index else FORMS.Q4_1)
    floats = weights(model)["model.layers.1.mlp.down_proj"].reshape(256, -1, 32)
    quantise_model(model, "w4a8", 32, path)
    weight = model.model.layers[1].mlp.down_proj.weight.detach()
    assert weight.zero_point.is_floating_point()
    found = weight.dequantize().reshape(floats.shape)
    step = (floats.amax(-1) - floats.amin(-1)) / 15
    assert bool(((found - floats).abs() <= 0.501 * step[..., None]).all())
    assert torch.allclose(found.amin(-1), floats.amin(-1), atol=1e-6)


def test_other_groups_are_quantised_again(tmp_path):
    path = tmp_path / "model.gguf"
    model = model_in_file(path, lambda index, name: FORMS.Q4_1)
    quantise_model(model, "w4a8", 64, path)
    weight = model.model.layers[0].mlp.up_proj.weight.detach()
    assert weight.scale.shape == (256, 4)
    assert not bool(weight.zero_point.any())


def test_a_model_that_is_not_the_files_is_quantised_from_its_floats(tmp_path):
    path = tmp_path / "model.gguf"
    model = model_in_file(path, lambda index, name: FORMS.Q4_0)
    model.model.layers[1].self_attn.o_proj.weight.data[3, 5] += 1
    linears = {name: model.get_submodule(name) for name in weights(model)}
    assert linears.keys() - gguf_weights.read(path, linears).keys() == {"model.layers.1.self_attn.o_proj"}


def test_a_group_of_one_value():
    weight = torch.full((2, 64), -0.25)
    found = gguf_weights.quantise(weight)
    assert torch.allclose(
        (found.values.reshape(2, 2, 32) - found.zeros[..., None]) * found.scales[..., None], weight[0, 0]
    )


@pytest.mark.parametrize("scheme", ["w4a8", "w4a8-symmetric"])
def test_a_design_with_zero_points_of_floats(tmp_path, scheme):
    path = tmp_path / "model.gguf"
    model = model_in_file(path, lambda index, name: FORMS.Q4_1)
    quantise_model(model, scheme, 32, path)
    module = nn.Sequential(model.model.layers[0].self_attn.v_proj).eval()
    x = torch.randn(3, 256) + 0.5
    design = st.compile(module, (x,), st.Options(validate=True), tmp_path / "out")
    with torch.no_grad():
        expected = module(x)
    assert float((design(x) - expected).abs().max()) < 2 / 255 * float(expected.max() - expected.min())
