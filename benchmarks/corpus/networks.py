# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrences, solvers and small networks by hand."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from corpus.sample import Draw, by_name, floats, indices


class Activations(nn.Module):
    """The activations of torch.nn.functional that no other module here has."""

    def __init__(self):
        super().__init__()
        self.slopes = nn.Parameter(torch.rand(6))

    def forward(self, x):
        functions = (functional.selu, functional.celu, functional.softsign, functional.tanhshrink, functional.relu6)
        functions += (functional.logsigmoid, functional.softplus, functional.hardtanh, functional.softshrink)
        results = [function(x) for function in functions]
        results += [functional.gelu(x, approximate="tanh"), functional.prelu(x, self.slopes), functional.glu(x, 1)]
        return tuple(results)


class Lstm(nn.Module):
    """A cell, step by step."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(5, 8)

    def forward(self, x, hidden, state):
        for step in x.unbind(1):
            hidden, state = self.cell(step, (hidden, state))
        return hidden, state


class Gru(nn.Module):
    """torch.nn.GRU in both directions over a short sequence."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(5, 6, num_layers=1, batch_first=True, bidirectional=True)

    def forward(self, x):
        return self.gru(x)[0]


class Radiance(nn.Module):
    """NeRF: sines of positions at rising frequencies, a shortcut into the middle, colours along a ray."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = nn.Linear(24, 16), nn.Linear(40, 16), nn.Linear(16, 4)

    def forward(self, points):
        scaled = (points[..., None] * 2.0 ** torch.arange(4)).flatten(-2)
        encoded = torch.cat((scaled.sin(), scaled.cos()), -1)
        hidden = torch.relu(self.first(encoded))
        colour, density = self.last(torch.relu(self.second(torch.cat((hidden, encoded), -1)))).split((3, 1), -1)
        opacity = 1 - torch.exp(-functional.softplus(density))
        passed = torch.cumprod(torch.cat((torch.ones_like(opacity[:, :1]), 1 - opacity[:, :-1]), 1), 1)
        return (passed * opacity * colour.sigmoid()).sum(1)


class Capsules(nn.Module):
    """Routing by agreement in three rounds."""

    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.randn(6, 3, 4, 5) / 2)

    def forward(self, x):
        votes = torch.einsum("bid,ijde->bije", x, self.weights)
        logits = torch.zeros(votes.shape[:-1])
        for _ in range(3):
            total = (logits.softmax(2)[..., None] * votes).sum(1)
            squared = total.square().sum(-1, keepdim=True)
            output = squared / (1 + squared) * total / (squared + 1e-6).sqrt()
            logits = logits + torch.einsum("bije,bje->bij", votes, output)
        return output


class Bags(nn.Module):
    """Mean and maximum of the vectors of a bag of words; a bilinear score of both."""

    def __init__(self):
        super().__init__()
        self.mean, self.largest = nn.EmbeddingBag(30, 8, mode="mean"), nn.EmbeddingBag(30, 8, mode="max")
        self.score = nn.Bilinear(8, 8, 3)

    def forward(self, words):
        return self.score(self.mean(words), self.largest(words))


class Bfloat16(nn.Module):
    """A gated MLP behind a norm, in bfloat16."""

    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(24, eps=1e-5, dtype=torch.bfloat16)
        self.gate, self.up, self.down = (
            nn.Linear(a, b, dtype=torch.bfloat16) for a, b in ((24, 40), (24, 40), (40, 24))
        )

    def forward(self, x):
        y = self.norm(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


def bfloat16() -> tuple[nn.Module, Draw]:
    return Bfloat16(), lambda: (torch.randn(5, 24).bfloat16(),)


MODULES = by_name(
    {
        "activations": lambda: (Activations(), floats((4, 6, 2))),
        "lstm-steps": lambda: (Lstm(), floats((2, 4, 5), (2, 8), (2, 8))),
        "gru-both-ways": lambda: (Gru(), floats((2, 4, 5))),
        "radiance": lambda: (Radiance(), floats((2, 5, 3))),
        "capsules": lambda: (Capsules(), floats((2, 6, 4))),
        "embedding-bags": lambda: (Bags(), lambda: (indices(30, 4, 6),)),
        "gated-mlp-bf16": bfloat16,
    }
)
