# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules from PyTorch through every stage: results against PyTorch, simulation, report, command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor.cli import run
from streamtensor.frontend import models
from streamtensor.frontend.decoder import layer_inputs, wrap_layer
from streamtensor.frontend.examples import MODULES

LAYERS = {"llama": models.tiny_llama_config, "gpt2": models.tiny_gpt2_config}


def assert_design_matches(module, inputs, directory):
    design = st.compile(module, inputs, st.Options(tile_size=8, unroll=32), directory)
    expected = module(*inputs)
    torch.testing.assert_close(design(*inputs), expected, rtol=1e-5, atol=1e-5)
    other = tuple(value * 0.5 for value in inputs)
    torch.testing.assert_close(design(*other), module(*other), rtol=1e-5, atol=1e-5)
    return design


@pytest.mark.parametrize("name", MODULES)
def test_example_modules(name, tmp_path):
    module, inputs = MODULES[name]()
    with torch.no_grad():
        assert_design_matches(module.eval(), inputs, tmp_path / "out")


@pytest.mark.parametrize("name", LAYERS)
def test_decoder_blocks(name, tmp_path):
    model = models.random_causal_lm(LAYERS[name]())
    torch.manual_seed(1)
    with torch.no_grad():
        inputs = layer_inputs(model, torch.randn(1, 8, 32), "full_attention")
        assert_design_matches(wrap_layer(model, 0), inputs, tmp_path / "out")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A small design that the tests below only read."""
    module, inputs = MODULES["mlp"]()
    directory = tmp_path_factory.mktemp("mlp") / "out"
    return st.compile(module, inputs, st.Options(tile_size=8, unroll=16), directory), module, inputs


def test_an_output_holds_what_the_design_page_promises(compiled):
    directory = compiled[0].directory
    assert {"design.json", "ir", "hls", "vitis", "params", "interface.json"} <= {p.name for p in directory.iterdir()}
    phases = [path.name.split("-")[-1] for path in sorted((directory / "ir").glob("[0-9]*.mlir"))]
    assert phases[:3] == ["source.mlir", "import.mlir", "linalg.mlir"]
    assert phases[-2:] == ["stream.mlir", "size.mlir"]


def test_simulation_counts_cycles(compiled):
    result = compiled[0].simulate()
    assert result.cycles > 0
    assert result.seconds == pytest.approx(result.cycles / 250e6)
    assert result.fifos
    assert all(fifo["depth"] >= 2 for fifo in result.fifos)
    assert all(fifo["high_water"] <= fifo["depth"] for fifo in result.fifos)


def test_the_report_has_every_field(compiled):
    path = compiled[0].report()
    report = json.loads(path.with_suffix(".json").read_text())
    fields = "model device clock_mhz cycles seconds tokens_expected tokens_generated max_abs_error compile_seconds"
    fields += " intermediate_bytes_before intermediate_bytes_after resources fifos tasks"
    assert set(fields.split()) <= set(report)
    assert set(report["resources"]) == {"lut", "ff", "dsp", "bram", "uram"}
    assert report["max_abs_error"] < 1e-5
    assert report["intermediate_bytes_before"] > 0
    assert report["weight_bytes"] > 0  # the blocks that hold parameters are counted apart


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((torch.zeros(5, 8),), r"Input 0 \('input'\) has shape \[5, 8\], but the design was compiled for \[5, 7\]"),
        ((torch.zeros(5, 7).double(),), r"has dtype float64, but the design was compiled for float32: convert it"),
        ((torch.zeros(5, 7).to_sparse(),), r"of layout 'torch.sparse_coo': .* pass value.to_dense\(\)"),
        ((), r"takes 1 input\(s\) \(input: float32\[5, 7\]\), but 0 were given"),
        ((3,), r"Input 0 \('input'\) is a int: pass a torch\.Tensor of input: float32\[5, 7\]"),
    ],
    ids=["shape", "dtype", "layout", "count", "kind"],
)
def test_wrong_inputs_are_explained(compiled, inputs, message):
    with pytest.raises(st.RunError, match=message):
        compiled[0](*inputs)


def test_the_command_line_runs_arrays(compiled, tmp_path, capsys):
    design, module, inputs = compiled
    np.savez(tmp_path / "in.npz", arg0=inputs[0].numpy())
    names = ["--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / "out.npz")]
    assert run(["run", str(design.directory), *names]) == 0
    found = np.load(tmp_path / "out.npz")["result0"]
    np.testing.assert_allclose(found, module(*inputs).detach().numpy(), rtol=1e-5, atol=1e-6)
    np.savez(tmp_path / "in.npz", wrong=inputs[0].numpy())
    assert run(["run", str(design.directory), *names]) == 1
    assert "lacks arg0 and holds wrong: the design takes 1 input(s), arg0 to arg0" in capsys.readouterr().err


def test_a_file_of_linalg_takes_every_argument_as_an_input(compiled, tmp_path):
    design, module, inputs = compiled
    source = tmp_path / "mlp.mlir"
    source.write_text((design.directory / "ir" / "00-source.mlir").read_text())
    assert run(["compile", str(source), "-o", str(tmp_path / "out"), "--tile-size", "8", "--unroll", "16"]) == 0
    again = st.Design(tmp_path / "out")
    state = module.state_dict()
    values = [inputs[0] if a.name == "input" else state[a.name] for a in again.inputs]
    torch.testing.assert_close(again(*values), module(*inputs), rtol=1e-5, atol=1e-6)


def test_stopping_after_a_phase_gives_its_ir_and_no_code(tmp_path):
    module, inputs = MODULES["softmax"]()
    design = st.compile(module, inputs, st.Options(stop_after="linalg"), tmp_path / "out")
    assert any(path.name.endswith("-linalg.mlir") for path in (tmp_path / "out" / "ir").iterdir())
    assert not (tmp_path / "out" / "hls").exists()
    with pytest.raises(st.RunError, match="was compiled up to phase 'linalg' only"):
        design(*inputs)


def test_truncated_files_name_the_line_and_keep_the_old_output(compiled, tmp_path, capsys):
    whole = (compiled[0].directory / "ir" / "00-source.mlir").read_text()
    source, out = tmp_path / "cut.mlir", tmp_path / "out"
    source.write_text(whole)
    assert run(["compile", str(source), "-o", str(out), "--stop-after", "linalg"]) == 0
    before = (out / "design.json").read_text()
    source.write_text(whole[: whole.index("linalg.matmul") + 30])
    assert run(["compile", str(source), "-o", str(out)]) == 1
    message = capsys.readouterr().err
    line = whole[: whole.index("linalg.matmul")].count("\n") + 1
    assert f"(cut.mlir:{line})" in message
    assert "Traceback" not in message
    assert (out / "design.json").read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.mlir", "out"]


def test_without_a_compiler_the_remedy_is_named(compiled, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("STREAMTENSOR_CXX", "no-such-compiler")
    with pytest.raises(st.ToolError, match=r"looked for no-such-compiler.*apt-get install clang-22"):
        compiled[0](*compiled[2])


def test_torch_compile_falls_back_visibly():
    import torch._dynamo

    torch._dynamo.reset()
    compiled = torch.compile(lambda x: torch.lgamma(x) + 1, backend="streamtensor", dynamic=False)
    x = torch.randn(4, 6)
    with pytest.warns(UserWarning, match=r"runs a graph in PyTorch instead: Unsupported operation 'aten\.lgamma"):
        result = compiled(x)
    torch.testing.assert_close(result, torch.lgamma(x) + 1)


def test_torch_compile_keeps_graphs_of_one_shape_and_two_types_apart():
    import torch._dynamo
    from streamtensor.torch_backend import streamtensor

    torch._dynamo.reset()
    compiled = torch.compile(lambda x: x * 2 + 1, backend=streamtensor, dynamic=False)
    for value in (torch.ones(4), torch.ones(4, dtype=torch.float64), torch.full((4,), 3.0)):
        torch.testing.assert_close(compiled(value), value * 2 + 1, rtol=0, atol=0)


def test_torch_compile_refuses_unknown_options():
    from streamtensor.torch_backend import streamtensor

    with pytest.raises(st.Error, match=r"no option 'tile': the options are device, clock_mhz, memory_efficiency"):
        streamtensor(torch.fx.symbolic_trace(torch.nn.Identity()), (torch.ones(2),), {"tile": 4})


def test_a_design_whose_directory_was_compiled_again_is_refused(tmp_path):
    x = torch.ones(2, 4)
    first = st.compile(torch.nn.Linear(4, 3), (x,), out=tmp_path / "out")
    module = torch.nn.Linear(4, 3)
    second = st.compile(module, (x,), out=tmp_path / "out")
    with pytest.raises(st.RunError, match=r"was replaced by another compilation.*a directory of its own with out="):
        first(x)
    torch.testing.assert_close(second(x), module(x))
    st.compile(module, (x,), out=tmp_path / "out")  # the same again
    torch.testing.assert_close(second(x), module(x))
