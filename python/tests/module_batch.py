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
from streamtensor.frontend import LinalgModule, export_module

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
        with torch.no_grad():
            leaves = torch.utils._pytree.tree_leaves(self.module(*self.inputs))
        expected = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        found = self.run()
        assert len(found) == len(expected)
        for actual, wanted in zip(found, expected, strict=True):
            array = to_numpy(wanted)
            # In the program integers have no sign.
            actual = actual.view(array.dtype) if actual.dtype.itemsize == array.dtype.itemsize else actual
            assert actual.dtype == array.dtype
            assert harness.relative_error(actual, array) <= tolerance

    def run(self) -> list[np.ndarray]:
        state = self.module.state_dict() | dict(self.module.named_buffers())
        given = iter(self.inputs)
        values = [state[a.name] if a.kind == "parameter" else next(given) for a in self.text.arguments]
        stored = [a["dtype"] for a in self.program.interface["main"]["arguments"]]
        arrays = [to_numpy(value) for value in values]
        return self.program(*(a.view(harness.dtype(name)) for a, name in zip(arrays, stored, strict=True)))


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
