# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop of a program over launches is one kernel: interpreter, native C++ and a card find what numpy finds, in the sum
of the launches' cycles."""

from __future__ import annotations

import itertools
import json
import subprocess

import harness
import numpy as np
import pytest
import torch
from hls_native import ROOT, compiler
from host_program import Card, build_stand_in, write_data
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

SOURCE = ROOT / "test/Target/HLSCpp/launch-loop.mlir"
RANGES = {"tokens": range(1, 5), "position": range(5), "turns": range(1, 5), "heads": range(2)}
H = np.array([3, -1, 4, 1], dtype=np.int32)


def expected(tokens: int, position: int, turns: int, heads: int) -> list[np.ndarray]:
    """What is not written stays as it was, before the first turn nothing: h, s, log."""
    h, s, log = H.copy(), np.zeros(4, np.int32), np.zeros(8, np.int32)
    for turn in range(turns):
        s[:tokens] = h[:tokens] + position + turn
        if heads:
            h[:], log[position + turn] = 2 * s, s[0]
    return [h, s, log]


def cases() -> list[dict[str, int]]:
    return [dict(zip(RANGES, numbers, strict=True)) for numbers in itertools.product(*RANGES.values())]


@pytest.fixture(scope="module")
def sized(tmp_path_factory):
    path = tmp_path_factory.mktemp("loop") / "sized.mlir"
    harness.size(SOURCE, path).succeed()
    return path


@pytest.fixture(scope="module")
def out(sized):
    harness.translate(sized, sized.with_name("out")).succeed()
    return sized.with_name("out")


def test_native_runs_hand_tensors_from_turn_to_turn(out):
    interface = Interface(out)
    assert list(interface.designs) == ["layers_head_loop"]
    for values in cases()[::3]:
        found = interface.execute([torch.from_numpy(H)], values)
        for tensor, wanted in zip(found, expected(**values), strict=True):
            np.testing.assert_array_equal(as_tensor(tensor).numpy(), wanted, err_msg=str(values))


def test_the_interpreter_does_the_same(sized, tmp_path):
    np.save(tmp_path / "h.npy", H)
    for values in cases()[::7]:
        for number, tensor in enumerate(expected(**values)):
            np.save(tmp_path / f"{number}.npy", tensor)
        words = [f"--input={tmp_path / 'h.npy'}", *(f"--compare={tmp_path / f'{number}.npy'}" for number in range(3))]
        harness.run_tool("streamtensor-run", sized, *harness.settings(values), *words).succeed(str(values))


def cycles(sized, *options: str) -> dict[str, int]:
    done = harness.run_tool("streamtensor-sim", sized, "--json", *options).succeed()
    data = json.loads(done.stdout)
    return data | {"designs": {design["name"]: design for design in data["designs"]}}


def test_cycles_are_those_of_each_launch_in_turn(sized):
    once = cycles(sized, *harness.settings({"tokens": 3, "position": 0, "turns": 1, "heads": 1}))
    layers, head = (once["designs"][name]["cycles"] for name in ("layers", "head"))
    assert once["cycles"] == layers + head
    for turns, heads in itertools.product(RANGES["turns"], RANGES["heads"]):
        found = cycles(sized, *harness.settings({"tokens": 3, "position": 0, "turns": turns, "heads": heads}))
        assert found["cycles"] == turns * (layers + heads * head)
        assert found["launches"] == turns * (1 + heads)


def test_the_designs_of_a_kernel_are_on_the_card_together(sized):
    found = cycles(sized)
    used = {name: design["resources"]["lut"]["used"] for name, design in found["designs"].items()}
    assert found["resources"]["lut"]["used"] == pytest.approx(sum(used.values()), abs=len(used))  # each is rounded up


def test_a_card_is_started_once(tmp_path_factory):
    directory = tmp_path_factory.mktemp("card")
    card = Card.of(SOURCE.read_text(), directory, build_stand_in(tmp_path_factory.mktemp("xrt")))
    values = {"tokens": 4, "position": 2, "turns": 3, "heads": 1}
    data = write_data(directory / "data", [H])
    done = card.run(data, *(f"{name}={value}" for name, value in values.items()))
    assert done.code == 0, done.error
    for number, wanted in enumerate(expected(**values)):
        np.testing.assert_array_equal(np.fromfile(data / f"result{number}.bin", np.int32), wanted)
    assert done.log.count("launch layers_head_loop") == 1


def test_the_generated_makefile_builds_the_loop(out):
    make = ["make", "-C", out / "hls", f"CXX={compiler()}", "CXXFLAGS=-std=c++17 -O0", "native"]
    subprocess.run(make, check=True, capture_output=True)
