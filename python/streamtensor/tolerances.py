# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a design's result may be from its reference: every tolerance of the driver is in this file.

An element passes if it is within `RELATIVE` of its own magnitude plus the typical one of its result: the median of the
non-zero finite magnitudes, which a few huge elements (a mask's, say) do not move. An element that does not pass is
judged by what the reference itself does when each of its inputs and parameters moves by a few roundings: what moves
that far there is badly conditioned, and no other order of the same sums could do better. Where the reference rounds
floats to integers, as quantisers do, a float near the boundary between two integers may become either: an element may
be as far off as such turns move it there.
"""

from __future__ import annotations

import re

import torch

# About a hundred roundings of f32, ten of the narrow types: other orders of summation, other math libraries.
RELATIVE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}
ROUNDINGS = 4  # by how many units in the last place a value moves
SAFETY = 16  # times the largest movement of an element that was seen
MOVES = 16  # how often everything moves
FIRST_MOVES = 4  # after which at least one element must have been explained
TURN_REACH = 1 / 1024  # from a boundary, of an integer step; inputs of SmolLM2's quantisers are up to 1/1695 off in f32
TURNS = 16  # how often roundings within reach turn
TURN_SAFETY = 4  # times the largest movement of an element that turns made
JUMPS = 0.01  # share of the integers of a result that may be others

_NARROW = {"f16": torch.float16, "bf16": torch.bfloat16}
_NARROW_TYPE = re.compile(r"(?<=[x<: ])(b?f16)(?=[>,) ])")


def coarsest(program: str, dtype: torch.dtype) -> torch.dtype:
    """The type that bounds the accuracy of a result: values of a narrower one may be on the way to a float."""
    if not dtype.is_floating_point:
        return dtype
    narrow = {_NARROW[name] for name in _NARROW_TYPE.findall(program)}
    return max({dtype} | narrow, key=RELATIVE.__getitem__)


def allowed(expected: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The absolute error that each element may have, in float64; none where it is not finite."""
    magnitude = expected.double().abs()
    finite = torch.isfinite(magnitude)
    typical = magnitude[finite & (magnitude > 0)]
    scale = typical.median() if typical.numel() else magnitude.new_zeros(())
    return torch.where(finite, RELATIVE[dtype] * (magnitude + scale), 0.0)


def beyond(found: torch.Tensor, expected: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Which elements differ by more than they may. One NaN is as good as another."""
    if not expected.is_floating_point():
        return found != expected
    return ~(equal(found, expected) | (distance(found, expected) <= allowed(expected, dtype)))


def held(spread: torch.Tensor) -> torch.Tensor:
    """How far elements may be off whose reference moved by `spread`; one that moved less than most did so by luck."""
    return SAFETY * (torch.maximum(spread, spread.median()) if spread.numel() else spread)


def turned(spread: torch.Tensor) -> torch.Tensor:
    """How far elements may be off beyond `held`, whose reference moved by `spread` when roundings turned."""
    return TURN_SAFETY * spread


def few_jumps(wide: torch.Tensor, expected: torch.Tensor) -> float:
    """How many integers of a result may be others because they follow from decisions on floats, say the index of a
    maximum. Ties, which every precision decides alike, give no more than a small share."""
    return max(1, JUMPS * expected.numel(), SAFETY * int((wide != expected).sum()))


def equal(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    return (found == expected) | (torch.isnan(found) & torch.isnan(expected))


def distance(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Absolute differences in float64: 0 where both are the same, infinity where one is not a number."""
    difference = (found.double() - expected.double()).abs().nan_to_num(nan=float("inf"), posinf=float("inf"))
    return torch.where(equal(found, expected), 0.0, difference)


def moved(value: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """`value` with each float a few roundings away; zeros and what is not finite stay."""
    if not value.is_floating_point():
        return value
    step = ROUNDINGS * torch.finfo(value.dtype).eps
    noise = 2 * torch.rand(value.shape, generator=generator, dtype=torch.float64) - 1
    return torch.where(torch.isfinite(value), value.double() * (1 + step * noise), value.double()).to(value.dtype)
