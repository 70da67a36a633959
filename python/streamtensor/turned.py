# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch whose roundings to integers go the other way where floats are too near a boundary to say."""

from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from streamtensor.tolerances import TURN_REACH


class Turned(TorchDispatchMode):
    """Within, half of the floats that lie within reach of the boundary between two integers become the other one.

    `undecided` counts floats within reach.
    """

    def __init__(self, generator: torch.Generator, reach: float = TURN_REACH):
        super().__init__()
        self.undecided = 0
        self._generator, self._reach = generator, reach

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        found = operation(*arguments, **(keywords or {}))
        return self._turn(arguments[0], found) if operation is torch.ops.aten.round.default else found

    def _turn(self, given: torch.Tensor, rounded: torch.Tensor) -> torch.Tensor:
        near = ((given - rounded).abs() - 0.5).abs() <= self._reach
        self.undecided += int(near.sum())
        chosen = torch.rand(given.shape, generator=self._generator) < 0.5
        other = torch.where(rounded > given, rounded - 1, rounded + 1)
        return torch.where(near & chosen, other, rounded)
