# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of 2 or 4 bits as the memory of a card has them: several to a byte, the first in the lowest bits.

PyTorch holds them one to a byte, extended by their signs.
"""

from __future__ import annotations

from streamtensor import lazy_torch as torch
from streamtensor.errors import RunError

WIDTHS = (2, 4)


def share_all(tensors: dict[str, torch.Tensor], bits: dict[str, int]) -> dict[str, torch.Tensor]:
    """Those of `tensors` that `bits` names as bytes, if they fill whole ones."""
    fitting = {name: width for name, width in bits.items() if tensors[name].numel() * width % 8 == 0}
    return {name: share(t, fitting[name]) if name in fitting else t for name, t in tensors.items()}


def share(values: torch.Tensor, bits: int) -> torch.Tensor:
    """`values`, int8 of any shape, as bytes, uint8 in one dimension."""
    check(values, bits)
    each = 8 // bits
    parts = values.reshape(-1, each).view(torch.uint8) & ((1 << bits) - 1)
    shared = parts[:, 0].clone()
    for place in range(1, each):
        shared |= parts[:, place] << (bits * place)
    return shared


def own(shared: torch.Tensor, bits: int, shape: tuple[int, ...]) -> torch.Tensor:
    """The inverse of `share`: int8 in `shape`."""
    high = 8 - bits
    parts = [(shared << (high - bits * place)).view(torch.int8) >> high for place in range(8 // bits)]
    return torch.stack(parts, -1).reshape(shape)


def check(values: torch.Tensor, bits: int, name: str = "a tensor") -> None:
    """Refuses what a design would cut to other numbers."""
    if values.numel() == 0:
        return
    lowest, highest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    found = int(values.min()), int(values.max())
    if found[0] < lowest or found[1] > highest:
        raise RunError(
            f"The design reads {bits}-bit integers, {lowest} to {highest}, but {name} holds {found[0]} to {found[1]}. "
            "Give it values that were quantised to that many bits."
        )
