# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantisation of float models, by torchao: what PyTorch then computes is the reference of the design.

`w4a8` is torchao's 8da4w: int4 weights, symmetric, one scale for each group along the reduction; int8 activations,
asymmetric, one scale and zero point for each token, found when it runs. `w4a8-symmetric` has the same weights, and
activations that are symmetric in the same groups, each with a scale of its own. `w4a8-channel` and `w8a8` have the
activations of w4a8, and weights of int4 and int8 with one scale for each row: an output channel.

Int4 weights of a GGUF file stay what they are where groups are theirs (streamtensor.frontend.gguf_weights). If one of
them is asymmetric, those of the model that are not int4 in the file are quantised asymmetrically too: layers are alike.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from streamtensor.errors import CompileError
from streamtensor.joined_linears import join_linears
from streamtensor.schemes import CHANNEL, GROUP_SIZE, GROUPS, OF_ROWS, SCHEMES, SYMMETRIC

if TYPE_CHECKING:
    from streamtensor.frontend.gguf_weights import Int4


def quantise_model(
    model: torch.nn.Module,
    scheme: str = "w4a8",
    group_size: int = GROUP_SIZE,
    origin: str | Path | None = None,
    joins: bool = False,
    head: bool = False,
) -> torch.nn.Module:
    """Quantises every linear layer of `model` in place, and gives it back; the head of a language model with `head`.

    `group_size`: elements of a row of a weight that share a scale; w4a8-channel and w8a8 have one scale a row whatever
    it is. `origin`: where the model was loaded from. `joins`: linears of one input become one
    (streamtensor.joined_linears), unless int4 weights of a GGUF file are taken over, by their names. A head that shares
    its weight with the embedding gets one of its own, rounded from floats: the embedding stays as it is.
    """
    return Quantisation(model, scheme, group_size, origin, joins, head).finish()


class Quantisation:
    """The quantisation of a model, in place, layer by layer. The arguments are those of quantise_model.

    The program of a design needs few layers, and the compiler is at work before the others are quantised.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        scheme: str,
        group_size: int = GROUP_SIZE,
        origin: str | Path | None = None,
        joins: bool = False,
        head: bool = False,
    ):
        if scheme not in SCHEMES:
            raise CompileError(f"There is no quantisation '{scheme}': known are {', '.join(SCHEMES)}.")
        if is_quantised(model):
            raise CompileError(
                f"Weights of {type(model).__name__} are quantised already, and are taken as they are: leave quantise "
                "(--quantise) out, or give the model in floats."
            )
        _replace_transposed(model)
        linears = _linears(model)
        self._heads = _head(model) if head else {}
        if scheme not in OF_ROWS:
            _check_groups(linears | self._heads, group_size)
        self.model, self._scheme, self._group_size = model, scheme, group_size
        self._taken = _taken(linears, scheme, group_size, origin)
        self._joins = joins and not self._taken
        self._waiting = linears | self._heads

    def take(self, modules: Iterable[torch.nn.Module]) -> None:
        """Quantises the linears in `modules`, and the head."""
        parts = {part for module in modules for part in module.modules()}
        self._quantise({name: part for name, part in self._waiting.items() if part in parts or name in self._heads})

    def finish(self) -> torch.nn.Module:
        """Quantises all others; the model, which is another module if it was one linear."""
        self._quantise(dict(self._waiting))
        return self.model

    def _quantise(self, linears: dict[str, torch.nn.Linear]) -> None:
        from torchao.quantization import quantize_

        if not linears:
            return
        for name, linear in linears.items():
            del self._waiting[name]
            if name in self._taken:
                linear.weight = torch.nn.Parameter(_as_torchao(self._taken[name], self._scheme), requires_grad=False)
            elif not linear.weight.is_contiguous():  # one that was transposed
                linear.weight = torch.nn.Parameter(linear.weight.detach().contiguous(), requires_grad=False)
        others = linears.keys() - self._taken.keys()
        quantize_(self.model, _config(self._scheme, self._group_size), filter_fn=lambda _, name: name in others)
        if self._joins:  # of integers there is less to copy than of floats
            for owner in sorted({name.rpartition(".")[0] for name in linears.keys() - self._heads.keys()}):
                join_linears(self.model.get_submodule(owner))
        if self._scheme == SYMMETRIC:
            self._give_scales()

    def _give_scales(self) -> None:
        """Activations of linears whose weights are quantised get scales for each group."""
        own = {part: SymmetricLinear(part, self._group_size) for part in quantised_linears(self.model).values()}
        for name, part in list(self.model.named_modules(remove_duplicate=False)):  # One may have several names.
            if part not in own or isinstance(part, SymmetricLinear):
                continue
            if name:
                self.model.set_submodule(name, own[part])
            else:  # the model is one linear
                self.model = own[part]


def _taken(
    linears: dict[str, torch.nn.Linear], scheme: str, group_size: int, origin: str | Path | None
) -> dict[str, Int4]:
    """Weights that torchao need not quantise."""
    if scheme in OF_ROWS or origin is None or Path(origin).suffix != ".gguf":
        return {}
    from streamtensor.frontend import gguf_weights

    if group_size != gguf_weights.GROUP:
        return {}
    found = gguf_weights.read(Path(origin), linears)
    if all(weight.zeros is None for weight in found.values()):
        return found
    others = {name: gguf_weights.quantise(part.weight.detach()) for name, part in linears.items() if name not in found}
    return {name: weight.with_zeros() for name, weight in found.items()} | others


def _as_torchao(weight: Int4, scheme: str) -> torch.Tensor:
    from torchao.quantization.quantize_.workflows.intx.intx_unpacked_to_int8_tensor import (
        IntxUnpackedToInt8Tensor,
        IntxUnpackedToInt8TensorActivationQuantization,
    )

    zeros = torch.zeros_like(weight.scales, dtype=torch.int8) if weight.zeros is None else weight.zeros
    block = (1, weight.values.shape[1] // weight.scales.shape[1])
    kind = None if scheme == SYMMETRIC else IntxUnpackedToInt8TensorActivationQuantization.INT8_ASYM_PER_TOKEN
    parts = (weight.values.contiguous(), weight.scales.contiguous(), zeros.contiguous())
    return IntxUnpackedToInt8Tensor(*parts, torch.int4, block, torch.float32, kind)


class SymmetricLinear(torch.nn.Linear):
    """A linear whose weight is quantised and whose activations are: symmetric int8, a scale for each group of a token.

    Computed in PyTorch as torchao computes its own: a float product of what is dequantised.
    """

    def __init__(self, linear: torch.nn.Linear, group_size: int):
        super().__init__(linear.in_features, linear.out_features, linear.bias is not None, device="meta")
        self.weight, self.bias, self.group_size = linear.weight, linear.bias, group_size
        self.train(linear.training)

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        from torchao.quantization.quant_primitives import dequantize_affine

        values, scale, _ = quantise_activations(self, given)
        block = (*(1 for _ in given.shape[:-1]), self.group_size)
        bounds = (-_LARGEST, _LARGEST)
        floats = dequantize_affine(values, block, scale, None, torch.int8, *bounds, output_dtype=given.dtype)
        return torch.nn.functional.linear(floats, self.weight, self.bias)


_LARGEST = 127  # of symmetric activations


def is_quantised(model: torch.nn.Module) -> bool:
    """Whether a parameter of `model` consists of integers and scales."""
    return any(is_traceable_wrapper_subclass(parameter.detach()) for parameter in model.parameters())


def quantised_linears(model: torch.nn.Module) -> dict[str, torch.nn.Linear]:
    """The linear layers whose weights are quantised, by name."""
    linears = {name: part for name, part in model.named_modules() if isinstance(part, torch.nn.Linear)}
    return {name: part for name, part in linears.items() if is_traceable_wrapper_subclass(part.weight.detach())}


def activation_group(linear: torch.nn.Linear) -> tuple[int, bool]:
    """How many inputs of a token share a scale, and whether there are no zero points."""
    return (linear.group_size, True) if isinstance(linear, SymmetricLinear) else (linear.in_features, False)


def quantise_activations(
    linear: torch.nn.Linear, given: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """Integers of what a quantised `linear` is given, [.., inputs], scales [.., groups] and zero points [..]."""
    from torchao.quantization import MappingType
    from torchao.quantization.quant_primitives import choose_qparams_affine, quantize_affine

    group, is_symmetric = activation_group(linear)
    if is_symmetric:
        return *quantise_symmetric(given, group), None
    block = (*(1 for _ in given.shape[:-1]), group)
    scale, zeros = choose_qparams_affine(
        given, MappingType.ASYMMETRIC, block, torch.int8, quant_min=-128, quant_max=127, zero_point_dtype=torch.int8
    )
    return quantize_affine(given, block, scale, zeros, torch.int8, quant_min=-128, quant_max=127), scale, zeros


def quantise_symmetric(given: torch.Tensor, group: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Integers and scales: the largest magnitude of each group becomes 127, zero stays zero."""
    parts = given.reshape(*given.shape[:-1], -1, group)
    scale = (parts.abs().amax(-1) / _LARGEST).clamp(min=torch.finfo(given.dtype).smallest_normal)
    values = torch.clamp(torch.round(parts * (1.0 / scale)[..., None]), -_LARGEST, _LARGEST)
    return values.to(torch.int8).reshape(given.shape), scale


def quantised_copy(model: torch.nn.Module, scheme: str | None, group_size: int) -> torch.nn.Module:
    """`model`, or a copy of it that is quantised if there is a scheme."""
    if scheme is None:
        return model
    for name, linear in _named_linears(model).items():
        if linear.weight.dtype != torch.float32:
            raise CompileError(
                f"The weights of linear '{name}' are {linear.weight.dtype}, but scales of quantised weights are "
                "float32: give the module as model.float()."
            )
    return quantise_model(copy_for_quantisation(model), scheme, group_size)


def copy_for_quantisation(model: torch.nn.Module) -> torch.nn.Module:
    """A copy that shares the weights in whose place quantisation puts others."""
    heads, linears = _head(model), _named_linears(model)
    replaced = {
        f"{name}.weight"
        for name, part in model.named_modules()
        if (name in linears or _is_transposed(part)) and name not in heads
    }
    every = dict(model.named_parameters(remove_duplicate=False))
    kept = {id(parameter) for name, parameter in every.items() if name not in replaced}
    shared = (every[name] for name in replaced & every.keys())
    return copy.deepcopy(model, {id(weight): weight for weight in shared if id(weight) not in kept})


def _config(scheme: str, group_size: int):
    from torchao.quantization import Int8DynamicActivationIntxWeightConfig, IntxWeightOnlyConfig, PerAxis, PerGroup

    if scheme in OF_ROWS:
        kind = torch.int4 if scheme == CHANNEL else torch.int8
        return Int8DynamicActivationIntxWeightConfig(weight_dtype=kind, weight_granularity=PerAxis(0))
    if scheme == SYMMETRIC:
        return IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(group_size))
    return Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(group_size))


def _named_linears(model: torch.nn.Module) -> dict[str, torch.nn.Linear]:
    """Those that are called: nn.MultiheadAttention reads the weight of its own one as floats."""
    return {
        name: part
        for name, part in model.named_modules()
        if isinstance(part, torch.nn.Linear) and not isinstance(part, NonDynamicallyQuantizableLinear)
    }


def _head(model: torch.nn.Module) -> dict[str, torch.nn.Linear]:
    """The head of a language model, by its name; nothing for another module."""
    find_head = getattr(model, "get_output_embeddings", None)
    head = find_head() if find_head else None
    return {name: part for name, part in _named_linears(model).items() if part is head}


def _linears(model: torch.nn.Module) -> dict[str, torch.nn.Linear]:
    """The linear layers by name but the head of a language model, which may share its weight with the embedding."""
    head = _head(model)
    found = {name: part for name, part in _named_linears(model).items() if name not in head}
    if not found:
        raise CompileError(f"{type(model).__name__} has no linear layer to quantise: compile it without quantisation.")
    return found


def _check_groups(linears: dict[str, torch.nn.Linear], group_size: int) -> None:
    if group_size not in GROUPS:
        raise CompileError(f"The group size is {group_size}: it is one of {', '.join(map(str, GROUPS))}.")
    for name, linear in linears.items():
        if linear.in_features % group_size:
            fitting = [str(size) for size in GROUPS if all(part.in_features % size == 0 for part in linears.values())]
            remedy = f"Choose {' or '.join(fitting or OF_ROWS)}" + ("" if fitting else ", which have one scale a row")
            raise CompileError(
                f"Groups of {group_size} do not divide the {linear.in_features} inputs of the linear layer '{name}'. "
                f"{remedy}."
            )


def _replace_transposed(model: torch.nn.Module) -> None:
    """GPT-2's layers of transformers keep the transposed weight of an nn.Linear, which they become."""
    for name, part in list(model.named_modules()):
        if not _is_transposed(part):
            continue
        inputs, outputs = part.weight.shape
        linear = torch.nn.Linear(inputs, outputs, dtype=part.weight.dtype, device="meta")
        linear.weight = torch.nn.Parameter(part.weight.detach().T, requires_grad=False)
        linear.bias = torch.nn.Parameter(part.bias.detach(), requires_grad=False)
        model.set_submodule(name, linear.eval())


def _is_transposed(part: torch.nn.Module) -> bool:
    """Whether it is such a layer of GPT-2."""
    return type(part).__name__ == "Conv1D" and type(part).__module__.startswith("transformers.")
