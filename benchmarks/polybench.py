# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of linear algebra in PyTorch, at the extents of PolyBench's MEDIUM data set and at prime ones.

PolyBench 4.2: atax, bicg 390x410, mvt 400, gesummv 250, gemm 200x220x240, 2mm and 3mm 180 to 220, syrk 200x240.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

ALPHA, BETA = 1.5, 1.2


@dataclass(frozen=True)
class Kernel:
    """A program, the shapes of its arguments, and the multiply-adds that it asks for."""

    function: Callable[..., object]
    shapes: tuple[tuple[int, ...], ...]
    multiply_adds: int

    def module(self) -> torch.nn.Module:
        return _Module(self.function)

    def inputs(self) -> tuple[torch.Tensor, ...]:
        generator = torch.Generator().manual_seed(0)
        return tuple(torch.randn(*shape, generator=generator) for shape in self.shapes)


class _Module(torch.nn.Module):
    def __init__(self, function: Callable[..., object]):
        super().__init__()
        self._function = function

    def forward(self, *inputs):
        return self._function(*inputs)


def _gemm(i: int, j: int, k: int) -> Kernel:
    return Kernel(lambda a, b, c: ALPHA * (a @ b) + BETA * c, ((i, k), (k, j), (i, j)), i * j * k)


def _two_mm(i: int, j: int, k: int, n: int) -> Kernel:
    def function(a, b, c, d):
        return (ALPHA * (a @ b)) @ c + BETA * d

    return Kernel(function, ((i, k), (k, j), (j, n), (i, n)), i * j * k + i * j * n)


def _three_mm(i: int, j: int, k: int, n: int, m: int) -> Kernel:
    def function(a, b, c, d):
        return (a @ b) @ (c @ d)

    return Kernel(function, ((i, k), (k, j), (j, m), (m, n)), i * j * k + j * m * n + i * j * n)


def _atax(m: int, n: int) -> Kernel:
    return Kernel(lambda a, x: a.t() @ (a @ x), ((m, n), (n,)), 2 * m * n)


def _bicg(m: int, n: int) -> Kernel:
    return Kernel(lambda a, p, r: (a.t() @ r, a @ p), ((n, m), (m,), (n,)), 2 * m * n)


def _mvt(n: int) -> Kernel:
    def function(a, x1, x2, y1, y2):
        return x1 + a @ y1, x2 + a.t() @ y2

    return Kernel(function, ((n, n), (n,), (n,), (n,), (n,)), 2 * n * n)


def _gesummv(n: int) -> Kernel:
    return Kernel(lambda a, b, x: ALPHA * (a @ x) + BETA * (b @ x), ((n, n), (n, n), (n,)), 2 * n * n)


def _matvec_as_sum(m: int, n: int) -> Kernel:
    return Kernel(lambda a, x: (a * x).sum(dim=-1), ((m, n), (n,)), m * n)


def _syrk(n: int, m: int) -> Kernel:
    return Kernel(lambda a, c: ALPHA * (a @ a.t()) + BETA * c, ((n, m), (n, n)), n * n * m)


def _feed_forward(tokens: int, width: int, hidden: int) -> Kernel:
    def function(x, up, down):
        return torch.relu(x @ up) @ down

    return Kernel(function, ((tokens, width), (width, hidden), (hidden, width)), 2 * tokens * width * hidden)


def _attention(tokens: int, width: int, heads: int) -> Kernel:
    """With its four projections; width is that of all heads together."""

    def split(x):
        return x.reshape(1, tokens, heads, width // heads).transpose(1, 2)

    def function(x, wq, wk, wv, wo):
        mixed = torch.nn.functional.scaled_dot_product_attention(split(x @ wq), split(x @ wk), split(x @ wv))
        return mixed.transpose(1, 2).reshape(tokens, width) @ wo

    products = 4 * tokens * width * width + 2 * tokens * tokens * width
    return Kernel(function, ((tokens, width), *((width, width),) * 4), products)


KERNELS: dict[str, Kernel] = {
    "gemm 200x220x240": _gemm(200, 220, 240),
    "2mm 180x190x210x220": _two_mm(180, 190, 210, 220),
    "3mm 180x190x200x210x220": _three_mm(180, 190, 200, 210, 220),
    "syrk 200x240": _syrk(200, 240),
    "atax 390x410": _atax(390, 410),
    "bicg 390x410": _bicg(390, 410),
    "mvt 400": _mvt(400),
    "gesummv 250": _gesummv(250),
    "matvec as sum 390x410": _matvec_as_sum(390, 410),
    "feed-forward 512x128x256": _feed_forward(512, 128, 256),
    "attention 64x128, 8 heads": _attention(64, 128, 8),
    "gemm 199x211x227": _gemm(199, 211, 227),
    "gemm 13x61x127": _gemm(13, 61, 127),
    "atax 389x409": _atax(389, 409),
}
