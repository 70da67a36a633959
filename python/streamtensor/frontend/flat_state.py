# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters that are several tensors: a quantised weight is integers, scales and zero points.

Such a parameter is a tensor subclass. A design reads the tensors it consists of, `q_proj.weight.qdata` and so on; the
exporter calls the same ones `q_proj.parametrizations.weight.original0` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

_EXPORTED = re.compile(r"(?:(.*)\.)?parametrizations\.(\w+)\.original(\d+)")


def named_tensors(module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Parameters and buffers by name, every one under each of its names."""
    yield from named_parameters(module)
    yield from (pair for named in module.named_buffers(remove_duplicate=False) for pair in flatten(*named))


def named_parameters(module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from (pair for named in module.named_parameters(remove_duplicate=False) for pair in flatten(*named))


def flatten(name: str, tensor: torch.Tensor) -> list[tuple[str, torch.Tensor]]:
    """The plain tensors that `tensor` consists of, by name."""
    if isinstance(tensor, torch.nn.Parameter):
        tensor = tensor.detach()
    if not is_traceable_wrapper_subclass(tensor):
        return [(name, pairs_of(tensor) if tensor.is_complex() else tensor)]
    parts, _ = tensor.__tensor_flatten__()
    return [pair for part in parts for pair in flatten(f"{name}.{part}", getattr(tensor, part))]


def pairs_of(tensor: torch.Tensor) -> torch.Tensor:
    """The real and imaginary parts of complex numbers, in a last dimension of two."""
    return torch.view_as_real(tensor.resolve_conj())


def rebuild(tensor: torch.Tensor, change) -> torch.Tensor:
    """`tensor` with `change` applied to each of the plain tensors that it consists of."""
    if not is_traceable_wrapper_subclass(tensor):
        return torch.view_as_complex(change(pairs_of(tensor))) if tensor.is_complex() else change(tensor)
    parts, context = tensor.__tensor_flatten__()
    changed = {part: rebuild(getattr(tensor, part), change) for part in parts}
    return type(tensor).__tensor_unflatten__(changed, context, tensor.shape, tensor.stride())


def gather(module: torch.nn.Module, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The parameters and buffers of `module` made of `tensors`, which are named as `named_tensors` does."""
    named = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    return {name: _gather(name, tensor, tensors) for name, tensor in named}


def _gather(name: str, like: torch.Tensor, tensors: dict[str, torch.Tensor]) -> torch.Tensor:
    if isinstance(like, torch.nn.Parameter):
        like = like.detach()
    if not is_traceable_wrapper_subclass(like):
        return torch.view_as_complex(tensors[name]) if like.is_complex() else tensors[name]
    parts, context = like.__tensor_flatten__()
    inner = {part: _gather(f"{name}.{part}", getattr(like, part), tensors) for part in parts}
    return type(like).__tensor_unflatten__(inner, context, like.shape, like.stride())


def name_of_exported(target: str, module: torch.nn.Module) -> str:
    """The name that `named_tensors` gives what the exporter calls `target`."""
    match = _EXPORTED.fullmatch(target)
    if match is None:
        return target
    path, attribute, number = match[1] or "", match[2], int(match[3])
    owner = module.get_submodule(path)
    whole = getattr(owner, attribute, None)
    if not is_traceable_wrapper_subclass(whole):
        return target
    return flatten(f"{path}.{attribute}" if path else attribute, whole)[number][0]


def strip(name: str, prefix: str) -> str:
    """`name` without the name of a wrapper's attribute in front."""
    return name[len(prefix) + 1 :] if prefix and name.startswith(prefix + ".") else name
