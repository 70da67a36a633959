# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms as products with matrices of roots of unity, along one dimension after the other.

n by n products for n elements: what lanes do best, and for the lengths of features and of frames of sound no more than
a linear layer does. A table holds the cosines and the sines of 2 pi j k / n at [j, k].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch._decomp import get_decompositions
from torch._subclasses.complex_tensor import ComplexTensor

_MOST = 1 << 20  # elements of a table
_ATEN, _PRIMS = torch.ops.aten, torch.ops.prims
NAMES = tuple(name for name in dir(_ATEN) if name.startswith("fft_"))


class TooLarge(Exception):
    """A table is."""


Table = tuple[torch.Tensor, torch.Tensor]  # cosines, sines: each [elements of the input, elements of the result]


def decompositions() -> dict:
    """To the transforms that have rules, along dimensions that they name, without factors."""
    ours = {_ATEN.stft.default: _short_time_transform, _ATEN.fft_ihfftn.default: _inverse_of_hermitian}
    return get_decompositions([getattr(_ATEN, name) for name in NAMES]) | ours


def _inverse_of_hermitian(x: torch.Tensor, s=None, dim=None, norm: str | None = None) -> torch.Tensor:
    inverse = {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)
    return torch.conj_physical(torch.fft.rfftn(x, s, dim, inverse))


def _short_time_transform(
    x: torch.Tensor,
    length: int,
    hop: int | None = None,
    window_length: int | None = None,
    window: torch.Tensor | None = None,
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> torch.Tensor:
    """Of signals [.., elements], whose ends the caller padded: [.., frequencies, frames]."""
    frames = x.unfold(-1, length, hop or length // 4)
    width = window_length or length
    if window is not None or width < length:
        window = torch.ones(width, device=x.device) if window is None else window
        before = (length - width) // 2
        frames = frames * torch.nn.functional.pad(window, (before, length - width - before))
    is_half = not frames.is_complex() if onesided is None else onesided
    transform = torch.fft.rfft if is_half else torch.fft.fft
    spectrum = transform(frames, norm="ortho" if normalized else None).mT
    return spectrum if return_complex else torch.view_as_real(spectrum)


def _roots(inputs: int, results: int, length: int, dtype: torch.dtype) -> Table:
    if inputs * results > _MOST:
        raise TooLarge(
            f"A Fourier transform of {length} elements is a product with a matrix of {inputs * results} in a design, "
            f"which takes {_MOST} at most"
        )
    number = torch.outer(torch.arange(inputs), torch.arange(results)) % length
    angle = number.to(torch.float64) * (2 * math.pi / length)
    return torch.cos(angle).to(dtype), torch.sin(angle).to(dtype)


def tables_of(
    target: object, x: torch.Tensor, *, dim: Sequence[int], onesided: bool = False, last_dim_size: int = 0, **_: object
) -> list[Table]:
    """What `target` multiplies by, for each of `dim`. The last is the one along which halves of real spectra lie."""
    dtype = torch.float64 if x.dtype in (torch.float64, torch.complex128) else torch.float32
    *others, length = (x.shape[each] for each in dim)
    tables = [_roots(size, size, size, dtype) for size in others]
    if target is _PRIMS.fft_c2r.default:
        cosines, sines = _roots(last_dim_size // 2 + 1, last_dim_size, last_dim_size, dtype)
        twice = torch.full((cosines.shape[0], 1), 2, dtype=dtype)  # each stands for its conjugate too,
        twice[0] = 1
        if last_dim_size % 2 == 0:  # but for the first and the middle one
            twice[-1] = 1
        return [*tables, (cosines * twice, sines * twice)]
    return [*tables, _roots(length, length // 2 + 1 if onesided else length, length, dtype)]


def _multiply(x: torch.Tensor, dim: int, table: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x.movedim(dim, -1), table).movedim(-1, dim)


def _turn(x: ComplexTensor, dim: int, table: Table, forward: bool) -> ComplexTensor:
    (cosines, sines), sign = table, -1 if forward else 1
    real = _multiply(x.re, dim, cosines) - sign * _multiply(x.im, dim, sines)
    return ComplexTensor(real, _multiply(x.im, dim, cosines) + sign * _multiply(x.re, dim, sines))


def _complex_to_complex(x: ComplexTensor, *, dim: Sequence[int], forward: bool, tables: Sequence[Table]):
    for each, table in zip(dim, tables, strict=True):
        x = _turn(x, each, table, forward)
    return x


def _real_to_complex(x: torch.Tensor, *, dim: Sequence[int], onesided: bool, tables: Sequence[Table]):
    *others, (cosines, sines) = tables
    turned = ComplexTensor(_multiply(x, dim[-1], cosines), -_multiply(x, dim[-1], sines))
    return _complex_to_complex(turned, dim=dim[:-1], forward=True, tables=others)


def _complex_to_real(x: ComplexTensor, *, dim: Sequence[int], last_dim_size: int, tables: Sequence[Table]):
    *others, (cosines, sines) = tables
    x = _complex_to_complex(x, dim=dim[:-1], forward=False, tables=others)
    x = x.narrow(dim[-1], 0, last_dim_size // 2 + 1)
    return _multiply(x.re, dim[-1], cosines) - _multiply(x.im, dim[-1], sines)


RULES: dict[object, Callable] = {
    _PRIMS.fft_c2c.default: _complex_to_complex,
    _PRIMS.fft_r2c.default: _real_to_complex,
    _PRIMS.fft_c2r.default: _complex_to_real,
}
