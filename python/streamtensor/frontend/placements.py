# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters and writes to positions that are computed, as what streams know: each place looks for what is put there.

A scatter writes where its index says, in any order; torch-mlir leaves `tm_tensor.scatter`. Here each of n places is
compared with all m positions and takes the last that is its own, as PyTorch does in order; sums, products and extremes
go over all that are. Negative positions count from the end.
"""

from __future__ import annotations

import math

import torch

from streamtensor.frontend.masked import limits, masked

# Comparisons of one write at most: a thousand lanes take a million cycles for them.
_MOST = 1 << 30


def _hits(index: torch.Tensor, size: int) -> torch.Tensor:
    """Which positions of `index` [..., m] are that of each place: [..., size, m]."""
    return index.unsqueeze(-2) == torch.arange(size, device=index.device).unsqueeze(-1)


def _find_last(hits: torch.Tensor) -> torch.Tensor:
    """The number of the last position that hits each place, -1 if there is none."""
    number = torch.arange(hits.shape[-1], device=hits.device)
    return torch.where(hits, number, torch.full_like(number, -1)).amax(-1)


def _take_last(hits: torch.Tensor, kept: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
    """The last of `given` [..., m] that hits each place, else what is kept there, [..., n]."""
    last = _find_last(hits)
    return torch.where(last >= 0, torch.gather(given, -1, last.clamp(min=0)), kept)


def _reduce(how: str, hits: torch.Tensor, kept: torch.Tensor, given: torch.Tensor, includes_kept: bool) -> torch.Tensor:
    """What hits each place, [..., n], added up or the like, with what is kept there if it `includes_kept`."""
    (least, most), rows = limits(given.dtype), given.unsqueeze(-2)
    if how in ("sum", "mean"):
        found = masked(hits, rows, 0).sum(-1, dtype=given.dtype)
        both = kept + found
    elif how == "prod":
        found = masked(hits, rows, 1).prod(-1, dtype=given.dtype)
        both = kept * found
    elif how == "amax":
        found = masked(hits, rows, least).amax(-1)
        both = torch.maximum(kept, found)
    else:
        found = masked(hits, rows, most).amin(-1)
        both = torch.minimum(kept, found)
    number = hits.sum(-1)
    if how == "mean":
        both, found = both / (number + 1), found / number.clamp(min=1)
    return both if includes_kept and how != "mean" else torch.where(number > 0, both if includes_kept else found, kept)


def _along(x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor | None, put) -> torch.Tensor:
    """Puts along `dim` what `put` makes of the hits, of `x` and of `source`, all with `dim` last.

    Where `index` is smaller than `x` in another dimension, the rest of `x` stays as it is.
    """
    dim %= x.dim()
    for other in range(x.dim()):
        size = index.shape[other]
        if other != dim and size < x.shape[other]:
            part = _along(x.narrow(other, 0, size), dim, index, source, put)
            return torch.cat([part, x.narrow(other, size, x.shape[other] - size)], other)
    if source is not None:
        source = source[tuple(slice(size) for size in index.shape)].movedim(dim, -1)
    hits = _hits(index.movedim(dim, -1), x.shape[dim])
    return put(hits, x.movedim(dim, -1), source).movedim(-1, dim)


def _is_suited(x: torch.Tensor, dim: int, index: torch.Tensor) -> bool:
    return x.dim() > 0 and 0 < index.numel() * x.shape[dim] <= _MOST


def _scatter(x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor):
    return _along(x, dim, index, source, _take_last) if _is_suited(x, dim, index) else NotImplemented


def _scatter_value(x: torch.Tensor, dim: int, index: torch.Tensor, value: float):
    def put(hits: torch.Tensor, kept: torch.Tensor, _: None) -> torch.Tensor:
        return torch.where(hits.any(-1), torch.full((), value, dtype=x.dtype, device=x.device), kept)

    return _along(x, dim, index, None, put) if _is_suited(x, dim, index) else NotImplemented


def _scatter_reduce(
    x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor, reduce: str, *, include_self: bool = True
):
    is_mean_of_integers = reduce == "mean" and not x.is_floating_point()
    if is_mean_of_integers or x.dtype == torch.bool or not _is_suited(x, dim, index):
        return NotImplemented
    return _along(x, dim, index, source, lambda *rows: _reduce(reduce, *rows, include_self))


def _scatter_add(x: torch.Tensor, dim: int, index: torch.Tensor, source: torch.Tensor):
    return _scatter_reduce(x, dim, index, source, "sum")


def _index_put(x: torch.Tensor, indices: list[torch.Tensor | None], values: torch.Tensor, accumulate: bool = False):
    """Writes to rows: the indexed dimensions of `x` become one, [n, rest], and so do the positions, [m]."""
    dims = [dim for dim, index in enumerate(indices) if index is not None]
    given = [indices[dim] for dim in dims]
    if not dims or any(index.dtype in (torch.bool, torch.uint8) for index in given):
        return NotImplemented
    others = [dim for dim in range(x.dim()) if dim not in dims]
    sizes, rest = [x.shape[dim] for dim in dims], [x.shape[dim] for dim in others]
    shape = torch.broadcast_shapes(*(index.shape for index in given))
    places, positions = math.prod(sizes), math.prod(shape)
    is_suited = 0 < places * positions * (math.prod(rest) if accumulate else 1) <= _MOST
    if not is_suited or (accumulate and x.dtype == torch.bool):
        return NotImplemented
    position = torch.zeros((), dtype=torch.int64, device=x.device)
    for index, size in zip(given, sizes, strict=True):
        position = position * size + torch.where(index < 0, index + size, index)
    position = position.expand(shape).reshape(positions)

    # The positions stand where the indexed dimensions do, if these stand together, else in front.
    before = dims[0] if dims == list(range(dims[0], dims[-1] + 1)) else 0
    rows = values.to(x.dtype).expand([*rest[:before], *shape, *rest[before:]])
    rows = rows.movedim(list(range(before, before + len(shape))), list(range(len(shape)))).reshape(positions, -1)
    kept = x.permute([*dims, *others]).reshape(places, -1)
    hits = _hits(position, places)
    if accumulate:
        put = _reduce("sum", hits.unsqueeze(0), kept.T, rows.T, True).T
    else:
        last = _find_last(hits)
        put = torch.where((last >= 0).unsqueeze(-1), rows.index_select(0, last.clamp(min=0)), kept)
    order = [[*dims, *others].index(dim) for dim in range(x.dim())]
    return put.reshape([*sizes, *rest]).permute(order)


def _scatter_strided(x: torch.Tensor, source: torch.Tensor, size: list[int], stride: list[int], offset: int | None = 0):
    """Of a tensor whose elements lie one behind the other."""
    if not x.is_contiguous():
        return NotImplemented
    position = torch.full((), offset or 0, dtype=torch.int64, device=x.device)
    for extent, step in zip(size, stride, strict=True):
        position = position.unsqueeze(-1) + step * torch.arange(extent, device=x.device)
    put = _index_put(x.reshape(-1), [position.reshape(-1)], source.reshape(-1))
    return put if put is NotImplemented else put.reshape(x.shape)


def _scatter_masked(x: torch.Tensor, mask: torch.Tensor, source: torch.Tensor):
    """What `source` holds, in its order, wherever `mask` is true; rows at a time where whole rows are."""
    shape = torch.broadcast_shapes(x.shape, mask.shape)
    mask = mask.expand(shape)
    length = math.prod(shape[_varying_dims(mask) :])
    if length == 0 or source.numel() == 0 or source.numel() % length != 0:
        return NotImplemented
    is_taken = mask.reshape(-1, length)[:, 0]
    if is_taken.shape[0] ** 2 > _MOST:
        return NotImplemented
    rows = source.to(x.dtype).reshape(-1, length)
    number = (is_taken.cumsum(0) - 1).clamp(0, rows.shape[0] - 1)
    kept = x.expand(shape).reshape(-1, length)
    return torch.where(is_taken.unsqueeze(-1), rows.index_select(0, number), kept).reshape(shape)


def _varying_dims(mask: torch.Tensor) -> int:
    """How many dimensions there are in front of those along which all elements are one and the same in memory."""
    dims = mask.dim()
    while dims > 0 and mask.stride(dims - 1) == 0:
        dims -= 1
    return dims


def _scatter_diagonal(x: torch.Tensor, source: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """Each row of a plane looks for its element of the diagonal."""
    plane = x.movedim((dim1, dim2), (-2, -1))
    rows, columns = (torch.arange(size, device=x.device) for size in plane.shape[-2:])
    before = max(-offset, 0)
    elements = torch.nn.functional.pad(source, (before, plane.shape[-2] - before - source.shape[-1]))
    put = torch.where(columns - rows.unsqueeze(-1) == offset, elements.unsqueeze(-1), plane)
    return put.movedim((-2, -1), (dim1, dim2))


def decompositions() -> dict:
    aten = torch.ops.aten
    return {
        aten.scatter.src: _scatter,
        aten.scatter.value: _scatter_value,
        aten.scatter_add.default: _scatter_add,
        aten.scatter_reduce.two: _scatter_reduce,
        aten.index_put.default: _index_put,
        aten.as_strided_scatter.default: _scatter_strided,
        aten.masked_scatter.default: _scatter_masked,
        aten.diagonal_scatter.default: _scatter_diagonal,
    }
