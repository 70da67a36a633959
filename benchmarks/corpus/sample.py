# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a module of the corpus is: built once, with a draw of example inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import nn

# Draws example inputs. Masks and tables are the same in every draw.
Draw = Callable[[], tuple[torch.Tensor, ...]]
Make = Callable[[], tuple[nn.Module, Draw]]


class Keywords(nn.Module):
    """A module whose forward takes its tensors by keyword, beside arguments that are bound here."""

    def __init__(self, inner: nn.Module, names: Sequence[str], **bound: object):
        super().__init__()
        self.inner, self.names, self.bound = inner, tuple(names), bound

    def forward(self, *values):
        return self.inner(**dict(zip(self.names, values, strict=True)), **self.bound)


class Function(nn.Module):
    """A function without parameters."""

    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *values):
        return self.function(*values)


def floats(*shapes: Sequence[int]) -> Draw:
    return lambda: tuple(torch.randn(shape) for shape in shapes)


def indices(limit: int, *shape: int) -> torch.Tensor:
    return torch.randint(limit, shape)


def causal_mask(tokens: int) -> torch.Tensor:
    """Added to scores, [1, 1, tokens, tokens]."""
    hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
    return torch.zeros(1, 1, tokens, tokens).masked_fill(hidden, torch.finfo(torch.float32).min)


def rotary(tokens: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of positions, [1, tokens, width], the halves alike."""
    angles = torch.arange(tokens)[:, None] * 10000.0 ** (-torch.arange(0, width, 2) / width)
    both = torch.cat((angles, angles), dim=-1)[None]
    return both.cos(), both.sin()


def disturb(module: nn.Module) -> nn.Module:
    """Gives norms and biases values that are not those of a fresh module: 0 and 1 would hide a mistake."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point() and parameter.dim() < 2:
                parameter.add_(0.1 * torch.randn_like(parameter))
        for name, buffer in module.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_()
            elif name.endswith("running_var"):
                buffer.uniform_(0.5, 2)
    return module


def by_name(makes: Mapping[str, Callable[[], tuple[nn.Module, Draw]]]) -> dict[str, Make]:
    """The modules of `makes`, disturbed and in evaluation mode."""

    def finish(make: Make) -> Make:
        def finished() -> tuple[nn.Module, Draw]:
            module, draw = make()
            return disturb(module).eval(), draw

        return finished

    return {name: finish(make) for name, make in makes.items()}
