# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of one decoder layer that serves them all, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch

from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import decoder, flat_state
from streamtensor.frontend.cached_decoder import LAYERS, Context, digest_layer, empty_cache, export_layer
from streamtensor.memory import RowBuffer
from streamtensor.oracle import Layers, Module, Oracle
from streamtensor.process import TIME_LIMIT
from streamtensor.source import Program

_SAMPLE = 16  # tokens whose rows fill the cache of a comparison, again and again


@dataclass(frozen=True)
class Shape:
    """What is fixed when a model is compiled: tokens of a pass, rows of a layer's cache, and whether another design on
    the device reads and writes the hidden states."""

    tokens: int
    rows: int
    hands_on: bool = False


class HostLayers:
    """In the place of a design: the first layer in PyTorch, with the parameters that it is given."""

    def __init__(self, context: Context, shape: Shape):
        self.manifest = {"max_context": context.max_context, "tokens_per_pass": shape.tokens}
        self._layer = context.wrap(0)
        self._cache = [(tuple(tensor.shape), tensor.dtype) for tensor in empty_cache(context, shape.rows).values()]

    def row_buffers(self) -> tuple[RowBuffer, ...]:
        return tuple(RowBuffer(*each, {}) for each in self._cache)

    def execute(
        self, inputs: tuple[torch.Tensor, ...], parameters: dict[str, torch.Tensor], scalars: dict[str, int]
    ) -> list[torch.Tensor]:
        """`scalars` spare a design work; what they leave out is masked."""
        named = flat_state.gather(self._layer.layer, parameters)
        named = {f"layer.{name}": tensor for name, tensor in named.items()}
        return list(torch.func.functional_call(self._layer, named, inputs))


def layer_program(context: Context, shape: Shape, time_limit: float = TIME_LIMIT, is_looped: bool = False) -> Program:
    """The program of the first layer, after a check that it serves the others.

    `is_looped`: one launch shall go through all layers.
    """
    program = program_of_examples(context, shape, time_limit, is_looped)
    check_zeros(context.model, program)
    return program


def program_of_examples(context: Context, shape: Shape, time_limit: float, is_looped: bool) -> Program:
    """The program of the first layer, after a check that layers of other kinds and the last, `examples`, are the same
    program. The others are for `check_zeros` and the oracles to see."""
    export = partial(
        export_layer,
        context,
        tokens=shape.tokens,
        rows=shape.rows,
        time_limit=time_limit,
        is_looped=is_looped,
        hands_on=shape.hands_on,
    )
    first = export(0)
    for index in examples(context.kinds)[1:]:
        if digest_layer(context, index, shape.tokens, shape.rows) == first.traced:
            continue  # `check_zeros` sees to the rest
        if export(index).text != first.text:
            raise UnsupportedOpError(
                f"The layers 0 and {index} of {type(context.model).__name__} compute different things (a constant or a "
                "shape differs): one design cannot serve both. Compile each layer with streamtensor.compile."
            )
    first.parameters = {}
    oracles = (partial(draw, context, shape) for draw in (_oracles, _looped_oracles))
    return Program(type(context.model).__name__, first.text, first, *oracles)


def check_zeros(model: torch.nn.Module, program: Program) -> None:
    """The program of the first layer leaves tensors of it out that are 0: in every layer they must be."""
    names = program.module.zeros
    for index in range(len(decoder.decoder_of(model).layers)):
        parameters = decoder.layer_parameters(model, index)
        for name in sorted(names):
            if bool(parameters[name].any()):
                raise UnsupportedOpError(
                    f"'{name}' is 0 in layer 0 of {type(model).__name__} and not in layer {index}: one design cannot "
                    "serve both. Quantise the weights of all layers symmetrically, or compile each layer with "
                    "streamtensor.compile."
                )


def examples(kinds: list[str]) -> list[int]:
    """The first layer of each of the `kinds`, and the last of all."""
    firsts = {kind: index for index, kind in reversed([*enumerate(kinds)])}
    return sorted({*firsts.values(), len(kinds) - 1})


def _oracles(context: Context, shape: Shape, seed: int) -> list[Oracle]:
    """Layers on embeddings of random tokens: at the start of a text, and where it fills the context."""
    generator = torch.Generator().manual_seed(seed)
    last = max(context.max_context - shape.tokens, 0)
    indices = examples(context.kinds)
    places = [0] + [last] * (len(indices) - 1) if len(indices) > 1 else [last]
    return [
        _oracle(context, shape, index, place, generator, seed) for index, place in zip(indices, places, strict=True)
    ]


def _looped_oracles(context: Context, shape: Shape, seed: int) -> list[Oracle]:
    """All layers on embeddings of random tokens: at the start of a text, and where it fills the context."""
    generator = torch.Generator().manual_seed(seed)
    count, found = len(context.kinds), []
    for position in sorted({0, max(context.max_context - shape.tokens, 0)}):
        layers = [_oracle(context, shape, index, position, generator, seed) for index in range(count)]
        cached = 1 + len(empty_cache(context, 1))
        shared = () if context.has_inputs_by_layer else range(cached, len(layers[0].inputs))
        title = f"all layers with embeddings of seed {seed} at position {position}"
        found.append(Layers(title, layers, shared, context.scalars(position, shape.tokens) | {LAYERS: count}))
    return found


@torch.no_grad()
def _oracle(context: Context, shape: Shape, index: int, position: int, generator: torch.Generator, seed: int) -> Oracle:
    layer, kind = context.wrap(index), context.kinds[index]

    def inputs(tokens: int, rows: list[torch.Tensor], position: int) -> tuple[torch.Tensor, ...]:
        known = context.model.get_input_embeddings().num_embeddings
        hidden = context.embed(torch.randint(known, (1, tokens), generator=generator), position)
        return hidden, *rows, *context.inputs(kind, position, tokens)

    empty = [*empty_cache(context, 1).values()]
    sample = min(_SAMPLE, context.max_context)
    found = layer(*inputs(sample, empty, 0))[1:]
    filled = [rows.repeat(1, 1, -(-shape.rows // sample), 1)[:, :, : shape.rows].contiguous() for rows in found]
    title = f"layer {index} with embeddings of seed {seed} at position {position}"
    given = inputs(shape.tokens, filled, position)
    parameters = decoder.layer_parameters(context.model, index)
    return Module(title, layer, given, parameters, context.scalars(position, shape.tokens))
