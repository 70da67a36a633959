# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small PyTorch modules that cover what the phases `import` and `linalg` rewrite."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn


class Function(nn.Module):
    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class FusedProjection(nn.Module):
    """Queries, keys and values from one linear."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return q * k + v


class HeadsOutermost(nn.Module):
    """Queries, keys and values selected from a transposed view."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(16, 48)

    def forward(self, x):
        q, k, v = self.qkv(x).view(2, 6, 3, 4, 4).permute(2, 0, 3, 1, 4)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(2, 6, 16)


def _rotary(q, cos, sin):
    half = q.shape[-1] // 2
    return q * cos + torch.cat((-q[..., half:], q[..., :half]), -1) * sin


def _grouped_attention(q, k, v):
    return F.scaled_dot_product_attention(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))


def _views(a):
    return (a.view(2, 3, 4).transpose(1, 2).reshape(8, 3) * 2).view(2, 12).sum(1)


def _reductions(x):
    return x.mean(-1), x.amax(1), x.amin(0), x.sum((0, 1)), x.prod(1), x.var(1), x.max(1)[0], x.argmax(2)


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape)


def _integers(dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
    return torch.randint(0, 9, (3, 4), dtype=dtype), torch.randint(0, 9, (3, 4), dtype=dtype)


def _with_special_values() -> torch.Tensor:
    x = torch.randn(4, 5)
    x[0, 1], x[2, 2], x[3, :] = float("nan"), float("inf"), float("-inf")
    return x


# name: function, inputs
_FUNCTIONS: dict[str, tuple[Callable, Callable[[], tuple[torch.Tensor, ...]]]] = {
    "softmax": (lambda x: torch.softmax(x, -1), lambda: (_normal(4, 13),)),
    "reductions": (_reductions, lambda: (_normal(4, 6, 5),)),
    "whole_sum": (lambda x: x.sum(), lambda: (_normal(3, 4),)),
    "batch_matmul": (torch.bmm, lambda: (_normal(3, 4, 5), _normal(3, 5, 6))),
    "matvec": (lambda a, b, c: (a @ b, b @ c, torch.dot(b, b)), lambda: (_normal(3, 4), _normal(4), _normal(4, 5))),
    "broadcast": (lambda a, b, c: a + b * c, lambda: (_normal(3, 4, 5), _normal(4, 1), _normal(3, 1, 5))),
    "transposes": (lambda a: (a.transpose(0, 1) + 1).permute(1, 2, 0), lambda: (_normal(3, 4, 5),)),
    "only_transpose": (lambda a: a.permute(1, 2, 0), lambda: (_normal(3, 4, 5),)),
    "concat": (
        lambda a, b: (torch.cat([a[:, 2:], b[:, :2]], 1), torch.stack([a, b], 0)),
        lambda: (_normal(3, 4), _normal(3, 4)),
    ),
    "rotary": (_rotary, lambda: (_normal(1, 2, 4, 8), _normal(1, 1, 4, 8), _normal(1, 1, 4, 8))),
    "rotary_of_heads": (
        lambda q, c, s: _rotary(q.view(1, 4, 2, 8).transpose(1, 2), c, s),
        lambda: (_normal(1, 4, 16), _normal(1, 1, 4, 8), _normal(1, 1, 4, 8)),
    ),
    "pad": (lambda a: F.pad(a.t(), (1, 2, 0, 3), value=1.5), lambda: (_normal(3, 4),)),
    "where": (
        lambda a, m: torch.where(m & (a > 0), a, torch.full((), float("-inf"))),
        lambda: (_normal(3, 4), _normal(3, 4) > 0),
    ),
    "masked_softmax": (
        lambda a: a.masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), float("-inf")).softmax(-1),
        lambda: (_normal(4, 4),),
    ),
    "special_values": (
        lambda x: (x.softmax(-1), torch.relu(x), x.amax(1), x == float("-inf"), F.silu(x), x.abs() > 1),
        lambda: (_with_special_values(),),
    ),
    "integers_64": (lambda a, b: (a * b + 1, a // 2, a > b, a.sum(1), a.float() / 3), lambda: _integers(torch.int64)),
    "integers_32": (lambda a, b: (a * b + 1, a.amax(1), (a > b).to(torch.int32)), lambda: _integers(torch.int32)),
    "several_results": (lambda a: (a + 1, (a + 1).exp(), (a + 1).sum(0)), lambda: (_normal(3, 4),)),
    "grouped_attention": (_grouped_attention, lambda: (_normal(1, 4, 8, 4), _normal(1, 2, 8, 4), _normal(1, 2, 8, 4))),
    "scalar_functions": (
        lambda x: (x.clamp(-1, 1), x.sqrt().log(), torch.sigmoid(x), x**2, x**3, x**-1, x**7, x.rsqrt(), x.erf()),
        lambda: (_normal(3, 4).abs() + 0.1,),
    ),
    "einsum": (
        lambda a, b: torch.einsum("bhqd,bhkd->bhqk", a, b),
        lambda: (_normal(2, 2, 3, 4), _normal(2, 2, 5, 4)),
    ),
    "accumulate": (torch.addmm, lambda: (_normal(3, 5), _normal(3, 4), _normal(4, 5))),
    "stride": (lambda a: a[:, 1::2] + 1, lambda: (_normal(3, 6),)),
    "views": (_views, lambda: (_normal(6, 4),)),
    "identity": (lambda a: a, lambda: (_normal(3, 4),)),
    "scalar_argument": (lambda a, b: a * b, lambda: (_normal(3, 4), _normal())),
    "half": (lambda x, w: F.silu(x @ w), lambda: (_normal(4, 8).half(), _normal(8, 8).half())),
}

_MODULES: dict[str, Callable[[], tuple[nn.Module, tuple[torch.Tensor, ...]]]] = {
    "mlp": lambda: (nn.Sequential(nn.Linear(7, 13), nn.ReLU(), nn.Linear(13, 1)), (_normal(5, 7),)),
    "gelu": lambda: (nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8)), (_normal(4, 8),)),
    "layer_norm": lambda: (nn.LayerNorm(12), (_normal(2, 5, 12),)),
    "batched_mlp": lambda: (nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 8)), (_normal(2, 4, 8),)),
    "fused_projection": lambda: (FusedProjection(), (_normal(8, 16),)),
    "heads_outermost": lambda: (HeadsOutermost(), (_normal(2, 6, 16),)),
}

NAMES = (*_FUNCTIONS, *_MODULES)


def make(name: str) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    """The module `name` and inputs for it; the same ones each time."""
    torch.manual_seed(0)
    if name in _MODULES:
        return _MODULES[name]()
    function, inputs = _FUNCTIONS[name]
    return Function(function), inputs()
