# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The advice of a design that does not fit: following it compiles, and it is the largest that does."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from streamtensor import DeviceError, Options, process
from streamtensor.compiler import compile as compile_program
from streamtensor.devices import find_device
from streamtensor.errors import CapacityError, CompileError, TimeLimitError
from streamtensor.fitting import advising, build_fitting
from streamtensor.progress import Lines, Progress

PRODUCT = """func.func @main(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>)
                     outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
"""


@pytest.fixture
def source(tmp_path):
    (tmp_path / "product.mlir").write_text(PRODUCT)
    return tmp_path / "product.mlir"


def card(directory: Path, **totals: float) -> str:
    """The U55C with other totals, all of them in one die and to be placed."""
    data = json.loads(find_device("u55c").path.read_text())
    data["totals"] |= totals
    resources = {key: value for key, value in data["totals"].items() if key != "source"}
    data["dies"]["list"] = [{"name": "SLR0", **resources}]
    data["placement"]["share"] = 1
    (directory / "card.json").write_text(json.dumps(data))
    return str(directory / "card.json")


def refusal(source, device: str, unroll: int | None = None, tile_size: int = 16, decision: str = "simulated") -> str:
    options = Options(device=device, unroll=unroll, tile_size=tile_size, decision=decision)
    with pytest.raises(CapacityError) as caught:
        compile_program(source, None, options, source.with_name("out"))
    assert not source.with_name("out").exists()
    return str(caught.value)


def compiles(source, device: str, unroll: int, tile_size: int = 16) -> bool:
    try:
        compile_program(
            source, None, Options(device=device, unroll=unroll, tile_size=tile_size), source.with_name("fit")
        )
    except CapacityError:
        return False
    return True


def test_the_largest_unroll_that_fits_is_named(source, tmp_path):
    device = card(tmp_path, dsp=100)
    advice = refusal(source, device, 128)
    found = re.search(
        r"The largest unroll that fits is (\d+) \(it was compiled and fits, (\d+) does not\): pass", advice
    )
    fits, fails = int(found[1]), int(found[2])
    assert f"unroll={fits} (--unroll {fits})." in advice
    assert fails == fits + 1
    assert compiles(source, device, fits)
    assert not compiles(source, device, fails)


def test_lanes_that_fit_are_compiled_where_no_share_of_the_devices_does(source, tmp_path):
    device, log = card(tmp_path, lut=12_000), io.StringIO()
    design = compile_program(source, None, Options(device=device), tmp_path / "out", Lines(log))
    unroll = design.manifest["options"]["unroll"]
    said = f"No share of the lanes that the device decides on fits: compiling with tile_size 16, unroll {unroll}, which"
    assert said in log.getvalue()
    assert said in design.manifest["warnings"][-1]
    assert not compiles(source, device, unroll + 1)


def test_lanes_that_fit_take_the_place_of_a_share_that_does_not(source, tmp_path):
    device = card(tmp_path, dsp=100)
    with pytest.raises(CapacityError) as caught:
        compile_program(source, None, Options(device=device, lane_share=100), source.with_name("out"))
    found = re.search(r"pass unroll=(\d+) \(--unroll \1\) instead of lane_share\.", str(caught.value))
    assert compiles(source, device, int(found[1]))


def enough(advice: str) -> tuple[int, int]:
    """The LUTs that a device must have, and the tile size that needs them, as the advice says."""
    found = re.search(r"at least lut ([\d,]+) can be placed \(what tile_size=(\d+) with unroll=1 needs\)", advice)
    return int(found[1].replace(",", "")), int(found[2])


def test_where_no_lane_fits_a_tile_size_that_does_is_named(source, tmp_path):
    # Simulation tries tile sizes itself.
    lut, smallest = enough(refusal(source, card(tmp_path, lut=3000), 8, decision="rules"))
    assert smallest != 16
    device = card(tmp_path, lut=lut)
    advice = refusal(source, device, 8, decision="rules")
    assert "Not even unroll=1 fits with tile_size=16." in advice
    found = re.search(r"\(--tile-size (\d+) --unroll (\d+)\)", advice)
    assert compiles(source, device, int(found[2]), int(found[1]))


def test_where_nothing_fits_the_device_that_would_is_named(source, tmp_path):
    advice = refusal(source, card(tmp_path, lut=3000), 8, 4)
    assert "Not even unroll=1 with tile_size 4, 2, 1, 8, 16, 32 or 64 fits" in advice
    lut, tile_size = enough(advice)
    assert compiles(source, card(tmp_path, lut=lut), 1, tile_size)
    assert not compiles(source, card(tmp_path, lut=lut - 1), 1, tile_size)


def test_memories_that_do_not_fit_are_advised_on_too(source, tmp_path):
    """The compiler itself gives up on these: no block is left for a buffer."""
    device = card(tmp_path, bram36=0, uram=0, lut=500)
    held = r"(buffer|private memory \d+ of) '\w+' of [\d,]+ bytes"
    advised = r"Not even unroll=1 .* can be placed \(what tile_size=\d+ with .*\)\.$"
    said = rf"product\.mlir:5.*{held} does not fit .*\. {advised}"
    assert re.search(said, refusal(source, device))


def test_lanes_that_the_device_decides_on_are_lowered_until_they_fit(source, tmp_path):
    """Where they follow a rule; a search takes what fits at once."""
    device, log = card(tmp_path, dsp=2000, lut=60000), io.StringIO()
    assert compile_program(source, None, Options(device=device), tmp_path / "found").manifest["warnings"] == []
    options = Options(device=device, decision="rules")
    design = compile_program(source, None, options, tmp_path / "out", Lines(log))
    assert design.manifest["options"]["lane_share"] == 70
    shares = re.findall(r"do not fit \(lut [\d,]+\): compiling with (\d+) % of them", log.getvalue())
    assert shares == ["70"]  # others lead to the same lanes
    assert [re.search(r"compiling with (\d+) %", text)[1] for text in design.manifest["warnings"]] == shares
    with pytest.raises(CapacityError):  # what the user states is not lowered
        compile_program(source, None, replace(options, lane_share=100), tmp_path / "other")


def test_lanes_that_were_found_not_to_fit_are_not_compiled_again():
    """Of a step of 25 % the largest share alone is tried."""
    built, log = [], io.StringIO()

    def build(options: Options) -> int:
        built.append(options.lane_share or 100)
        if built[-1] > 60:
            raise CapacityError("It does not fit.", {"lut": built[-1]})
        return built[-1]

    found = build_fitting(build, Options(), Lines(log), lambda options: (options.lane_share or 100) // 25)
    assert (found, built) == (40, [100, 95, 70, 40])
    assert "(lut 100): compiling with 95 %" in log.getvalue()


@pytest.mark.parametrize(("unroll", "tried"), [(None, [100, 95, 90, 85, 80, 70, 60, 50, 40, 100]), (64, [100, 100])])
def test_multipliers_that_do_not_fit_shared_are_tried_apart(unroll, tried):
    built, log = [], io.StringIO()

    def build(options: Options) -> bool:
        built.append(options.lane_share or 100)
        if options.engines:
            raise CapacityError("It does not fit.", {"dsp": built[-1]})
        return options.engines

    assert build_fitting(build, Options(unroll=unroll), Lines(log), Options.to_pipeline) is False
    assert built == tried
    assert "multipliers of its own for each contraction" in log.getvalue()
    with pytest.raises(CapacityError):  # where sharing makes no difference, nothing else is tried
        build_fitting(build, Options(unroll=unroll), Lines(log), lambda options: options.lane_share)


def test_fifos_are_not_sized_where_leaves_alone_do_not_fit_and_fewer_lanes_follow(source, tmp_path, monkeypatch):
    """What the error of the first attempt is if nothing fits, a sized design says."""
    commands, run = [], process.run

    def note(command, *rest, **others):
        outcome = run(command, *rest, **others)
        if any("refuse-unfit=True" in str(word) for word in command):
            commands.append((outcome.code, outcome.stderr))
        return outcome

    monkeypatch.setattr(process, "run", note)
    options = Options(device=card(tmp_path, dsp=2000, lut=60000), decision="rules")
    compile_program(source, None, options, tmp_path / "fits")
    assert [code for code, _ in commands] == [1, 0]
    assert re.search(r"\[size\.unfit\].*; lut [\d,]+ of 60,000 that can be placed", commands[0][1])
    monkeypatch.setattr("streamtensor.fitting.LIMIT_SECONDS", 0.0)
    assert "What takes most lut: task" in refusal(source, card(tmp_path, lut=3000), tile_size=4)


def test_one_states_lanes_or_a_share_of_the_devices():
    with pytest.raises(CompileError, match="unroll and lane_share are given together"):
        Options(unroll=8, lane_share=50)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(16, 16)

    def forward(self, x):
        return self.proj(x)


@pytest.mark.parametrize(
    ("module", "line"), [(Block(), "return self.proj(x)"), (Block().proj, "compile_program(module")]
)
@pytest.mark.parametrize("totals", [{"dsp": 1}, {"bram36": 0, "uram": 0, "lut": 500}], ids=["total", "buffer"])
def test_the_users_line_is_named(module, line, totals, tmp_path, monkeypatch):
    monkeypatch.setattr("streamtensor.fitting.LIMIT_SECONDS", 0.0)
    options = Options(device=card(tmp_path, **totals), unroll=64)
    with pytest.raises(DeviceError) as caught:
        compile_program(module, (torch.ones(8, 16),), options, tmp_path / "out")
    assert "site-packages/torch" not in str(caught.value)
    named = {int(number) for number in re.findall(rf"{re.escape(__file__)}:(\d+)", str(caught.value))}
    lines = Path(__file__).read_text().splitlines()
    assert named
    assert all(line in lines[number - 1] for number in named)


def advice_of(attempt, unroll: int | None = 64, limit: float = 60.0, progress: Progress | None = None) -> str:
    with (
        pytest.raises(CapacityError) as caught,
        advising(attempt, Options(unroll=unroll), progress or Progress(), limit),
    ):
        raise CapacityError("Too large.", {"lut": 9})
    return str(caught.value)


@pytest.mark.parametrize("room", [1, 2, 31, 62, 63])
@pytest.mark.parametrize("unroll", [64, None])
def test_bisection_ends_at_the_border(room, unroll):
    tried = []

    def attempt(tile_size, lanes, seconds):
        tried.append(lanes)
        if lanes > room:
            raise CapacityError("Too large.")

    assert f"The largest unroll that fits is {room} " in advice_of(attempt, unroll)
    assert len(tried) == len(set(tried)) <= 14


def test_what_was_not_tried_in_time_is_not_claimed():
    def attempt(tile_size, lanes, seconds):
        if lanes == 32:
            raise CapacityError("Too large.")
        if lanes > 1:
            raise TimeLimitError("Too slow.")

    advice = advice_of(attempt)
    assert "The largest unroll found to fit within 60 s is 1 (it was compiled and fits, 32 does not, and what" in advice


def test_without_time_nothing_is_claimed():
    assert "could be tried within 0 s" in advice_of(lambda *_: pytest.fail("no time was left"), limit=0.0)


def test_without_time_a_share_of_lanes_is_to_be_left_out():
    with pytest.raises(CapacityError) as caught, advising(None, Options(lane_share=100), Progress(), 0.0):
        raise CapacityError("Too large.", {"lut": 9})
    assert "within 0 s: leave lane_share (--lane-share) out, which tries ever fewer lanes" in str(caught.value)


def test_every_trial_is_shown(capsys):
    import sys

    advice_of(lambda *_: None, 2, progress=Lines(sys.stdout))
    assert capsys.readouterr().out.startswith("  tile_size 16, unroll 1: fits\nfit: ")
