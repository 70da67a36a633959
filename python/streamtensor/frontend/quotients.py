# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quotients that are rounded down, and what fmod leaves of a division, by the exact remainder, as in PyTorch.

torch-mlir rounds x / y, which is the integer above where the quotient is a little less: 1 // 0.1 is 9, fmod(1, 0.1)
0.09999999. It does so for integers of 64 bits, in floats that hold 53.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

Operand = torch.Tensor | float


def _in_floats(operation: Callable, given: Operand, other: Operand):
    """`operation` of both as tensors of one type of floats, of 32 bits at least; NotImplemented for integers."""
    dtype = torch.result_type(given, other)
    if not dtype.is_floating_point:
        return NotImplemented
    wide = torch.promote_types(dtype, torch.float32)
    numbers = (
        value.to(wide) if isinstance(value, torch.Tensor) else torch.full((), value, dtype=wide)
        for value in (given, other)
    )
    return operation(*numbers).to(dtype)


def _fmod(given: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    rest = torch.remainder(given.abs(), other.abs())
    return torch.where(given < 0, -rest, rest)


def _floor(given: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    rest = _fmod(given, other)
    quotient = (given - rest) / other
    is_above = ((rest < 0) & (other > 0)) | ((rest > 0) & (other < 0))
    quotient = torch.where(is_above, quotient - 1, quotient)
    down = torch.floor(quotient)
    down = torch.where(quotient - down > 0.5, down + 1, down)
    plain = given / other
    down = torch.where(quotient == 0, plain * 0, down)  # A zero of the right sign.
    return torch.where(other == 0, plain, down)


def _floor_of_integers(given: Operand, other: Operand):
    dtype = torch.result_type(given, other)
    if dtype in (torch.int8, torch.uint8, torch.int16):  # torch-mlir dies of their rounding
        given, other = (value.long() if isinstance(value, torch.Tensor) else value for value in (given, other))
        return _floor_of_integers(given, other).to(dtype)
    if dtype != torch.int64 or not isinstance(given, torch.Tensor) or given.dtype != torch.int64:
        return NotImplemented
    if isinstance(other, torch.Tensor) and other.dtype != torch.int64:
        return NotImplemented
    quotient = torch.div(given, other, rounding_mode="trunc")
    rest = given - quotient * other
    is_negative = other < 0 if isinstance(other, torch.Tensor) else torch.full_like(rest, other < 0, dtype=torch.bool)
    return quotient - ((rest != 0) & ((rest < 0) != is_negative)).to(torch.int64)


def _divide(given: Operand, other: Operand, rounding_mode: str | None = "floor"):
    if rounding_mode != "floor":
        return NotImplemented
    found = _in_floats(_floor, given, other)
    return _floor_of_integers(given, other) if found is NotImplemented else found


def _leave(given: Operand, other: Operand):
    return _in_floats(_fmod, given, other)


def decompositions() -> dict:
    aten = torch.ops.aten
    quotients = (aten.floor_divide.default, aten.div.Tensor_mode, aten.div.Scalar_mode)
    return dict.fromkeys(quotients, _divide) | dict.fromkeys((aten.fmod.Tensor, aten.fmod.Scalar), _leave)
