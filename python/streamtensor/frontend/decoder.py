# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoder layers of Hugging Face causal language models.

One layer is exported with everything that differs between layers as arguments: its parameters, the rotary tables and
the mask. The same design then serves every layer of the model.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import torch

from streamtensor.errors import CompileError, UnsupportedOpError
from streamtensor.frontend import export_module, flat_state
from streamtensor.frontend.linalg_module import LinalgModule
from streamtensor.process import TIME_LIMIT

_PREFIX = "layer"


class _RotaryLayer(torch.nn.Module):
    """Llama, Qwen2, Gemma3 and their kin: positions come in as cosines and sines."""

    next_launch: ClassVar = {"hidden_states": 0}  # results that are arguments of the next layer

    def __init__(self, layer: torch.nn.Module):
        super().__init__()
        self.layer = layer
        self._absent = _absent_arguments(layer)

    def forward(self, hidden_states, cos, sin, mask):
        tables = (cos, sin)
        return _first(self.layer(hidden_states, attention_mask=mask, position_embeddings=tables, **self._absent))


class _AbsoluteLayer(torch.nn.Module):
    """GPT-2, OPT: positions are added to the embedding, outside the layer."""

    next_launch: ClassVar = {"hidden_states": 0}

    def __init__(self, layer: torch.nn.Module):
        super().__init__()
        self.layer = layer

    def forward(self, hidden_states, mask):
        return _first(self.layer(hidden_states, attention_mask=mask))


def _absent_arguments(layer: torch.nn.Module) -> dict[str, None]:
    """Falcon's layers ask for a bias of distances that its models with rotary positions do not have."""
    return {"alibi": None} if "alibi" in inspect.signature(layer.forward).parameters else {}


def _first(result):
    return result[0] if isinstance(result, tuple) else result


@dataclass(frozen=True)
class Decoder:
    """The parts of a causal language model that the layer loop needs."""

    layers: torch.nn.ModuleList
    final_norm: torch.nn.Module
    rotary: torch.nn.Module | None  # None where positions are added to the embedding
    positions: torch.nn.Module | None  # the table of those positions

    def embed_positions(self, numbers: torch.Tensor) -> torch.Tensor | float:
        """What is added to the embedding of tokens at the positions `numbers`, [tokens]."""
        if self.positions is None:
            return 0.0
        numbers = numbers[None, :]
        if "position_ids" in inspect.signature(self.positions.forward).parameters:
            return self.positions(torch.ones_like(numbers), position_ids=numbers)
        return self.positions(numbers)


def decoder_of(model: torch.nn.Module) -> Decoder:
    """Finds layers, final norm and rotary table of a Hugging Face causal language model."""
    body = _body_of(model)
    layers, norm = _part(body, "layers", "h"), _part(body, "norm", "ln_f", "final_layer_norm")
    if layers is None or norm is None or len(layers) == 0 or not _has_attention(layers):
        raise CompileError(
            f"{type(model).__name__} is not a causal language model that StreamTensor knows: it needs attention in "
            "layers between an embedding and a final norm, as Llama, Qwen, Gemma3, Phi3, Mistral, GPT-2, GPT-NeoX, "
            "OPT and Falcon have them. Compile its layers one by one with streamtensor.compile."
        )
    return Decoder(layers, norm, _part(body, "rotary_emb"), _part(body, "wpe", "embed_positions"))


@contextlib.contextmanager
def keeping_outputs(model: torch.nn.Module) -> Iterator[list[torch.Tensor]]:
    """What each layer gives, [batch, tokens, hidden], is added to the list as `model` runs."""
    outputs: list[torch.Tensor] = []

    def keep(module, arguments, result) -> None:
        outputs.append((result[0] if isinstance(result, tuple) else result).clone())

    hooks = [layer.register_forward_hook(keep) for layer in decoder_of(model).layers]
    try:
        yield outputs
    finally:
        for hook in hooks:
            hook.remove()


def _part(module: torch.nn.Module | None, *names: str) -> torch.nn.Module | None:
    """The first submodule of those names."""
    found = (getattr(module, name, None) for name in names)
    return next((part for part in found if isinstance(part, torch.nn.Module)), None)


def _has_attention(layers: torch.nn.ModuleList) -> bool:
    return all(any("att" in name for name, _ in layer.named_children()) for layer in layers)


_EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")


def check_model(model: torch.nn.Module) -> None:
    """Refuses, by its structure alone, a model that no design of one layer serves; its weights may be absent."""
    decoder_of(model)
    config = model.config.get_text_config()
    if any(getattr(config, name, None) for name in _EXPERTS):
        raise UnsupportedOpError(
            f"{type(model).__name__} sends each token to a few of its experts, which it chooses by a router: the work "
            "of a design does not depend on data. Compile a model without experts, or the attention of its layers and "
            "the experts one by one with streamtensor.compile."
        )


def _body_of(model: torch.nn.Module) -> torch.nn.Module | None:
    body = _part(model, "model", "transformer", "gpt_neox")
    return _part(body, "decoder") or body


def use_eager_attention(model: torch.nn.Module) -> None:
    """Attention as matrix products and softmax, with the mask that is passed in."""
    if hasattr(model, "set_attn_implementation"):
        model.set_attn_implementation("eager")


def layer_kinds(model: torch.nn.Module) -> list[str]:
    """The attention kind of each layer, as Gemma3 names them."""
    kinds = getattr(model.config.get_text_config(), "layer_types", None)
    return list(kinds) if kinds else ["full_attention"] * len(decoder_of(model).layers)


def layer_inputs(model: torch.nn.Module, hidden_states: torch.Tensor, kind: str) -> tuple[torch.Tensor, ...]:
    """Everything a layer of `kind` reads besides its parameters: hidden states, rotary tables, mask.

    Tables and mask are those that the model itself hands to its layers, so that no window of a configuration is lost.
    """
    calls = zip(given_to_layers(model, hidden_states), layer_kinds(model), strict=True)
    given = [arguments for arguments, other in calls if other == kind]
    tables = [_tables(arguments) for arguments in given]
    if any(not torch.equal(a, b) for other in tables[1:] for a, b in zip(tables[0], other, strict=True)):
        raise UnsupportedOpError(
            f"{type(model).__name__} gives different masks or positions to layers of one kind ('{kind}'): one design "
            "cannot serve them. Compile each layer with streamtensor.compile."
        )
    return hidden_states, *tables[0]


def _tables(arguments: dict[str, object]) -> tuple[torch.Tensor, ...]:
    return (*(arguments.get("position_embeddings") or ()), arguments["attention_mask"])


@torch.no_grad()
def given_to_layers(
    model: torch.nn.Module, hidden_states: torch.Tensor, has_masks: bool = True
) -> list[dict[str, object]]:
    """The arguments by name with which the model calls each of its layers, none of which computes.

    Masks grow with the square of the text; without, the model makes none.
    """
    calls: list[dict[str, object]] = []
    use_eager_attention(model)
    config = model.config.get_text_config()
    if not has_masks:  # transformers makes masks for implementations that it knows.
        config._attn_implementation_internal = "without masks"
    try:
        with _recording(decoder_of(model).layers, calls):
            _body_of(model)(inputs_embeds=hidden_states, use_cache=False)
    finally:
        config._attn_implementation_internal = "eager"
    return calls


@contextlib.contextmanager
def _recording(layers: torch.nn.ModuleList, calls: list[dict[str, object]]) -> Iterator[None]:
    before = [layer.__dict__.get("forward") for layer in layers]
    for layer in layers:
        layer.forward = functools.partial(_record, inspect.signature(type(layer).forward), calls)
    try:
        yield
    finally:
        for layer, forward in zip(layers, before, strict=True):
            if forward is None:
                del layer.forward
            else:
                layer.forward = forward


def _record(signature: inspect.Signature, calls: list[dict[str, object]], hidden_states, *arguments, **keywords):
    bound = signature.bind(None, hidden_states, *arguments, **keywords).arguments
    calls.append(bound | bound.get("kwargs", {}))
    # Falcon takes the first of a layer's results, which is here the first of a batch.
    return hidden_states if hidden_states.dim() == 3 else hidden_states[None]


def wrap_layer(model: torch.nn.Module, index: int) -> torch.nn.Module:
    decoder = decoder_of(model)
    wrapper = _AbsoluteLayer if decoder.rotary is None else _RotaryLayer
    return wrapper(decoder.layers[index])


def export_decoder_layer(
    model: torch.nn.Module, num_tokens: int, index: int = 0, time_limit: float = TIME_LIMIT
) -> LinalgModule:
    """Exports layer `index` at `num_tokens` tokens; names and paths are relative to the layer."""
    use_eager_attention(model)
    config = model.config.get_text_config()
    limit = getattr(config, "max_position_embeddings", None)
    if num_tokens < 1 or (limit and num_tokens > limit):
        raise UnsupportedOpError(f"num_tokens is {num_tokens}, but the model holds 1 to {limit} positions.")
    dtype = next(model.parameters()).dtype
    hidden_states = torch.zeros(1, num_tokens, config.hidden_size, dtype=dtype)
    kind = layer_kinds(model)[index]
    inputs = layer_inputs(model, hidden_states, kind)
    return export_module(wrap_layer(model, index), inputs, _PREFIX, time_limit)


def layer_paths(model: torch.nn.Module) -> list[str]:
    """The names of the layers in `model`."""
    layers = decoder_of(model).layers
    path = next(name for name, part in model.named_modules() if part is layers)
    return [f"{path}.{index}" for index in range(len(layers))]


def layer_parameters(model: torch.nn.Module, index: int) -> dict[str, torch.Tensor]:
    """The tensors of layer `index` by the names that `export_decoder_layer` gives its arguments."""
    return dict(flat_state.named_tensors(decoder_of(model).layers[index]))
