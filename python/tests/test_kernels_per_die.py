# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel for each die, joined by AXI streams: the same results, and files that go together."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
from hls.lint import lint
from hls_native import ROOT, translate
from host_program import Card, build_stand_in, write_data
from number_words import Words
from streamtensor import cli
from streamtensor.errors import CompileError
from streamtensor.frontend import models
from streamtensor.reference import generate_checked
from test_csynth import PART, module, profile, resources
from test_vitis_project import Project
from vitis_compile import command, faults

RING = (ROOT / "test/Target/HLSCpp/kernels.mlir").read_text()
CUT = ("--dataflow-cut-kernels",)
ROWS = np.random.default_rng(2).standard_normal((8, 4), dtype=np.float32)
# The first of a row, and its last or the count of rows.
EXPECTED = ROWS[:, 0] + np.where(ROWS[:, 0] > 0, ROWS[:, 3], np.float32(8))


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    return build_stand_in(tmp_path_factory.mktemp("xrt"))


@pytest.fixture(scope="module")
def ring(tmp_path_factory, stand_in):
    """Values go to another die and come back."""
    directory = tmp_path_factory.mktemp("ring")
    return Card.of(RING, directory, stand_in, CUT), write_data(directory / "data", [ROWS])


def small_dies(directory: Path, used: dict, share: float) -> Path:
    """A card whose dies take so much of what a design uses, each."""
    directory.mkdir(exist_ok=True)
    budget = {name: max(1, round(share * entry["used"] / 0.75)) for name, entry in used.items()}
    budget |= {"bram36": budget.pop("bram")}
    dies = [{"name": name, **budget} for name in ("SLR0", "SLR1", "SLR2")]
    data = json.loads((ROOT / "devices/u55c.json").read_text())
    data["dies"]["list"] = dies
    (card := directory / "card.json").write_text(json.dumps(data))
    return card


def test_the_host_starts_all_kernels_before_it_waits(ring):
    card, data = ring
    done = card.run(data)
    assert done.code == 0, done.error
    assert np.array_equal(np.fromfile(data / "result0.bin", np.float32), EXPECTED)
    assert [line for line in done.log if line.startswith(("load", "launch"))] == [
        "load ring_SLR0 ring_SLR2",
        "launch ring_SLR0",
        "launch ring_SLR2",
    ]


def test_the_host_names_the_kernel_that_is_missing(ring):
    card, data = ring
    binary = card.xclbins / "ring.xclbin"
    text = binary.read_text()
    try:
        binary.write_text(text.replace("kernel ring_SLR2", "kernel other"))
        assert "holds no kernel 'ring_SLR2'" in card.run(data).error
        binary.write_text(text.replace("arg HBM[1]", "arg HBM[7]"))
        assert "('y') of kernel 'ring_SLR0'" in (message := card.run(data).error)
        assert "link with vitis/ring.cfg" in message
    finally:
        binary.write_text(text)


def test_what_vitis_sees(ring):
    card, _ = ring
    assert faults(card.out) == []


WIDE = """
dataflow.design @wide {
  %x = dataflow.port in "x" : !dataflow.port<8x512xi4>
  %y = dataflow.port out "y" : !dataflow.port<8x512xi4>
  %there = dataflow.stream "there" : !dataflow.stream<vector<512xi4>, 2>
  dataflow.leaf "load" load [8] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %row = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x512xi4> -> vector<1x512xi4>
    %lanes = vector.shape_cast %row : vector<1x512xi4> to vector<512xi4>
    dataflow.stream_write %lanes, %there : vector<512xi4>, !dataflow.stream<vector<512xi4>, 2>
  }
  dataflow.leaf "store" store [8] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %lanes = dataflow.stream_read %there : !dataflow.stream<vector<512xi4>, 2> -> vector<512xi4>
    %row = vector.shape_cast %lanes : vector<512xi4> to vector<1x512xi4>
    dataflow.store %row, %y affine_map<(i) -> (i, 0)> : vector<1x512xi4>, !dataflow.port<8x512xi4>
  }
}
"""


def test_words_between_kernels_may_be_wider_than_numbers_are_by_default(tmp_path):
    done = translate(WIDE, tmp_path, passes=CUT)
    assert done.returncode == 0, done.stderr
    source = tmp_path / "out/hls/wide.cpp"
    assert "st::Link<hls::vector<ap_int<4>, 512>>" in source.read_text()

    def errors() -> str:
        # Without headers that were compiled before: what counts is which stands first.
        return subprocess.run(command("-fsyntax-only", "-DST_VITIS", source), capture_output=True, text=True).stderr

    assert errors() == ""
    (header := source.with_suffix(".h")).write_text('#include "ap_int.h"\n' + header.read_text())
    assert "ap_int.h stood before st_tokens.h" in errors()


def test_the_lint_finds_streams_that_are_no_axi_streams(ring):
    card, _ = ring
    text = (card.out / "hls/ring.cpp").read_text()
    assert lint(text) == []
    for good, bad, message in (
        ("#pragma HLS interface mode=axis port=there\n", "", "stream 'there' has no axis interface"),
        (
            "ring_SLR2(int rows, hls::stream<st::Link<tuple_f32x4_i1>>",
            "ring_SLR2(int rows, hls::stream<tuple_f32x4_i1>",
            "stream 'there' has words of 129 bits; an AXI stream has whole bytes",
        ),
        ("ring_tasks::join(beside, back, y);\n", "", "stream 'back' has 0 ends in the kernel; it has one there"),
    ):
        assert good in text
        assert message in [finding.message for finding in lint(text.replace(good, bad, 1))]


class Vitis(Project):
    def configure(self, name: str, good: str, bad: str) -> None:
        path = self.directory / name
        text = path.read_text()
        assert good in text
        path.write_text(text.replace(good, bad))


@pytest.fixture
def project(ring, tmp_path):
    card, _ = ring
    shutil.copytree(card.out, tmp_path / "out")
    data = write_data(tmp_path / "data", [ROWS])
    EXPECTED.tofile(data / "result0.bin")
    return Vitis(tmp_path), data


def test_each_kernel_is_simulated_by_itself(project):
    """C simulation calls all kernels together, then each with what it takes from the others."""
    built, data = project
    done = built.make("csim", f"DATA={data}")
    assert done.returncode == 0, done.stderr
    source = built.directory.parent / "hls/ring.cpp"
    text = source.read_text()
    # In the kernel alone: the region of all kernels stays as it is.
    broken = re.sub(r"( +)(ring_tasks::sum\(there, back, rows\);)", r"\1rows = 7;\n\1\2", text, count=1)
    assert broken != text
    source.write_text(broken)
    done = built.make("csim", f"DATA={data}")
    assert "token 1 of the stream 'back' is not what it is where all kernels run together" in done.stderr or (
        "token 0 of the stream 'back' is not what it is where all kernels run together" in done.stderr
    )


def test_a_binary_is_linked_of_all_kernels(project):
    built, _ = project
    done = built.make("xclbin")
    assert done.returncode == 0, done.stderr
    assert (built.directory / "build/hw/ring.xclbin").read_text() == "ring_SLR0 ring_SLR2\n"
    assert "floorplan" not in done.stdout
    assert "v++" not in built.make("xclbin").stdout  # nothing to do
    built.configure("ring.cfg", "ring_SLR2_1.there:16", "ring_SLR2_1.there:17")
    assert "of depth 17" in built.make("xclbin").stderr
    built.configure("ring.cfg", "ring_SLR2_1.there:17", "ring_SLR2_1.here:16")
    assert "'ring_SLR2_1' has no stream 'here'" in built.make("xclbin").stderr


def test_reports_of_synthesis_are_compared_kernel_by_kernel(ring, capsys):
    card, _ = ring
    sized = card.out.parent / "scheduled.mlir"
    found = harness.run_tool("streamtensor-sim", sized, "--json").succeed().stdout
    (card.out / "simulation.json").write_text(found)
    (card.out / "design.json").write_text(json.dumps({"part": PART}))
    (card.out / "device.json").write_text((ROOT / "devices/u55c.json").read_text())
    report = card.out / "csynth.xml"
    report.write_text(profile(top="ring_SLR2", modules=module("sum", resources(90, 80, 1, 0))))
    assert cli.run(["csynth", str(card.out), str(report), "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["tasks"]}
    assert set(rows) == {"sum", "ring_SLR2"}
    (design,) = json.loads(found)["designs"]
    (used,) = (die["used"] for die in design["dies"] if die["name"] == "SLR2")
    assert rows["ring_SLR2"]["model"] == used
    assert rows["sum"]["report"]["lut"] == 90
    report.write_text(profile(top="ring"))
    assert cli.run(["csynth", str(card.out), str(report)]) == 1
    assert "it has ring_SLR0, ring_SLR2" in " ".join(capsys.readouterr().err.split())


class Network(torch.nn.Module):
    """Parallel ways of unlike length."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (torch.nn.Linear(32, 32) for _ in range(3))

    def forward(self, x):
        return torch.tanh(self.third(torch.relu(self.second(torch.relu(self.first(x)))))) + x


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """As one kernel, and as one for each die, on a card with small dies."""
    directory = tmp_path_factory.mktemp("network")
    module, x = Network().eval(), torch.randn(16, 32)
    choices = {"tile_size": 8, "unroll": 48}
    one = st.compile(module, (x,), st.Options(**choices, compare=False), out=directory / "u55c")
    card = str(small_dies(directory, one.simulate().data["resources"], 0.55))
    designs = {
        kernels: st.compile(module, (x,), st.Options(device=card, kernels=kernels, **choices), out=directory / kernels)
        for kernels in ("one", "per-die")
    }
    return designs, x, directory


def test_a_network_on_several_dies_is_compared_with_pytorch(network, stand_in):
    """Compiling compares; the host program gives the same."""
    designs, x, directory = network
    assert torch.equal(designs["per-die"](x), designs["one"](x))
    (entry,) = designs["per-die"].interface.designs.values()
    assert len(entry["kernels"]) > 1
    assert faults(directory / "per-die") == []
    (directory / "per-die").rename(directory / "out")
    try:
        card, design = Card(directory, stand_in), designs["per-die"]
        values = [design.parameters.get(argument.name, x) for argument in design.interface.arguments]
        data = write_data(directory / "data", [value.numpy() for value in values])
        done = card.run(data)
        assert done.code == 0, done.error
        result = np.fromfile(data / "result0.bin", np.float32).reshape(16, 32)
        assert np.array_equal(result, designs["one"](x).detach().numpy())
    finally:
        (directory / "out").rename(directory / "per-die")


def test_links_cost_cycles_and_no_more(network):
    """What joins kernels is deeper and slower than a FIFO of a kernel; the report says which that is."""
    designs, _, directory = network
    results = {kernels: design.simulate() for kernels, design in designs.items()}
    before, after = (results[kernels].cycles for kernels in ("one", "per-die"))
    assert before < after < 1.25 * before
    fifos = {fifo["name"]: fifo for fifo in results["per-die"].data["fifos"]}
    links = [name for name, fifo in fifos.items() if fifo["link"]]
    assert links
    assert not any(fifo["link"] for fifo in results["one"].data["fifos"])
    dies = {task["name"]: task["die"] for task in results["per-die"].tasks}
    for fifo in fifos.values():
        assert fifo["link"] == (dies[fifo["writer"]] != dies[fifo["reader"]])
    for fifo in results["one"].data["fifos"]:
        assert fifos[fifo["name"]]["depth"] >= fifo["depth"]
    configuration = "".join(path.read_text() for path in (directory / "per-die/vitis").glob("*.cfg"))
    assert len(re.findall(r"^stream_connect=", configuration, re.MULTILINE)) == len(links)
    assert len(re.findall(r"^slr=", configuration, re.MULTILINE)) == len(set(dies.values()))


@pytest.mark.parametrize("quantise", [None, "w8a8"])
def test_all_layers_of_a_language_model(quantise, tmp_path):
    """Layers in one launch, with engines: values return to earlier leaf tasks and go from die to die."""
    model = models.random_causal_lm(models.tiny_llama_config())
    model.generation_config.eos_token_id = None
    choices = {"tile_size": 8, "unroll": 16, "compare": False}
    one = st.compile_llm(model, Words(), 12, 2, options=st.Options(**choices), out=tmp_path / "u55c", quantise=quantise)
    card = str(small_dies(tmp_path, one.design.simulate().data["resources"], 0.8))
    options = st.Options(device=card, kernels="per-die", **choices)
    llm = st.compile_llm(model, Words(), 12, 2, options=options, out=tmp_path / "out", quantise=quantise)
    assert llm.loops_over_layers
    (entry,) = llm.design.interface.designs.values()
    assert len(entry["kernels"]) > 1
    reference, generation, comparison = generate_checked(llm, "3 1 4", 8)
    assert generation.tokens == reference.tokens
    assert comparison.layer_error < 1e-4
    assert faults(tmp_path / "out") == []


def test_where_it_makes_no_sense_it_is_refused(tmp_path):
    options = st.Options(device="kv260", kernels="per-die", tile_size=8, unroll=4)
    with pytest.raises(CompileError, match=r"Kria KV260 has one die: a design is one kernel there"):
        st.compile(torch.nn.Linear(8, 8).eval(), (torch.randn(4, 8),), options, out=tmp_path / "out")
    with pytest.raises(CompileError, match="kernels is 'two': it is one of one, per-die"):
        st.Options(kernels="two")


def test_a_design_on_one_die_is_one_kernel(tmp_path):
    options = st.Options(kernels="per-die", tile_size=8, unroll=4)
    design = st.compile(torch.nn.Linear(8, 8).eval(), (torch.randn(4, 8),), options, out=tmp_path / "out")
    (entry,) = design.interface.designs.values()
    assert [kernel["function"] for kernel in entry["kernels"]] == [entry["function"]]
