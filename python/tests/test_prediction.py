# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles between simulated positions: near what a simulation gives there, and few simulations where they are lines.
Shares of memory and lanes, energy and speed, by hand."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import streamtensor as st
from streamtensor import paths
from streamtensor.frontend import models
from streamtensor.options import Options
from streamtensor.prediction import Passes, Speed, between, describe, predict, sample
from streamtensor.simulation import Simulation

ROWS = range(4, 2052, 4)
# A stage that grows takes over from one that does not; two that grow; one that jumps, as a burst more does.
CURVES = {
    "constant": lambda rows: 5000,
    "line": lambda rows: 900 + 3 * rows,
    "bend": lambda rows: max(4000, 100 + 5 * rows),
    "two bends": lambda rows: max(3000, 2 * rows, 7 * rows - 8000),
    "jump": lambda rows: 4000 + rows + (150 if rows > 1300 else 0),
    "square": lambda rows: 2000 + rows * rows // 100,
}


@pytest.mark.parametrize("name", CURVES)
def test_between_samples_the_error_is_at_most_one_percent(name) -> None:
    asked = []

    def simulate(rows: int) -> int:
        asked.append(rows)
        return CURVES[name](rows)

    found = sample(ROWS, simulate)
    assert len(asked) == len(set(asked)) == len(found) <= 65
    for rows in ROWS:
        assert between(found, rows) == pytest.approx(CURVES[name](rows), rel=0.01), rows


def test_lines_need_few_simulations() -> None:
    assert len(sample(ROWS, CURVES["line"])) == 9


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_few_positions_are_simulated_each(count) -> None:
    assert list(sample(range(count), lambda rows: 3 * rows)) == list(range(count))


@pytest.fixture(scope="module")
def passes(tmp_path_factory):
    model = models.random_causal_lm(models.tiny_llama_config())
    options, out = (
        Options(tile_size=4, unroll=64, decision="rules", compare=False),
        tmp_path_factory.mktemp("tiny") / "out",
    )
    llm = st.compile_llm(model, None, 61, tokens_per_pass=4, options=options, out=out)
    return Passes(llm.design, 4, 58)


def test_the_error_on_a_design_is_at_most_one_percent(passes) -> None:
    """At the first positions of tiles that were not simulated."""
    known = {each.rows for each in passes.samples if each.tokens == 1}
    places = [position for position in range(5, 61, 4) if passes.rows(position) not in known]
    assert len(places) >= 4
    for position in places:
        assert passes.cycles(1, position) == pytest.approx(passes.simulate(1, position), rel=0.01), position


def test_a_pass_is_simulated_with_the_scalars_of_its_launch(passes) -> None:
    """The first position of a tile takes as long as its last, and longer than the last of the tile before."""
    found = [passes.simulate(1, position) for position in (52, 53, 56)]
    assert found[0] < found[1] == found[2]
    assert passes.simulate(4, 0) > passes.simulate(1, 0)


class ByHand:
    """A design at 100 MHz whose passes of one token take 1,000 cycles and 10 for each row of the cache.

    A pass moves 4,000 bytes and 40 for each row, and does 600 multiply-adds in lanes of 2 DSPs, of which 3 can be
    placed, and 200 in lanes of LUTs, of which there are 2.
    """

    def __init__(self, directory, energy):
        sizes = {"layers": 2, "max_context": 32, "tokens_per_pass": 1}
        self.manifest = sizes | {"clock_mhz": 100.0, "model": "M", "card": "C"}
        self.directory, self.head = directory, None
        scalars = [{"name": "context", "low": 1, "high": 32, "step": 1}]
        main = {"layers": 2, "scalars": scalars, "steps": [{"op": "launch"}]}
        (directory / "interface.json").write_text(json.dumps({"main": main}))
        device = json.loads((paths.devices_directory() / "u55c.json").read_text())
        device["host_launch_us"]["value"] = 10
        device["energy"].update(energy or {})
        if energy is None:
            del device["energy"]
        (directory / "device.json").write_text(json.dumps(device))

    def read(self, name):
        return json.loads((self.directory / name).read_text())

    def simulate(self, timeline, on_chip_io, scalars):
        rows, card = scalars["context"], {"bytes_per_second": 1e9}
        in_dsps = {"multiply_adds": 600, "dsps_per_lane": 2.0, "lanes": 1, "placeable_lanes": 3}
        in_luts = {"multiply_adds": 200, "dsps_per_lane": 0.0, "lanes": 2, "external_bytes": 0}
        roofs = [card | in_dsps | {"external_bytes": 4000 + 40 * rows}, card | in_luts]
        return Simulation(1000 + 10 * rows, 0.0, [], [], {}, {"designs": [{"roofline": roof} for roof in roofs]})


FIGURES = {"static_watts": 2.0, "byte_pj": 100.0, "dsp_pj": 5.0}


def test_shares_and_energy_of_each_part_of_a_text(tmp_path) -> None:
    """Two tokens of prompt, at 1 row each; then passes at 2 to 4 rows: 1,020 to 1,040 cycles, and 10 us to start."""
    found = predict(ByHand(tmp_path, FIGURES), 2, 4)
    prompt, answer = found.prompt, found.answer
    assert prompt.seconds == pytest.approx(2 * (10.1e-6 + 10e-6))
    assert answer.seconds == pytest.approx(30.9e-6 + 3 * 10e-6)
    assert (prompt.external_bytes, answer.external_bytes) == (2 * 4040, 3 * 4000 + 40 * (2 + 3 + 4))
    assert (prompt.multiply_adds, answer.multiply_adds) == (1600, 2400)
    assert prompt.memory_share == pytest.approx(8080 / (40.2e-6 * 1e9))
    assert answer.memory_share == pytest.approx(12360 / (60.9e-6 * 1e9))
    # A pass takes 600 / 3 cycles of all lanes of DSPs and 200 / 2 of those of LUTs.
    assert prompt.lane_share == pytest.approx(2 * 300 / (40.2e-6 * 100e6))
    assert answer.lane_share == pytest.approx(3 * 300 / (60.9e-6 * 100e6))
    # 2 W all the time, 100 pJ a byte, 5 pJ for each of 2 x 600 operations of DSPs in a pass.
    assert prompt.joules == pytest.approx(80.4e-6 + 808e-9 + 12e-9)
    assert answer.joules == pytest.approx(121.8e-6 + 1236e-9 + 18e-9)
    assert found.joules_per_token == pytest.approx(answer.joules / 3)
    assert prompt.watts == pytest.approx(prompt.joules / 40.2e-6)
    assert found.watts == pytest.approx((prompt.joules + answer.joules) / 101.1e-6)
    text = describe(found)
    assert "share of memory       20.1% to the first token, 20.3% after it, of 1 GB/s" in text
    assert "share of lanes        14.9% to the first token, 14.8% after it, of those that can be placed" in text
    assert "energy, estimated     8.12e-05 J to the first token, 4.1e-05 J for each token after it;" in text
    assert "2.0 W on average, 2 W of them at rest" in text


def test_the_speed_at_each_position_that_was_simulated(tmp_path) -> None:
    found = predict(ByHand(tmp_path, FIGURES), 2, 4)
    expected = {rows: 1 / ((1000 + 10 * rows) / 100e6 + 10e-6) for rows in (1, 2, 3, 4)}
    assert found.over_context == [Speed(rows, pytest.approx(speed)) for rows, speed in expected.items()]
    assert "  at positions        49,751.2 at 1, 49,505.0 at 2, 49,261.1 at 3, 49,019.6 at 4\n" in describe(found)
    assert [each["position"] for each in found.to_json()["over_context"]] == [1, 2, 3, 4]


def test_tokens_of_a_launch_share_its_start(tmp_path) -> None:
    design = ByHand(tmp_path, FIGURES)
    design.manifest["answer"] = {"turns": 4}
    assert predict(design, 2, 4).over_context[0].tokens_per_second == pytest.approx(1 / (10.1e-6 + 2.5e-6))


def test_bytes_between_samples_lie_on_the_line(tmp_path) -> None:
    passes = Passes(ByHand(tmp_path, FIGURES), 1, 32)
    sampled = {each.rows for each in passes.samples}
    assert 7 not in sampled
    assert len(sampled) == 9
    work = passes.work(1, 7)
    assert (work.external_bytes, work.multiply_adds, work.dsp_operations, work.lane_cycles) == (4280, 800, 1200, 300)
    assert max(each.external_bytes for each in passes.samples) == 4000 + 40 * 31


def test_a_long_context_is_shown_at_nine_positions(tmp_path) -> None:
    found = predict(ByHand(tmp_path, FIGURES), 1, 32)
    found.over_context.extend(Speed(100 + place, 1.5) for place in range(50))
    lines = describe(found).splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("  at positions"))
    shown = " ".join(lines[first : next(place for place, line in enumerate(lines) if line.startswith("latency"))])
    assert shown.count(" at ") - 1 == 9
    assert "49,751.2 at 1," in shown
    assert shown.endswith("1.5 at 149")
    assert max(map(len, lines)) <= 120


def test_nothing_follows_the_only_new_token(tmp_path) -> None:
    found = predict(ByHand(tmp_path, FIGURES), 2, 1)
    assert (found.tokens_per_second, found.answer, found.joules_per_token, found.over_context) == (None, None, None, [])
    text = describe(found)
    assert "tokens per second     none: no token follows the first" in text
    assert "after" not in text
    data = json.loads(json.dumps(found.to_json()))
    assert (data["tokens_per_second"], data["answer"]) == (None, None)
    assert data["prompt"]["joules"] == pytest.approx(81.22e-6)


def test_a_card_whose_file_says_nothing_of_energy(tmp_path) -> None:
    found = predict(ByHand(tmp_path, None), 2, 4)
    assert (found.watts, found.joules_per_token, found.prompt.joules, found.answer.watts) == (None, None, None, None)
    assert found.answer.memory_share > 0
    assert "energy                not known of this card" in describe(found)
    assert found.to_json()["known"]["energy"] == "not known of this card"


def test_the_head_moves_and_computes_too(tmp_path, monkeypatch) -> None:
    """500 bytes and 50 multiply-adds of one DSP for each new token, the first one among them."""
    design = ByHand(tmp_path, FIGURES)
    design.head = tmp_path / "head"
    design.head.mkdir()
    (design.head / "interface.json").write_text(json.dumps({"main": {"steps": [{"op": "launch"}]}}))
    roof = {"multiply_adds": 50, "dsps_per_lane": 1.0, "lanes": 5, "placeable_lanes": 5, "external_bytes": 500}
    found = Simulation(100, 0.0, [], [], {}, {"designs": [{"roofline": roof}]})
    stored = lambda directory: SimpleNamespace(simulate=lambda timeline, on_chip_io: found)  # noqa: E731
    monkeypatch.setattr("streamtensor.prediction.StoredDesign", stored)
    found_all = predict(design, 2, 4)
    prompt, answer = found_all.prompt, found_all.answer
    assert prompt.external_bytes == 2 * 4040 + 500
    assert answer.external_bytes == 12360 + 3 * 500
    assert (prompt.multiply_adds, answer.multiply_adds) == (1650, 2550)
    assert prompt.joules == pytest.approx(2 * (40.2e-6 + 11e-6) + 858e-9 + 12.25e-9)
    assert found_all.over_context[0].tokens_per_second == pytest.approx(1 / (11.1e-6 + 20e-6))
