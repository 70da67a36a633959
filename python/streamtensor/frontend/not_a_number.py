# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maxima, minima and bounds that keep NaN, as PyTorch does.

torch-mlir's comparisons drop it: `maximum(NaN, 1)` is 1, `clamp(NaN, 0, 1)` is 0, and an index of a maximum passes it
by. The first two are written as selections here, the last is mended in Linalg, as is the index of a pooled maximum,
which is that of the last NaN. Its power of -inf by a half is inf, and its tolerance of infinity takes in all. It has
no isfinite.
"""

from __future__ import annotations

import torch
from torch_mlir import ir

_OEQ, _OGT, _OLT, _ORD, _UGT, _ULT, _UNO = 1, 2, 4, 7, 9, 11, 14  # arith.cmpf
_WITH_NAN = {_OGT: _UGT, _OLT: _ULT}


def _maximum(a: torch.Tensor, b: torch.Tensor):
    return torch.where((a > b) | torch.isnan(a), a, b) if _is_float(a, b) else NotImplemented


def _minimum(a: torch.Tensor, b: torch.Tensor):
    return torch.where((a < b) | torch.isnan(a), a, b) if _is_float(a, b) else NotImplemented


def _larger(a: torch.Tensor, b: torch.Tensor):
    """The number, where the other is none."""
    a, b = _alike(a, b)
    return torch.where((a >= b) | torch.isnan(b), a, b) if _is_float(a, b) else torch.maximum(a, b)


def _smaller(a: torch.Tensor, b: torch.Tensor):
    a, b = _alike(a, b)
    return torch.where((a <= b) | torch.isnan(b), a, b) if _is_float(a, b) else torch.minimum(a, b)


def _alike(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    dtype = torch.result_type(a, b)
    return a.to(dtype), b.to(dtype)


def _clamp(x: torch.Tensor, low: float | None = None, high: float | None = None):
    if not x.is_floating_point() and any(isinstance(bound, float) for bound in (low, high)):
        return torch.clamp(x.to(torch.get_default_dtype()), low, high)
    # A bound that is NaN makes every element NaN, which is what torch-mlir gives.
    if not x.is_floating_point() or low != low or high != high:
        return NotImplemented
    if low is not None:
        x = torch.where(x < low, torch.full((), low, dtype=x.dtype), x)
    if high is not None:
        x = torch.where(x > high, torch.full((), high, dtype=x.dtype), x)
    return x


def _clamp_by_tensors(x: torch.Tensor, low: torch.Tensor | None = None, high: torch.Tensor | None = None):
    if not _is_float(x, *(bound for bound in (low, high) if bound is not None)):
        return NotImplemented
    x = x if low is None else _maximum(x, low)
    return x if high is None else _minimum(x, high)


def _power(x: torch.Tensor, exponent: float):
    roots = {0.5: torch.sqrt, -0.5: torch.rsqrt}
    return roots[exponent](x) if exponent in roots and x.is_floating_point() else NotImplemented


def _is_close(a: torch.Tensor, b: torch.Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False):
    """Equal, or of a finite difference within the tolerance: that of infinity is infinite."""
    if not _is_float(a, b):
        return NotImplemented
    difference = (a - b).abs()
    is_close = (a == b) | (_is_finite(difference) & (difference <= atol + (rtol * b).abs()))
    return is_close | (torch.isnan(a) & torch.isnan(b)) if equal_nan else is_close


def _is_finite(x: torch.Tensor):
    return x.abs() < torch.inf if x.is_floating_point() else torch.ones_like(x, dtype=torch.bool)


def _is_float(*values: torch.Tensor) -> bool:
    return all(value.is_floating_point() for value in values)


def decompositions() -> dict:
    aten = torch.ops.aten
    own = {
        aten.pow.Tensor_Scalar: _power,
        aten.isfinite.default: _is_finite,
        aten.isclose.default: _is_close,
        aten.maximum.default: _maximum,
        aten.minimum.default: _minimum,
        aten.fmax.default: _larger,
        aten.fmin.default: _smaller,
        aten.clamp.default: _clamp,
        aten.clamp.Tensor: _clamp_by_tensors,
        aten.clamp_min.default: _clamp,
        aten.clamp_min.Tensor: _clamp_by_tensors,
        aten.clamp_max.default: lambda x, high: _clamp(x, None, high),
        aten.clamp_max.Tensor: lambda x, high: _clamp_by_tensors(x, None, high),
    }
    return torch._decomp.get_decompositions([aten.hardtanh, aten.hardsigmoid, aten.hardswish]) | own


def mend_indices(module: ir.Module) -> None:
    """Makes each index of a maximum or minimum that of the first NaN, if there is one; of a pool that of the last."""
    reductions: list[ir.Operation] = []
    pools: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if operation.name == "arith.cmpf":
            if _chooses_index(operation):
                reductions.append(operation)
            elif _finds_maximum(operation):
                pools.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    for comparison in reductions:
        _take_nan(comparison)
    for comparison in pools:
        _find_nan(comparison)


def _predicate(comparison: ir.Operation) -> int:
    return ir.IntegerAttr(comparison.attributes["predicate"]).value


def _chooses_index(comparison: ir.Operation) -> bool:
    """Whether `comparison` of an element with the best so far decides which index a reduction keeps."""
    generic = comparison.parent
    if generic.name != "linalg.generic" or len(generic.results) != 2 or _predicate(comparison) not in _WITH_NAN:
        return False
    best = generic.regions[0].blocks[0].arguments[len(generic.operands) - 2]
    return comparison.operands[1] == best


def _finds_maximum(comparison: ir.Operation) -> bool:
    """Whether `comparison` of an element with the maximum of its window decides which index a pool keeps."""
    element, maximum = comparison.operands
    return (
        _predicate(comparison) == _OEQ
        and isinstance(maximum, ir.BlockArgument)
        and not isinstance(element.owner, ir.Block)
        and element.owner.operation.name == "tensor.extract"
        and bool(_firsts(comparison))
    )


def _firsts(comparison: ir.Operation) -> list[ir.Operation]:
    """Where the index kept so far is asked whether it is the first."""
    block = comparison.parent.regions[0].blocks[0]
    kept = block.arguments[len(block.arguments) - 1]
    return [op for op in block.operations if op.operation.name == "arith.cmpi" and op.operands[0] == kept]


def _find_nan(comparison: ir.Operation) -> None:
    """`element == maximum` and `is the first` -> each of them, or the element is NaN."""
    element = comparison.operands[0]
    for found in (comparison, *(op.operation for op in _firsts(comparison))):
        with ir.InsertionPoint(found), found.location:
            copy = found.clone()
            is_nan = _compare(_UNO, element, element)
            either = ir.Operation.create("arith.ori", results=[is_nan.type], operands=[copy.results[0], is_nan])
        found.results[0].replace_all_uses_with(either.results[0])
        found.erase()


def _take_nan(comparison: ir.Operation) -> None:
    """`element > best` -> `not element <= best, and best is a number`."""
    element, best = comparison.operands
    with ir.InsertionPoint(comparison), comparison.location:
        is_better = _compare(_WITH_NAN[_predicate(comparison)], element, best)
        is_number = _compare(_ORD, best, best)
        both = ir.Operation.create("arith.andi", results=[is_better.type], operands=[is_better, is_number])
    comparison.results[0].replace_all_uses_with(both.results[0])
    comparison.erase()


def _compare(predicate: int, a: ir.Value, b: ir.Value) -> ir.Value:
    boolean = ir.IntegerType.get_signless(1)
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return ir.Operation.create(
        "arith.cmpf", results=[boolean], operands=[a, b], attributes={"predicate": attribute}
    ).results[0]
