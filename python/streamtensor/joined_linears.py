# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linears of one input as one linear: queries, keys and values of an attention, gate and up of an MLP.

As linears of their own they load their weights in turn, each as wide as its own lanes, while those of the others wait.
Joined, all lanes work on every row of the weight. A row has its scales for itself, so that quantisation and values are
those of the linears alone. Each stays where it was and gives its part of the joined result; that of one input is
computed once, by PyTorch as by the design.
"""

from __future__ import annotations

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

# Names of transformers (Llama, Qwen, Gemma, Mistral); GPT-2 and Phi-3 come with joined ones.
GROUPS = (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj"))


class LinearPart(torch.nn.Module):
    """Some of the outputs of a linear that the first part of them owns, as `joined`."""

    def __init__(self, first: LinearPart | None, begin: int, end: int):
        super().__init__()
        self._first = [first or self]  # no module of this one: parameters have one name
        self.begin, self.end = begin, end

    def __getstate__(self) -> dict:
        return {name: value for name, value in self.__dict__.items() if name != "_last"}

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        return self._first[0].all_of(given)[..., self.begin : self.end]

    def all_of(self, given: torch.Tensor) -> torch.Tensor:
        """What the joined linear gives for an input: the last one found is kept, but not while a program is traced."""
        if torch.compiler.is_compiling():
            return self.joined(given)
        weight = getattr(self.joined, "weight", None)
        last = self.__dict__.get("_last")
        if last is None or last[0] is not given or last[1] is not weight:
            last = self.__dict__["_last"] = (given, weight, self.joined(given))
        return last[2]


def join_linears(model: torch.nn.Module) -> None:
    """Replaces the linears of each group of GROUPS, all float or all quantised alike, by parts of one, in place."""
    for module in list(model.modules()):
        for group in GROUPS:
            linears = [getattr(module, name, None) for name in group]
            if all(type(linear) is torch.nn.Linear for linear in linears) and _fit(linears):
                _join(module, group, linears)


def _fit(linears: list[torch.nn.Linear]) -> bool:
    kinds = {(part.in_features, part.bias is None, part.weight.dtype, part.weight.device) for part in linears}
    return len(kinds) == 1 and all(_forms(part) == _forms(linears[0]) for part in linears)


def _forms(linear: torch.nn.Linear) -> tuple | None:
    """What a quantised weight says of all its rows, its type and the names of its tensors; None of a float one."""
    weight = linear.weight.detach()
    return (type(weight), weight.__tensor_flatten__()) if is_traceable_wrapper_subclass(weight) else None


def _join(module: torch.nn.Module, names: tuple[str, ...], linears: list[torch.nn.Linear]) -> None:
    joined = torch.nn.Linear(linears[0].in_features, sum(part.out_features for part in linears), device="meta")
    joined.weight = _concatenated([part.weight for part in linears])
    joined.bias = None if linears[0].bias is None else _concatenated([part.bias for part in linears])
    joined.train(linears[0].training)
    first, begin = None, 0
    for name, linear in zip(names, linears, strict=True):
        part = LinearPart(first, begin, begin + linear.out_features)
        if first is None:
            first, part.joined = part, joined
        setattr(module, name, part)
        begin += linear.out_features


def _concatenated(parts: list[torch.Tensor]) -> torch.nn.Parameter:
    return torch.nn.Parameter(_rows([part.detach() for part in parts]), requires_grad=False)


def _rows(parts: list[torch.Tensor]) -> torch.Tensor:
    """The rows of all parts; each row of a quantised one has its integers, scales and zero points."""
    first = parts[0]
    if not is_traceable_wrapper_subclass(first):
        return torch.cat(parts)
    names, forms = first.__tensor_flatten__()
    tensors = {name: _rows([getattr(part, name) for part in parts]) for name in names}
    return type(first).__tensor_unflatten__(tensors, forms, None, None)
