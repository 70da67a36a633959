# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are cut short, incomplete, moved or of another kind: one paragraph with the way out, before long work."""

from __future__ import annotations

import json
import re
import shutil

import gguf
import numpy as np
import pytest
import streamtensor as st
import torch
from corpus import model_directories
from safetensors.torch import load_file, save_file
from streamtensor import RunError, SourceError, cli
from streamtensor.frontend import models
from streamtensor.llm_files import load_llm
from streamtensor.source import load


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A tiny Llama as a directory with one file of weights, and as one with several."""
    directory = tmp_path_factory.mktemp("models")
    model = models.random_causal_lm(models.tiny_llama_config())
    model.save_pretrained(directory / "whole")
    model.save_pretrained(directory / "sharded", max_shard_size="20KB")
    return directory


@pytest.fixture
def place(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "place")


def refusal(path) -> str:
    with pytest.raises(SourceError) as caught:
        models.load_causal_lm(path)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 900
    return message


def cut(path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


@pytest.mark.parametrize("size", [0, 4, 200, -1], ids=["empty", "length", "header", "data"])
def test_weights_that_are_cut_short(place, size, monkeypatch):
    monkeypatch.setattr(models, "_from_files", lambda *_: pytest.fail("transformers began to load"))
    cut(place / "whole" / "model.safetensors", size)
    message = refusal(place / "whole")
    assert "whole/model.safetensors'" in message
    assert "cut short" in message
    assert "Download or copy it again" in message


@pytest.mark.parametrize("size", [0, 500, -1])
@pytest.mark.parametrize("has_index", [False, True])
def test_pickled_weights_that_are_cut_short(size, has_index, place, monkeypatch):
    whole, name = place / "whole", "part-1.bin" if has_index else "pytorch_model.bin"
    tensors = load_file(whole / "model.safetensors")
    torch.save(tensors, whole / name)
    if has_index:
        index = {"metadata": {}, "weight_map": dict.fromkeys(tensors, name)}
        (whole / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    (whole / "model.safetensors").unlink()
    assert "cannot load the tokenizer" in refusal(whole)  # nothing else is wrong
    monkeypatch.setattr(models, "_from_files", lambda *_: pytest.fail("transformers began to load"))
    cut(whole / name, size)
    message = refusal(whole)
    assert f"{name}' holds no weights that can be read" in message
    assert "it is cut short. Download or copy it again" in message


def test_weights_with_something_behind_them(place):
    path = place / "whole" / "model.safetensors"
    path.write_bytes(path.read_bytes() + b"more")
    assert "something was added to it. Download or copy it again" in refusal(place / "whole")


@pytest.mark.parametrize("stated", [{"quant_method": "awq", "bits": 4}, {"quant_method": "newfangled"}, {"bits": 4}])
def test_weights_that_are_quantised_in_another_way(stated, place):
    """transformers reads integers of a way that it does not know as if they were the weights."""
    config = place / "whole" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"quantization_config": stated}))
    message = refusal(place / "whole")
    assert f"are quantised ({stated.get('quant_method', 'in a way that config.json does not name')})" in message
    assert "Download the model in floats" in message


def test_one_of_several_files_of_weights_cut_short_or_missing(place, monkeypatch):
    monkeypatch.setattr(models, "_from_files", lambda *_: pytest.fail("transformers began to load"))
    shards = sorted((place / "sharded").glob("model-*.safetensors"))
    cut(shards[2], -7)
    assert shards[2].name in refusal(place / "sharded")
    shards[2].unlink()
    message = refusal(place / "sharded")
    assert f"lacks 1 of {len(shards)} files of weights, the first '{shards[2].name}'" in message
    assert "Download the whole model" in message


@pytest.mark.parametrize(
    ("name", "text", "fragment"),
    [
        ("config.json", '{"model_type": ', "config.json' is not valid JSON"),
        ("config.json", "[1, 2]", "config.json' holds no JSON object"),
        ("config.json", "{}", "names no model_type"),
        ("model.safetensors.index.json", '{"weight', "index.json' is not valid JSON"),
        ("model.safetensors.index.json", "{}", "lacks the files that model.safetensors.index.json names"),
    ],
)
def test_configurations_that_are_no_json_of_a_model(place, name, text, fragment):
    (place / "sharded" / name).write_text(text)
    assert fragment in refusal(place / "sharded")


def test_a_directory_without_weights(place):
    (place / "whole" / "model.safetensors").unlink()
    assert "holds no weights" in refusal(place / "whole")


def test_a_model_that_transformers_does_not_know(place):
    config = place / "whole" / "config.json"
    config.write_text(config.read_text().replace('"model_type": "llama"', '"model_type": "newfangled"'))
    message = refusal(place / "whole")
    assert "newfangled" in message
    assert "compile its layers with streamtensor.compile" in message


def test_weights_of_fewer_layers_than_the_configuration_has(place):
    """transformers would make up the rest."""
    config = place / "whole" / "config.json"
    data = json.loads(config.read_text())
    config.write_text(json.dumps(data | {"num_hidden_layers": 3}))
    message = refusal(place / "whole")
    assert "lack 9 tensor(s) of the model that config.json describes, the first 'model.layers.2." in message


def test_weights_of_another_shape_than_the_configuration_has(place):
    config = place / "whole" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"intermediate_size": 40}))
    message = refusal(place / "whole")
    assert "have 6 tensor(s) of another shape" in message
    assert "the first 'model.layers.0.mlp.down_proj.weight': [32, 48] where it has [32, 40]. Take" in message


def test_a_directory_without_a_tokenizer(place):
    message = refusal(place / "whole")
    assert "cannot load the tokenizer of" in message
    assert "Copy tokenizer.json" in message


TENSOR = b"blk.0.attn_q.weight"


def write_gguf(path) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_array("tokenizer.ggml.tokens", ["a", "b", "c"])
    writer.add_tensor(TENSOR.decode(), np.arange(640, dtype=np.float32).reshape(20, 32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("part", [0.002, 0.02, 0.05, 0.9])
def test_gguf_files_that_are_cut_short(tmp_path, part):
    path = tmp_path / "model.gguf"
    write_gguf(path)
    cut(path, int(path.stat().st_size * part))
    message = refusal(path)
    assert "model.gguf'" in message
    assert "Download or copy it again" in message


def test_gguf_files_of_an_unknown_form(tmp_path):
    path = tmp_path / "model.gguf"
    write_gguf(path)
    whole = path.read_bytes()
    place = whole.index(TENSOR) + len(TENSOR) + 4 + 2 * 8  # behind how many extents there are, and two of them
    for wrong, what in (
        (whole[:place] + b"\x4d" + whole[place + 1 :], "77) is not a valid GGMLQuantizationType"),
        (whole[:4] + b"\x63" + whole[5:], "version 99"),
    ):
        path.write_bytes(wrong)
        message = refusal(path)
        assert what in message
        assert "Take the model in another form, Q4_0" in message


def test_gguf_files_that_are_none(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"junk" * 100)
    assert "is no GGUF file" in refusal(path)


def not_a_source(path) -> str:
    with pytest.raises(SourceError) as caught:
        load(str(path), None)
    return str(caught.value)


@pytest.mark.parametrize("name", ["gpt2", "meta-llama/Llama-3.2-1B", "Qwen/Qwen2.5-0.5B"])
def test_names_of_the_hub_say_how_to_get_a_directory(name):
    expected = f"`hf download {name} --local-dir {name.rpartition('/')[2]}`, and give its directory"
    assert expected in not_a_source(name)
    with pytest.raises(SourceError, match="not looked up: download the model"):
        models.load_causal_lm(name)


def test_missing_files_are_not_taken_for_names_of_the_hub():
    for name in ("nothing.mlir", "../gpt2", "a/b/c", "model.gguf"):
        assert "Check the path" in not_a_source(name)
        assert "hf download" not in not_a_source(name)


@pytest.mark.parametrize("name", ["weights.pt", "weights.pth", "pytorch_model.bin", "model.safetensors"])
def test_weights_alone_say_how_to_give_their_module(tmp_path, name):
    (tmp_path / name).write_bytes(b"x")
    message = not_a_source(tmp_path / name)
    assert "holds weights and no program" in message
    assert "give package.module:function" in message


def test_an_onnx_file_says_how_to_get_a_source(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"\x08\x07")
    message = not_a_source(tmp_path / "model.onnx")
    assert "is an ONNX file" in message
    assert "package.module:factory" in message
    assert "torch-mlir-import-onnx" in message


def test_a_file_of_a_model_names_its_directory(place):
    for name in ("model.safetensors", "config.json"):
        assert f"give its directory, '{place / 'whole'}'" in not_a_source(place / "whole" / name)


def test_directories_that_are_no_model_say_what_to_give(tmp_path):
    assert "Give the directory that holds config.json" in not_a_source(tmp_path)
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    assert f"such as '{tmp_path / 'model.gguf'}'" in not_a_source(tmp_path)
    (tmp_path / "design.json").write_text("{}")
    assert "a design that was compiled before" in not_a_source(tmp_path)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A design, and the directory that it was compiled from."""
    directory = tmp_path_factory.mktemp("compiled")
    source = model_directories.save("llama", directory / "model")
    st.compile_llm(source, None, 16, options=st.Options(unroll=16, tile_size=8), out=directory / "out")
    return directory


@pytest.fixture
def copied(compiled, tmp_path):
    return shutil.copytree(compiled / "out", tmp_path / "out")


def last_error(capsys, *words) -> str:
    assert cli.run([str(word) for word in words]) == 1
    return capsys.readouterr().err.splitlines()[-1]


GENERATE = ("generate", "--prompt", "the cat", "--max-new-tokens", 2)
PREDICT = ("simulate", "--prompt-tokens", 2, "--new-tokens", 2)


@pytest.mark.parametrize("size", [None, 0, 300])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("interface.json", PREDICT),
        ("interface.json", ("report",)),
        ("device.json", ("report",)),
        ("params/layers.safetensors", GENERATE),
    ],
)
def test_files_of_a_design_that_are_missing_or_cut_short(name, words, size, copied, capsys):
    cut(copied / name, size or 0)
    if size is None:
        (copied / name).unlink()
    message = last_error(capsys, words[0], copied, *words[1:])
    assert name in message
    assert re.search(r"compile (it|the design) again\.$", message)


def test_predictions_of_a_design_without_code(compiled, tmp_path, capsys):
    out = tmp_path / "out"
    st.compile_llm(compiled / "model", None, 16, options=st.Options(stop_after="linalg"), out=out)
    message = last_error(capsys, "simulate", out, "--prompt-tokens", 2, "--new-tokens", 2)
    assert "was compiled up to phase 'linalg' only" in message


@pytest.mark.parametrize("changed", ["weights", "vocabulary"])
def test_a_design_is_not_opened_with_another_model(changed, compiled, tmp_path):
    """Weights of one element are others, or a word of the tokenizer."""
    model, out = shutil.copytree(compiled / "model", tmp_path / "model"), tmp_path / "out"
    shutil.copytree(compiled / "out", out)
    manifest = json.loads((out / "design.json").read_text())
    (out / "design.json").write_text(json.dumps(manifest | {"origin": str(model)}))
    assert load_llm(out).generate("the cat", 2).tokens
    if changed == "weights":
        weights = load_file(model / "model.safetensors")
        save_file({name: weight * 1.5 for name, weight in weights.items()}, model / "model.safetensors")
    else:
        text = (model / "tokenizer.json").read_text()
        (model / "tokenizer.json").write_text(text.replace('"cat"', '"cow"'))
    with pytest.raises(RunError, match=r"compiled from '.*model', which holds other weights or another vocabulary by"):
        load_llm(out)


def test_a_model_that_was_moved_is_named(tmp_path):
    design = tmp_path / "out"
    design.mkdir()
    manifest = {"layers": 1, "origin": str(tmp_path / "gone"), "max_context": 4, "tokens_per_pass": 1}
    (design / "design.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=r"compiled from '.*gone', which is no longer there.*Move the model back"):
        load_llm(design)


SLICES = {
    "overlap": lambda x: torch.cat([x[:, :6], x[:, 4:10], x[:, 12:16]], 1),
    "gaps": lambda x: torch.cat([x[:, :4], x[:, 6:9], x[:, 12:16]], 1),
    "backwards": lambda x: torch.cat([x[:, 10:], x[:, 5:12], x[:, :6]], 1),
    "rows": lambda x: torch.cat([x[:3], x[1:4], x[5:]], 0),
    "uses": lambda x: (x[:, :6], torch.cat([x[:, :6].relu(), x[:, 4:10] + 1, x], 1), x[:, 11:15].sum(1)),
    "beside": lambda x: (torch.cat([x[:, :6], x[:, 4:10]], 1), x[:, 3:9], torch.cat([x[:, 1:3], x], 1)),
}


@pytest.mark.parametrize("computed", [False, True], ids=["input", "computed"])
@pytest.mark.parametrize("function", SLICES.values(), ids=SLICES)
def test_slices_that_overlap_or_leave_gaps_beside_a_concat(function, computed, tmp_path):
    class Slices(torch.nn.Module):
        def forward(self, x):
            return function(torch.tanh(x) if computed else x)

    x = torch.randn(6, 16, generator=torch.Generator().manual_seed(0))
    found = st.compile(Slices(), (x,), st.Options(tile_size=4, unroll=8), out=tmp_path / "out")(x)
    torch.testing.assert_close(found, Slices()(x), rtol=1e-6, atol=1e-6)


SLICED = """func.func @main(%x: tensor<4x24xf32>) -> (tensor<4x20xf32>, tensor<4x12xf32>) {
  %a = tensor.extract_slice %x[0, 2] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %b = tensor.extract_slice %x[0, 6] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %c = tensor.extract_slice %x[0, 20] [4, 4] [1, 1] : tensor<4x24xf32> to tensor<4x4xf32>
JOINED
  %s = tensor.concat dim(1) %c, %a : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x12xf32>
  return %r, %s : tensor<4x20xf32>, tensor<4x12xf32>
}
"""
JOINED = {
    "concat": """
  %r = tensor.concat dim(1) %a, %b, %c : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x20xf32>
""",
    "insert": """
  %e = tensor.empty() : tensor<4x20xf32>
  %i = tensor.insert_slice %a into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x20xf32>
  %j = tensor.insert_slice %b into %i[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x20xf32>
  %r = tensor.insert_slice %c into %j[0, 16] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x20xf32>
""",
}


@pytest.mark.parametrize("joined", JOINED.values(), ids=JOINED)
def test_a_file_with_slices_that_overlap_and_leave_gaps(joined, tmp_path):
    (tmp_path / "slices.mlir").write_text(SLICED.replace("JOINED", joined.strip("\n")))
    design = st.compile(tmp_path / "slices.mlir", None, st.Options(tile_size=4), out=tmp_path / "out")
    x = torch.randn(4, 24, generator=torch.Generator().manual_seed(0))
    a, b, c = x[:, 2:10], x[:, 6:14], x[:, 20:]
    torch.testing.assert_close(design(x), (torch.cat([a, b, c], 1), torch.cat([c, a], 1)), rtol=0, atol=0)
