# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pools over windows of several sizes, and of one element of a batch."""

from __future__ import annotations

import itertools

import torch

from streamtensor.frontend.masked import masked


def _windows(size: int, count: int) -> list[tuple[int, int]]:
    """Where each of the windows of an adaptive pool begins and ends."""
    return [(number * size // count, -(-(number + 1) * size // count)) for number in range(count)]


def _adaptive_max_pool(x: torch.Tensor, output_size: list[int]):
    """The largest of each window, and where in the plane or the volume it is first, or NaN last."""
    sizes = x.shape[-len(output_size) :]
    if all(size % count == 0 for size, count in zip(sizes, output_size, strict=True)):
        if len(sizes) == 3:
            return NotImplemented
        window = [size // count for size, count in zip(sizes, output_size, strict=True)]
        return torch.ops.aten.max_pool2d_with_indices.default(x, window, window)
    largest, places = [], []
    for sides in itertools.product(*map(_windows, sizes, output_size)):
        window = x[..., *(slice(*side) for side in sides)].flatten(-len(sides))
        value, place = window.max(-1)
        if x.is_floating_point():
            position = torch.arange(window.shape[-1], device=x.device)
            last = masked(torch.isnan(window), position, 0).amax(-1)
            place = torch.where(torch.isnan(value), last, place)
        index, step = torch.zeros_like(place), 1
        for (first, end), size in zip(reversed(sides), reversed(sizes), strict=True):
            index = index + step * (first + place % (end - first))
            place, step = place // (end - first), step * size
        largest.append(value)
        places.append(index)
    shape = [*x.shape[: -len(sizes)], *output_size]
    return torch.stack(largest, -1).reshape(shape), torch.stack(places, -1).reshape(shape)


def _adaptive_average(x: torch.Tensor, output_size: list[int]):
    """Along one dimension after the other: windows of a volume are as wide as those of its lines."""
    dims = range(x.dim() - len(output_size), x.dim())
    if all(x.shape[dim] % count == 0 for dim, count in zip(dims, output_size, strict=True)):
        return NotImplemented
    for dim, count in zip(dims, output_size, strict=True):
        parts = [
            x.narrow(dim, first, end - first).mean(dim, keepdim=True) for first, end in _windows(x.shape[dim], count)
        ]
        x = torch.cat(parts, dim)
    return x


def _max_pool(x: torch.Tensor, *window: object):
    """Of a batch of one."""
    if x.dim() != 3:
        return NotImplemented
    largest, places = torch.ops.aten.max_pool2d_with_indices.default(x.unsqueeze(0), *window)
    return largest.squeeze(0), places.squeeze(0)


def decompositions() -> dict:
    aten = torch.ops.aten
    return {
        aten.adaptive_max_pool2d.default: _adaptive_max_pool,
        aten.adaptive_max_pool3d.default: _adaptive_max_pool,
        aten._adaptive_avg_pool3d.default: _adaptive_average,
        aten.max_pool2d_with_indices.default: _max_pool,
    }
