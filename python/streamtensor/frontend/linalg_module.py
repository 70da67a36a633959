# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the front end hands on: Linalg text and the meaning of its arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch

from streamtensor.structure import Structure

INPUT = "input"
PARAMETER = "parameter"


@dataclass(frozen=True)
class Argument:
    """One argument or result of the program's `@main`."""

    name: str
    kind: str  # INPUT, PARAMETER; results are "output"
    dtype: torch.dtype
    shape: tuple[int, ...]
    bits: int | None = None  # of integers narrower than `dtype`, which holds them in host memory


@dataclass(frozen=True)
class Layers:
    """A program is one layer of a model with `count` of them; each has arguments of its own but for `shared` ones."""

    count: int
    shared: frozenset[str] = frozenset()


@dataclass
class LinalgModule:
    """A program as Linalg on tensors.

    `text` holds one `func.func @main` whose arguments are `arguments`, in order. `parameters` holds the values that
    the source bound to arguments of kind PARAMETER; it is empty where they are given per activation.
    """

    text: str
    arguments: list[Argument]
    results: list[Argument]
    parameters: dict[str, torch.Tensor] = field(default_factory=dict)
    structure: Structure | None = None  # of the results
    zeros: frozenset[str] = frozenset()  # tensors of the module that the program takes to be 0
    traced: str = ""  # a digest of what PyTorch traced: modules alike in it and in `zeros` have the same text

    @property
    def inputs(self) -> list[Argument]:
        return [argument for argument in self.arguments if argument.kind == INPUT]

    def save(self, path: str | Path) -> Path:
        path = Path(path)
        path.write_text(self.text)
        return path
