# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens that are tuples, and tokens wider than a FIFO: every level and the native HLS C++, to the bit."""

from __future__ import annotations

import json
from pathlib import Path

import harness
import numpy as np
import pytest
from hls.lint import lint
from hls_native import ROOT

TUPLES = ROOT / "test/Conversion/ITensorToStream/tuples.mlir"
DOUBLES = ROOT / "test/Conversion/ITensorToStream/wide-tokens.mlir"


def device_with(directory: Path, **fifo: int) -> Path:
    """The card with other facts about FIFOs."""
    card = json.loads(harness.device_file().read_text())
    card["fifo"].update(fifo)
    path = directory / "card.json"
    path.write_text(json.dumps(card))
    return path


def widest_token(design: Path) -> int:
    fifos = json.loads(harness.simulate(design).succeed().stdout)["fifos"]
    return max(fifo["bits"] for fifo in fifos)


def run(source: Path, directory: Path, inputs: list[np.ndarray], **options: object) -> list[np.ndarray]:
    """The results of the native HLS C++, which the interpreter must give too at every level."""
    design = directory / "design.mlir"
    harness.optimise(source, design, dump_dir=directory, **options).succeed()
    levels = sorted(directory.glob("[0-9][0-9]-*.mlir"))
    batch = harness.Batch(directory)
    native = batch.add(harness.emit(design, directory / "out"))
    batch.build()
    results = native(*inputs)
    files = []
    for index, data in enumerate(inputs):
        np.save(directory / f"input{index}.npy", data)
        files.append(f"--input={directory / f'input{index}.npy'}")
    done = harness.run_tool("streamtensor-run", *levels, *files, f"--output-dir={directory / 'results'}").succeed()
    assert len(done.stdout) > 0
    for index, result in enumerate(results):
        expected = np.load(directory / "results" / f"result{index}.npy")
        assert np.array_equal(result.view(np.uint8), expected.view(np.uint8)), index
    sources = list((directory / "out/hls").glob("*.cpp"))
    assert sources
    for emitted in sources:
        assert not lint(emitted.read_text()), emitted
    return results


@pytest.mark.parametrize("bits", [4096, 200, 96, 32])
def test_tuples_travel_side_by_side(tmp_path: Path, bits: int) -> None:
    rng = np.random.default_rng(harness.seed())
    x, m = rng.standard_normal((8, 16)).astype(np.float32), rng.integers(0, 2, (8, 16)).astype(bool)
    card = device_with(tmp_path, token_bits=bits)
    masked, flags, again = run(TUPLES, tmp_path, [x, m], device=card, start_after="fuse")
    assert np.array_equal(masked, np.where(m, x, -x))
    assert np.array_equal(flags, m)
    assert np.array_equal(again, masked)
    # Eight floats and eight flags are 264 bits.
    assert widest_token(tmp_path / "design.mlir") <= bits
    assert bits < 264 or widest_token(tmp_path / "design.mlir") == 264


def unrolled(directory: Path, lanes: int) -> Path:
    """The doubles at phase tile, with other unroll factors than the compiler's own."""
    tiled = directory / "tiled.mlir"
    harness.optimise(DOUBLES, tiled, tile_size=128, unroll=4096, decision="rules", stop_after="tile").succeed()
    text = tiled.read_text()
    assert text.count("unroll = [1, 32]") == 2
    tiled.write_text(text.replace("unroll = [1, 32]", f"unroll = [1, {lanes}]"))
    return tiled


def check_doubles(results: list[np.ndarray], x: np.ndarray, w: np.ndarray) -> None:
    (y,) = results
    assert harness.relative_error(y, np.tanh(np.maximum(x, 0) @ w)) < 1e-12


def test_rows_of_128_doubles(tmp_path: Path) -> None:
    rng = np.random.default_rng(harness.seed())
    x, w = rng.standard_normal((8, 128)), rng.standard_normal((128, 128))
    check_doubles(run(unrolled(tmp_path, 128), tmp_path, [x, w], start_after="tile"), x, w)
    assert widest_token(tmp_path / "design.mlir") == 4096


@pytest.mark.parametrize("bits", [64, 100, 192, 320])
def test_any_width_will_do(tmp_path: Path, bits: int) -> None:
    """Parts of unequal sizes too: 8 lanes of 64 bits in FIFOs of 5 and 3."""
    rng = np.random.default_rng(harness.seed())
    x, w = rng.standard_normal((8, 128)), rng.standard_normal((128, 128))
    card = device_with(tmp_path, token_bits=bits)
    check_doubles(run(DOUBLES, tmp_path, [x, w], device=card, tile_size=16, unroll=512), x, w)
    assert widest_token(tmp_path / "design.mlir") == bits // 64 * 64
