# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of external memory between groups, and of vectors that fill no word: same results, fewer cycles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import harness
import numpy as np
import pytest
from fuzz.compiler import CLEAR_REASONS, Options
from fuzz.generator import generate

PROGRAMS = 24
# One operation alone may need a converter.
REASONS = (*CLEAR_REASONS, "more than the device has on chip")


def lower_in_groups(
    text: str, directory: Path, options: str = "", start_after: str = "fuse", device: Path | None = None
) -> Path | None:
    """Every converter starts a group of its own; none where the compiler refuses the program. Phases lie beside it."""
    directory.mkdir()
    source, kernels, fused, design = (directory / f"{n}.mlir" for n in ("program", "kernels", "fused", "design"))
    source.write_text(text)
    common = f"device={device or harness.device_file()} {options}"
    stages = [
        (source, f"--streamtensor-pipeline={common} stop-after=kernel", kernels),
        (kernels, "--streamtensor-fuse-kernels=max-bytes=1", fused),
        (fused, f"--streamtensor-pipeline={common} start-after={start_after} dump-dir={directory}", design),
    ]
    for given, passes, wanted in stages:
        done = harness.run_tool("streamtensor-opt", given, passes, "-o", wanted)
        if done.code != 0 and any(reason in done.stderr for reason in REASONS):
            return None
        done.succeed(text)
    return design


def execute(phases: list[Path], directory: Path, seed: int) -> list[np.ndarray]:
    """Results of the last phase; every phase agrees with the one before."""
    done = harness.run_tool("streamtensor-run", *phases, f"--seed={seed}", f"--output-dir={directory / 'results'}")
    assert done.code == 0 and "differs from" not in done.stdout, done.stdout + done.stderr
    return [np.load(path) for path in sorted((directory / "results").glob("result*.npy"))]


def transfers(text: str) -> Iterator[str]:
    """Lines of the IR that move tensors between kernels."""
    return (line for line in text.splitlines() if "itensor.from_tensor" in line or "itensor.to_tensor" in line)


def test_random_programs_in_groups_agree_at_every_level(tmp_path):
    first = harness.seed() % 1_000_000
    groups, packed, words = [], 0, 0
    for seed in range(first, first + PROGRAMS):
        print(f"seed {seed}")
        directory = tmp_path / str(seed)
        design = lower_in_groups(generate(seed).text(), directory, Options.of(seed).text())
        if design is None or "dataflow.kernel" not in (directory / "fused.mlir").read_text():
            continue
        phases = [directory / "fused.mlir", *sorted(directory.glob("[0-9][0-9]-*.mlir"))]
        execute(phases, directory, seed)
        groups.append((directory / "fused.mlir").read_text().count("dataflow.kernel"))
        packed += any(" packed" in line for line in transfers(harness.phase_text(directory, "pack")))
        words += any(" lanes " in line for line in transfers(harness.phase_text(directory, "optimise")))
    print(f"groups {groups}, {packed} programs with packed tensors, {words} with padded words")
    assert max(groups) > 1 and packed > PROGRAMS // 4 and words > PROGRAMS // 8


CHAIN = """
func.func @main(%x: tensor<{m}x{k}xf32>, %w: tensor<{k}x{n}xf32>, %v: tensor<{k}x{m}xf32>) -> tensor<{k}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %h = linalg.matmul ins(%x, %w : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %g = tensor.empty() : tensor<{k}x{n}xf32>
  %i = linalg.fill ins(%zero : f32) outs(%g : tensor<{k}x{n}xf32>) -> tensor<{k}x{n}xf32>
  %y = linalg.matmul ins(%v, %h : tensor<{k}x{m}xf32>, tensor<{m}x{n}xf32>) outs(%i : tensor<{k}x{n}xf32>) -> tensor<{k}x{n}xf32>
  return %y : tensor<{k}x{n}xf32>
}}
"""  # noqa: E501


def cycles(design: Path) -> int:
    return json.loads(harness.simulate(design).succeed().stdout)["cycles"]


def test_packed_groups_take_fewer_cycles(tmp_path):
    text = CHAIN.format(m=32, k=64, n=96)
    row_major = lower_in_groups(text, tmp_path / "row-major", "unroll=64", start_after="pack")
    packed = lower_in_groups(text, tmp_path / "packed", "unroll=64")
    assert packed.read_text().count("dataflow.launch") == 2
    assert cycles(packed) < 0.8 * cycles(row_major)


def with_port(bits: int, path: Path) -> Path:
    """The device with memory ports of another width."""
    device = json.loads(harness.device_file().read_text())
    device["memory_port"]["bits"] = bits
    path.write_text(json.dumps(device))
    return path


@pytest.mark.parametrize("port_bits", [128, 512])
@pytest.mark.parametrize("shape", [(15, 30, 27), (7, 45, 33), (12, 20, 40), (9, 14, 22)])
def test_odd_rows_are_words_natively(shape, port_bits, tmp_path):
    m, k, n = shape
    text, device = CHAIN.format(m=m, k=k, n=n), with_port(port_bits, tmp_path / "device.json")
    design = lower_in_groups(text, tmp_path / "odd", "unroll=256 tile-size=64", device=device)
    assert " lanes " in harness.phase_text(tmp_path / "odd", "optimise")
    batch = harness.Batch(tmp_path)
    program = batch.add(harness.emit(design, tmp_path / "out"))
    widths = re.findall(r"hls::vector<float, (\d+)> \*", "".join(p.read_text() for p in tmp_path.rglob("*.h")))
    assert widths and max(int(width) * 32 for width in widths) <= port_bits  # and some port has words at all
    batch.build()
    generator = np.random.default_rng(m)
    x, w, v = (generator.standard_normal(s, np.float32) for s in ((m, k), (k, n), (k, m)))
    (found,) = program(x, w, v)
    assert harness.relative_error(found, v @ (x.astype(np.float64) @ w)) < 1e-5
