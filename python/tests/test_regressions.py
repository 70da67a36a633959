# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs that once went wrong, as the fuzzer reduced them: see docs/fuzzing.md.

NAME.mlir names its options in the first line; NAME.npz holds arguments and the results that numpy finds. Every phase is
executed too.
"""

from __future__ import annotations

from pathlib import Path

import harness
import numpy as np
import pytest

DIRECTORY = Path(__file__).parent / "regressions"
PROGRAMS = sorted(path.stem for path in DIRECTORY.glob("*.mlir"))
TOLERANCE = 1e-5


@pytest.mark.parametrize("name", PROGRAMS)
def test_reduced_programs_give_what_numpy_gives(name: str, tmp_path) -> None:
    source = DIRECTORY / f"{name}.mlir"
    options = harness.options_of(source)
    design = tmp_path / "design.mlir"
    harness.optimise(source, design, dump_dir=tmp_path / "phases", **options).succeed(name)
    harness.simulate(design).succeed(name)
    # Random arguments: what matters is that the phases agree.
    harness.run_tool("streamtensor-run", *sorted((tmp_path / "phases").glob("*.mlir"))).succeed(name)
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    batch.build()
    with np.load(source.with_suffix(".npz")) as values:
        arguments = [values[f"arg{index}"] for index in range(sum(key.startswith("arg") for key in values))]
        for index, actual in enumerate(program(*arguments)):
            expected = values[f"result{index}"]
            if expected.dtype.kind == "f":
                assert harness.relative_error(np.asarray(actual, np.float64), expected) <= TOLERANCE
            else:
                np.testing.assert_array_equal(np.asarray(actual).astype(expected.dtype), expected)
