# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules become Linalg text whose arguments and locations carry the model's names."""

from __future__ import annotations

import re

import pytest
import torch
from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import INPUT, PARAMETER, export_module, models
from streamtensor.frontend.decoder import (
    decoder_of,
    export_decoder_layer,
    layer_inputs,
    layer_kinds,
    layer_parameters,
    wrap_layer,
)

CONFIGS = {
    "llama": models.tiny_llama_config,
    "gpt2": models.tiny_gpt2_config,
    "qwen2": models.tiny_qwen2_config,
    "gemma3": models.tiny_gemma3_config,
    "qwen3": models.tiny_qwen3_config,
    "phi3": models.tiny_phi3_config,
    "mistral": models.tiny_mistral_config,
}


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = torch.nn.Linear(6, 6)
        self.up = torch.nn.Linear(6, 6)
        self.unused = torch.nn.Linear(2, 2)
        self.register_buffer("scale", torch.full((6,), 2.0), persistent=False)

    def forward(self, x, y):
        return self.gate(x * self.scale) * self.up(y) + torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


def exported_block():
    return export_module(Block(), (torch.randn(3, 6), torch.randn(3, 6)))


def test_inputs_come_first_and_parameters_are_named():
    program = exported_block()
    assert [(a.name, a.kind) for a in program.arguments[:2]] == [("x", INPUT), ("y", INPUT)]
    assert {a.name for a in program.arguments[2:]} == {"gate.weight", "gate.bias", "up.weight", "up.bias", "scale"}
    assert all(a.kind == PARAMETER for a in program.arguments[2:])
    assert 'streamtensor.kind = "parameter", streamtensor.name = "gate.weight"' in program.text


def test_arguments_of_the_text_are_in_the_order_of_the_list():
    program = exported_block()
    names = re.findall(r'streamtensor\.name = "([^"]+)"', program.text)
    assert names == [a.name for a in program.arguments]


def test_non_persistent_buffers_are_parameters_with_values():
    assert torch.equal(exported_block().parameters["scale"], torch.full((6,), 2.0))


def test_parameters_that_nothing_reads_are_dropped():
    assert not any("unused" in a.name for a in exported_block().arguments)


def test_literal_tensors_stay_constants():
    # A resource: the alignment, then 1.0, 2.0, ... as little-endian fp32.
    assert re.search(r'torch_tensor_6_torch\.float32: "0x040000000000803F00000040', exported_block().text)


def test_equal_lines_of_different_modules_keep_their_module_paths():
    text = exported_block().text
    assert re.search(r'loc\("gate"\(', text)
    assert re.search(r'loc\("up"\(', text)


def test_locations_name_the_users_file_and_line():
    text = exported_block().text
    assert re.search(r'loc\("[^"]*test_frontend\.py":\d+:0\)', text)


def test_layer_norm_has_no_double_precision():
    program = export_module(torch.nn.LayerNorm(8), (torch.randn(4, 8),))
    assert not re.search(r"tensor<[0-9x]*f64>", program.text)


def test_bf16_modules_export():
    program = export_module(torch.nn.Linear(4, 4, dtype=torch.bfloat16), (torch.randn(2, 4).bfloat16(),))
    assert program.results[0].dtype == torch.bfloat16


@pytest.fixture(scope="module", params=CONFIGS)
def model(request):
    return models.random_causal_lm(CONFIGS[request.param]())


def test_one_program_serves_every_layer(model):
    assert export_decoder_layer(model, 8, 0).text == export_decoder_layer(model, 8, 1).text


def test_layer_parameters_have_the_names_of_the_arguments(model):
    program = export_decoder_layer(model, 8)
    parameters = layer_parameters(model, 1)
    for argument in program.arguments:
        if argument.kind == PARAMETER:
            assert tuple(parameters[argument.name].shape) == argument.shape


def test_layers_with_explicit_inputs_compute_what_the_model_computes(model):
    """Mask, positions and layer kinds are ours; the logits must be those of transformers."""
    ids = torch.arange(1, 9)[None, :]
    decoder = decoder_of(model)
    with torch.no_grad():
        hidden = model.get_input_embeddings()(ids)
        if decoder.positions is not None:
            hidden = hidden + decoder.positions(torch.arange(8))[None]
        for index, kind in enumerate(layer_kinds(model)):
            hidden = wrap_layer(model, index)(*layer_inputs(model, hidden, kind))
        logits = model.get_output_embeddings()(decoder.final_norm(hidden))
        expected = model(ids, use_cache=False).logits
    torch.testing.assert_close(logits, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("name", "window"), [("mistral", 4), ("phi3", 3), ("llama", None)])
def test_masks_hide_what_follows_and_what_left_the_window(name, window):
    model = models.random_causal_lm(CONFIGS[name]())
    mask = layer_inputs(model, torch.zeros(1, 6, 32), layer_kinds(model)[0])[-1]
    first = [0 if window is None else row - window + 1 for row in range(6)]
    assert (mask[0, 0] == 0).tolist() == [[first[row] <= column <= row for column in range(6)] for row in range(6)]


def test_layers_of_one_kind_that_are_given_different_masks_are_refused():
    model = models.random_causal_lm(models.tiny_llama_config())

    def shift(layer, arguments, keywords):
        return arguments, keywords | {"attention_mask": keywords["attention_mask"] + 1}

    model.model.layers[1].register_forward_pre_hook(shift, with_kwargs=True)
    with pytest.raises(UnsupportedOpError, match="different masks or positions to layers of one kind"):
        layer_inputs(model, torch.zeros(1, 6, 32), "full_attention")
