# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Language models whose final norm and head are a design too: the texts of PyTorch's head, and what is refused."""

from __future__ import annotations

import json
import shutil

import pytest
import streamtensor as st
import torch
from number_words import Words
from streamtensor import RunError, Sampling, cli, fitting, head_files, llm_files, ownership
from streamtensor.devices import describe as describe_device
from streamtensor.devices import find_device, load_device, rest_of
from streamtensor.frontend import models
from streamtensor.head import Head, padded, share_of
from streamtensor.llm import LanguageModel, Pass
from streamtensor.options import Options
from streamtensor.prediction import describe, predict
from streamtensor.quantise import is_quantised, quantise_model
from streamtensor.reference import Comparison, Reference, check_generation, generate_checked, generate_followed
from streamtensor.stored import StoredDesign

MAX_CONTEXT = 64


def untied_gemma3_config():
    """Its scaled embedding outweighs the layers: with a head of the same weight each token follows itself."""
    shape = models.tiny_gemma3_config()
    shape.tie_word_embeddings = False
    return shape


CASES = {  # family, scheme, candidates, who embeds
    "gpt2, logits": (models.tiny_gpt2_config, None, None, "host"),
    "gpt2, three, embedded": (models.tiny_gpt2_config, None, 3, "device"),
    "qwen3, w4a8, best": (models.tiny_qwen3_config, "w4a8", 1, "host"),
    "gemma3, w8a8, best, embedded": (untied_gemma3_config, "w8a8", 1, "device"),
}


def compiled(config, quantise, candidates, embedding, out, **more):
    shape = config()
    shape.initializer_range = 0.3  # texts that do not repeat one token
    shape.intermediate_size = 64
    model = models.random_causal_lm(shape)
    model.generation_config.eos_token_id = None
    options = Options(tile_size=8, unroll=16, compare=False)
    sizes = {"quantise": quantise, "candidates": candidates, "head": "device", "head_share": 50}
    sizes |= {"embedding": embedding, **more}
    return st.compile_llm(model, Words(), MAX_CONTEXT, 1, options, out, **sizes)


@pytest.fixture(scope="module", params=CASES)
def llm(request, tmp_path_factory):
    return compiled(*CASES[request.param], tmp_path_factory.mktemp("head") / "out")


def with_head_of_pytorch(llm):
    return LanguageModel(llm.design, llm.model, llm.tokenizer, llm_files._load(llm.design))


def test_texts_are_those_of_pytorchs_head(llm):
    assert llm.head is not None
    on_host = with_head_of_pytorch(llm)
    for prompt in ("3 14 15", "9 2 6 5 3"):  # the second sees nothing of the first
        tokens = llm.generate(prompt, 58).tokens
        assert tokens == on_host.generate(prompt, 58).tokens
        assert len(set(tokens)) > 3


def test_texts_are_pytorchs(llm):
    generate = generate_followed if is_quantised(llm.model) else generate_checked
    reference, generation, comparison = generate(llm, "3 14 15", 62)
    assert generation.tokens == reference.tokens
    assert len(generation.tokens) == 62
    assert 0 < comparison.head_error < (1e-2 if is_quantised(llm.model) else 1e-5)


def test_the_head_is_launched_once_for_each_new_token(llm, monkeypatch):
    shapes, compute = [], llm.head.design.compute

    def counted(hidden, *place):
        shapes.append(tuple(hidden.shape))
        return compute(hidden, *place)

    monkeypatch.setattr(llm.head.design, "compute", counted)
    llm.generate("3 1 4 1 5 9 2 6", 4)
    assert shapes == [(1, 1, 32)] * 4


def test_the_head_stands_alone(llm):
    design = st.Design(llm.design.directory / "head")
    hidden, places = torch.randn(1, 1, 32), [torch.tensor([9], dtype=torch.int32)][: len(design.inputs) - 1]
    found = torch.utils._pytree.tree_leaves(design(hidden, *places))
    logits = llm._head(hidden)[0, 0]
    if not llm.head.candidates:
        assert torch.allclose(found[0].reshape(-1)[: len(logits)], logits, atol=2e-2)
        return
    expected = logits.topk(llm.head.candidates)
    assert torch.allclose(found[0], expected.values, atol=2e-2)
    assert found[1].tolist() == expected.indices.tolist()
    assert len(found) == (3 if llm.head.embeds else 2)


def test_the_best_tokens_embedding_is_the_devices(llm, monkeypatch):
    """The host embeds prompts; each pass of the answer reads what the head gave."""
    embedded, embed = [], type(llm.context).embed

    def counted(context, ids, position):
        embedded.append(position)
        return embed(context, ids, position)

    monkeypatch.setattr(type(llm.context), "embed", counted)
    passes = []
    llm.generate("3 1 4 1", 5, observe=passes.append)
    assert embedded == [0, 1, 2, 3, *([] if llm.head.embeds else [4, 5, 6, 7])]
    if llm.head.embeds:
        token, position, hidden = llm.head._embedded
        assert torch.equal(hidden, embed(llm.context, torch.tensor([[token]]), position))
        assert llm.head.embedded([token], position) is hidden
        assert llm.head.embedded([token], position + 1) is None
        assert llm.head.embedded([token + 1], position) is None


def test_a_context_ends_with_a_token_that_nothing_follows(llm):
    """The head is asked for the embedding at the position behind the last one, which the table may not have."""
    generation = llm.generate("3 14 15", MAX_CONTEXT - 3 + 1)
    assert len(generation.tokens) == MAX_CONTEXT - 3 + 1


def test_a_head_of_its_own_leaves_the_embedding_alone(llm):
    embedding, head = llm.model.get_input_embeddings().weight, llm.model.get_output_embeddings().weight
    assert not is_quantised(llm.model.get_input_embeddings())
    assert is_quantised(llm.model.get_output_embeddings()) == is_quantised(llm.model)
    assert embedding.shape == head.shape


def test_manifest_and_report_say_who_is_the_head(llm):
    manifest = json.loads((llm.design.directory / "design.json").read_text())
    assert manifest["head_on"] == "device"
    assert manifest["head"]["candidates"] == llm.head.candidates
    assert manifest["head"]["resources"]["lut"] > 0
    page = llm.design.report()
    report = json.loads(page.with_suffix(".json").read_text())
    assert (report["head_on"], report["head"]) == ("device", manifest["head"])
    assert f"(head/), {report['head']['cycles']:,} cycles a new token" in page.read_text()
    embedding = "embedding of the prompt" if llm.head.embeds else "embedding"
    assert report["on_host"] == [embedding, "sampling"]
    assert f"<th>in PyTorch on the host</th><td>{embedding}, choice of the next token</td>" in page.read_text()
    _ = llm.head.design.report()
    assert ownership.examine(llm.design.directory, "design.json").foreign == []


def test_predictions_count_the_head_once_for_each_new_token(llm):
    without = StoredDesign(llm.design.directory)
    without.manifest = without.manifest | {"head_on": "host"}
    with_head, alone = (predict(design, 5, 4) for design in (llm.design, without))
    assert (with_head.head_on, alone.head_on) == ("device", "host")
    assert with_head.head.cycles == llm.head.design.simulate().cycles
    assert with_head.head.launches == 1
    ms = (with_head.head.cycles / (with_head.clock_mhz * 1e6) + with_head.launch_us * 1e-6) * 1e3
    assert with_head.ttft_ms == pytest.approx(alone.ttft_ms + ms)
    assert with_head.latency_ms == pytest.approx(alone.latency_ms + 4 * ms)
    assert 1e3 / with_head.tokens_per_second == pytest.approx(1e3 / alone.tokens_per_second + ms)
    starting = (with_head.passes + 4) * with_head.launch_us * 1e-3
    assert with_head.launch_share == pytest.approx(starting / with_head.latency_ms)
    known = [found.to_json()["known"] for found in (with_head, alone)]
    embedding = "embedding of the prompt" if llm.head.embeds else "embedding"
    assert [each["not_counted"] for each in known] == [f"{embedding}, sampling", f"{embedding}, head, sampling"]
    assert "4 x 1 for the head, 1 token(s) a pass" in describe(with_head)
    assert f"{embedding} and sampling on the host are not counted" in describe(with_head)
    assert f"{embedding}, head and sampling on the host are not counted" in describe(alone)


def test_draws_need_their_candidates(llm):
    drawing, most = Sampling(temperature=1.0, top_k=5), llm.head.candidates
    if most != 1:
        few = Sampling(temperature=1.0, top_k=most or 5)
        texts = [each.generate("3 14", 8, sampling=few).tokens for each in (llm, with_head_of_pytorch(llm))]
        assert texts[0] == texts[1]
        assert texts[0] != llm.generate("3 14", 8).tokens
    if most is None:
        return
    for sampling, said in ((drawing, "the 5 likeliest tokens"), (Sampling(temperature=1.0), "among all tokens")):
        with pytest.raises(RunError, match=f"{said}.*gives the logits of the {most} likeliest.*without --candidates"):
            llm.generate("3 14", 2, sampling=sampling)
    with pytest.raises(RunError, match="repetition_penalty may choose a token that is not among"):
        llm.generate("3 14", 2, sampling=Sampling(repetition_penalty=1.2))
    assert llm.generate("3", 4, sampling=Sampling(1.0, top_k=1)).tokens == llm.generate("3", 4).tokens


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A directory on disk, prompts in passes of three tokens, compared with PyTorch."""
    model = models.random_causal_lm(models.tiny_llama_config())
    out = tmp_path_factory.mktemp("stored") / "out"
    options = Options(tile_size=8, unroll=16)
    sizes = {"quantise": "w8a8", "head": "device", "candidates": 1}
    return st.compile_llm(model, Words(), 16, 3, options, out, **sizes)


def opened(directory, monkeypatch):
    monkeypatch.setattr(models, "_check_complete", lambda path, info: None)
    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", lambda *_, **__: Words())
    return st.load_llm(directory)


def test_it_is_compared_and_opened_again(stored, monkeypatch):
    llm = stored
    assert "compared" not in json.dumps(llm.head.design.manifest["warnings"])
    assert llm.head.design.manifest["comparison"]["reference"] == "PyTorch"
    again = opened(llm.design.directory, monkeypatch)
    assert again.head.candidates == 1
    assert again.generate("3 1 4 1 5", 6).tokens == llm.generate("3 1 4 1 5", 6).tokens
    check_generation(again, "3 1 4 1 5", 6)
    assert json.loads((llm.design.directory / "run.json").read_text())["max_head_error"] < 1e-2


def test_directories_that_do_not_belong_together_are_refused(stored, tmp_path, monkeypatch):
    llm = stored
    with pytest.raises(RunError, match=r"is the head of a language model: name the directory of its layers, '.*/out'"):
        st.load_llm(llm.design.directory / "head")
    copied = tmp_path / "copied"
    shutil.copytree(llm.design.directory, copied)
    manifest = copied / "head" / "design.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"content": "of another"}))
    with pytest.raises(RunError, match="is not the one that was compiled with the layers in"):
        opened(copied, monkeypatch)
    shutil.rmtree(copied / "head")
    with pytest.raises(RunError, match=r"has its head in .*head, which holds no design. Copy the whole"):
        opened(copied, monkeypatch)


def test_directories_without_a_head_are_as_before(stored, tmp_path, monkeypatch):
    """A manifest of before heads could be on the device; the layers do not ask for one."""
    llm = stored
    older = tmp_path / "older"
    shutil.copytree(llm.design.directory, older, ignore=shutil.ignore_patterns("head"))
    manifest = json.loads((older / "design.json").read_text())
    del manifest["head_on"], manifest["head"], manifest["quantise"]["head"]
    (older / "design.json").write_text(json.dumps(manifest))
    found = opened(older, monkeypatch)
    assert found.head is None
    assert not is_quantised(found.model.get_output_embeddings())
    assert len(found.generate("3 1 4", 4).tokens) == 4


def test_what_is_asked_for_is_checked(tmp_path):
    model = models.random_causal_lm(models.tiny_llama_config())

    def refused(law, **asked):
        with pytest.raises(st.CompileError, match=law):
            st.compile_llm(model, Words(), 8, out=tmp_path / "out", **asked)

    refused("head is 'card': choose one of device, host", head="card")
    refused("of a head on the device: give head='device'", candidates=1)
    refused("head_share is 0: it is the percentage", head="device", head_share=0)
    refused("candidates is 17: a head on the device gives the 1 to 16 best", head="device", candidates=17)
    refused("embedding is 'card': choose one of device, host", embedding="card")
    refused("an embedding on the device are of a head on the device", embedding="device")
    refused("of the token that the head there chooses: give candidates=1", head="device", embedding="device")
    few = models.tiny_llama_config()
    few.vocab_size = 10
    few = models.random_causal_lm(few)
    law = "candidates is 11, but the model knows 10 tokens"
    with pytest.raises(st.CompileError, match=law):
        st.compile_llm(few, Words(), 8, out=tmp_path / "out", head="device", candidates=11)
    more, embeds = model.lm_head, {"candidates": 1, "embedding": "device"}
    model.lm_head = torch.nn.Linear(32, 101)
    refused("gives 101 logits, but the embedding has 100 rows: leave the", head="device", **embeds)
    model.lm_head = torch.nn.Sequential(more)
    refused("head of LlamaForCausalLM is a Sequential.*head='host'", head="device")
    assert list(tmp_path.iterdir()) == []


def test_commands_know_the_head(tmp_path, capsys):
    (tmp_path / "x.mlir").write_text("module {}")
    words = ["compile", str(tmp_path / "x.mlir"), "-o", str(tmp_path / "y")]
    assert cli.run([*words, "--head", "device", "--candidates", "1"]) == 1
    assert "--head and --candidates are for those alone: leave them out" in capsys.readouterr().err
    assert cli.run([*words, "--head-share", "100"]) == 2


def test_layers_that_do_not_fit_beside_the_head_are_refused(tmp_path, monkeypatch):
    """A card of one die with room for the head and little more."""
    monkeypatch.setattr(fitting, "LIMIT_SECONDS", 0.0)  # no search for what fits
    card = json.loads(describe_device(find_device("u55c"), Options()))
    card["dies"]["list"] = [card["dies"]["list"][0] | {"lut": 80000}]
    path = tmp_path / "small.json"
    path.write_text(json.dumps(card | {"name": "small"}))
    model = models.random_causal_lm(models.tiny_llama_config())
    options = Options(device=str(path), tile_size=8, unroll=16, compare=False)
    law = r"does not fit.*The head on the device takes .*lut .*less than 50 % with head_share"
    with pytest.raises(st.DeviceError, match=law):
        st.compile_llm(model, Words(), 16, options=options, out=tmp_path / "out", head="device", head_share=50)
    assert [path.name for path in tmp_path.iterdir()] == ["small.json"]


def test_the_rest_of_a_card_is_what_the_head_leaves_of_each_die(stored):
    llm = stored
    device = find_device("u55c")
    directory = llm.design.directory
    head, layers = (json.loads((each / "simulation.json").read_text()) for each in (directory / "head", directory))
    rest = json.loads((directory / "device.json").read_text())
    for number, die in enumerate(json.loads(device.path.read_text())["dies"]["list"]):
        for name, key in (("lut", "lut"), ("dsp", "dsp"), ("bram", "bram36")):
            taken = head["designs"][0]["dies"][number]["used"][name]
            assert 0.75 * rest["dies"]["list"][number][key] == pytest.approx(0.75 * die[key] - taken, abs=1)
            both = taken + layers["designs"][0]["dies"][number]["used"][name]
            assert both <= 0.75 * die[key]


def test_a_rest_is_a_device_of_the_same_name(tmp_path):
    used = {"SLR0": {"lut": 75.0, "dsp": 3, "bram": 0.5}, "SLR1": {"lut": 0}, "SLR2": {"lut": 150}}
    dies = [{"name": name, "used": each} for name, each in used.items()]
    simulation = {"designs": [{"dies": dies, "crossings": [{"bits": 100}, {"bits": 300}]}]}
    device = find_device("u55c")
    rest = rest_of(device, simulation, tmp_path / "rest.json")
    assert rest.name == device.name
    assert rest == load_device(tmp_path / "rest.json")
    assert rest.totals["lut"] == device.totals["lut"] - 300
    assert rest.totals["bram36"] == device.totals["bram36"] - 1
    found, before = (json.loads(path.read_text())["dies"] for path in (rest.path, device.path))
    assert before["crossing_wires"] - found["crossing_wires"] == 300
    assert [a["lut"] - b["lut"] for a, b in zip(before["list"], found["list"], strict=True)] == [100, 0, 200]


def test_the_share_goes_by_a_tokens_products():
    model = models.random_causal_lm(models.tiny_gpt2_config())  # 12 x 32 x 32 weights a layer
    assert share_of(model) == round(0.8 * 100 * 100 / (100 + 2 * 12 * 32)) == 9
    del model.transformer.h[1:]
    model.lm_head = torch.nn.Linear(32, 5000)
    assert share_of(model) == 50


def test_ports_of_both_on_one_channel_are_counted(tmp_path):
    for name, count in (("head", 9), ("layers", 7)):
        ports = [{"bundles": [f"gmem_{number}"], "memories": ["HBM[3]"]} for number in range(count)]
        (tmp_path / name).mkdir()
        (tmp_path / name / "interface.json").write_text(json.dumps({"designs": [{"ports": ports}]}))
        memory = {"external_memory": {"ports_per_channel": 15}}
        (tmp_path / name / "device.json").write_text(json.dumps(memory))
    with pytest.raises(st.DeviceError, match=r"have 16 ports on HBM\[3\] together, which takes 15"):
        head_files._check_ports(tmp_path / "head", tmp_path / "layers")
    head_files._check_ports(tmp_path / "head")


@pytest.mark.parametrize("scheme", [None, "w4a8", "w8a8", "w4a8-symmetric"])
def test_rows_that_pad_are_never_larger(scheme):
    torch.manual_seed(0)
    linear = torch.nn.Linear(32, 100).eval()
    linear = linear if scheme is None else quantise_model(torch.nn.Sequential(linear), scheme, 32)[0]
    found, given = padded(linear, 28), torch.randn(1, 32)
    assert padded(linear, 0) is linear
    assert torch.equal(found(given)[:, :100], linear(given))
    assert torch.equal(found(given)[0, 100:], linear(given)[0, 99:].expand(28))
    assert linear.weight.shape == (100, 32)


@pytest.mark.parametrize("candidates", [1, 5])
def test_the_first_of_equal_logits_is_the_best(candidates):
    """The vocabulary of 100 is padded by 12 copies of the last one, which are never chosen."""
    model = models.random_causal_lm(models.tiny_llama_config())
    with torch.no_grad():
        weight = model.get_output_embeddings().weight
        weight[[40, 70, 99]] = 5 * weight[70]
    hidden = weight[None, None, 70].detach()
    with torch.no_grad():
        values, tokens = Head(model, 16, candidates)(hidden)
        expected = model.lm_head(model.model.norm(hidden))[0, 0].topk(candidates)
    assert torch.allclose(values, expected.values)
    assert tokens.tolist()[:3] == [40, 70, 99][:candidates]
    assert tokens.tolist()[3:] == expected.indices.tolist()[3:]


def test_rows_with_fewer_tokens_than_candidates_give_each_once():
    model = models.random_causal_lm(models.tiny_llama_config())
    hidden = torch.randn(1, 1, 32)
    with torch.no_grad():
        tokens = Head(model, 9, 16)(hidden)[1]  # the last of twelve rows holds one
        expected = model.lm_head(model.model.norm(hidden))[0, 0].topk(16).indices
    assert tokens.tolist() == expected.tolist()


def test_a_wrong_head_is_seen():
    logits = torch.tensor([[[1.0, 2.0, 4.0]]])
    for chosen, error in (([1.0, 2.0, 4.0], 0), ([1.0, 2.5, 4.0], 0.125), ([-torch.inf, 2.0, -torch.inf], 0.5)):
        comparison = Comparison()
        found = Pass(0, 1, [torch.ones(1, 1, 3)], lambda _: logits, torch.tensor(chosen))
        comparison.add(found, Reference([2], "", [torch.ones(1, 1, 3)], logits))
        assert comparison.head_error == error
    comparison = Comparison()
    comparison.add(
        Pass(0, 1, [torch.ones(1, 1, 3)], lambda _: logits, torch.tensor([1.0, torch.nan, 4.0])),
        Reference([2], "", [torch.ones(1, 1, 3)], logits),
    )
    assert comparison.head_error != comparison.head_error
