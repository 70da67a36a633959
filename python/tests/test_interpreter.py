# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IR of every phase, executed: against PyTorch, against the phase before, against the native HLS C++."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import harness
import module_batch
import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor import paths
from streamtensor.cli import run
from streamtensor.frontend import models
from streamtensor.frontend.decoder import layer_inputs, wrap_layer
from streamtensor.options import PHASES

TOLERANCE = 1e-5


def decoder_block(config, seed: int):
    model = models.random_causal_lm(config)
    torch.manual_seed(seed)
    with torch.no_grad():
        return wrap_layer(model, 0), layer_inputs(model, torch.randn(1, 8, 32), "full_attention")


def softmax(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


@dataclass
class Executed:
    """A module with the results of each of its phases."""

    directory: Path
    built: module_batch.Built
    report: dict
    results: dict[str, list[np.ndarray]]


def _number(path: Path) -> int:
    return int("".join(filter(str.isdigit, path.stem)))


def execute_phases(built: module_batch.Built, directory: Path) -> Executed:
    """Runs each phase by itself on the module's own inputs, and all of them in one process for the comparison."""
    state = dict(built.module.named_parameters()) | dict(built.module.named_buffers())
    given = iter(built.inputs)
    flags = []
    for index, argument in enumerate(built.text.arguments):
        value = state[argument.name] if argument.kind == "parameter" else next(given)
        np.save(directory / f"input{index}.npy", module_batch.to_numpy(value))
        flags.append(f"--input={directory / f'input{index}.npy'}")
    phases = sorted(directory.glob("[0-9][0-9]-*.mlir"))
    report = json.loads(harness.run_tool("streamtensor-run", *phases, *flags, "--json").succeed().stdout)
    results = {}
    for phase in phases:
        outputs = directory / f"{phase.stem}-results"
        harness.run_tool("streamtensor-run", phase, *flags, f"--output-dir={outputs}").succeed(phase.stem)
        files = sorted(outputs.glob("result*.npy"), key=_number)
        results[phase.stem.split("-", 1)[1]] = [np.load(path) for path in files]
    return Executed(directory, built, report, results)


@pytest.fixture(scope="module")
def executed(tmp_path_factory) -> dict[str, Executed]:
    directory = tmp_path_factory.mktemp("interpreter")
    torch.manual_seed(harness.seed())
    cases = {
        "llama": decoder_block(models.tiny_llama_config(), 1),
        "gpt2": decoder_block(models.tiny_gpt2_config(), 2),
        "softmax": (softmax, (torch.randn(8, 31),)),
        "half": (lambda x, y: torch.tanh(x @ y), (torch.randn(6, 8).half(), torch.randn(8, 4).half())),
    }
    # Without padding, whose layouts would stand among the phases on plain tensors.
    built = module_batch.build(cases, directory, unroll=32, padding=0)
    return {name: execute_phases(built[name], directory / name) for name in cases}


CASES = ("llama", "gpt2", "softmax", "half")


@pytest.mark.parametrize("name", CASES)
def test_every_phase_matches_pytorch(executed, name):
    module = executed[name].built
    with torch.no_grad():
        expected = module.module(*module.inputs)
    assert list(executed[name].results) == [phase for phase in PHASES if phase != "emit"]
    tolerance = 2e-3 if expected.dtype == torch.float16 else TOLERANCE
    for phase, (result,) in executed[name].results.items():
        assert harness.relative_error(result, module_batch.to_numpy(expected)) <= tolerance, phase


@pytest.mark.parametrize("name", CASES)
def test_phases_agree(executed, name):
    modules = executed[name].report["modules"]
    assert [module["difference"] for module in modules] == [""] * len(modules)
    digests = [module["results"][0]["digest"] for module in modules]
    levels = [module["level"] for module in modules]
    assert levels == ["linalg"] * 4 + ["itensor"] * 5 + ["stream"] * 2
    assert len(set(digests[3:8])) == 1, "tile to materialise: sums in the order of the loops"
    assert len(set(digests[8:])) == 1, "optimise to size: sums as hardware adds them"


@pytest.mark.parametrize("name", CASES)
def test_native_code_agrees_bit_for_bit(executed, name):
    for native, result in zip(executed[name].built.run(), executed[name].results["size"], strict=True):
        np.testing.assert_array_equal(native.view(result.dtype), result)


def test_a_compilation_can_be_validated(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(8, 6), torch.nn.GELU(), torch.nn.Linear(6, 4)).eval()
    options = st.Options(tile_size=4, unroll=8, validate=True, seed=3)
    design = st.compile(module, (torch.randn(4, 8),), options, tmp_path / "out")
    assert design.manifest["options"]["validate"] is True
    assert not (tmp_path / "out-validate").exists()


def test_validation_stops_where_the_program_has_no_value(tmp_path, capsys):
    """An error of the program itself is the user's: it is named, and nothing is compiled silently."""
    source = tmp_path / "division.mlir"
    source.write_text(
        """#map = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<64xi32>) -> tensor<64xi32> {
  %e = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<64xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%x: i32, %out: i32):
    %q = arith.divsi %x, %x : i32
    linalg.yield %q : i32
  } -> tensor<64xi32>
  return %r : tensor<64xi32>
}
"""
    )
    assert run(["compile", str(source), "-o", str(tmp_path / "out"), "--validate"]) == 1
    assert "divides by zero" in capsys.readouterr().err


@pytest.mark.parametrize("name", CASES)
def test_mlirs_own_lowering_agrees(executed, name, tmp_path):
    """Bufferised, lowered to loops and LLVM by MLIR, which shares no code with the interpreter."""
    directory = executed[name].directory
    phase = directory / "01-import.mlir"
    flags = [f"--input={path}" for path in sorted(directory.glob("input*.npy"), key=_number)]
    harness.run_tool("streamtensor-run", "--jit", phase, *flags, f"--output-dir={tmp_path}").succeed(name)
    expected = executed[name].results["import"][0]
    tolerance = 2e-3 if expected.dtype == np.float16 else TOLERANCE
    assert harness.relative_error(np.load(tmp_path / "result0.npy"), expected) <= tolerance


# Gives its arguments to the driver with wrong passes, and runs one of these instead of the pipeline.
WRONG_DRIVER = """#!/bin/sh
for word; do
  shift
  case "$word" in
  --streamtensor-pipeline=*) word='--pass-pipeline=builtin.module(func.func(test-turn-subtractions))' ;;
  esac
  set -- "$@" "$word"
done
exec "$TEST_DRIVER" "$@"
"""


def test_a_wrong_pass_is_named_with_its_reproducers(tmp_path, monkeypatch, capsys):
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "streamtensor-opt").write_text(WRONG_DRIVER)
    (tools / "streamtensor-opt").chmod(0o755)
    monkeypatch.setenv("TEST_DRIVER", str(paths.find_tool("streamtensor-test-opt")))
    monkeypatch.setenv("STREAMTENSOR_BIN", str(tools))
    source = tmp_path / "program.mlir"
    source.write_text(
        """#map = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.subf %x, %y : f32
    %t = math.tanh %d : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
    )
    assert run(["compile", str(source), "-o", str(tmp_path / "out"), "--validate"]) == 1
    message = capsys.readouterr().err
    assert "pass 'test-turn-subtractions' changes what the program computes" in message
    files = sorted((tmp_path / "out-validate").iterdir())
    assert [path.name for path in files] == [
        "reduced-test-turn-subtractions.mlir",
        "validate-test-turn-subtractions.mlir",
    ]
    assert all(str(path) in message for path in files)
    assert "math.tanh" not in files[0].read_text()
