# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on integers that torch-mlir gets wrong, as others.

It takes products for quantised operations whose scales it does not find, and ends the process: they are computed in
32 bits and cut, which is the same modulo 256. It extends the sign of unsigned integers where it sums them. Integers
of any width it negates as floats, which hold 24 bits, and it has no powers of them. It compares indices of 32 bits with
extents of 64.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

_NARROW = (torch.int8, torch.uint8)


def _in_32_bits(operation: Callable, given: torch.Tensor, other: object) -> torch.Tensor:
    wide = other.to(torch.int32) if isinstance(other, torch.Tensor) else other
    return operation(given.to(torch.int32), wide).to(given.dtype)


def _widen(operation: Callable, applies: Callable[[torch.Tensor, object], bool]) -> Callable:
    def decompose(given: torch.Tensor, other: object):
        return _in_32_bits(operation, given, other) if applies(given, other) else NotImplemented

    return decompose


def _are_narrow(given: torch.Tensor, other: object) -> bool:
    return given.dtype in _NARROW and other.dtype == given.dtype


def _is_scaled(given: torch.Tensor, other: object) -> bool:
    return isinstance(given, torch.Tensor) and given.dtype in _NARROW and isinstance(other, int)


def _sum_unsigned(given: torch.Tensor, *dims: object, dtype: torch.dtype | None = None):
    if given.dtype != torch.uint8:
        return NotImplemented
    return torch.sum(given.to(torch.int64), *dims, dtype=dtype)


def _negate(given: torch.Tensor):
    is_integer = not given.is_floating_point() and not given.is_complex()
    return torch.rsub(given, 0) if is_integer else NotImplemented


def _power(given: torch.Tensor, exponent: object):
    """By squares: a product for each bit of the exponent, and for each bit that is set."""
    if given.is_floating_point() or given.is_complex() or type(exponent) is not int or not 0 <= exponent < 64:
        return NotImplemented
    result = torch.ones_like(given)
    for bit in f"{exponent:b}":
        result = result * result
        result = result * given if bit == "1" else result
    return result


def _index(given: torch.Tensor, indices: list[torch.Tensor | None]):
    if all(index is None or index.dtype != torch.int32 for index in indices):
        return NotImplemented
    wide = [index if index is None or index.dtype != torch.int32 else index.to(torch.int64) for index in indices]
    return torch.ops.aten.index.Tensor(given, wide)


def decompositions() -> dict:
    aten = torch.ops.aten
    products = {aten.mm.default: torch.mm, aten.bmm.default: torch.bmm}
    table = {op: _widen(function, _are_narrow) for op, function in products.items()}
    sums = {aten.sum.default: _sum_unsigned, aten.sum.dim_IntList: _sum_unsigned}
    table |= sums | {aten.mul.Tensor: _widen(torch.mul, _is_scaled), aten.neg.default: _negate}
    return table | {aten.pow.Tensor_Scalar: _power, aten.index.Tensor: _index}
