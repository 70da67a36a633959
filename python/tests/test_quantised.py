# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that torchao quantised become integer hardware that computes what PyTorch computes of them."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
import streamtensor as st
import torch
from safetensors.torch import load_file
from streamtensor import CompileError, UnsupportedOpError
from streamtensor.compiler import compile_program
from streamtensor.devices import find_device
from streamtensor.frontend import export_module, models
from streamtensor.frontend.cached_decoder import context_of
from streamtensor.frontend.export import decompose, trace
from streamtensor.layer_program import Shape, layer_program
from streamtensor.progress import Progress
from streamtensor.quantise import Quantisation, copy_for_quantisation, is_quantised, quantise_model
from streamtensor.schemes import SCHEMES
from torch import nn

STEPS = 2  # of an int8 quantiser over the result


class Attention(nn.Module):
    """One head over 64 channels, causal."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(64, 64, bias=bias) for bias in (True, True, False, False))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        mask = torch.full((x.shape[-2], x.shape[-2]), float("-inf")).triu(1)
        return x + self.o(torch.softmax(q @ k.transpose(-1, -2) / 8 + mask, -1) @ v)


def mlp(inputs: int, inner: int) -> nn.Module:
    return nn.Sequential(nn.LayerNorm(inputs), nn.Linear(inputs, inner), nn.GELU(), nn.Linear(inner, inputs))


CASES = {
    "linear, group 32": (nn.Linear(64, 48), (5, 64), "w4a8", 32),
    "linear, group 64, one token": (nn.Linear(128, 24), (1, 128), "w4a8", 64),
    "linear, group 128, no bias, batches": (nn.Linear(256, 40, bias=False), (2, 3, 256), "w4a8", 128),
    "linear, one scale a row": (nn.Linear(64, 48), (7, 64), "w8a8", 32),
    "linear, int4, one scale a row": (nn.Linear(72, 48), (7, 72), "w4a8-channel", 32),
    "linear, activations in groups": (nn.Linear(192, 24), (3, 192), "w4a8-symmetric", 64),
    "mlp, activations in groups": (mlp(64, 96), (1, 7, 64), "w4a8-symmetric", 32),
    "mlp, one scale a row": (mlp(60, 84), (1, 7, 60), "w4a8-channel", 32),
    "mlp": (mlp(64, 96), (1, 7, 64), "w4a8", 32),
    "attention": (Attention(), (1, 9, 64), "w4a8", 64),
}


def steps_apart(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference in steps of an int8 quantiser over all of `expected`."""
    return float((found - expected).abs().max() / ((expected.max() - expected.min()) / 255))


def make(name: str) -> tuple[nn.Module, torch.Tensor]:
    module, shape, scheme, group = copy.deepcopy(CASES[name])
    torch.manual_seed(len(name))
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.2)
    return quantise_model(module.eval(), scheme, group), torch.randn(shape)


@pytest.fixture(scope="module", params=CASES)
def compiled(request, tmp_path_factory):
    """A design that its compilation found to be PyTorch's, every pass checked on the way."""
    module, x = make(request.param)
    out = tmp_path_factory.mktemp("quantised") / "out"
    return module, st.compile(module, (x,), st.Options(validate=True), out), x


def linears(module: nn.Module) -> list[nn.Linear]:
    return [part for part in module.modules() if isinstance(part, nn.Linear)]


def test_the_design_is_the_quantised_module(compiled):
    module, design, example = compiled
    for x in (example, 3 * torch.randn(example.shape) + 1, torch.rand(example.shape)):
        with torch.no_grad():
            assert steps_apart(design(x), module(x)) <= STEPS


def weights(module: nn.Module) -> list[torch.Tensor]:
    return [part.weight for part in module.modules() if isinstance(part, nn.Linear)]


def test_no_weight_is_a_float(compiled):
    """Neither as an argument, nor in the code: floats of the size of a weight are nowhere."""
    module, design, _ = compiled
    stored = [argument for argument in design.manifest["arguments"] if argument["name"].endswith("qdata")]
    assert len(stored) == len(weights(module))
    assert all(argument["type"] == "int8" for argument in stored)
    floats = [a["shape"] for a in design.manifest["arguments"] if a["type"] == "float32" and a["kind"] == "parameter"]
    assert [list(weight.shape) for weight in weights(module) if list(weight.shape) in floats] == []
    text = (design.directory / "ir" / "sized.mlir").read_text()
    elements = {f"{'x'.join(map(str, shape))}xf32" for shape in ([*weight.shape] for weight in weights(module))}
    assert not any(element in text for element in elements)


def test_products_are_of_integers(compiled):
    _, design, _ = compiled
    body = (design.directory / "ir" / "02-linalg.mlir").read_text()
    assert re.search(r"tensor<[\dx]+xi[89]>, tensor<[\dx]+xi[48]>\) outs\(%\w+ : tensor<[\dx]+xi32>", body)


def test_sums_are_scaled_once_a_group():
    """The rewritten graph, run by PyTorch, multiplies as often by floats as there are groups, and scales tokens."""
    module, x = make("linear, group 32")
    program, facts = decompose(trace(module, (x,)))
    assert list(facts.bits.values()) == [4]
    products = [node for node in program.graph.nodes if node.target is torch.ops.aten.bmm.default]
    assert [tuple(node.meta["val"].shape) for node in products] == [(2, 5, 48), (48, 5, 1)]
    assert not any("dequantize" in str(node.target) for node in program.graph.nodes)


def test_a_float_times_a_quantised_weight_is_refused():
    from torchao.quantization import IntxWeightOnlyConfig, PerGroup, quantize_

    module = nn.Sequential(nn.Linear(64, 8)).eval()
    quantize_(module, IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(32)))
    with pytest.raises(UnsupportedOpError, match=r"reads the quantised weight '0.*' as floats.*leave it float"):
        export_module(module, (torch.randn(3, 64),))


def test_a_weight_that_is_read_without_its_linear_is_refused():
    class Read(nn.Module):
        def __init__(self):
            super().__init__()
            self.called, self.read = nn.Linear(32, 32), nn.Linear(32, 32)

        def forward(self, x):
            return self.called(x) @ self.read.weight

    with pytest.raises(UnsupportedOpError, match=r"Read reads a quantised weight as floats at .*test_quantised.py:\d+"):
        export_module(quantise_model(Read().eval()), (torch.randn(3, 32),))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_linear_may_have_two_names(scheme, tmp_path):
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(32, 32)
            self.second = self.first

        def forward(self, x):
            return self.second(self.first(x).relu())

    torch.manual_seed(0)
    module, x = quantise_model(Twice().eval(), scheme), torch.randn(3, 32)
    design = st.compile(module, (x,), out=tmp_path / "out")
    with torch.no_grad():
        assert steps_apart(design(x), module(x)) <= STEPS


def test_the_attention_of_an_encoder_stays_float(tmp_path):
    """nn.MultiheadAttention reads the weight of its projection as floats."""
    torch.manual_seed(0)
    module, x = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval(), torch.randn(1, 5, 32)
    expected = quantise_model(copy.deepcopy(module), "w8a8")
    assert type(expected.self_attn.out_proj.weight) is nn.Parameter
    assert type(expected.linear1.weight) is not nn.Parameter
    design = st.compile(module, (x,), out=tmp_path / "out", quantise="w8a8")
    with torch.no_grad():
        assert steps_apart(design(x), expected(x)) <= STEPS


def test_zero_points_of_weights(tmp_path):
    """Weights with a zero point a group: differences of integers, too."""
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, MappingType, PerGroup, quantize_

    torch.manual_seed(1)
    module = nn.Sequential(nn.Linear(64, 16)).eval()
    module[0].weight.data += 0.05
    config = Int8DynamicActivationIntxWeightConfig(
        weight_dtype=torch.int4, weight_granularity=PerGroup(32), weight_mapping_type=MappingType.ASYMMETRIC
    )
    quantize_(module, config)
    x = torch.randn(3, 64)
    design = st.compile(module, (x,), out=tmp_path / "out")
    with torch.no_grad():
        assert steps_apart(design(x), module(x)) <= STEPS


def test_what_is_quantised_is_not_quantised_again():
    module = quantise_model(nn.Sequential(nn.Linear(64, 16)).eval())
    with pytest.raises(CompileError, match=r"Weights of Sequential are quantised already.*leave quantise"):
        quantise_model(module)


def test_the_option_quantises_a_copy(tmp_path):
    torch.manual_seed(3)
    module, x = nn.Sequential(nn.Linear(64, 16)).eval(), torch.randn(3, 64)
    expected = quantise_model(copy.deepcopy(module), "w4a8", 64)(x)
    design = st.compile(module, (x,), out=tmp_path / "out", quantise="w4a8", group_size=64)
    assert type(module[0].weight) is nn.Parameter
    assert steps_apart(design(x), expected.detach()) <= STEPS
    stored = load_file(tmp_path / "out" / "params" / "parameters.safetensors")["0.weight.qdata"]
    assert stored.numel() == 64 * 16 // 2


def test_a_copy_shares_only_weights_that_quantisation_replaces():
    model = models.random_causal_lm(models.tiny_gpt2_config())
    found = dict(copy_for_quantisation(model).named_parameters())
    shared = {name for name, parameter in model.named_parameters() if found[name] is parameter}
    parts = ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")
    assert shared == {f"transformer.h.{layer}.{part}.weight" for layer in range(2) for part in parts}


def test_a_weight_that_others_read_too_is_not_shared():
    module = nn.Sequential(nn.Linear(64, 64), nn.Bilinear(64, 64, 1))
    module[1].extra = module[0].weight
    assert copy_for_quantisation(module)[0].weight is not module[0].weight


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("head", [False, True])
def test_layers_first_and_the_rest_later_are_all_layers_at_once(scheme, head):
    config = models.tiny_llama_config()
    config.num_hidden_layers, config.tie_word_embeddings, config.intermediate_size = 3, False, 64
    model = models.random_causal_lm(config)
    at_once = quantise_model(copy.deepcopy(model), scheme, 32, joins=True, head=head)
    steps = Quantisation(model, scheme, 32, joins=True, head=head)
    steps.take(model.model.layers[index] for index in (0, 2))
    assert {type(part.weight.detach()) for part in linears(model.model.layers[1])} == {torch.Tensor}
    assert all(is_quantised(part) for index in (0, 2) for part in linears(model.model.layers[index]))
    assert is_quantised(model.lm_head) is head
    assert steps.finish() is model
    assert [(name, type(part)) for name, part in model.named_modules()] == [
        (name, type(part)) for name, part in at_once.named_modules()
    ]
    ids = torch.arange(7)[None]
    with torch.no_grad():
        torch.testing.assert_close(model(ids).logits, at_once(ids).logits, rtol=0, atol=0)


def test_a_zero_point_in_a_layer_in_the_middle_is_an_error(tmp_path):
    """The program of the first layer leaves zero points out that are 0 there; of the others only the last is traced."""
    config = models.tiny_llama_config()
    config.num_hidden_layers, config.intermediate_size = 3, 64
    model = quantise_model(models.random_causal_lm(config), "w4a8", 32)
    model.model.layers[1].mlp.down_proj.weight.detach().zero_point.fill_(1)
    with pytest.raises(UnsupportedOpError, match="zero_point' is 0 in layer 0 of LlamaForCausalLM and not in layer 1"):
        st.compile_llm(model, max_context=16, options=st.Options(compare=False), out=tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_file_is_not_quantised(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }")
    with pytest.raises(CompileError, match="which says by itself what is computed in integers"):
        st.compile(path, out=tmp_path / "out", quantise="w4a8")


def test_weights_take_half_a_byte_in_memory(compiled):
    """In the words of the ports, and in what is moved through them."""
    module, design, _ = compiled
    if any(part.weight.target_dtype is torch.int8 for part in module.modules() if isinstance(part, nn.Linear)):
        pytest.skip("weights of 8 bits")
    interface = json.loads((design.directory / "interface.json").read_text())
    ports = [port for each in interface["designs"] for port in each["ports"] if port["dtype"] == "int4"]
    assert len(ports) == len(weights(module))
    assert all(port["bits"] == 4 for port in ports)
    code = (design.directory / "hls" / "accelerator.cpp").read_text()
    assert len(re.findall(r"ap_int<4>\(\w+\[.*\] >> \(.*\)\)", code)) >= len(ports)


@pytest.mark.parametrize(
    ("scheme", "group", "law"),
    [
        ("w3a8", 32, "no quantisation 'w3a8': known are w4a8, w4a8-symmetric, w4a8-channel, w8a8"),
        ("w4a8", 48, "group size is 48: it is one of 32, 64, 128"),
        ("w4a8", 128, "Groups of 128 do not divide the 64 inputs of the linear layer '1'. Choose 32 or 64"),
    ],
)
def test_schemes_that_do_not_fit(scheme, group, law):
    with pytest.raises(CompileError, match=law):
        quantise_model(mlp(64, 128), scheme, group)


def test_rows_that_no_group_divides_have_one_scale():
    with pytest.raises(CompileError, match=r"60 inputs of the linear layer '1'. Choose w4a8-channel or w8a8, which"):
        quantise_model(mlp(60, 84), "w4a8", 32)
    assert is_quantised(quantise_model(mlp(60, 84), "w4a8-channel"))


def test_gpt2_keeps_its_layers():
    """Its transposed linears become nn.Linear, which compute the same."""
    model = models.random_causal_lm(models.tiny_gpt2_config())
    ids = torch.arange(12)[None]
    with torch.no_grad():
        expected = model(ids).logits
        quantise_model(model, "w4a8", 32)
        found = model(ids).logits
    assert type(model.transformer.h[0].attn.c_attn.weight).__name__ == "IntxUnpackedToInt8Tensor"
    assert 0 < float((found - expected).abs().max()) < 0.2 * float(expected.abs().max())


def test_a_layer_of_smollm2(tmp_path: Path):
    """With its real weights, the first and the last."""
    model, _ = models.load_causal_lm(models.smollm2_path())
    quantise_model(model, "w4a8", 32)
    program = layer_program(context_of(model, 16), Shape(4, 16))
    design = compile_program(program, find_device("u55c"), st.Options(), tmp_path / "out", Progress())
    finding = design.manifest["comparison"]
    assert [title.split(" with")[0] for title in finding["draws"]] == ["layer 0", "layer 29"]
    assert finding["max_error"] < STEPS / 255
