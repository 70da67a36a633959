# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NaN and infinity are where PyTorch has them: natively, and in the interpreter at every phase."""

from __future__ import annotations

import harness
import module_batch
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

nan, inf = float("nan"), float("inf")
x = torch.tensor([[1.0, nan, 3.0, -2.0], [nan, nan, nan, nan], [4.0, 5.0, nan, nan], [-1.0, inf, -inf, 0.0]])
y = torch.tensor([[nan, 0.0, 1.0, -3.0], [1.0, 2.0, 3.0, nan], [4.0, 5.0, 6.0, 7.0], [nan, -inf, 1.0, nan]])
torch.manual_seed(0)
row = torch.randn(3, 70)
row[0, 65] = row[0, 69] = row[2, 0] = nan

CASES: dict[str, module_batch.Case] = {
    "clamp": (lambda x: x.clamp(-1, 2), [x]),
    "clamp-below": (lambda x: x.clamp(min=0), [x]),
    "clamp-above": (lambda x: x.clamp(max=0), [x]),
    "clamp-crossed": (lambda x: x.clamp(2, 1), [x]),
    "clamp-by-tensor": (lambda x, y: x.clamp(min=y), [x, y]),
    "clamp-by-tensors": (lambda x, y: torch.clamp(x, y - 1, y), [x, y]),
    "clamp-half": (lambda x: x.half().clamp(-1, 1), [x]),
    "clamp-bf16": (lambda x: x.bfloat16().clamp(-1, 1), [x]),
    "clamp-double": (lambda x: x.double().clamp(-1, 1), [x]),
    "maximum": (torch.maximum, [x, y]),
    "minimum": (torch.minimum, [x, y]),
    "maximum-broadcast": (lambda x, y: torch.maximum(x, y[0]), [x, y]),
    "fmax": (torch.fmax, [x, y]),
    "fmin": (torch.fmin, [x, y]),
    "fmax-of-integers": (lambda x: torch.fmax(x, torch.arange(4)), [x]),
    "largest": (lambda x: (x.max(), x.amax(-1), x.amax(0)), [x]),
    "smallest": (lambda x: (x.min(), x.amin(-1), x.amin(0)), [x]),
    "argmax": (lambda x: (x.argmax(-1), x.argmax(0), x.argmax()), [x]),
    "argmin": (lambda x: (x.argmin(-1), x.argmin(0), x.argmin()), [x]),
    "argmax-long": (lambda x: (x.argmax(-1), x.argmin(-1)), [row]),
    "max-and-index": (lambda x: tuple(x.max(-1)), [row]),
    "min-and-index": (lambda x: tuple(x.min(0)), [x]),
    "argmax-half": (lambda x: x.half().argmax(-1), [x]),
    "relu": (torch.relu, [x]),
    "relu6": (functional.relu6, [x]),
    "leaky-relu": (functional.leaky_relu, [x]),
    "hardtanh": (functional.hardtanh, [x]),
    "hardsigmoid": (functional.hardsigmoid, [x]),
    "hardswish": (functional.hardswish, [x]),
    "threshold": (lambda x: functional.threshold(x, 0.5, 7.0), [x]),
    "max-pool": (nn.MaxPool2d(2), [x[None, None]]),
    "max-pool-padded": (nn.MaxPool1d(2, stride=1, padding=1), [x[None]]),
    "max-pool-indices": (nn.MaxPool2d(2, return_indices=True), [x[None, None]]),
    "max-pool-indices-padded": (nn.MaxPool1d(3, stride=1, padding=1, return_indices=True), [x[None]]),
    "adaptive-max-pool": (nn.AdaptiveMaxPool2d(2), [x[None, None]]),
    "softmax": (lambda x: torch.softmax(x, -1), [x]),
    "compare": (lambda x, y: (x > y, x >= y, x < y, x <= y, x == y, x != y), [x, y]),
    "roots": (lambda x: (x**0.5, x.sqrt(), x**-0.5), [x]),
    "close": (lambda x, y: (torch.isclose(x, y), torch.isclose(y, x, equal_nan=True)), [x, y]),
    "close-to-infinity": (
        torch.isclose,
        [torch.tensor([1, inf, inf, -inf, 1]), torch.tensor([inf, 1, inf, inf, 1.000001])],
    ),
    "sign": (torch.sign, [x]),
    "select": (lambda x: torch.where(x > 0, x, 0.0), [x]),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    directory = tmp_path_factory.mktemp("nan")
    return directory, module_batch.build(CASES, directory)


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, built):
    built[1][name].check(1e-3 if "half" in name or "bf16" in name else 1e-6)


def _save(path, value: torch.Tensor):
    np.save(path, value.numpy())
    return path


@pytest.mark.parametrize("name", [name for name in CASES if "bf16" not in name])
def test_every_phase_agrees_with_pytorch(name, built, tmp_path):
    program = built[1][name]
    given = [_save(tmp_path / f"arg{index}.npy", value) for index, value in enumerate(program.inputs)]
    results = program.module(*program.inputs)
    results = results if isinstance(results, tuple) else (results,)
    expected = [_save(tmp_path / f"result{index}.npy", value) for index, value in enumerate(results)]
    directory = built[0] / name
    harness.run_tool(
        "streamtensor-run",
        directory / "program.mlir",
        *sorted(directory.glob("[0-9][0-9]-*.mlir")),
        *(f"--input={path}" for path in given),
        *(f"--compare={path}" for path in expected),
    ).succeed(name)
