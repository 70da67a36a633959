# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models that make several tokens in a launch: the texts of PyTorch, their launches, and what is refused."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import paper_table
import pytest
import streamtensor as st
import torch
from harness import run_tool, settings
from number_words import Words
from paper_table import Limits, bytes_of
from streamtensor import Error, RunError, Sampling, cli
from streamtensor.answer import NextPass, NextPlace
from streamtensor.frontend import models
from streamtensor.frontend.cached_decoder import context_of
from streamtensor.head import make_head
from streamtensor.memory import as_tensor
from streamtensor.options import Options
from streamtensor.prediction import describe, predict
from streamtensor.quantise import is_quantised
from streamtensor.reference import generate_checked, generate_followed
from streamtensor.stored import StoredDesign

MAX_CONTEXT, TURNS = 32, 5
DEVICE = {"head": "device", "head_share": 50, "candidates": 1, "embedding": "device"}


def untied(config):
    """An embedding that is the head's weight, too, may outweigh the layers: then each token follows itself."""
    shape = config()
    shape.tie_word_embeddings = False
    return shape


CASES = {  # family, scheme, tokens of a pass, cache
    "gpt2": (models.tiny_gpt2_config, None, 3, "float"),  # positions in the embedding, several tokens a pass
    "llama, w4a8": (models.tiny_llama_config, "w4a8", 1, "float"),  # rotary tables
    "gemma3, int8 cache": (models.tiny_gemma3_config, None, 2, "int8"),  # windows
}


def compiled(config, quantise, tokens, cache, out, **more):
    shape = untied(config)
    shape.initializer_range = 0.3  # texts that do not repeat one token
    shape.intermediate_size = 64
    model = models.random_causal_lm(shape)
    model.generation_config.eos_token_id = None
    options = Options(tile_size=8, unroll=16, compare=False)
    sizes = DEVICE | {"quantise": quantise, "cache": cache, "tokens_per_launch": TURNS, **more}
    return st.compile_llm(model, Words(), MAX_CONTEXT, tokens, options, out, **sizes)


@pytest.fixture(scope="module", params=CASES)
def llm(request, tmp_path_factory):
    return compiled(*CASES[request.param], tmp_path_factory.mktemp("answer") / "out")


@pytest.fixture
def launched(llm, monkeypatch):
    """Passes of each launch, with the tokens that they read first, and whether the head followed."""
    found, launch = [], type(llm.answer).launch

    def counted(answer, hidden, cache, inputs, count, scalars, turns, chooses):
        found.append((turns, count, chooses))
        return launch(answer, hidden, cache, inputs, count, scalars, turns, chooses)

    monkeypatch.setattr(type(llm.answer), "launch", counted)
    return found


def test_texts_are_pytorchs_in_a_launch_for_several_tokens(llm, launched):
    """The first text fills the context; the others see nothing of it."""
    generate, said = generate_followed if is_quantised(llm.model) else generate_checked, set()
    for prompt, count in (("3 14 15 9", 29), ("9 2", 7), ("5", 9)):
        reference, generation, comparison = generate(llm, prompt, count)  # a launch a token
        assert generation.tokens == reference.tokens
        assert comparison.head_error < (1e-2 if is_quantised(llm.model) else 1e-5)
        launched.clear()
        assert llm.generate(prompt, count).tokens == reference.tokens
        said |= set(reference.tokens)
        read, size = len(prompt.split()), llm.tokens_per_pass
        sizes = [min(size, read - start) for start in range(0, read, size)]
        rest = [min(TURNS, count - 1 - start) for start in range(0, count - 1, TURNS)]
        passes = [(1, each, False) for each in sizes[:-1]] + [(1, sizes[-1], True)]
        assert launched == passes + [(each, 1, True) for each in rest]
        assert predict(StoredDesign(llm.design.directory), read, count).launches == len(launched)
    assert len(said) > 3


def test_an_embedding_may_be_the_heads_weight_too(tmp_path):
    model = models.random_causal_lm(models.tiny_llama_config())
    model.generation_config.eos_token_id = None
    options = Options(tile_size=8, unroll=16, compare=False)
    llm = st.compile_llm(model, Words(), 16, 1, options, tmp_path / "out", **DEVICE, tokens_per_launch=4)
    reference, _, _ = generate_checked(llm, "7 5", 9)
    assert llm.generate("7 5", 9).tokens == reference.tokens


def test_a_text_ends_at_its_end_token(llm):
    tokens = llm.generate("3 14 15", 12).tokens
    ends = tokens[6]
    llm.model.generation_config.eos_token_id = ends
    try:
        found = llm.generate("3 14 15", 12).tokens
    finally:
        llm.model.generation_config.eos_token_id = None
    assert found == tokens[: tokens.index(ends) + 1]


def test_a_text_goes_on_in_its_cache(llm, launched):
    cache = llm.new_cache()
    first = llm.generate([3, 14, 15], 7, cache=cache).tokens
    said = [3, 14, 15, *first, 2, 7]
    launched.clear()
    again = llm.generate(said, 6, cache=cache).tokens
    assert sum(count for _, count, chooses in launched if not chooses) + launched[-1][1] <= 4  # not the beginning again
    assert again == llm.generate(said, 6).tokens


def test_what_is_no_likeliest_token_is_refused(llm):
    for sampling in (Sampling(temperature=1.0), Sampling(repetition_penalty=1.2)):
        with pytest.raises(RunError, match=r"the design chooses the likeliest one itself.*without tokens_per_launch"):
            llm.generate("3 14", 2, sampling=sampling)


def values_of(llm, position: int) -> list[torch.Tensor]:
    """What a launch from `position` on reads: another cache, and other weights, of round numbers."""
    generator = torch.Generator().manual_seed(1)
    place, *tables = llm.context.all_inputs(position, llm.tokens_per_pass)
    interface = llm.answer.interface
    layers, _, tokens, _ = interface.results[0].shape
    known = {"place": place, "row": torch.tensor([(layers - 1) * tokens], dtype=torch.int32)}
    known |= dict(zip(("cos", "sin"), tables, strict=False))

    def draw(argument) -> torch.Tensor:
        if argument.name.endswith("_scales"):
            return torch.full(argument.shape, 0.125)
        whole = torch.randint(-4, 5, argument.shape, generator=generator)
        return (whole / 8 if argument.dtype.is_floating_point else whole).to(argument.dtype)

    return [known[a.name] if a.name in known else draw(a) for a in interface.arguments]


def test_interpreter_and_native_code_find_the_same(llm, tmp_path):
    interface = llm.answer.interface
    values, numbers = values_of(llm, 2), interface.fill(llm.context.scalars(2, 1) | {"turns": 3, "heads": 1})
    found = [as_tensor(each) for each in interface.execute(values, numbers)]
    words = settings(numbers)
    for kind, tensors in (("input", values), ("compare", found)):
        for number, tensor in enumerate(tensors):
            path = tmp_path / f"{kind}{number}.npy"
            np.save(path, tensor.numpy())
            words.append(f"--{kind}={path}")
    run_tool("streamtensor-run", llm.design.directory / "answer/ir/sized.mlir", *words).succeed()


def test_cycles_are_those_of_the_designs_in_turn(llm):
    layers, *others = (StoredDesign(llm.design.directory / name) for name in (".", "next_place", "head"))
    known = {scalar["name"] for scalar in llm.answer.interface.scalars}
    scalars = {name: value for name, value in llm.context.scalars(3, 1).items() if name in known}
    cycles = 3 * sum(other.simulate().cycles for other in others)
    for turn in range(3):
        own = {name: value + turn * (name != "tokens") for name, value in scalars.items()}
        cycles += layers.simulate(scalars=own).cycles
    words = settings(scalars | {"turns": 3, "heads": 1})
    done = run_tool("streamtensor-sim", llm.design.directory / "answer/ir/sized.mlir", "--json", *words).succeed()
    assert json.loads(done.stdout)["cycles"] == cycles


def test_what_shares_a_master_has_one_width_and_one_way_to_burst(llm):
    """Else HLS infers no bursts."""
    source = (llm.design.directory / "answer/hls/layers_next_place_head_loop.cpp").read_text()
    types = {name: type_ for type_, name in re.findall(r"(?:const )?([\w:<>, ]+?) ?\*(\w+)[,)]", source)}
    pragmas = re.findall(r"mode=m_axi port=(\w+) bundle=(\w+) .*?(max_\w+=\d+ num_\w+=\d+)", source)
    assert len(pragmas) == len(types)
    widths, bursts = {}, {}
    for port, bundle, burst in pragmas:
        type_ = types[port].strip().removeprefix("const ")
        element, lanes = re.fullmatch(r"(?:hls::vector<)?([\w:]+)(?:, (\d+)>)?", type_).groups()
        bits = int(re.sub(r"\D", "", element.replace("float", "32").replace("_t", "")))
        widths.setdefault(bundle, set()).add(bits * int(lanes or 1))
        bursts.setdefault((bundle, burst.split("_")[1]), set()).add(burst)
    assert all(len(each) == 1 for each in (*widths.values(), *bursts.values()))
    shared = {bundle for _, bundle, _ in pragmas if len({p.split("_")[0] for p, b, _ in pragmas if b == bundle}) > 1}
    assert shared


def test_predictions_count_launches(llm):
    directory = llm.design.directory
    found = predict(StoredDesign(directory), 4, 12)
    head = sum(StoredDesign(directory / name).simulate().cycles for name in ("head", "next_place"))
    assert (found.tokens_per_launch, found.head.cycles, found.head.launches) == (TURNS, head, 0)
    prompt = -(-4 // llm.tokens_per_pass)
    assert found.launches == prompt + 3  # 11 tokens behind the first, 5 in a launch
    assert found.launches_of_the_prompt == prompt
    assert found.launch_share == pytest.approx(found.launches * found.launch_us * 1e-3 / found.latency_ms)
    without = StoredDesign(directory)
    without.manifest = {name: value for name, value in without.manifest.items() if name != "answer"}
    without.manifest["head_on"] = "host"
    alone = predict(without, 4, 12)
    saved = (alone.passes - found.launches) * found.launch_us * 1e-3
    heads = 12 * head / (found.clock_mhz * 1e3)
    assert found.latency_ms == pytest.approx(alone.latency_ms + heads - saved)
    text = describe(found)
    assert f"over {found.layers} layers in {found.launches} launches, {llm.tokens_per_pass} token(s) a pass" in text
    assert "embedding of the prompt on the host is not counted" in text


def test_the_limits_of_the_table_count_what_a_token_reads(llm):
    """Of tables one row; the products of a quantised head; the channels that the kernel is bound to."""
    directory, limits = llm.design.directory, Limits(StoredDesign(llm.design.directory))
    main = json.loads((directory / "head/interface.json").read_text())["main"]
    parameters = [each for each in main["arguments"] if each["kind"] == "parameter"]
    names = ("embedding", "positions", "tables")
    tables = [p for p in parameters if p["shape"] and any(name in p["name"] for name in names)]
    assert len(tables) == {"gpt2": 2, "llama": 3, "gemma3_text": 3}[llm.model.config.model_type]
    whole, rows = sum(map(bytes_of, parameters)), sum(bytes_of(table) // table["shape"][0] for table in tables)
    assert limits.head_bytes == whole - sum(map(bytes_of, tables)) + rows
    assert limits.head_products == (128 * 32 if is_quantised(llm.model) else 0)
    kernel = json.loads((directory / "answer/interface.json").read_text())["designs"]
    bound = {memory for each in kernel for port in each["ports"] for memory in port["memories"]}
    card = json.loads((directory / "device.json").read_text())["external_memory"]
    assert limits.channels == len(bound) <= card["channels"]
    assert limits.bytes_per_second == len(bound) * card["sustained_bytes_per_s"]


def test_the_table_is_asked_without_its_assumptions(monkeypatch, capsys):
    given = []

    def refuse(*_, options, **__):
        given.append(options)
        raise Error("enough")

    monkeypatch.setattr(paper_table, "compile_llm", refuse)
    monkeypatch.setattr(paper_table, "random_model", lambda *_: None)
    words = ["gpt2-medium", "--quantise", "w4a8", "--json"]
    assert paper_table.main([*words, "--memory-efficiency", "1", "--clock-mhz", "200", "--products-per-dsp", "1"]) == 1
    assert given[0].to_assumptions() == {"clock_mhz": 200, "memory_efficiency": 1, "products_per_dsp": 1}
    assert json.loads(capsys.readouterr().out)["failed"] == ["gpt2-medium"]


def opened(directory, monkeypatch):
    monkeypatch.setattr(models, "_check_complete", lambda path, info: None)
    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", lambda *_, **__: Words())
    return st.load_llm(directory)


def test_it_is_opened_again(llm, tmp_path, monkeypatch):
    copied = tmp_path / "copied"
    shutil.copytree(llm.design.directory, copied)
    again = opened(copied, monkeypatch)
    assert again.answer.turns == TURNS
    assert again.generate("3 1 4", 8).tokens == llm.generate("3 1 4", 8).tokens
    (copied / "answer/hls/testbench").write_text("built")  # as `make` leaves it
    assert opened(copied, monkeypatch).answer.turns == TURNS
    with pytest.raises(RunError, match=r"answer' is the kernel of a language model, not a design: .*copied'\."):
        StoredDesign(copied / "answer")
    facts = copied / "answer" / "answer.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"content": "of another"}))
    with pytest.raises(RunError, match="is not the one that was compiled with"):
        opened(copied, monkeypatch)
    (copied / "answer" / "params" / "answer.safetensors").unlink()
    with pytest.raises(RunError, match=r"is not complete\. Copy the whole"):
        opened(copied, monkeypatch)


def test_what_is_asked_for_is_checked(tmp_path):
    model = models.random_causal_lm(models.tiny_llama_config())

    def refused(law, **asked):
        with pytest.raises(st.CompileError, match=law):
            st.compile_llm(model, Words(), 8, out=tmp_path / "out", **asked)

    for device in ({}, DEVICE):
        refused("tokens_per_launch is 0: a launch makes 1 token at least", **device, tokens_per_launch=0)
    refused(r"tokens_per_launch is 9, but a launch makes 1 to 8 tokens \(max_context\)", **DEVICE, tokens_per_launch=9)
    refused("need a head on the device: give head='device', candidates=1 and embedding='device'", tokens_per_launch=4)
    refused("a head that chooses and embeds them", head="device", candidates=1, tokens_per_launch=4)
    refused("a head that chooses and embeds them", **DEVICE | {"candidates": 2}, tokens_per_launch=4)
    refused("leave layers='host'", **DEVICE, tokens_per_launch=4, layers="host")
    config = models.tiny_llama_config()
    config.num_hidden_layers = 1
    model = models.random_causal_lm(config)
    refused("the model has one layer only", **DEVICE, tokens_per_launch=4)
    assert list(tmp_path.iterdir()) == []


def test_commands_know_it(tmp_path, capsys):
    (tmp_path / "x.mlir").write_text("module {}")
    words = ["compile", str(tmp_path / "x.mlir"), "-o", str(tmp_path / "y"), "--tokens-per-launch"]
    assert cli.run([*words, "8"]) == 1
    assert "--tokens-per-launch is for those alone" in capsys.readouterr().err
    assert cli.run([*words, "0"]) == 2


@torch.no_grad()
def test_the_modules_in_pytorch():
    """A turn writes where the next one reads, row by row of what the host would give."""
    model = models.random_causal_lm(models.tiny_gemma3_config())
    context = context_of(model, 16)
    place, *tables = context.all_inputs(5, 2)
    ahead, log = NextPlace()(place, torch.arange(4, dtype=torch.int32))
    assert torch.equal(ahead, context.all_inputs(6, 2)[0])
    assert log.tolist() == [1, 2, 3, 0]
    states = torch.randn(len(context.kinds), 1, 2, model.config.hidden_size)
    made = NextPass(context, make_head(context, 8, 1, True), 2).eval()
    hidden, after, log, logit, *rows = made(states, torch.tensor([3], dtype=torch.int32), ahead, log)
    logits = model.lm_head(model.model.norm(states[1, :, 1]))[0]
    assert (int(log[-1]), float(logit)) == (int(logits.argmax()), pytest.approx(float(logits.max()), rel=1e-5))
    assert torch.equal(hidden[:, 0], context.embed(logits.argmax()[None, None], 6)[:, 0])
    assert torch.equal(after, ahead)
    expected = context.all_inputs(6, 1)[1:]
    assert all(torch.equal(row[..., :1, :], each) for row, each in zip(rows, expected, strict=True))
    assert len(tables) == len(rows) == 2
    end = context.all_inputs(15, 2)[0]
    last = made(states, torch.tensor([3], dtype=torch.int32), *NextPlace()(end, log))[1]
    assert torch.equal(last, end)  # what nobody reads stays where tables have rows
