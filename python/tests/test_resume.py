# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The printed IR of every phase is the whole truth: taken up again it gives the same design, C++ and cycles.

Random programs take up one phase each (`fuzz/levels.py`); these take up all.
"""

from __future__ import annotations

import filecmp
import json
from dataclasses import dataclass
from pathlib import Path

import harness
import linalg_corpus
import pytest
import streamtensor as st
from golden.designs import OTHER_CARDS, SIZE
from hls_native import ROOT
from number_words import Words
from streamtensor.frontend import export_module, models
from streamtensor.frontend.examples import export_example
from streamtensor.options import Options

LAYERS = ("tiny-llama",)
REGRESSIONS = Path(__file__).parent / "regressions"
REDUCED = ("same-product-twice", "window-of-pad-by-twos")  # programs for which this was once not so
CORPUS = ("softmax", "concat", "views", "several_results", "rotary_of_heads", "grouped_attention", "layer_norm", "mlp")
PHASES = 11
# Turns of an engine, nests with shared loops, memory that is read and written in place, striped ports, tuples, steps
# with scalars of a launch, locks within loops, tokens of packed integers.
LEAVES = (
    *("Target/HLSCpp/" + name for name in ("engine-turns", "shared-nests", "in-place", "tuples", "scalars")),
    *("Target/HLSCpp/" + name for name in ("nested-locks", "lowest-bits", "exchange")),
    *("Sizing/stripe-in-turn", "Sizing/plan-ports"),
)


@dataclass(frozen=True)
class Whole:
    """A compilation that went through all phases: the IR that each left, and options that are not in the IR."""

    directory: Path
    options: dict[str, object]

    @property
    def phases(self) -> list[Path]:
        return [next(self.directory.glob(f"{number:02}-*.mlir")) for number in range(1, PHASES + 1)]

    def take_up(self, phase: Path, directory: Path, device: Path | None = None) -> harness.Outcome:
        """Its last phase is directory/resumed.mlir, with the locations that the IR of all phases has."""
        directory.mkdir(exist_ok=True)
        options = {**self.options, "dump_dir": directory, "start_after": phase.stem[3:], "device": device}
        return harness.optimise(phase, directory / "resumed.mlir", **options)


def lowered(source: Path, **options: object) -> Whole:
    whole = Whole(source.with_suffix(""), options)
    harness.optimise(source, source.with_suffix(".sized"), dump_dir=whole.directory, **options).succeed(source.name)
    return whole


def program(name: str, directory: Path) -> Whole:
    source = directory / f"{name}.mlir"
    if name in REDUCED:
        text = (REGRESSIONS / source.name).read_text()
        source.write_text(text)
        return lowered(source, **harness.options_of(source))
    exported = export_example(name) if name in LAYERS else export_module(*linalg_corpus.make(name))
    exported.save(source)
    return lowered(source, tile_size=8, unroll=8, sizing="highwater" if name in LAYERS else "search")


def check(whole: Whole, directory: Path) -> None:
    """Each phase, taken up, leaves the same IR at every later phase.

    Of the last one this is the whole text, with locations. Emitter and simulator know nothing else, so C++ and cycles
    are the same; those of the first phase are compared as well.
    """
    *phases, last = whole.phases
    for phase in phases:
        again = directory / phase.stem
        whole.take_up(phase, again).succeed(phase.stem)
        for later in whole.phases[whole.phases.index(phase) + 1 :]:
            expected = harness.without_locations(later)
            assert harness.without_locations(again / later.name) == expected, (phase.stem, later.stem)
        assert (again / last.name).read_text() == last.read_text(), phase.stem
    check_code(last, directory / phases[0].stem / last.name, directory)


def check_code(design: Path, resumed: Path, directory: Path) -> None:
    """Both give the same files and take as long."""
    expected, found = (harness.emit(each, directory / f"of-{each.parent.name}") for each in (design, resumed))
    names = sorted(str(path.relative_to(expected)) for path in expected.rglob("*") if path.is_file())
    assert filecmp.cmpfiles(expected, found, names, shallow=False) == (names, [], [])
    cycles = [json.loads(harness.simulate(each).succeed().stdout)["cycles"] for each in (design, resumed)]
    assert cycles[0] == cycles[1]


@pytest.mark.parametrize("name", [*LAYERS, *CORPUS, *REDUCED])
def test_every_phase_taken_up_again_gives_the_same_design(name: str, tmp_path: Path) -> None:
    check(program(name, tmp_path), tmp_path)


def test_so_it_does_on_another_card(tmp_path: Path) -> None:
    source = tmp_path / "mlp.mlir"
    export_module(*linalg_corpus.make("mlp")).save(source)
    check(lowered(source, device="kv260", group_bytes=64, **OTHER_CARDS["kv260"]), tmp_path)


def test_so_does_a_kernel_written_by_hand(tmp_path: Path) -> None:
    """Its source is found once, in the phase `import`."""
    source = tmp_path / "extern.mlir"
    source.write_text((ROOT / "test/Pipelines/extern.mlir").read_text())
    whole = lowered(source, source_dir=ROOT / "test/Pipelines")
    check(Whole(whole.directory, {}), tmp_path)


def test_so_does_a_language_model(tmp_path: Path) -> None:
    """Integers as weights and in the cache, layers that a launch goes through, whose linears take turns with engines,
    a context of a length that the launch says."""
    config = models.tiny_gpt2_config()
    config.n_inner = 64  # whole groups of weights
    exported, options = Options(stop_after="import", compare=False), Options(tile_size=8, unroll=16)
    choices = {"quantise": "w4a8", "cache": "int8", "options": exported, "out": tmp_path / "out"}
    st.compile_llm(models.random_causal_lm(config), Words(), 24, **choices)
    whole = lowered(tmp_path / "out/ir/00-source.mlir", **options.to_pipeline())
    decided, streams = (path.read_text() for path in whole.phases if path.stem[3:] in ("decide", "stream"))
    assert "engine =" in decided and "xi4>" in decided
    for kind in ('leaf "engine', '"layers"', '"context"', "x8x16xi8"):
        assert kind in streams, kind
    check(whole, tmp_path)


@pytest.mark.parametrize("name", LEAVES)
def test_so_does_a_leaf_form_written_by_hand(name: str, tmp_path: Path) -> None:
    """It begins where the phase `stream` ends."""
    source, locations = ROOT / "test" / f"{name}.mlir", "--mlir-print-debuginfo"
    written, sized, resumed = (tmp_path / f"{number}.mlir" for number in range(3))
    harness.run_tool("streamtensor-opt", source, SIZE[0], locations, "-o", written).succeed()
    harness.run_tool("streamtensor-opt", source, *SIZE, locations, "-o", sized).succeed()
    command = ("--streamtensor-pipeline=start-after=stream", locations, "-o", resumed)
    harness.run_tool("streamtensor-opt", written, *command).succeed()
    assert resumed.read_text() == sized.read_text()


def test_every_phase_refuses_another_device(tmp_path: Path) -> None:
    """A card of the same name that differs in one number."""
    whole = program("mlp", tmp_path)
    card = json.loads(harness.device_file().read_text())
    card["memory_port"]["burst_gap"] += 1
    other = tmp_path / "other.json"
    other.write_text(json.dumps(card))
    gap = card["memory_port"]["burst_gap"]
    for phase in whole.phases:
        again = tmp_path / phase.stem
        refused = whole.take_up(phase, again, other)
        law = "error: [module.device] the module was compiled for device 'u55c', and that holds; "
        difference = f"'{other}' is another: 'memory_port.burst_gap' is {gap - 1} there, {gap} here; "
        advice = "name no device, or compile for that one from the phase import"
        assert refused.code == 1, phase.stem
        assert law + difference + advice in refused.stderr, phase.stem
        assert not any(again.iterdir()), phase.stem
        if phase is not whole.phases[-1]:
            whole.take_up(phase, again, harness.device_file()).succeed("naming its own device changes nothing")
