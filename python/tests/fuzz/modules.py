# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules of PyTorch: layers, arithmetic, movement and attention on values that meet again.

PyTorch computes every value while the module is drawn, so that shapes are known and what fits nothing is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import torch
from torch import nn
from torch.nn import functional as F

from fuzz.elements import Unfit

_LARGEST = 4096
_EXTENTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16, 24)
_LENGTHS = range(2, 8)

POINTWISE: dict[str, Callable] = {
    "relu": torch.relu,
    "abs": torch.abs,
    "neg": torch.neg,
    "square": torch.square,
    "floor": torch.floor,
    "ceil": torch.ceil,
    "half": lambda x: x * 0.5,
    "offset": lambda x: x - 1.25,
    "clamp": lambda x: torch.clamp(x, -0.5, 0.75),
    "bound": lambda x: torch.clamp(x, min=-0.25),
    "hardtanh": F.hardtanh,
    "leaky": lambda x: F.leaky_relu(x, 0.1),
    "positive": lambda x: torch.where(x > 0, x, -0.5 * x),
    "filled": lambda x: x.masked_fill(x < 0, 0.125),
}
SMOOTH: dict[str, Callable] = {
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": F.softplus,
    "decay": lambda x: torch.exp(-x.abs()),
    "elu": F.elu,
    "rsqrt": lambda x: torch.rsqrt(x * x + 1),
}
PAIRWISE: dict[str, Callable] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "where": lambda x, y: torch.where(x > y, x, y * 0.5),
}
PAIRWISE_SMOOTH: dict[str, Callable] = {"divide": lambda x, y: x / (y.abs() + 1)}


class Graph(nn.Module):
    """Steps on the values before them; a step names its operands by number. What nothing reads is a result."""

    def __init__(self, arguments: int):
        super().__init__()
        self.arguments = arguments
        self.layers = nn.ModuleList()
        self.steps: list[tuple[str, Callable, tuple[int, ...]]] = []

    def forward(self, *inputs: torch.Tensor):
        values = list(inputs)
        for _, function, operands in self.steps:
            values.append(function(*(values[index] for index in operands)))
        used = {index for *_, operands in self.steps for index in operands}
        results = [value for index, value in enumerate(values) if index not in used and index >= self.arguments]
        return results[0] if len(results) == 1 else tuple(results)

    @property
    def names(self) -> list[str]:
        return [name for name, *_ in self.steps]


class Drawer:
    """A module under construction with the values that its inputs give."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        torch.manual_seed(seed)
        self.inputs: list[torch.Tensor] = []
        self.values: list[torch.Tensor] = []

    def draw(self, steps: Sequence[Callable], shape: Sequence[int]) -> Graph:
        self.inputs = [torch.randn(*shape) for _ in range(self.rng.choice((1, 1, 2)))]
        self.values = list(self.inputs)
        self.graph = Graph(len(self.inputs))
        wanted = self.rng.choice(_LENGTHS)
        for _ in range(20 * wanted):
            if len(self.graph.steps) >= wanted:
                break
            try:
                self.rng.choice(steps)(self)
            except Unfit:
                continue
        return self.graph.eval()

    def add(self, name: str, function: Callable, *operands: int) -> int:
        with torch.no_grad():
            value = function(*(self.values[index] for index in operands))
        if value.numel() > _LARGEST or value.ndim > 4 or not torch.isfinite(value).all() or value.abs().max() > 1e3:
            raise Unfit
        self.graph.steps.append((name, function, operands))
        self.values.append(value)
        return len(self.values) - 1

    def layer(self, name: str, layer: nn.Module, operand: int) -> int:
        added = self.add(name, layer, operand)
        self.graph.layers.append(layer)
        return added

    def pick(self, accept: Callable[[torch.Tensor], bool] = lambda value: True) -> int:
        """A value, late ones oftener."""
        fitting = [index for index, value in enumerate(self.values) if accept(value)]
        if not fitting:
            raise Unfit
        return self.rng.choices(fitting, [1 + index for index in range(len(fitting))])[0]

    def like(self, index: int) -> int:
        """Another value of that shape; the same one if there is none."""
        return self.pick(lambda value: value.shape == self.values[index].shape)

    def extent(self) -> int:
        return self.rng.choice(_EXTENTS)


def pointwise(d: Drawer) -> None:
    name, function = d.rng.choice(list(POINTWISE.items()))
    d.add(name, function, d.pick())


def smooth(d: Drawer) -> None:
    name, function = d.rng.choice(list(SMOOTH.items()))
    d.add(name, function, d.pick())


def pairwise(d: Drawer) -> None:
    name, function = d.rng.choice(list(PAIRWISE.items()))
    first = d.pick()
    d.add(name, function, first, d.like(first))


def divide(d: Drawer) -> None:
    first = d.pick()
    d.add("divide", PAIRWISE_SMOOTH["divide"], first, d.like(first))


def linear(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2)
    d.layer("linear", nn.Linear(d.values[value].shape[-1], d.extent(), bias=d.rng.random() < 0.7), value)


def mlp(d: Drawer) -> None:
    """Up, a function, down, and back to where it came from."""
    value = d.pick(lambda v: v.ndim >= 2)
    width = d.values[value].shape[-1]
    hidden = d.layer("up", nn.Linear(width, d.extent()), value)
    name, function = d.rng.choice(list(SMOOTH.items()))
    down = d.layer("down", nn.Linear(d.values[hidden].shape[-1], width), d.add(name, function, hidden))
    d.add("residual", torch.add, value, down)


def norm(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2 and v.shape[-1] > 1)
    kind = d.rng.choice((nn.LayerNorm, nn.RMSNorm))
    d.layer(kind.__name__, kind(d.values[value].shape[-1]), value)


def softmax(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 1)
    dim = d.rng.randrange(d.values[value].ndim)
    d.add("softmax", lambda x: torch.softmax(x, dim), value)


def reduce(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2)
    dim, keep = d.rng.randrange(d.values[value].ndim), d.rng.random() < 0.6
    name = d.rng.choice(("sum", "mean", "amax", "amin"))
    d.add(name, lambda x: getattr(torch, name)(x, dim, keepdim=keep), value)


def centre(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2)
    dim = d.rng.randrange(d.values[value].ndim)
    d.add("centre", lambda x: x - x.mean(dim, keepdim=True), value)


def attention(d: Drawer) -> None:
    """One head or several of what a value says about itself."""
    value = d.pick(lambda v: v.ndim >= 2 and v.shape[-1] % 2 == 0 and v.shape[-2] > 1)
    width, heads = d.values[value].shape[-1], d.rng.choice((1, 2))
    q, k, v = (d.layer(name, nn.Linear(width, width, bias=False), value) for name in ("query", "key", "value"))

    def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        q, k, v = (x.unflatten(-1, (heads, width // heads)).transpose(-3, -2) for x in (q, k, v))
        scores = q @ k.transpose(-2, -1) * (width // heads) ** -0.5
        return (torch.softmax(scores, -1) @ v).transpose(-3, -2).flatten(-2)

    d.add("attention", attend, q, k, v)


def matmul(d: Drawer) -> None:
    first = d.pick(lambda v: v.ndim == 2)
    second = d.pick(lambda v: v.ndim == 2 and v.shape[1] == d.values[first].shape[1])
    d.add("matmul", lambda x, y: x @ y.T, first, second)


def transpose(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2)
    first, second = d.rng.sample(range(d.values[value].ndim), 2)
    d.add("transpose", lambda x: x.transpose(first, second), value)


def split(d: Drawer) -> None:
    """A gated unit: one half of the last dimension multiplies the other."""
    value = d.pick(lambda v: v.ndim >= 2 and v.shape[-1] % 2 == 0)

    def gated(x: torch.Tensor) -> torch.Tensor:
        gate, up = x.chunk(2, -1)
        return torch.sigmoid(gate) * up

    d.add("gated", gated, value)


def slices(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 1 and v.shape[-1] > 1)
    extent = d.values[value].shape[-1]
    begin = d.rng.randrange(extent - 1)
    end = d.rng.randint(begin + 1, extent)
    d.add("slice", lambda x: x[..., begin:end], value)


def concat(d: Drawer) -> None:
    first = d.pick(lambda v: v.ndim >= 1)
    second = d.like(first)
    dim = d.rng.randrange(d.values[first].ndim)
    d.add("cat", lambda x, y: torch.cat((x, y), dim), first, second)


def reshape(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim >= 2)
    if d.values[value].ndim > 2 or d.rng.random() < 0.5:
        d.add("flatten", lambda x: x.flatten(-2), value)
        return
    factors = [f for f in range(2, d.values[value].shape[-1]) if d.values[value].shape[-1] % f == 0]
    if not factors:
        raise Unfit
    factor = d.rng.choice(factors)
    d.add("unflatten", lambda x: x.unflatten(-1, (-1, factor)), value)


def convolve(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim == 4 and min(v.shape[-2:]) >= 3)
    layer = nn.Conv2d(d.values[value].shape[1], d.rng.choice((2, 3, 4)), 3, padding=d.rng.choice((0, 1)))
    d.layer("conv2d", layer, value)


def pool(d: Drawer) -> None:
    value = d.pick(lambda v: v.ndim == 4 and min(v.shape[-2:]) >= 2)
    kind = d.rng.choice((nn.MaxPool2d, nn.AvgPool2d))
    d.layer(kind.__name__, kind(2), value)


def order(d: Drawer) -> None:
    """Rows that are sorted, the largest of them, the largest so far, or elements that are put elsewhere."""
    value = d.pick(lambda v: v.ndim >= 1 and v.numel() * max(v.shape) <= _LARGEST)
    shape = d.values[value].shape
    dim = d.rng.randrange(len(shape))
    count, places = d.rng.randint(1, shape[dim]), torch.randint(shape[dim], shape)
    functions = {
        "sort": lambda x: torch.sort(x, dim)[0],
        "topk": lambda x: torch.topk(x, count, dim)[0],
        "median": lambda x: torch.median(x, dim, keepdim=True)[0],
        "cummax": lambda x: torch.cummax(x, dim)[0],
        "scatter": lambda x: x.scatter(dim, places, 2 * x),
        "scatter_add": lambda x: x.scatter_add(dim, places, x),
    }
    name = d.rng.choice(list(functions))
    d.add(name, functions[name], value)


STEPS = (
    *(pointwise, smooth, smooth, pairwise, pairwise, divide, linear, linear, mlp, norm, softmax, reduce, centre),
    *(attention, matmul, transpose, split, slices, concat, reshape, order, convolve, convolve, pool),
)


def draw(seed: int) -> tuple[Graph, tuple[torch.Tensor, ...]]:
    """The module of a seed and its inputs."""
    drawer = Drawer(seed)
    rank = drawer.rng.choice((2, 2, 3, 3, 4))
    shape = [drawer.extent() for _ in range(rank)]
    if rank == 4:
        shape = [1, drawer.rng.choice((1, 2, 3)), *(drawer.rng.choice((5, 6, 8, 9)) for _ in range(2))]
    graph = drawer.draw(STEPS, shape)
    return graph, tuple(drawer.inputs)


def draw_pointwise(seed: int) -> tuple[Graph, tuple[torch.Tensor, ...]]:
    """A module that rounds nothing but single operations, and inputs with NaN, infinities and large values."""
    drawer = Drawer(seed)
    graph = drawer.draw((pointwise, pointwise, pairwise, transpose, concat, slices), [drawer.extent(), drawer.extent()])
    specials = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 3e38, -3e38, 1e-40])
    inputs = []
    for value in drawer.inputs:
        chosen = specials[torch.randint(len(specials), value.shape)]
        inputs.append(torch.where(torch.rand(value.shape) < 0.4, chosen, value))
    return graph, tuple(inputs)
