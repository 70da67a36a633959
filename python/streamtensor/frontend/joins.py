# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that are put into others, as joins of parts: a stream is never written in the middle.

A slice that is assigned to stands between what lies before and behind it. A transposed convolution is one of a tensor
with zeros between its elements, by the kernel backwards. And a slice of every n-th element is one of a dimension, as a
stream passes every element: where n divides the extent, linalg says so as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch.nn import functional


def _join(parts: Sequence[torch.Tensor], dim: int) -> torch.Tensor:
    parts = [part for part in parts if part.shape[dim] > 0]
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim)


def divide(parts: Sequence) -> list[Sequence]:
    """What is joined first where there are many: one task does not take from more."""
    most = 48
    return [parts[first : first + most] for first in range(0, len(parts), most)]


def _concatenate(parts: Sequence[torch.Tensor], dim: int = 0):
    first = divide(parts)
    return torch.cat([torch.cat(each, dim) for each in first], dim) if len(first) > 1 else NotImplemented


def _assign(
    into: torch.Tensor,
    part: torch.Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
):
    dim %= into.dim()
    size = into.shape[dim]
    first, last, _ = slice(start, end).indices(size)
    count = len(range(first, last, step))
    if count == 0:
        return into.clone()
    shape = [*into.shape[:dim], count, *into.shape[dim + 1 :]]
    part = part.to(into.dtype).expand(shape)
    # Each element in front of those that stay between it and the next.
    whole = count if first + count * step <= size else count - 1
    behind = first + whole * step
    parts = [into.narrow(dim, 0, first)]
    if step == 1:
        parts.append(part)
    elif whole > 0:
        rows = into.narrow(dim, first, whole * step).unflatten(dim, (whole, step))
        row = part.narrow(dim, 0, whole).unsqueeze(dim + 1)
        parts.append(torch.cat([row, rows.narrow(dim + 1, 1, step - 1)], dim + 1).flatten(dim, dim + 1))
    if whole < count:
        parts.append(part.narrow(dim, whole, 1))
        behind += 1
    return _join([*parts, into.narrow(dim, behind, size - behind)], dim)


def _take(given: torch.Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1):
    dim %= given.dim()
    first, last, _ = slice(start, end).indices(given.shape[dim])
    count = len(range(first, last, step))
    if step == 1 or count == 0 or given.shape[dim] % step == 0:
        return NotImplemented
    whole = min(count, (given.shape[dim] - first) // step)
    rows = given.narrow(dim, first, whole * step).unflatten(dim, (whole, step)).narrow(dim + 1, 0, 1)
    return _join([rows.flatten(dim, dim + 1), given.narrow(dim, first + whole * step, count - whole)], dim)


def _pad(x: torch.Tensor, dim: int, before: int, behind: int) -> torch.Tensor:
    """With zeros along `dim`; less than none cuts elements off."""
    begin, end = max(-before, 0), max(-behind, 0)
    x = x.narrow(dim, begin, x.shape[dim] - begin - end)
    return functional.pad(x, [0, 0] * (x.dim() - 1 - dim) + [max(before, 0), max(behind, 0)])


def _spread(x: torch.Tensor, dim: int, step: int) -> torch.Tensor:
    """With `step` - 1 zeros between elements."""
    if step == 1:
        return x
    rows = _pad(x.unsqueeze(dim + 1), dim + 1, 0, step - 1).flatten(dim, dim + 1)
    return rows.narrow(dim, 0, rows.shape[dim] - step + 1)


def _convolve(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    transposed: bool,
    output_padding: list[int],
    groups: int,
):
    if not transposed:
        return NotImplemented
    spatial = range(2, x.dim())
    # [groups * inputs, outputs, ...] becomes [groups * outputs, inputs, ...].
    weight = weight.unflatten(0, (groups, -1)).transpose(1, 2).flatten(0, 1)
    for number, dim in enumerate(spatial):
        step, zeros, apart, more = (
            values[number if len(values) > 1 else 0] for values in (stride, padding, dilation, output_padding)
        )
        around = apart * (weight.shape[dim] - 1) - zeros
        x = _pad(_spread(x, dim, step), dim, around, around + more)
        weight = weight.flip(dim) if weight.shape[dim] > 1 else weight
    ones, none = [1] * len(spatial), [0] * len(spatial)
    return torch.ops.aten.convolution.default(x, weight, bias, ones, none, dilation, False, none, groups)


def _unfold(x: torch.Tensor, dim: int, size: int, step: int):
    """Frames that overlap: rows of the largest common part of frame and step, several of which are a frame."""
    if x.dim() == 0:
        return NotImplemented
    x = x.movedim(dim, -1)
    count = (x.shape[-1] - size) // step + 1
    part = math.gcd(size, step)
    rows = x[..., : x.shape[-1] // part * part].unflatten(-1, (-1, part))
    first, stride = range(size // part), step // part
    frames = [rows[..., number : number + (count - 1) * stride + 1 : stride, :] for number in first]
    return torch.cat(frames, -1).movedim(-2, dim if dim >= 0 else dim - 1)


def decompositions() -> dict:
    aten = torch.ops.aten
    slices = {aten.slice.Tensor: _take, aten.slice_scatter.default: _assign, aten.cat.default: _concatenate}
    return slices | {aten.convolution.default: _convolve, aten.unfold.default: _unfold}
