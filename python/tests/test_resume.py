# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The printed IR of every phase is the whole truth: taken up again it gives the same design, C++ and cycles.

Random programs take up one phase each (`fuzz/levels.py`); these take up all.
"""

import filecmp
import json
from pathlib import Path

import harness
import linalg_corpus
import pytest
from streamtensor.frontend import export_module
from streamtensor.frontend.examples import export_example

LAYERS = ("tiny-llama",)
REGRESSIONS = Path(__file__).parent / "regressions"
REDUCED = ("same-product-twice", "window-of-pad-by-twos")  # programs for which this was once not so
CORPUS = ("softmax", "concat", "views", "several_results", "rotary_of_heads", "grouped_attention", "layer_norm", "mlp")


def source_of(name: str, directory: Path) -> Path:
    path = directory / f"{name}.mlir"
    if name in REDUCED:
        return REGRESSIONS / f"{name}.mlir"
    program = export_example(name) if name in LAYERS else export_module(*linalg_corpus.make(name))
    program.save(path)
    return path


def files_of(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", [*LAYERS, *CORPUS, *REDUCED])
def test_every_phase_taken_up_again_gives_the_same_design(name: str, tmp_path: Path) -> None:
    whole, design = tmp_path / "whole", tmp_path / "design.mlir"
    source = source_of(name, tmp_path)
    options = {"tile_size": 8, "unroll": 8, "sizing": "highwater" if name in LAYERS else "search"}
    options = harness.options_of(source) if name in REDUCED else options
    harness.optimise(source, design, dump_dir=whole, **options).succeed(name)
    expected = harness.emit(design, tmp_path / "out")
    cycles = json.loads(harness.simulate(design).succeed().stdout)["cycles"]
    *phases, last = sorted(whole.glob("[0-9][0-9]-*.mlir"))
    for phase in phases:
        again, resumed = tmp_path / phase.stem, tmp_path / f"{phase.stem}.mlir"
        harness.optimise(phase, resumed, device=None, dump_dir=again, start_after=phase.stem[3:], **options).succeed()
        assert harness.without_locations(again / last.name) == harness.without_locations(last), phase.stem
        emitted = harness.emit(resumed, tmp_path / f"{phase.stem}-out")
        names = files_of(expected)
        assert filecmp.cmpfiles(expected, emitted, names, shallow=False) == (names, [], []), phase.stem
        assert json.loads(harness.simulate(resumed).succeed().stdout)["cycles"] == cycles, phase.stem
