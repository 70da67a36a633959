# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantisation of float models, by torchao: what PyTorch then computes is the reference of the design.

`w4a8` is torchao's 8da4w: int4 weights, symmetric, one scale for each group along the reduction; int8 activations,
asymmetric, one scale and zero point for each token, found when it runs. `w8a8` has int8 weights with one scale a row.
"""

from __future__ import annotations

import copy

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from streamtensor.errors import CompileError

SCHEMES = ("w4a8", "w8a8")
GROUPS = (32, 64, 128)


def quantise_model(model: torch.nn.Module, scheme: str = "w4a8", group_size: int = 32) -> torch.nn.Module:
    """Quantises every linear layer of `model` in place but the head of a language model, and gives it back.

    `group_size`: elements of a row of a weight that share a scale; w8a8 has one scale a row whatever it is.
    """
    from torchao.quantization import quantize_

    if scheme not in SCHEMES:
        raise CompileError(f"There is no quantisation '{scheme}': known are {', '.join(SCHEMES)}.")
    _replace_transposed(model)
    linears = _linears(model)
    if scheme == "w4a8":
        _check_groups(linears, group_size)
    quantize_(model, _config(scheme, group_size), filter_fn=lambda module, name: name in linears)
    return model


def is_quantised(model: torch.nn.Module) -> bool:
    """Whether a parameter of `model` consists of integers and scales."""
    return any(is_traceable_wrapper_subclass(parameter.detach()) for parameter in model.parameters())


def quantised_copy(model: torch.nn.Module, scheme: str | None, group_size: int) -> torch.nn.Module:
    """`model`, or a copy of it that is quantised if there is a scheme."""
    return model if scheme is None else quantise_model(copy.deepcopy(model), scheme, group_size)


def _config(scheme: str, group_size: int):
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, PerAxis, PerGroup

    if scheme == "w8a8":
        return Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int8, weight_granularity=PerAxis(0))
    return Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(group_size))


def _linears(model: torch.nn.Module) -> dict[str, torch.nn.Linear]:
    """The linear layers by name. The head of a language model shares its weight with the embedding and stays float."""
    find_head = getattr(model, "get_output_embeddings", None)
    head = find_head() if find_head else None
    named = {name: part for name, part in model.named_modules() if isinstance(part, torch.nn.Linear)}
    found = {name: part for name, part in named.items() if part is not head}
    if not found:
        raise CompileError(f"{type(model).__name__} has no linear layer to quantise: compile it without quantisation.")
    return found


def _check_groups(linears: dict[str, torch.nn.Linear], group_size: int) -> None:
    if group_size not in GROUPS:
        raise CompileError(f"The group size is {group_size}: it is one of {', '.join(map(str, GROUPS))}.")
    for name, linear in linears.items():
        if linear.in_features % group_size:
            fitting = [str(size) for size in GROUPS if all(part.in_features % size == 0 for part in linears.values())]
            remedy = f"Choose {' or '.join(fitting)}" if fitting else "Choose w8a8, which has one scale a row"
            raise CompileError(
                f"Groups of {group_size} do not divide the {linear.in_features} inputs of the linear layer '{name}'. "
                f"{remedy}."
            )


def _replace_transposed(model: torch.nn.Module) -> None:
    """GPT-2's layers of transformers keep the transposed weight of an nn.Linear, which they become."""
    for name, part in list(model.named_modules()):
        if type(part).__name__ != "Conv1D" or not type(part).__module__.startswith("transformers."):
            continue
        inputs, outputs = part.weight.shape
        linear = torch.nn.Linear(inputs, outputs, dtype=part.weight.dtype)
        linear.weight = torch.nn.Parameter(part.weight.detach().T.contiguous(), requires_grad=False)
        linear.bias = torch.nn.Parameter(part.bias.detach(), requires_grad=False)
        model.set_submodule(name, linear.eval())
