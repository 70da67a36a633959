# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extents that a launch gives: modules that mask what lies behind them, compiled once, run for every length."""

from __future__ import annotations

import re
from pathlib import Path

import harness
import numpy as np
import pytest
import torch
from streamtensor.frontend import export_module
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

LENGTH = "length"


class Masked(torch.nn.Module):
    """`at`, i32 [1]: how many rows count."""

    def seen(self, rows: int, at: torch.Tensor) -> torch.Tensor:
        return torch.arange(rows, dtype=torch.int32) < at[0]


class Sum(Masked):
    def forward(self, x, at):
        return torch.where(self.seen(x.shape[0], at)[:, None], x, 0.0).sum(0)


class Largest(Masked):
    def forward(self, x, at):
        return torch.where(self.seen(x.shape[0], at)[:, None], x, torch.finfo(x.dtype).min).amax(0)


class Sums(Masked):
    """Of each column, in rows: the extent is the last dimension."""

    def forward(self, x, at):
        return torch.where(self.seen(x.shape[0], at), x.T, 0.0).sum(1)


class Attention(Masked):
    def forward(self, x, at):
        query = x[0:1] * 0.5
        scores = torch.where(self.seen(x.shape[0], at), query @ x.T, torch.finfo(x.dtype).min)
        return torch.softmax(scores, -1) @ x


class Copy(torch.nn.Module):
    """Rows behind the length are not looked at."""

    def forward(self, x, at):
        return torch.exp(x)


MODULES = {"sum": Sum, "largest": Largest, "sums": Sums, "attention": Attention, "copy": Copy}
ROWS = {"sum": 40, "largest": 24, "sums": 48, "attention": 64, "copy": 32}


def lower(name: str, directory: Path, number: int) -> tuple[torch.nn.Module, Path]:
    """The sized design, at a tile size and with a number of lanes that the seed chooses."""
    module, chosen = MODULES[name](), np.random.default_rng(harness.seed() + number)
    x = torch.zeros(ROWS[name], int(chosen.choice((4, 6, 16))))
    text = export_module(module, (x, torch.ones(1, dtype=torch.int32)), extents={"x": (LENGTH, "")}).text
    source, sized = directory / "source.mlir", directory / "sized.mlir"
    source.write_text(text)
    options = f"tile-size={chosen.choice((4, 8, 16))} unroll={chosen.choice((2, 16, 64))}"
    words = [f"--streamtensor-pipeline={options}", f"--device={harness.device_file()}", "-o", sized]
    lowered = harness.run_tool("streamtensor-opt", source, *words).succeed(options)
    assert "warning" not in lowered.stderr, (options, lowered.stderr)
    return module, sized


def cycles(sized: Path, length: int) -> int:
    answer = harness.run_tool("streamtensor-sim", sized, f"--scalar={LENGTH}={length}").succeed()
    return int(re.search(r"(\d+) cycles", answer.stdout)[1])


@pytest.mark.parametrize("name", MODULES)
def test_every_length_gives_what_the_module_gives(name: str, tmp_path) -> None:
    """The interpreter, in order and with iterations that overlap; what lies behind the length is stale."""
    number = list(MODULES).index(name)
    module, sized = lower(name, tmp_path, number)
    generator = torch.Generator().manual_seed(number)
    rows = ROWS[name]
    arguments = harness.run_tool("streamtensor-opt", sized).succeed().stdout
    width = int(re.search(rf"tensor<{rows}x(\d+)xf32>", arguments)[1])
    for length in {1, 2, rows // 2, rows - 1, rows, *torch.randint(1, rows, (4,), generator=generator).tolist()}:
        x = torch.randn(rows, width, generator=generator)
        at = torch.tensor([length], dtype=torch.int32)
        expected = module(x, at).numpy().copy()
        x[length:] = 1e9
        np.save(tmp_path / "x.npy", x.numpy())
        np.save(tmp_path / "at.npy", at.numpy())
        for options in ([], ["--pipelined"]):
            found = interpret(sized, tmp_path, length, options)
            part = slice(0, length) if name == "copy" else slice(None)
            np.testing.assert_allclose(found[part], expected[part], rtol=1e-5, atol=1e-6, err_msg=f"{length}")


def interpret(sized: Path, directory: Path, length: int, options: list[str]) -> np.ndarray:
    words = [f"--scalar={LENGTH}={length}", f"--input={directory / 'x.npy'}", *options]
    words += [f"--input={directory / 'at.npy'}"] if "at" in sized.read_text() else []
    harness.run_tool("streamtensor-run", sized, *words, f"--output-dir={directory}").succeed(str(length))
    return np.load(directory / "result0.npy")


@pytest.mark.parametrize("name", MODULES)
def test_no_time_is_spent_behind_the_length(name: str, tmp_path) -> None:
    _, sized = lower(name, tmp_path, list(MODULES).index(name))
    granules = re.search(r"s0 ceildiv (\d+)", sized.read_text())
    granule = int(granules[1]) if granules else 1
    chosen = sorted({granule, 2 * granule, ROWS[name] // 2 // granule * granule, ROWS[name]})
    taken = [cycles(sized, length) for length in chosen]
    assert taken == sorted(taken) and len(set(taken)) == len(taken)
    assert cycles(sized, 1) == taken[0] and cycles(sized, granule + 1) == taken[1]


def test_the_native_design_takes_the_length(tmp_path) -> None:
    module, sized = lower("attention", tmp_path, 3)
    harness.translate(sized, tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    (scalar,) = interface.scalars
    assert (scalar["name"], scalar["low"], scalar["high"]) == (LENGTH, 1, ROWS["attention"])
    x = torch.randn(*interface.arguments[0].shape, generator=torch.Generator().manual_seed(3))
    for length in (1, 7, 33, ROWS["attention"]):
        at = torch.tensor([length], dtype=torch.int32)
        (found,) = interface.execute([x, at], {LENGTH: length})
        torch.testing.assert_close(as_tensor(found), module(x, at))
