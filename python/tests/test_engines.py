# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models whose linears take turns with one set of multipliers."""

from __future__ import annotations

import filecmp
import json
import re
from pathlib import Path

import pytest
import streamtensor as st
import torch
import transformers
from hls_native import ROOT
from safetensors.torch import load_file
from streamtensor.frontend import models
from streamtensor.memory import Layout
from streamtensor.options import Options
from streamtensor.reference import generate_checked
from test_cache_in_place import Words

MAX_CONTEXT = 40


def llama_of_groups() -> transformers.LlamaConfig:
    """Two groups of 32 in each row of weights, or four."""
    return transformers.LlamaConfig(**models.TINY_SHAPE | {"hidden_size": 64, "intermediate_size": 128})


CONFIGS = {
    "llama": (models.tiny_llama_config, "w8a8"),
    "gpt2": (models.tiny_gpt2_config, "w4a8-symmetric"),
    "gemma3": (models.tiny_gemma3_config, "w8a8"),
    "qwen3": (models.tiny_qwen3_config, "w8a8"),
    "llama-groups": (llama_of_groups, "w4a8-symmetric"),
}


def compile_model(name: str, out, tokens: int = 1, **options) -> st.LanguageModel:
    config, quantise = CONFIGS[name]
    model = models.random_causal_lm(config())
    model.generation_config.eos_token_id = None
    return st.compile_llm(model, Words(), MAX_CONTEXT, tokens, Options(**options), out, quantise=quantise)


def engines_of(out) -> set[str | None]:
    schedule = json.loads((out / "schedule.json").read_text())
    assert (out / "ir" / "10-stream.mlir").read_text().count("engine =") == 0  # it is decided, then done
    return {entry["engine"] for entry in schedule["operations"]}


def turns_of(out) -> int:
    """The nests of the engine."""
    _, _, engine = (out / "ir" / "10-stream.mlir").read_text().partition('dataflow.leaf "engine"')
    return engine.partition("dataflow.leaf")[0].count("dataflow.nest")


@pytest.mark.parametrize("name", CONFIGS)
def test_linears_in_turns_give_the_text_of_pytorch(name, tmp_path):
    llm = compile_model(name, tmp_path / name)
    assert engines_of(tmp_path / name) >= {None, "engine"}
    assert 'dataflow.leaf "engine' in (tmp_path / name / "ir" / "10-stream.mlir").read_text()
    for prompt in ("3", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 12)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


def test_parts_of_weights_come_through_as_many_masters_as_are_left(tmp_path, monkeypatch):
    """FIFOs of one word, of which a token of the MLP's weights fills four; a card with 16 masters has three left for
    them, which bring three in a cycle. 128 tokens of a layer are 512 words, 170 2/3 rows of three, the rest is zero."""
    device = json.loads((ROOT / "devices" / "u55c.json").read_text())
    device["fifo"]["token_bits"] = device["memory_port"]["bits"]
    device["external_memory"]["masters"] = 16
    card = tmp_path / "card.json"
    card.write_text(json.dumps(device))
    config = models.tiny_llama_config()
    config.hidden_size, config.intermediate_size = 128, 256
    model = models.random_causal_lm(config)
    model.generation_config.eos_token_id = None
    out = tmp_path / "out"
    llm = st.compile_llm(model, Words(), MAX_CONTEXT, 1, Options(device=str(card)), out, quantise="w8a8")
    ir = (out / "ir" / "11-size.mlir").read_text()
    assert len(re.findall(r'dataflow.interface "gmem_weight_qdata\w*_s[0-9]', ir)) == 3
    assert len(re.findall(r"itensor.pack .* lanes 32768 : .* -> tensor<2x33024xi8>", ir)) == 3  # 172 rows of 192 bytes
    held = load_file(out / "params" / "layers.safetensors")
    assert [tuple(t.shape) for t in held.values() if t.numel() == 2 * 33024] == [(2, 172, 192)] * 3

    pack = Layout.pack
    monkeypatch.setattr(  # weights are laid once, when they are compiled
        Layout, "pack", lambda *given: pack(*given) if given[1].numel() < 8192 else pytest.fail("packed at run time")
    )
    for prompt in ("3", "3 1 4 1 5"):
        reference, generation, comparison = generate_checked(llm, prompt, 8)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


@pytest.mark.parametrize("name", CONFIGS)
def test_an_engine_holds_weights_for_the_tokens_of_a_pass(name, tmp_path):
    """Three tokens in a pass of a prompt, fewer in its last one, and one in each pass behind it."""
    llm = compile_model(name, tmp_path / name, tokens=3)
    assert engines_of(tmp_path / name) >= {None, "engine"}
    assert 'dataflow.leaf "engine' in (tmp_path / name / "ir" / "10-stream.mlir").read_text()
    for prompt in ("3", "3 1", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 8)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


def test_what_scales_the_sums_of_groups_takes_turns(tmp_path):
    """Floats are made of integers, scaled and added up in one leaf. With few lanes the sums of three linears lie in one
    memory, given to the leaf, which each loads and stores; the fourth has as many partial sums as groups."""
    llm = compile_model("llama-groups", tmp_path / "out", tokens=3, lane_share=2)
    assert engines_of(tmp_path / "out") == {None, "engine", "engine_scales"}
    leaves = (tmp_path / "out" / "ir" / "10-stream.mlir").read_text().split("dataflow.leaf ")
    (scales,) = (leaf for leaf in leaves if leaf.startswith('"engine_scales"'))
    assert scales.count("dataflow.nest") == scales.count("arith.sitofp") == scales.count("arith.addf") == 4
    assert scales.count("!dataflow.private<") == 1 + 3 * 2
    assert not any("arith.sitofp" in leaf for leaf in leaves if leaf is not scales)
    for prompt in ("3", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 8)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_lanes_along_tokens_end_at_the_last_token(name, tmp_path):
    """A schedule whose engine multiplies each weight with two tokens at once, beside one with one token: of a pass of
    an odd number the last pair has one, and nothing else of the design takes or gives a token more."""
    compile_model(name, tmp_path / "decided", tokens=4, lane_share=30, compare=False)
    schedule = json.loads((tmp_path / "decided" / "schedule.json").read_text())
    llms = {}
    for lanes in (1, 2):
        for entry in schedule["operations"]:
            if entry["engine"]:
                tokens = list(zip(entry["loops"], entry["tile"], strict=True)).index(("parallel 4", 4))
                entry["unroll"][tokens] = lanes
        edited = tmp_path / f"{lanes}.json"
        edited.write_text(json.dumps(schedule))
        llms[lanes] = compile_model(name, tmp_path / f"of-{lanes}", tokens=4, schedule=edited, compare=False)
    llm = llms[2]
    ir = (tmp_path / "of-2" / "ir" / "10-stream.mlir").read_text()
    assert 'dataflow.leaf "engine' in ir and "s0 ceildiv 2" in ir and "(s0 ceildiv 2) * 2" not in ir
    scalars = {"tokens": 3, "position": 4, "context": 4, "layers": 2}
    busy = [
        next(task["busy"] for task in each.design.simulate(scalars=scalars).tasks if task["name"] == "engine")
        for each in llms.values()
    ]
    assert busy[0] * 2 == busy[1] * 3  # three tokens are three trips, or two
    for prompt in ("3", "3 1", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 8)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


@pytest.mark.parametrize(("name", "tokens", "lanes"), [("llama-groups", 4, 2), ("llama", 4, 1), ("llama-groups", 3, 1)])
def test_tokens_beside_each_other_fill_dsps(name, tokens, lanes, tmp_path):
    """Four products of int4 and int8 share a DSP where two tokens meet two rows. Products of int8 do not, and three
    tokens make no pairs."""
    out = tmp_path / "out"
    llm = compile_model(name, out, tokens=tokens)
    schedule = json.loads((out / "schedule.json").read_text())
    products = [
        entry["unroll"][list(zip(entry["loops"], entry["tile"], strict=True)).index((f"parallel {tokens}", tokens))]
        for entry in schedule["operations"]
        if entry["engine"] == "engine"
    ]
    assert len(products) >= 2
    assert (set(products) == {2}) is (lanes == 2)
    (code,) = (path.read_text() for path in (out / "hls").glob("*.cpp") if "void engine(" in path.read_text())
    engine = code.partition("void engine(")[2].partition("\nvoid ")[0]
    assert engine.count("st::multiply_cross<4, 8, 3>") == (len(products) if lanes == 2 else 0)
    reference, generation, comparison = generate_checked(llm, "3 1 4 1 5 9 2", 8)
    assert generation.tokens == reference.tokens
    assert comparison.layer_error < 1e-4


@pytest.mark.parametrize("layers", ["device", "host"])
def test_linears_of_floats_take_turns_with_a_single_token(layers, tmp_path):
    """27 inputs at once take as many iterations as 28: 256 and 512 features end with 14 and one zeros, and 48 of the
    attention with six. The keys of a cache are no parameter."""
    config = models.tiny_llama_config()
    config.hidden_size, config.intermediate_size = 256, 512
    model = models.random_causal_lm(config)
    model.generation_config.eos_token_id = None
    llm = st.compile_llm(model, Words(), MAX_CONTEXT, 1, Options(), tmp_path / "out", layers=layers)
    schedule = json.loads((tmp_path / "out" / "schedule.json").read_text())
    assert schedule["token_inputs"] == 27
    shared = [entry for entry in schedule["operations"] if entry["engine"] == "engine"]
    assert [entry["operation"].rpartition(".")[2] for entry in shared] == [
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    ]
    sums = {loop for entry in shared for loop in entry["loops"] if "reduction" in loop}
    assert sums == {"reduction 54", "reduction 270", "reduction 513"}
    for prompt in ("3", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 8)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


class TwoSpellings(torch.nn.Module):
    """Matrices on both sides of a vector, one of them a part of a larger one."""

    def __init__(self) -> None:
        super().__init__()
        self.left = torch.nn.Parameter(torch.randn(800, 600))
        self.right = torch.nn.Parameter(torch.randn(800, 1216))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.left @ torch.tanh(x))
        return (hidden @ self.right[:, 608:]) * hidden.sum() + x @ x


def test_products_of_a_single_token_in_any_spelling(tmp_path):
    torch.manual_seed(0)
    module, x = TwoSpellings().eval(), torch.randn(600)
    design = st.compile(module, (x,), st.Options(unroll=512), tmp_path / "out")
    schedule = tmp_path / "out" / "schedule.json"
    assert len(json.loads(schedule.read_text())["operations"]) >= 2
    engines = {entry["engine"] for entry in json.loads(schedule.read_text())["operations"]}
    assert engines == {None, "engine"}
    expected = module(x)
    assert (design(x) - expected).abs().max() < 1e-5 * expected.abs().max()
    again = st.compile(module, (x,), st.Options(schedule=schedule), tmp_path / "again")
    assert again.simulate().cycles == design.simulate().cycles
    plain = st.compile(module, (x,), st.Options(unroll=512, engines=False), tmp_path / "plain")
    assert design.simulate().cycles < 0.8 * plain.simulate().cycles


def test_many_tokens_that_share_weights_have_arrays_of_their_own(tmp_path):
    compile_model("llama", tmp_path / "out", tokens=9, compare=False)
    assert engines_of(tmp_path / "out") == {None}


def test_an_engine_is_a_choice_of_the_user(tmp_path):
    compile_model("gpt2", tmp_path / "none", engines=False, compare=False)
    assert engines_of(tmp_path / "none") == {None}


@pytest.fixture(scope="module")
def decided(tmp_path_factory) -> Path:
    """A design and its schedule."""
    out = tmp_path_factory.mktemp("decided") / "out"
    compile_model("gpt2", out, lane_share=50, compare=False)
    return out


def schedule_of(out: Path) -> tuple[dict, dict[tuple[str, int], dict]]:
    """All of it, and the entries by operation and number."""
    schedule = json.loads((out / "schedule.json").read_text())
    return schedule, {(entry["operation"], entry["number"]): entry for entry in schedule["operations"]}


def test_its_own_schedule_gives_the_same_language_model(decided, tmp_path):
    compile_model("gpt2", tmp_path / "out", schedule=decided / "schedule.json", compare=False)
    files = [path for part in ("hls", "host", "params") for path in sorted((decided / part).rglob("*"))]
    names = [str(path.relative_to(decided)) for path in files if path.is_file()]
    names += ["interface.json", "simulation.json", "schedule.json", "ir/sized.mlir"]
    assert len(names) > 10
    assert filecmp.cmpfiles(decided, tmp_path / "out", names, shallow=False) == (names, [], [])


def test_a_schedule_edited_by_hand_gives_the_text_of_pytorch(decided, tmp_path):
    """No engine for one linear, another order of one that keeps it and of the weighted sum of values, fewer lanes for
    the sum of the groups of a linear, others for scores."""
    schedule, entries = schedule_of(decided)
    *_, last = (entry for entry in schedule["operations"] if entry["engine"])
    assert len({entry["operation"] for entry in schedule["operations"] if entry["engine"]}) == 4
    last["engine"] = None
    edits = (("attn.c_proj", 5, "order", [0, 1]), ("attn", 11, "order", [0, 1, 2]), ("attn", 2, "unroll", [1, 4, 16]))
    for operation, number, field, value in (*edits, ("mlp.c_proj", 6, "unroll", [8, 1])):
        entry = entries[operation, number]
        assert entry["kind"] == "contraction"
        assert entry[field] != value
        entry[field] = value
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(schedule))
    llm = compile_model("gpt2", tmp_path / "edited", schedule=edited)
    assert schedule_of(tmp_path / "edited")[0] == schedule
    assert turns_of(tmp_path / "edited") == turns_of(decided) - 1
    for prompt in ("3", "3 1 4 1 5 9 2"):
        reference, generation, comparison = generate_checked(llm, prompt, 6)
        assert generation.tokens == reference.tokens
        assert comparison.layer_error < 1e-4


def test_an_engine_for_what_multiplies_nothing_is_an_error(tmp_path):
    compile_model("llama", tmp_path / "all", compare=False)
    schedule = json.loads((tmp_path / "all" / "schedule.json").read_text())
    entry = next(each for each in schedule["operations"] if each["kind"] == "map")
    entry["engine"] = "engine"
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(schedule, indent=2))
    model = models.random_causal_lm(models.tiny_llama_config())
    with pytest.raises(st.CompileError, match=r"only contractions have products that an engine makes; it can be null"):
        st.compile_llm(model, Words(), MAX_CONTEXT, 1, Options(schedule=edited), tmp_path / "edited", quantise="w8a8")


class Layer(torch.nn.Module):
    """Queries stand in front of keys and values, and the turns of an engine do not."""

    def __init__(self, width: int = 128, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.norm = torch.nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (torch.nn.Linear(width, width) for _ in range(4))
        self.up, self.down = torch.nn.Linear(width, 2 * width), torch.nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = self.norm(x)
        q, k, v = (linear(rows).unflatten(1, (self.heads, -1)).transpose(0, 1) for linear in (self.q, self.k, self.v))
        scores = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
        x = x + self.o((scores @ v).transpose(0, 1).flatten(1))
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


def test_an_engine_of_floats_takes_tokens_in_passes(tmp_path):
    torch.manual_seed(0)
    layer, x = Layer().eval(), torch.randn(64, 128)
    design = st.compile(layer, (x,), st.Options(unroll=128), out=tmp_path)
    operations = json.loads((tmp_path / "schedule.json").read_text())["operations"]
    assert [entry["tile"][0] for entry in operations if entry["engine"]] == [16] * 6
    _, _, engine = (tmp_path / "ir" / "10-stream.mlir").read_text().partition('dataflow.leaf "engine"')
    turns = re.findall(r'dataflow.nest "(\w)\w*" \[4,', engine)
    assert turns == ["k", "v", "q", "o", "u", "d"]
    assert torch.allclose(design(x), layer(x), atol=1e-5)
