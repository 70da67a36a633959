# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The phases `import` and `linalg` keep what a PyTorch module computes, and how often."""

from __future__ import annotations

import re
import subprocess

import linalg_corpus
import linalg_native
import numpy as np
import pytest
import torch
from streamtensor.frontend import PARAMETER, LinalgModule, export_module, models
from streamtensor.frontend.decoder import export_decoder_layer, layer_inputs, layer_kinds, wrap_layer
from streamtensor.paths import find_tool

PHASES = "builtin.module(streamtensor-import-phase,streamtensor-linalg-phase)"
COUNTED = "arith.divf,math.exp,math.rsqrt,math.tanh"

CONFIGS = {
    "llama": models.tiny_llama_config,
    "gpt2": models.tiny_gpt2_config,
    "qwen2": models.tiny_qwen2_config,
    "gemma3": models.tiny_gemma3_config,
}


def run_phases(text: str, pipeline: str = PHASES) -> str:
    tool = find_tool("streamtensor-opt")
    result = subprocess.run([tool, f"--pass-pipeline={pipeline}"], input=text, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def arguments_of(program: LinalgModule, module: torch.nn.Module, inputs) -> list[np.ndarray]:
    """Values for the program's arguments, in their order."""
    state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    remaining = iter(inputs)
    values = []
    for argument in program.arguments:
        if argument.kind != PARAMETER:
            values.append(next(remaining))
            continue
        (value,) = [v for name, v in state.items() if name == argument.name or name.endswith("." + argument.name)]
        values.append(value)
    return [value.detach().numpy() for value in values]


def check(program: LinalgModule, module: torch.nn.Module, inputs, directory, tolerance: float = 1e-5) -> None:
    with torch.no_grad():
        expected = module.eval()(*inputs)
    expected = [e.numpy() for e in (expected if isinstance(expected, (tuple, list)) else (expected,))]
    results = [(value.shape, value.dtype) for value in expected]
    actual = linalg_native.run(run_phases(program.text), arguments_of(program, module, inputs), results, directory)
    for one, other in zip(actual, expected, strict=True):
        limit = 1e-2 if other.dtype == np.float16 else tolerance
        np.testing.assert_allclose(one, other, rtol=limit, atol=limit)


@pytest.mark.parametrize("name", linalg_corpus.NAMES)
def test_results_agree_with_pytorch(name, tmp_path):
    module, inputs = linalg_corpus.make(name)
    check(export_module(module, inputs), module, inputs, tmp_path)


@pytest.fixture(scope="module", params=CONFIGS)
def layer(request):
    model = models.random_causal_lm(CONFIGS[request.param]())
    return request.param, model, export_decoder_layer(model, 8)


def test_decoder_layers_agree_with_pytorch(layer, tmp_path):
    _, model, program = layer
    hidden = torch.randn(1, 8, model.config.get_text_config().hidden_size)
    inputs = layer_inputs(model, hidden, layer_kinds(model)[0])
    check(program, wrap_layer(model, 0), inputs, tmp_path)


def count(text: str, phases: str) -> dict[str, int]:
    pipeline = f"builtin.module({phases}func.func(streamtensor-count-operations{{operations={COUNTED}}}))"
    counts = re.findall(r"^(\S+\.\S+) (\d+)$", run_phases(text, pipeline), re.MULTILINE)
    return {name: int(number) for name, number in counts}


def test_no_function_is_evaluated_more_often_than_in_pytorch(layer):
    """torch-mlir's own output evaluates each function once per element of its tensor."""
    _, _, program = layer
    before = count(program.text, "")
    after = count(program.text, "streamtensor-import-phase,streamtensor-linalg-phase,")
    assert before["math.exp"] > 0
    assert before["arith.divf"] > 0
    assert all(after[name] <= before[name] for name in before), (before, after)


def test_every_operation_keeps_its_module_path(layer):
    """Locations of the result name modules; only what is written outside any module has none."""
    _, _, program = layer
    tool = find_tool("streamtensor-opt")
    text = subprocess.run(
        [tool, f"--pass-pipeline={PHASES}", "--mlir-print-debuginfo"],
        input=program.text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    named = set(re.findall(r'^(#loc\d+) = loc\("[\w.]+"\(', text, re.MULTILINE))
    generics = re.findall(r"^    \} -> .* loc\((\S+)\)$", text, re.MULTILINE)
    assert len(generics) > 10
    assert set(generics) <= named
