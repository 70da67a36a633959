# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a small decoder layer is built of, counted from its C++ and from the sized design."""

from __future__ import annotations

import json
import re
from collections import Counter

import harness
import pytest
from hls.lint import lint
from hls.scan import scan
from hls.text import Function, Statement, read
from streamtensor.frontend import models
from streamtensor.frontend.decoder import export_decoder_layer, use_eager_attention

UNROLL = 32


@pytest.fixture(scope="module")
def layer(tmp_path_factory):
    """The exported text's arguments, the sized design and the emitted directory."""
    directory = tmp_path_factory.mktemp("layer")
    model = models.random_causal_lm(models.tiny_llama_config())
    use_eager_attention(model)
    exported = export_decoder_layer(model, 8)
    design = harness.lower(exported.text, directory, tile_size=8, unroll=UNROLL, decision="rules")
    harness.translate(design, directory / "out").succeed()
    return exported, design, directory / "out"


@pytest.fixture(scope="module")
def scans(layer):
    return [scan(path.read_text()) for path in designs(layer[2])]


def designs(directory):
    hidden = ("_native", "testbench")
    return [path for path in sorted((directory / "hls").glob("*.cpp")) if not path.stem.endswith(hidden)]


def test_lanes_are_within_the_budget(scans):
    assert 0 < sum(found["multiply_add_lanes"] for found in scans) <= UNROLL


def test_the_simulator_counts_the_lanes_of_the_code(layer, scans):
    tasks = json.loads(harness.simulate(layer[1]).stdout)["tasks"]
    counted = {task["name"]: task["multiply_add_lanes"] for task in tasks if task["multiply_add_lanes"]}
    (found,) = scans
    assert counted == found["lanes"]


def test_memory_ports_are_arguments_and_results_only(layer, scans):
    """One launch; what it reads comes from arguments, what it writes becomes results, and the C++ has no other port."""
    interface = json.loads((layer[2] / "interface.json").read_text())
    main, (design,) = interface["main"], interface["designs"]
    (launch,) = [step for step in main["steps"] if step["op"] == "launch"]
    origin = {step["output"]: step["input"] for step in main["steps"] if step["op"] != "launch"}
    given = {entry["value"] for entry in [*main["arguments"], *main["constants"]]}
    assert {root(origin, value) for value in launch["inputs"]} <= given
    assert {root(origin, value) for value in main["results"]} == set(launch["outputs"])
    (found,) = scans
    assert len(found["ports"]) == sum(len(port["arguments"]) for port in design["ports"])


def root(origin: dict[int, int], value: int) -> int:
    while value in origin:
        value = origin[value]
    return value


@pytest.mark.parametrize("tile_size", [2, 8])
def test_no_fifo_is_deeper_than_its_use_asks(layer, tmp_path, tile_size):
    """A depth is two, or what the run at the final depths uses, or what freedom from deadlock asks whatever the timing:
    what a run with one iteration in flight uses, and the slots of iterations in flight."""
    design = harness.lower(layer[0].text, tmp_path, tile_size=tile_size, unroll=UNROLL)
    simulated = json.loads(harness.simulate(design).stdout)
    assert simulated["fifos"]
    too_deep = {
        fifo["name"]: (fifo["depth"], fifo["high_water"])
        for fifo in simulated["fifos"]
        if fifo["depth"] > max(2, fifo["high_water"], fifo["least_depth"])
    }
    assert not too_deep


def test_every_generated_file_passes_the_lint(layer):
    files = [path for path in sorted((layer[2] / "hls").iterdir()) if path.suffix in (".cpp", ".h")]
    assert set(designs(layer[2])) < set(files)
    findings = {path.name: found for path in files if (found := lint(path.read_text()))}
    assert not findings


def rotating_memories(function: Function) -> set[str]:
    """The arrays that a function reads and writes at one place, which it counts modulo their number of banks.

    Of two blocks that take turns, one is filled and the other read: two places.
    """
    statements = [node.text for node, _ in function.walk() if isinstance(node, Statement)]
    accesses = [access for text in statements for access in re.findall(r"\b(\w+)((?:\[[^\]]*\])+)", text)]
    places = Counter((name, indices) for name, indices in accesses if "%" in indices and name.startswith("local"))
    return {name for (name, _), count in places.items() if count > 1}


def test_rotating_accumulators_state_how_far_apart_they_are(layer):
    """A tool cannot see through `i % banks` how many iterations lie between a write and the next read."""
    sources = [read(path.read_text()) for path in designs(layer[2])]
    functions = [function for source in sources for function in source.functions]
    rotating = [(function, name) for function in functions for name in rotating_memories(function)]
    assert rotating
    for function, name in rotating:
        about = [p.options for p in function.pragmas("dependence") if p.options["variable"] == name]
        stated = [options for options in about if options["type"] == "inter"]
        assert [p["direction"] for p in stated] == ["RAW"], (function.name, name)
        assert int(stated[0]["distance"]) > 1, (function.name, name)


def count_sums(leaf: str) -> int:
    """Private memories that one body both reads and writes."""
    memories = set(re.findall(r"(%\w+): !dataflow\.private", leaf))
    bodies = re.split(r"\n *dataflow\.nest ", leaf)
    loaded = [set(re.findall(r"dataflow\.load (%\w+)", body)) for body in bodies]
    stored = [set(re.findall(r"dataflow\.store %\w+, (%\w+)", body)) for body in bodies]
    return len(set().union(*(loads & stores for loads, stores in zip(loaded, stored, strict=True))) & memories)


def test_no_leaf_holds_two_contractions_or_a_contraction_and_a_function(layer):
    """An accumulation keeps its sums in a private memory: one per leaf, and none beside exp and its kind."""
    leaves = re.split(r"\n *dataflow\.leaf ", layer[1].read_text())[1:]
    sums = {leaf.split('"')[1]: count_sums(leaf) for leaf in leaves}
    functions = {leaf.split('"')[1] for leaf in leaves if re.search(r"math\.(exp|tanh|erf|rsqrt|sin|cos)", leaf)}
    assert any(sums.values())
    assert functions
    assert all(count <= 1 for count in sums.values())
    assert all(sums[name] == 0 for name in functions)
