# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A quantised model in f64, which rounds activations to int8 where the model does.

The same model computed in f32, by anyone, differs from it by roundings of floats; an activation that lies on the
boundary between two integers may then become the other one, and a step of an int8 quantiser is seen in every later
layer. So the exact model takes the integers that another computation found, but only on such boundaries: where its own
value, in steps of the quantiser, is within `reach` of the boundary between its own integer and that one. What differs
anywhere else is a mistake of that computation; it is counted, and the exact model goes on with its own.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import torch

from streamtensor.frontend import decoder
from streamtensor.quantise import activation_group, quantised_linears
from streamtensor.wide import Widened

REACH = 1 / 256  # of a step of the quantiser; PyTorch in f32 is up to half of it off


@dataclass(frozen=True)
class Integers:
    """Activations [tokens, inputs] of one linear, and the zero point of each token [tokens, 1], where it has one."""

    values: torch.Tensor
    zeros: torch.Tensor | None

    def differences(self, group: int) -> torch.Tensor:
        """What is multiplied: integers minus zero points, [tokens, groups, inputs of a group]."""
        values = self.values.double().reshape(len(self.values), -1, group)
        return values if self.zeros is None else values - self.zeros.double()[:, :, None]


@dataclass
class Flips:
    """Activations of another computation whose integers are not those of the exact model."""

    activations: int = 0
    explained: int = 0
    unexplained: int = 0
    farthest: float = 0.0  # from a boundary, of those explained, in steps
    largest: int = 0  # difference, in steps
    places: list[str] = field(default_factory=list)  # of those unexplained

    def add(self, other: Flips) -> None:
        self.activations += other.activations
        self.explained += other.explained
        self.unexplained += other.unexplained
        self.farthest = max(self.farthest, other.farthest)
        self.largest = max(self.largest, other.largest)
        self.places += other.places


@dataclass(frozen=True)
class Rounded:
    """One quantisation in f64: values in steps before they are rounded, what they become, and how far apart steps are.

    All but `scale` [tokens, groups, 1] have the shape [tokens, groups, inputs of a group].
    """

    steps: torch.Tensor
    differences: torch.Tensor
    scale: torch.Tensor
    lowest: torch.Tensor  # of the differences, by token and group
    zero_steps: torch.Tensor | None  # minus the zero point, before it is rounded


def quantise(x: torch.Tensor, group: int, is_symmetric: bool) -> Rounded:
    """As torchao quantises [tokens, inputs] dynamically, a scale for each `group` inputs of a token."""
    parts = x.double().reshape(x.shape[0], -1, group)
    eps = torch.finfo(torch.float32).smallest_normal
    if is_symmetric:
        scale = (parts.abs().amax(-1, keepdim=True) / 127).clamp(min=eps)
        steps = parts / scale
        return Rounded(steps, steps.round().clamp(-127, 127), scale, torch.full_like(scale, -127), None)
    low, high = (bound.clamp(**{side: 0}) for bound, side in _bounds(parts))
    scale = ((high - low) / 255).clamp(min=eps)
    zero_steps = low / scale
    lowest = zero_steps.round().clamp(-255, 0)
    steps = parts / scale
    differences = torch.minimum(torch.maximum(steps.round(), lowest), lowest + 255)
    return Rounded(steps, differences, scale, lowest, zero_steps)


def _bounds(parts: torch.Tensor) -> list[tuple[torch.Tensor, str]]:
    return [(parts.amin(-1, keepdim=True), "max"), (parts.amax(-1, keepdim=True), "min")]


def settle(own: Rounded, other: Integers, reach: float, name: str = "") -> tuple[torch.Tensor, Flips]:
    """The differences to go on with, and where `other` has others: integers of the tensor called `name`.

    A flip is explained one step away, where the value lies within `reach` of the boundary between the two. A zero point
    is rounded too: where it flips, values at the end of the range are cut one step away.
    """
    theirs = other.differences(own.steps.shape[-1])
    flips = torch.nonzero(theirs != own.differences, as_tuple=True)
    found, expected = theirs[flips], own.differences[flips]
    distance = (own.steps[flips] - (found + expected) / 2).abs()
    if own.zero_steps is not None and len(found):
        distance = torch.minimum(distance, _of_cuts(own, other, found, flips[0]))
    distance = torch.where((found - expected).abs() == 1, distance, torch.inf)
    is_explained = distance <= reach
    taken = own.differences.clone()
    taken[flips] = torch.where(is_explained, found, expected)
    return taken, Flips(
        activations=theirs.numel(),
        explained=int(is_explained.sum()),
        unexplained=int((~is_explained).sum()),
        farthest=max(distance[is_explained].tolist(), default=0.0),
        largest=int(max((found - expected).abs().tolist(), default=0)),
        places=[f"{name} of token {token}" for token in sorted({*flips[0][~is_explained].tolist()})],
    )


def _of_cuts(own: Rounded, other: Integers, found: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """How far zero points are from the boundary where they flipped, for values that they cut; infinite for others."""
    lowest, expected = -128 - other.zeros.double()[tokens, 0], own.lowest[tokens, 0, 0]
    distance = (own.zero_steps[tokens, 0, 0] - (lowest + expected) / 2).abs()
    is_cut = ((found == lowest) | (found == lowest + 255)) & ((lowest - expected).abs() == 1)
    return torch.where(is_cut, distance, torch.inf)


class ExactLinear(torch.nn.Module):
    """A quantised linear layer in f64, whose weights become f64 for each call."""

    def __init__(self, linear: torch.nn.Linear, name: str, rounder: Rounder):
        super().__init__()
        self._linear, self._name, self._rounder = [linear], name, rounder  # no module of this one

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        linear = self._linear[0]
        activation = self._rounder.round(x, self._name, *activation_group(linear))
        bias = None if linear.bias is None else linear.bias.double()
        return torch.nn.functional.linear(activation, _weight(linear.weight), bias)


class Rounder:
    """Quantises what linears read, by the integers of another computation, `given`, where those may be taken.

    Linears that read one tensor share its integers, which count once.
    """

    def __init__(self, reach: float):
        self._reach = reach
        self.start({})

    def start(self, given: dict[str, Integers]) -> None:
        self._given, self._last = given, (None, None)
        self.flips: dict[str, Flips] = {}

    def round(self, x: torch.Tensor, name: str, group: int, is_symmetric: bool) -> torch.Tensor:
        """`x` rounded to integers, and as floats again."""
        if self._last[0] is x:
            return self._last[1]
        own = quantise(x.reshape(-1, x.shape[-1]), group, is_symmetric)
        taken = own.differences
        if name in self._given:
            taken, self.flips[name] = settle(own, self._given[name], self._reach, name)
        self._last = x, (taken * own.scale).reshape(x.shape)
        return self._last[1]


def _weight(weight: torch.Tensor) -> torch.Tensor:
    """In f64, products of integers and scales, which are exact there."""
    parts = weight.qdata.double().reshape(*weight.scale.shape, -1)
    if bool(weight.zero_point.any()):
        parts = parts - weight.zero_point.double()[..., None]
    return (parts * weight.scale.double()[..., None]).reshape(weight.shape)


class ExactModel:
    """`model`, quantised by streamtensor.quantise, in f64; norms and softmax too, where it asks for f32."""

    def __init__(self, model: torch.nn.Module, reach: float = REACH):
        quantised = quantised_linears(model)
        shared = {id(part): part for part in quantised.values()}
        self._model = copy.deepcopy(model, shared)  # their weights are not copied
        self._rounder = Rounder(reach)
        for name, part in quantised.items():
            self._model.set_submodule(name, ExactLinear(part, name, self._rounder))
        self._model.double()

    def __call__(self, ids: list[int], given: dict[str, Integers] | None = None) -> tuple[torch.Tensor, Flips]:
        """Logits [tokens, vocabulary] of a text at once, and the flips of `given`: integers by names of linears."""
        logits, _, flips = self.read(ids, given)
        return logits, flips

    @torch.no_grad()
    def read(
        self, ids: list[int], given: dict[str, Integers] | None = None
    ) -> tuple[torch.Tensor, list[torch.Tensor], Flips]:
        """What `__call__` gives, with the output of each layer, [tokens, hidden], in between."""
        self._rounder.start(given or {})
        with decoder.keeping_outputs(self._model) as outputs, Widened():
            logits = self._model(torch.tensor([ids]), use_cache=False).logits[0]
        found = Flips()
        for flips in self._rounder.flips.values():
            found.add(flips)
        return logits, [each[0] for each in outputs], found
