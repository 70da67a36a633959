# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""schedule.json: what a compilation writes gives the same design; edited by hand it gives another that is right."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import streamtensor as st
import torch
from streamtensor import fitting
from streamtensor.cli import run
from streamtensor.errors import CapacityError
from streamtensor.progress import Progress

CODE = ("interface.json", "ir/sized.mlir", "simulation.json")


class Block(torch.nn.Module):
    """Attention of one head over a few tokens, and a linear with a residual."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.query, self.key, self.value = (torch.nn.Linear(16, 16) for _ in range(3))
        self.out = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        score = torch.softmax(self.query(x) @ self.key(x).transpose(-1, -2) * 0.25, -1)
        return x + self.out(score @ self.value(x))


MODULE, INPUTS = Block().eval(), (torch.randn(8, 16, generator=torch.Generator().manual_seed(1)),)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> st.Design:
    """The compiler's own choices, an array for each product."""
    directory = tmp_path_factory.mktemp("block") / "out"
    return st.compile(MODULE, INPUTS, st.Options(tile_size=4, unroll=16, engines=False), directory)


def read(design: st.Design) -> dict:
    return json.loads((design.directory / "schedule.json").read_text())


def entry(schedule: dict, operation: str, number: int = 0) -> dict:
    found = (e for e in schedule["operations"] if (e["operation"], e["number"]) == (operation, number))
    return next(found)


def compile_edited(schedule: dict | str, directory: Path) -> st.Design:
    path = directory / "edited.json"
    path.write_text(schedule if isinstance(schedule, str) else json.dumps(schedule))
    return st.compile(MODULE, INPUTS, st.Options(schedule=path), directory / "out")


def files_of(design: st.Design) -> dict[str, bytes]:
    paths = [design.directory / name for name in CODE] + sorted((design.directory / "hls").rglob("*"))
    return {str(path.relative_to(design.directory)): path.read_bytes() for path in paths if path.is_file()}


def assert_right(design: st.Design) -> None:
    with torch.no_grad():
        torch.testing.assert_close(design(*INPUTS), MODULE(*INPUTS), rtol=1e-5, atol=1e-5)


def test_a_schedule_names_every_operation_of_the_program(compiled):
    schedule = read(compiled)
    assert schedule["version"] == 1
    assert schedule["device"] == "u55c"
    query = entry(schedule, "query")
    assert (query["kind"], query["loops"]) == ("contraction", ["parallel 8", "parallel 16", "reduction 16"])
    assert query["computes"] == "arith.mulf arith.addf"
    assert query["tile"] == [4, 4, 4]
    names = [(e["operation"], e["number"]) for e in schedule["operations"]]
    assert len(set(names)) == len(names)
    assert {"query", "key", "value", "out"} <= {name for name, _ in names}


def test_its_own_schedule_gives_the_same_design(compiled, tmp_path):
    again = compile_edited((compiled.directory / "schedule.json").read_text(), tmp_path)
    assert files_of(again) == files_of(compiled)
    assert (again.directory / "schedule.json").read_bytes() == (compiled.directory / "schedule.json").read_bytes()


def other_order(schedule: dict) -> None:
    """Columns of the result outside its rows, and the reduction outside both."""
    entry(schedule, "query")["order"] = [1, 0, 2]
    entry(schedule, "value")["order"] = [2, 1, 0]


def other_lanes(schedule: dict) -> None:
    entry(schedule, "query")["unroll"] = [2, 2, 4]
    entry(schedule, "out")["unroll"] = [1, 1, 1]


def other_tiles(schedule: dict) -> None:
    entry(schedule, "key").update(tile=[8, 2, 16], unroll=[1, 2, 1])
    entry(schedule, "out").update(tile=[2, 16, 8], unroll=[1, 8, 2])


def other_vectors(schedule: dict) -> None:
    entry(schedule, "query")["vector"] = [2]
    entry(schedule, "out")["vector"] = [1]


@pytest.mark.parametrize("edit", [other_order, other_lanes, other_tiles, other_vectors])
def test_a_schedule_edited_by_hand_gives_another_design_that_is_right(edit, compiled, tmp_path):
    schedule = read(compiled)
    edit(schedule)
    design = compile_edited(schedule, tmp_path)
    assert read(design) == schedule
    assert files_of(design)["ir/sized.mlir"] != files_of(compiled)["ir/sized.mlir"]
    assert_right(design)


def change(operation: str, **fields: object) -> Callable[[dict], None]:
    return lambda schedule: entry(schedule, operation).update(fields)


def unknown(schedule: dict) -> None:
    schedule["operations"][0]["operation"] = "qurey"


def removed(schedule: dict) -> None:
    del entry(schedule, "query")["order"]


WRONG = {
    "uneven tile": (
        change("query", tile=[4, 5, 4]),
        "'query', number 0, cannot be applied: [tiling.tile] 'tile' is 5 for loop 1, which does not divide the "
        "extent 16; it can be 1, 2, 4, 8, 16",
    ),
    "large tile": (
        change("query", tile=[32, 4, 4]),
        "'tile' is 32 for loop 0, which does not divide the extent 8; it can be 1, 2, 4, 8",
    ),
    "uneven unroll": (
        change("query", unroll=[1, 3, 1]),
        "'unroll' is 3 for loop 1, which does not divide the tile 4; it can be 1, 2, 4",
    ),
    "no permutation": (change("query", order=[0, 1, 1]), "'order' is [0, 1, 1], which is no order of the loops"),
    "number of loops": (change("query", order=[0, 1]), "'order' has 2 numbers, one per loop makes 3"),
    "uneven vector": (
        change("query", vector=[3]),
        "'vector' is 3 for result 0, whose tile has rows of 4; it can be 1, 2, 4",
    ),
    "unknown operation": (unknown, "'qurey', number 0, cannot be applied: the program has no such operation; it has "),
    "another operation": (
        change("query", loops=["parallel 8", "parallel 16", "reduction 32"]),
        "it describes a contraction over [parallel 8, parallel 16, reduction 32]",
    ),
    "twice": (lambda s: s["operations"].append(s["operations"][0]), "an earlier entry is for the same operation"),
    "missing": (lambda s: s["operations"].pop(), "the schedule has no entry for operation "),
    "no field": (removed, "'query' lacks the field 'order'"),
    "unknown field": (change("query", tiles=[4]), "'query' has no field 'tiles'; the fields are operation, number"),
    "text for numbers": (change("query", tile="four"), "'tile' is \"four\"; it must be a list of whole numbers"),
    "another program": (
        lambda s: s.update(program="0000000000000000"),
        "this is the schedule of another program (digest 0000000000000000, this one has ",
    ),
    "another device": (
        lambda s: s.update(device="u280"),
        "the schedule was made for the device 'u280', this compilation is for 'u55c'",
    ),
    "another version": (lambda s: s.update(version=7), "has version 7, this compiler reads version 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_applied_is_named(case, compiled, tmp_path):
    edit, message = WRONG[case]
    schedule = read(compiled)
    edit(schedule)
    with pytest.raises(st.CompileError) as caught:
        compile_edited(schedule, tmp_path)
    assert message in str(caught.value)
    assert "edited.json" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_vectors_that_contradict_each_other_are_named(compiled, tmp_path):
    """The operations of a softmax pass one row on: their FIFOs are equally wide."""
    schedule = read(compiled)
    maps = [e for e in schedule["operations"] if e["kind"] == "map" and len(e["loops"]) == 2]
    chain = [e for e in maps if "math.exp" in e["computes"] or "arith.divf" in e["computes"]]
    assert len(chain) >= 2, [e["computes"] for e in maps]
    chain[0]["vector"], chain[1]["vector"] = [4], [2]
    with pytest.raises(st.CompileError, match=r"\[tiling.vector\] 'vector' is \d, but the FIFOs of this result share"):
        compile_edited(schedule, tmp_path)


def test_what_is_no_json_is_refused_on_the_command_line(compiled, tmp_path, monkeypatch, capfd):
    text = (compiled.directory / "schedule.json").read_text()
    (tmp_path / "cut.json").write_text(text[: len(text) // 2])
    monkeypatch.chdir(tmp_path)
    source = "streamtensor.frontend.examples:mlp"
    assert run(["compile", source, "-o", "out", "--schedule", "cut.json"]) == 1
    message = capfd.readouterr().err
    assert "cut.json" in message
    assert "the schedule cannot be read: this is no JSON: [" in message
    assert run(["compile", source, "-o", "out", "--schedule", "none.json"]) == 1
    assert "none.json" in (message := capfd.readouterr().err)
    assert "the schedule cannot be read: " in message
    assert run(["compile", source, "-o", "out", "--schedule", str(compiled.directory / "schedule.json")]) == 1
    assert "this is the schedule of another program" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_does_not_fit_is_mended_in_the_schedule():
    chosen = st.Options(schedule="edited.json")
    advice = r"Too large\. Lower 'unroll', or 'tile', .* in edited\.json, or compile without a schedule"
    with pytest.raises(CapacityError, match=advice), fitting.advising(None, chosen, Progress(), 1.0):
        raise CapacityError("Too large.")


def test_a_schedule_stands_alone():
    for other in ({"unroll": 4}, {"tile_size": 8}):
        with pytest.raises(st.CompileError, match=f"schedule and {next(iter(other))} are given together"):
            st.Options(schedule="schedule.json", **other)
