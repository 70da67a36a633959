# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions and modules of PyTorch through the whole compiler, compiled together and compared with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import harness
import ml_dtypes
import numpy as np
import torch
from streamtensor.frontend import LinalgModule, export_module, flat_state

Case = tuple[Callable, Sequence[torch.Tensor]]


class Function(torch.nn.Module):
    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


@dataclass
class Built:
    """A module beside its emitted program."""

    module: torch.nn.Module
    inputs: tuple[torch.Tensor, ...]
    text: LinalgModule
    program: harness.Emitted

    def check(self, tolerance: float) -> None:
        """Compares every result: shape, type and, up to `tolerance` of the largest value, elements."""
        wrong = difference(self.run(), expected(self.module, self.inputs), tolerance)
        assert wrong is None, wrong

    def run(self) -> list[np.ndarray]:
        return execute(self.program, arguments(self.module, self.inputs, self.text))


def arguments(module: torch.nn.Module, inputs: Sequence[torch.Tensor], text: LinalgModule) -> list[np.ndarray]:
    """What the program of a module is given."""
    given = iter(inputs)
    state = dict(flat_state.named_tensors(module))
    return [to_numpy(state[a.name] if a.kind == "parameter" else next(given)) for a in text.arguments]


@torch.no_grad()
def expected(module: torch.nn.Module, inputs: Sequence[torch.Tensor]) -> list[np.ndarray]:
    """What PyTorch gives."""
    leaves = torch.utils._pytree.tree_leaves(module(*inputs))
    return [to_numpy(leaf) for leaf in leaves if isinstance(leaf, torch.Tensor)]


def execute(program: harness.Emitted, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    stored = [a["dtype"] for a in program.interface["main"]["arguments"]]
    return program(*(a.view(harness.dtype(name)) for a, name in zip(arrays, stored, strict=True)))


def difference(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray], tolerance: float) -> str | None:
    """What is wrong with results, if something is."""
    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)}"
    for index, (actual, array) in enumerate(zip(found, wanted, strict=True)):
        # In the program integers have no sign.
        actual = actual.view(array.dtype) if actual.dtype.itemsize == array.dtype.itemsize else actual
        if actual.dtype != array.dtype:
            return f"result {index} is of {actual.dtype}, not {array.dtype}"
        error = harness.relative_error(actual, array)
        if not error <= tolerance:
            return f"result {index} is {error:.2e} of its largest value off, more than {tolerance:g}"
    return None


def to_numpy(value: torch.Tensor) -> np.ndarray:
    value = value.detach().contiguous()
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return value.numpy()


def build(cases: Mapping[str, Case], directory: Path, **options: object) -> dict[str, Built]:
    """Every case to the end of the pipeline, sizes included, compiled as one batch."""
    options = {"tile_size": 8, "unroll": 16, **options}
    batch, found = harness.Batch(directory), {}
    for name, (function, inputs) in cases.items():
        module = function if isinstance(function, torch.nn.Module) else Function(function)
        text = export_module(module.eval(), tuple(inputs))
        design = harness.lower(text.text, directory / name, **options)
        program = batch.add(harness.emit(design, directory / name / "out"))
        found[name] = Built(module, tuple(inputs), text, program)
    batch.build()
    return found
