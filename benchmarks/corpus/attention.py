# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and routing by hand."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

from corpus.sample import Draw, by_name, floats


class GroupedQueries(nn.Module):
    """Eight heads of queries on two of keys and values, causal."""

    def __init__(self, width: int = 32, heads: int = 8, groups: int = 2):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.project = nn.Linear(width, width + 2 * groups * self.size)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x):
        batch, tokens, width = x.shape
        sizes = [width, self.groups * self.size, self.groups * self.size]
        q, k, v = (part.unflatten(-1, (-1, self.size)).transpose(1, 2) for part in self.project(x).split(sizes, -1))
        result = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.out(result.transpose(1, 2).reshape(batch, tokens, width))


class Alibi(nn.Module):
    """Scores fall with the distance; the bias is made in forward."""

    def forward(self, q, k, v):
        heads, tokens, size = q.shape[1:]
        slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
        distance = torch.arange(tokens)[None, :] - torch.arange(tokens)[:, None]
        bias = slopes[:, None, None] * distance
        scores = q @ k.transpose(-1, -2) / math.sqrt(size) + bias
        return scores.masked_fill(distance > 0, float("-inf")).softmax(-1) @ v


class Cross(nn.Module):
    """torch.nn.MultiheadAttention with other widths of keys, and keys that are left out."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(24, 3, kdim=16, vdim=20, batch_first=True)

    def forward(self, query, key, value, left_out):
        return self.attention(query, key, value, key_padding_mask=left_out)


def cross() -> tuple[nn.Module, Draw]:
    left_out = torch.zeros(2, 7, dtype=torch.bool)
    left_out[1, 4:] = True
    return Cross(), lambda: (torch.randn(2, 5, 24), torch.randn(2, 7, 16), torch.randn(2, 7, 20), left_out)


class LinearAttention(nn.Module):
    """Causal, by running sums of keys times values."""

    def forward(self, q, k, v):
        q, k = functional.elu(q) + 1, functional.elu(k) + 1
        memory = (k[..., :, None] * v[..., None, :]).cumsum(1)
        return torch.einsum("btd,btde->bte", q, memory) / (q * k.cumsum(1)).sum(-1, keepdim=True)


class DenseExperts(nn.Module):
    """Every expert on every token, weighted by a softmax."""

    def __init__(self, experts: int = 4, width: int = 16, hidden: int = 24):
        super().__init__()
        self.router = nn.Linear(width, experts)
        self.first = nn.Parameter(torch.randn(experts, width, hidden) / 4)
        self.second = nn.Parameter(torch.randn(experts, hidden, width) / 5)

    def forward(self, x):
        hidden = functional.silu(torch.einsum("td,edh->teh", x, self.first))
        return torch.einsum("te,teh,ehd->td", self.router(x).softmax(-1), hidden, self.second)


class HardRouter(nn.Module):
    """Each token to its best expert: argmax and one-hot, no top-k."""

    def __init__(self, experts: int = 3, width: int = 12):
        super().__init__()
        self.router = nn.Linear(width, experts)
        self.weights = nn.Parameter(torch.randn(experts, width, width) / 3)

    def forward(self, x):
        chosen = functional.one_hot(self.router(x).argmax(-1), 3).to(x.dtype)
        return torch.einsum("te,td,edh->th", chosen, x, self.weights), chosen


class ComplexRotary(nn.Module):
    """Rotary embedding as the first Llama wrote it: products of complex numbers."""

    def forward(self, x, angles):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


class GraphAttention(nn.Module):
    """Scores of pairs of nodes, where there is an edge."""

    def __init__(self, width: int = 10, out: int = 6):
        super().__init__()
        self.project = nn.Linear(width, out, bias=False)
        self.source, self.target = nn.Linear(out, 1, bias=False), nn.Linear(out, 1)

    def forward(self, nodes, edges):
        hidden = self.project(nodes)
        scores = functional.leaky_relu(self.source(hidden) + self.target(hidden).T, 0.2)
        weights = torch.where(edges, scores, -1e9).softmax(-1)
        return functional.elu(weights @ hidden)


def graph() -> tuple[nn.Module, Draw]:
    edges = (torch.rand(9, 9) < 0.4) | torch.eye(9, dtype=torch.bool)
    return GraphAttention(), lambda: (torch.randn(9, 10), edges)


MODULES = by_name(
    {
        "grouped-queries": lambda: (GroupedQueries(), floats((1, 9, 32))),
        "alibi": lambda: (Alibi(), floats(*[(1, 4, 7, 8)] * 3)),
        "cross-attention": cross,
        "linear-attention": lambda: (LinearAttention(), floats(*[(2, 6, 5)] * 3)),
        "dense-experts": lambda: (DenseExperts(), floats((6, 16))),
        "hard-router": lambda: (HardRouter(), floats((7, 12))),
        "complex-rotary": lambda: (ComplexRotary(), floats((2, 5, 8), (5, 4))),
        "graph-attention": graph,
    }
)
