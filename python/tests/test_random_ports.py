# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random designs with ports that are read and written, striped and shared: interpreter, native C++ and both simulators,
against numpy; and the printed C++ against the machine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import harness
import numpy as np
import port_designs
import pytest
from fuzz import model
from port_designs import PortDesign

DESIGNS = 16


def drawn(count: int = DESIGNS) -> list[PortDesign]:
    return [port_designs.draw(harness.seed() + number) for number in range(count)]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> list[tuple[PortDesign, Path, harness.Emitted]]:
    directory = tmp_path_factory.mktemp("ports")
    batch, found = harness.Batch(directory), []
    for design in drawn():
        source, sized = (directory / f"{design.seed}{suffix}" for suffix in (".mlir", "-sized.mlir"))
        source.write_text(design.text())
        harness.size(source, sized).succeed(f"{design}\n{design.text()}")
        found.append((design, sized, batch.add(harness.emit(sized, directory / f"{design.seed}"))))
    batch.build()
    return found


@pytest.mark.parametrize("number", range(DESIGNS))
def test_every_level_agrees(number: int, built, tmp_path) -> None:
    design, sized, native = built[number]
    print(design)
    given = design.inputs()
    expected = design.expect(*given)
    for array, wanted in zip(native(*given), expected, strict=True):
        np.testing.assert_array_equal(array, wanted)
    for index, array in enumerate(given):
        np.save(tmp_path / f"{index}.npy", array)
    words = [f"--input={tmp_path / str(index)}.npy" for index in range(len(given))]
    for options in ([], ["--pipelined"]):
        harness.run_tool("streamtensor-run", sized, *words, *options, f"--output-dir={tmp_path}").succeed(str(design))
        for index, wanted in enumerate(expected):
            np.testing.assert_array_equal(np.load(tmp_path / f"result{index}.npy"), wanted)
    machine = json.loads(harness.simulate(sized).succeed().stdout)
    stepped = harness.run_tool("streamtensor-test-sim", sized).succeed(str(design)).stdout
    assert re.search(r": (\d+) cycles", stepped)[1] == str(machine["cycles"])
    assert list(model.differences(machine, native.directory)) == []


def test_designs_are_varied() -> None:
    designs = drawn(200)
    assert {design.order for design in designs} == set(port_designs.ORDERS)
    for stripes in ("x_stripes", "kv_stripes", "y_stripes"):
        assert len({getattr(design, stripes) for design in designs}) >= 2
    for choice in ("has_z", "is_turned", "shares_y"):
        assert {getattr(design, choice) for design in designs} == {False, True}
    assert any(design.shares_y and design.x_stripes > 1 for design in designs)
    assert any(design.parts != design.read_parts for design in designs)
    assert any(design.parts == design.kv_stripes > 1 for design in designs)
