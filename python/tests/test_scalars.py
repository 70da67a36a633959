# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Designs whose trip counts are scalars of the launch: interpreter, native C++ and both simulators, for every value."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import harness
import numpy as np
import pytest
import scalar_designs
import torch
from streamtensor.errors import RunError
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

DESIGNS = 8


def values_of(design: scalar_designs.ScalarDesign) -> list[dict[str, int]]:
    return [
        dict(zip(design.most, numbers, strict=True))
        for numbers in itertools.product(*(range(1, most + 1) for most in design.most.values()))
    ]


def size(text: str, directory: Path) -> Path:
    source, sized = directory / "design.mlir", directory / "sized.mlir"
    source.write_text(text)
    harness.size(source, sized).succeed()
    return sized


def check_values(
    interface: Interface, sized: Path, x: np.ndarray, expected: np.ndarray, values: dict[str, int]
) -> None:
    given, found = sized.with_name("x.npy"), sized.with_name("found.npy")
    np.save(given, x)
    np.save(found, expected)
    for options in ([], ["--pipelined"]):
        harness.run_tool(
            "streamtensor-run", sized, *harness.settings(values), *options, f"--input={given}", f"--compare={found}"
        ).succeed(str(values))
    (y,) = interface.execute([torch.from_numpy(x)], values)
    np.testing.assert_array_equal(as_tensor(y).numpy(), expected, err_msg=str(values))


def check_cycles(sized: Path, values: dict[str, int]) -> int:
    """Both simulators; and those of the design that has the values for good, which the verifier accepts."""
    stepped = harness.run_tool("streamtensor-test-sim", sized, *harness.settings(values)).succeed(str(values))
    assert "deadlock" not in stepped.stdout, (values, stepped.stdout)
    cycles = int(re.search(r": (\d+) cycles", stepped.stdout)[1])
    bound = sized.with_name("bound.mlir")
    option = "--dataflow-bind-scalars=values=" + ",".join(f"{name}={value}" for name, value in values.items())
    harness.run_tool("streamtensor-opt", sized, option, "-o", bound).succeed(str(values))
    again = harness.run_tool("streamtensor-test-sim", bound).succeed(str(values))
    assert f": {cycles} cycles" in again.stdout, (values, again.stdout)
    return cycles


@pytest.mark.parametrize("number", range(DESIGNS))
def test_random_designs_agree_for_every_value(number: int, tmp_path) -> None:
    design = scalar_designs.draw(harness.seed() + number)
    sized = size(design.text, tmp_path)
    harness.translate(sized, tmp_path / "out").succeed(design.text)
    interface = Interface(tmp_path / "out")
    x = np.random.default_rng(number).integers(-9, 9, design.shape).astype(np.float32)
    every = values_of(design)
    for values in every[:: -(-len(every) // 12)]:
        check_values(interface, sized, x, design.expect(x, values), values)
    for values in every[:: max(1, len(every) // 4)]:
        check_cycles(sized, values)


def test_fewer_trips_take_fewer_cycles(tmp_path) -> None:
    design = scalar_designs.draw(harness.seed())
    sized = size(design.text, tmp_path)
    least, most = ({name: pick(1, most) for name, most in design.most.items()} for pick in (min, max))
    assert check_cycles(sized, least) < check_cycles(sized, most)


def test_values_are_checked_before_a_run(tmp_path) -> None:
    design = scalar_designs.draw(harness.seed())
    harness.translate(size(design.text, tmp_path), tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    x = torch.zeros(design.shape)
    for scalars, message in (
        ({"n": 1}, "scalar 'm' has no value"),
        ({"n": 1, "m": 1, "k": 1}, "there is no scalar 'k'"),
        ({"n": 0, "m": 1}, "Scalar 'n' is 0; it must lie between 1 and"),
    ):
        with pytest.raises(RunError, match=message):
            interface.execute([x], scalars)
