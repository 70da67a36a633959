# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values to run a design on beside its example inputs: of the same type and shape, and of a like distribution."""

from __future__ import annotations

import torch

_JITTER = 0.1
_MASKED = -1e4  # what is added to scores that shall not count


def redraw(example: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Other values in the place of `example`; masks stay as they are.

    Floats are drawn from the example's own, each moved by up to a tenth, within their range: signs, zeros and domains
    (a logarithm's, say) stay. Integers may be indices: they stay within the example's range.
    """
    if example.numel() == 0 or is_mask(example):
        return example.clone()
    if not example.is_floating_point():
        low, high = int(example.min()), int(example.max())
        return torch.randint(low, high + 1, example.shape, generator=generator).to(example.dtype)
    return _like(example, generator)


def is_mask(value: torch.Tensor) -> bool:
    """Booleans, zeros beside ones, and floats that add minus infinity, or nearly so."""
    if value.dtype is torch.bool:
        return True
    if value.is_floating_point() and bool((value <= _MASKED).any() | torch.isinf(value).any()):
        return True
    return bool(((value == 0) | (value == 1)).all() and value.min() != value.max())


def _like(example: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    low, high = example.double().min(), example.double().max()
    if low == high == 0:  # a placeholder, as torch.compile passes them
        return torch.randn(example.shape, generator=generator).to(example.dtype)
    places = torch.randint(example.numel(), example.shape, generator=generator)
    noise = 2 * torch.rand(example.shape, generator=generator, dtype=torch.float64) - 1
    drawn = example.double().flatten()[places] * (1 + _JITTER * noise)
    return (drawn if low == high else drawn.clamp(low, high)).to(example.dtype)


def draw(
    dtype: torch.dtype, shape: tuple[int, ...], low: float, lowest: int, generator: torch.Generator
) -> torch.Tensor:
    """Where there is no example: floats in [low, 1), integers in [lowest, 8) as far as their type has them."""
    if dtype.is_floating_point:
        uniform = torch.rand(shape, generator=generator, dtype=torch.float64)
        return (low + (1 - low) * uniform).to(dtype)
    if dtype is torch.bool:
        return torch.randint(2, shape, generator=generator).to(dtype)
    return torch.randint(lowest if dtype.is_signed else max(0, lowest), 8, shape, generator=generator).to(dtype)
