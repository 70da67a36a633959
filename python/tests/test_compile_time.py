# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`benchmarks/compile_time.py`: what it measures, and that limits are held against it."""

from __future__ import annotations

import json
import sys

import compile_time
import pytest
from compile_time import Cost, Layer


@pytest.mark.parametrize(
    ("cost", "layer", "is_over"),
    [
        (Cost(60.0, 2.0), Layer("gpt2-medium", 1024, 60.0, 2.0), False),
        (Cost(60.1, 1.0), Layer("gpt2-medium", 1024, 60.0, 2.0), True),
        (Cost(1.0, 2.1), Layer("gpt2-medium", 1024, 60.0, 2.0), True),
        (Cost(1.0, 9.0), Layer("smollm2", 16, 15.0), False),
        (Cost(1.0, 1.0, fits=False), Layer("smollm2", 16, 15.0), True),
    ],
)
def test_a_layer_is_over_its_limit_of_time_or_of_memory(cost, layer, is_over, monkeypatch, capsys):
    monkeypatch.setattr(compile_time, "LAYERS", (layer,))
    monkeypatch.setattr(compile_time, "measure", lambda layer, options: cost)
    monkeypatch.setattr(sys, "argv", ["compile_time.py", "--check", "--json"])
    assert compile_time.main() == is_over
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["is_met"] is not is_over
    assert (row["seconds"], row["peak_gib"], row["num_tokens"]) == (cost.seconds, cost.peak_gib, layer.num_tokens)


def test_the_peak_is_that_of_the_compilation(tmp_path, monkeypatch):
    program = "bytearray(2 << 30)"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text(f"#!/bin/sh\n/usr/bin/env python3 -c '{program}'\nexit 0\n")
    (tmp_path / "python").chmod(0o755)
    assert 1.9 < compile_time.compile_cold(tmp_path / "a.mlir", tmp_path / "out", []).peak_gib < 2.2


@pytest.mark.parametrize("said", ["it broke", "streamtensor: The design of a.mlir does not fit Alveo U55C."])
def test_of_compilations_that_fail_refusals_alone_are_timed(said, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text(f"#!/bin/sh\necho warned >&2; echo '{said}' >&2\nexit 3\n")
    (tmp_path / "python").chmod(0o755)
    if "fit" in said:
        assert not compile_time.compile_cold(tmp_path / "a.mlir", tmp_path / "out", []).fits
        return
    with pytest.raises(SystemExit, match=said):
        compile_time.compile_cold(tmp_path / "a.mlir", tmp_path / "out", [])
