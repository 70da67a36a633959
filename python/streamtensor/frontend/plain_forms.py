# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that torch-mlir or devices do not know and that have a plain form: inverse and hyperbolic functions,
distances, signs, shifts, places in sorted rows, bags of rows."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from streamtensor.frontend.masked import masked

_LARGE = 1e9  # Its square has no place in 32 bits beside 1.


def _of_floats(function: Callable[[torch.Tensor], torch.Tensor]):
    """`function` of floats of 32 bits at least."""

    def rule(x: torch.Tensor) -> torch.Tensor:
        dtype = x.dtype if x.is_floating_point() else torch.get_default_dtype()
        return function(x.to(torch.promote_types(dtype, torch.float32))).to(dtype)

    return rule


def _odd(function: Callable[[torch.Tensor], torch.Tensor]):
    """An odd function, by what it is of positive numbers."""

    def of_either_sign(x: torch.Tensor) -> torch.Tensor:
        size = function(x.abs())
        return torch.where(x < 0, -size, torch.where(x == 0, x, size))

    return _of_floats(of_either_sign)


def _tan(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x) / torch.cos(x)


def _asin(x: torch.Tensor) -> torch.Tensor:
    return torch.atan(x / torch.sqrt((1 - x) * (1 + x)))


def _acos(x: torch.Tensor) -> torch.Tensor:
    return 2 * torch.atan(torch.sqrt((1 - x) / (1 + x)))


def _sinh(x: torch.Tensor) -> torch.Tensor:
    more, root = torch.expm1(x), torch.exp(x / 2)
    return torch.where(x < 1, (more + more / (more + 1)) / 2, root / 2 * root - torch.exp(-x) / 2)


def _cosh(x: torch.Tensor) -> torch.Tensor:
    root = torch.exp(x.abs() / 2)
    return root / 2 * root + torch.exp(-x.abs()) / 2


def _asinh(x: torch.Tensor) -> torch.Tensor:
    near = torch.where(x > _LARGE, torch.ones_like(x), x)
    square = near * near
    return torch.where(
        x > _LARGE, torch.log(x) + math.log(2), torch.log1p(near + square / (1 + torch.sqrt(square + 1)))
    )


def _acosh(x: torch.Tensor) -> torch.Tensor:
    near = torch.log1p(x - 1 + torch.sqrt(x - 1) * torch.sqrt(x + 1))
    return torch.where(x > _LARGE, torch.log(x) + math.log(2), near)


def _atanh(x: torch.Tensor) -> torch.Tensor:
    return torch.log1p(2 * x / (1 - x)) / 2


def _hypot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Of numbers whose squares are not finite too."""
    a, b = a.abs(), b.abs()
    large, small = torch.where(a > b, a, b), torch.where(a > b, b, a)
    ratio = torch.where(large == 0, torch.zeros_like(large), small / large)
    root = large * torch.sqrt(1 + ratio * ratio)
    return torch.where((a == torch.inf) | (b == torch.inf), torch.full_like(root, torch.inf), root)


def _log_of_sum(exponential: Callable[[torch.Tensor], torch.Tensor], scale: float):
    """log(e^a + e^b), of any base, by the larger one: its power may not be finite."""

    def rule(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        dtype = torch.result_type(a, b)
        a, b = (x.to(torch.promote_types(dtype, torch.float32)) for x in (a, b))
        distance = torch.where(a == b, torch.zeros_like(a - b), (a - b).abs())
        return (torch.maximum(a, b) + torch.log1p(exponential(-distance)) * scale).to(dtype)

    return rule


def _sign_bit(x: torch.Tensor) -> torch.Tensor:
    is_negative = x < 0
    return is_negative | ((x == 0) & (x.reciprocal() < 0)) if x.is_floating_point() else is_negative


def _copy_sign(x: torch.Tensor, other: torch.Tensor | float) -> torch.Tensor:
    dtype = torch.result_type(x, other)
    size = x.to(dtype if dtype.is_floating_point else torch.get_default_dtype()).abs()
    sign = other if isinstance(other, torch.Tensor) else torch.full((), other, dtype=size.dtype, device=x.device)
    return torch.where(_sign_bit(sign), -size, size)


def _distances(x: torch.Tensor, y: torch.Tensor, p: float, compute_mode: int | None = None) -> torch.Tensor:
    return torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)


def _distance(x: torch.Tensor, y: torch.Tensor, p: float = 2) -> torch.Tensor:
    return torch.linalg.vector_norm(x - y, p)


def _place_in_sorted(
    row: torch.Tensor,
    values: torch.Tensor | float,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: torch.Tensor | None = None,
):
    """How many elements of a sorted row are not behind each value; NaN is behind all."""
    if sorter is not None:
        row = torch.gather(row, -1, sorter)
    if not isinstance(values, torch.Tensor):
        values = torch.full((), values, dtype=row.dtype, device=row.device)
    row = row if row.dim() == 1 else row.unsqueeze(-2)
    value = values.unsqueeze(-1)
    is_behind = row > value if right or side == "right" else row >= value
    return (~is_behind).sum(-1).to(torch.int32 if out_int32 else torch.int64)


def _take(x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return NotImplemented
    position = torch.where(index < 0, index + x.numel(), index).reshape(-1)
    return x.reshape(-1).index_select(0, position).reshape(index.shape)


def _bucketize(values: torch.Tensor | float, boundaries: torch.Tensor, *, out_int32: bool = False, right: bool = False):
    return _place_in_sorted(boundaries, values, out_int32=out_int32, right=right)


def _block_diagonal(blocks: list[torch.Tensor]) -> torch.Tensor:
    dtype = blocks[0].dtype
    for block in blocks[1:]:
        dtype = torch.promote_types(dtype, block.dtype)
    blocks = [torch.atleast_2d(block.to(dtype)) for block in blocks]
    width, before, rows = sum(block.shape[1] for block in blocks), 0, []
    for block in blocks:
        rows.append(torch.nn.functional.pad(block, (before, width - before - block.shape[1])))
        before += block.shape[1]
    return torch.cat(rows)


def _of_bits(function: Callable):
    """`function` of integers, the second of which may be a number."""

    def rule(x: torch.Tensor, other: torch.Tensor | int):
        counts = isinstance(other, int) or (isinstance(other, torch.Tensor) and not other.is_floating_point())
        if x.is_floating_point() or x.dtype == torch.bool or not counts:
            return NotImplemented
        if isinstance(other, int):
            other = torch.full((), other, dtype=x.dtype, device=x.device)
        return function(x, other)

    return rule


def _embedding_bag(
    table: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: torch.Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
):
    """Sums, means or largest elements of the rows in each bag, whose first one `offsets` names."""
    rows, position = table[indices], torch.arange(indices.shape[0], device=table.device)
    bag = (offsets.unsqueeze(-1) <= position).sum(0) - 1
    bags = torch.arange(offsets.shape[0] - include_last_offset, device=table.device)
    is_in = (bag == bags.unsqueeze(-1)) & (indices != padding_idx)
    count = is_in.sum(-1)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    kept = masked(is_in.unsqueeze(-1), rows, -torch.inf if mode == 2 else 0.0)
    found = kept.amax(1) if mode == 2 else kept.sum(1)
    if mode == 1:
        found = found / count.clamp(min=1).unsqueeze(-1)
    if mode == 2:
        found = torch.where(count.unsqueeze(-1) > 0, found, torch.zeros_like(found))
    return found, bag, count, torch.zeros_like(found if mode == 2 else count, dtype=torch.int64)


def _mean_of_integers(x: torch.Tensor, *dims: object, dtype: torch.dtype | None = None):
    return NotImplemented if x.is_floating_point() or dtype is None else torch.mean(x.to(dtype), *dims)


def _add_product(x: torch.Tensor, matrix: torch.Tensor, vector: torch.Tensor, *, beta: float = 1, alpha: float = 1):
    product = torch.mv(matrix, vector) * alpha
    return product if beta == 0 else x * beta + product


def decompositions() -> dict:
    aten = torch.ops.aten
    left, right = _of_bits(torch.bitwise_left_shift), _of_bits(torch.bitwise_right_shift)
    return {
        aten.tan.default: _of_floats(_tan),
        aten.asin.default: _of_floats(_asin),
        aten.acos.default: _of_floats(_acos),
        aten.sinh.default: _odd(_sinh),
        aten.cosh.default: _of_floats(_cosh),
        aten.asinh.default: _odd(_asinh),
        aten.acosh.default: _of_floats(_acosh),
        aten.atanh.default: _odd(_atanh),
        aten._neg_view.default: torch.neg,
        aten.hypot.default: _hypot,
        aten.logaddexp.default: _log_of_sum(torch.exp, 1.0),
        aten.logaddexp2.default: _log_of_sum(torch.exp2, 1 / math.log(2)),
        aten.signbit.default: _sign_bit,
        aten.copysign.Tensor: _copy_sign,
        aten.copysign.Scalar: _copy_sign,
        aten._cdist_forward.default: _distances,
        aten.dist.default: _distance,
        aten.searchsorted.Tensor: _place_in_sorted,
        aten.searchsorted.Scalar: _place_in_sorted,
        aten.take.default: _take,
        aten.bucketize.Tensor: _bucketize,
        aten.bucketize.Scalar: _bucketize,
        aten.block_diag.default: _block_diagonal,
        aten._embedding_bag.default: _embedding_bag,
        aten._embedding_bag_forward_only.default: _embedding_bag,
        aten.mean.default: _mean_of_integers,
        aten.mean.dim: _mean_of_integers,
        aten.addmv.default: _add_product,
        aten.__lshift__.Tensor: left,
        aten.__lshift__.Scalar: left,
        aten.__rshift__.Tensor: right,
        aten.__rshift__.Scalar: right,
        aten.bitwise_left_shift.Tensor_Scalar: left,
        aten.bitwise_right_shift.Tensor_Scalar: right,
        aten.bitwise_or.Scalar: _of_bits(torch.bitwise_or),
        aten.bitwise_xor.Scalar: _of_bits(torch.bitwise_xor),
    }
