# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoder layers with a cache: what a pass of T tokens computes, and what the host hands to it.

A layer reads hidden states [1, T, hidden], its cache of keys and values [1, heads, rows, width] and, where those are
int8, the scales of both [1, heads, rows, 1], the place of the pass, and rotary tables [1, T, width] where the model has
them. It gives hidden states and the T new rows of whatever its cache has. Everything that differs between layers is an
argument, so that one design serves them all.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import ClassVar

import torch

from streamtensor.errors import CompileError, UnsupportedOpError, first_line
from streamtensor.frontend import decoder, digest_module, export_module
from streamtensor.frontend.cached_attention import UNBOUNDED, Probe, ReachedError, Rows, attending
from streamtensor.frontend.linalg_module import Layers, LinalgModule
from streamtensor.process import TIME_LIMIT

PREFIX = "layer"
FLOAT, INT8 = CACHES = ("float", "int8")  # what rows of keys and values consist of
CACHE_ARGUMENTS = ("keys", "values", "key_scales", "value_scales")
# Scalars of a launch: how many rows of the cache may count, where the new ones go, and how many tokens there are.
CONTEXT, POSITION, TOKENS = "context", "position", "tokens"
LAYERS = "layers"  # how many layers a launch goes through
_SHORT = 8  # tokens of a text that is short for any model


class _CachedLayer(torch.nn.Module):
    next_launch: ClassVar = {"hidden_states": 0}  # results that are arguments of the next layer

    def __init__(self, layer: torch.nn.Module, config, is_joined: bool, positions: int):
        super().__init__()
        self.layer = layer
        self._config, self._is_joined, self._positions = config, is_joined, positions
        names = inspect.signature(layer.forward).parameters
        self._cache_name = next(name for name in ("past_key_values", "layer_past") if name in names)
        self._absent = {"alibi": None} if "alibi" in names else {}

    def attend(self, rows: Rows, hidden_states: torch.Tensor, **tables):
        """The layer's result, its cache being `rows`."""
        mask = rows.mask(hidden_states.shape[1]) if rows.is_joined else None
        given = {self._cache_name: rows, "attention_mask": mask, **self._absent, **tables}
        with attending(self._config, rows):
            found = self.layer(hidden_states, **given)
        return found[0] if isinstance(found, tuple) else found

    def _call(self, hidden_states, keys, values, place, scales=None, **tables):
        rows = Rows(keys, values, place, self._is_joined, scales, self._positions)
        return self.attend(rows, hidden_states, **tables), *rows.new


class _RotaryLayer(_CachedLayer):
    """Llama, Qwen, Gemma3 and their kin: positions come in as cosines and sines."""

    def probe(self, rows, hidden_states, cos, sin):
        return self.attend(rows, hidden_states, position_embeddings=(cos, sin))

    def forward(self, hidden_states, keys, values, place, cos, sin):
        return self._call(hidden_states, keys, values, place, position_embeddings=(cos, sin))


class _AbsoluteLayer(_CachedLayer):
    """GPT-2, OPT: positions are added to the embedding, outside the layer."""

    def probe(self, rows, hidden_states):
        return self.attend(rows, hidden_states)

    def forward(self, hidden_states, keys, values, place):
        return self._call(hidden_states, keys, values, place)


class _Int8RotaryLayer(_RotaryLayer):
    def forward(self, hidden_states, keys, values, key_scales, value_scales, place, cos, sin):
        tables = {"position_embeddings": (cos, sin)}
        return self._call(hidden_states, keys, values, place, (key_scales, value_scales), **tables)


class _Int8AbsoluteLayer(_AbsoluteLayer):
    def forward(self, hidden_states, keys, values, key_scales, value_scales, place):
        return self._call(hidden_states, keys, values, place, (key_scales, value_scales))


@dataclass(frozen=True)
class Context:
    """What the passes of one model need besides its parameters, for texts of up to `max_context` tokens."""

    model: torch.nn.Module
    max_context: int
    is_joined: bool
    kinds: list[str]  # of each layer
    windows: dict[str, int]  # by kind; empty where no layer has one
    tables: dict[str, tuple[torch.Tensor, ...]]  # by kind: cosines and sines [1, max_context, width], or nothing
    has_int8_cache: bool

    def wrap(self, index: int) -> torch.nn.Module:
        """Layer `index` as a design computes it."""
        parts = decoder.decoder_of(self.model)
        kinds = (_RotaryLayer, _Int8RotaryLayer) if parts.rotary else (_AbsoluteLayer, _Int8AbsoluteLayer)
        made = kinds[self.has_int8_cache]
        return made(parts.layers[index], self.model.config.get_text_config(), self.is_joined, self.max_context)

    def embed(self, ids: torch.Tensor, position: int) -> torch.Tensor:
        """What the first layer reads of token ids [1, tokens], the first of them at `position`."""
        parts = decoder.decoder_of(self.model)
        return self.model.get_input_embeddings()(ids) + parts.embed_positions(self.numbers(ids.shape[1], position))

    def inputs(self, kind: str, position: int, tokens: int) -> tuple[torch.Tensor, ...]:
        """What a layer of `kind` reads besides hidden states and cache: the place of the pass, rotary tables."""
        place = [position, self.windows[kind]] if self.windows else [position]
        numbers = self.numbers(tokens, position)
        return torch.tensor(place, dtype=torch.int32), *(table[:, numbers] for table in self.tables[kind])

    @property
    def has_inputs_by_layer(self) -> bool:
        """Whether layers of several kinds read places and tables of their own."""
        return len(set(self.kinds)) > 1

    def all_inputs(self, position: int, tokens: int) -> tuple[torch.Tensor, ...]:
        """What one launch through all layers reads besides hidden states and cache: `inputs`, for each layer if layers
        differ."""
        return self._of_layers({kind: self.inputs(kind, position, tokens) for kind in set(self.kinds)})

    def all_tables(self) -> tuple[torch.Tensor, ...]:
        """Cosines and sines of all positions, [1, max_context, width], for each layer if layers differ."""
        return self._of_layers(self.tables)

    def _of_layers(self, found: dict[str, tuple[torch.Tensor, ...]]) -> tuple[torch.Tensor, ...]:
        """What all layers read, by kind, as one launch through all of them reads it."""
        if not self.has_inputs_by_layer:
            return found[self.kinds[0]]
        return tuple(torch.stack(each) for each in zip(*(found[kind] for kind in self.kinds), strict=True))

    def scalars(self, position: int, tokens: int) -> dict[str, int]:
        """The numbers of a pass of `tokens` tokens from `position` on; one row is read even where none counts."""
        return {CONTEXT: max(position, 1), POSITION: position, TOKENS: tokens}

    def numbers(self, tokens: int, position: int) -> torch.Tensor:
        """Positions of a pass; what pads the last pass lies at the last position."""
        return torch.arange(position, position + tokens).clamp(max=self.max_context - 1)


def most_positions(model: torch.nn.Module) -> int | None:
    """The longest context that `context_of` can take; none where the model states no limit."""
    config = model.config.get_text_config()
    limit = getattr(config, "max_position_embeddings", None)
    rope = getattr(config, "rope_parameters", None) or {}
    # Its tables change behind that.
    original = rope.get("original_max_position_embeddings") if rope.get("rope_type") == "longrope" else None
    return min(filter(None, (limit, original)), default=None)


@torch.no_grad()
def context_of(model: torch.nn.Module, max_context: int, cache: str = FLOAT) -> Context:
    """Reads tables and windows from what the model itself hands to its layers. `cache`: one of CACHES."""
    if cache not in CACHES:
        raise CompileError(f"There is no cache of '{cache}': known are {', '.join(CACHES)}.")
    limit = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if max_context < 1 or (limit and max_context > limit):
        raise UnsupportedOpError(f"max_context is {max_context}, but the model holds 1 to {limit} positions.")
    kinds = decoder.layer_kinds(model)
    windows, tables = _windows(model, kinds, max_context), _tables(model, kinds, max_context)
    bounded = windows if any(window < UNBOUNDED for window in windows.values()) else {}
    found = Context(model, max_context, False, kinds, bounded, tables, cache == INT8)
    if _reaches(found, Probe(at_rows=False)):
        return found
    if found.has_int8_cache:
        raise UnsupportedOpError(
            f"The attention of {type(model).__name__} does not go through transformers' interface, so it cannot read "
            "int8 rows: compile it with a float cache."
        )
    return replace(found, is_joined=True)


def empty_cache(context: Context, rows: int) -> dict[str, torch.Tensor]:
    """The cache of a layer by the names of the program's arguments, zeros, with so many rows."""
    dtype = torch.int8 if context.has_int8_cache else next(context.model.parameters()).dtype
    shapes = dict(zip(("keys", "values"), _row_shapes(context), strict=True))
    found = {name: torch.zeros(1, heads, rows, width, dtype=dtype) for name, (heads, width) in shapes.items()}
    if context.has_int8_cache:
        found |= {f"{name[:-1]}_scales": torch.zeros(1, heads, rows, 1) for name, (heads, _) in shapes.items()}
    return found


def _row_shapes(context: Context) -> list[tuple[int, int]]:
    """Heads and width of the keys and of the values of a layer's cache."""
    probe = Probe(at_rows=True)
    if not _reaches(context, probe):
        raise UnsupportedOpError(
            f"The layers of {type(context.model).__name__} keep no keys and values in a cache: compile them one by one "
            "with streamtensor.compile."
        )
    return [(rows.shape[1], rows.shape[3]) for rows in probe.new]


@torch.no_grad()
def _reaches(context: Context, probe: Probe) -> bool:
    """Whether the first layer calls what `probe` waits for. Attention that ignores our name may fail without a mask."""
    hidden = context.embed(torch.zeros(1, 1, dtype=torch.long), 0)
    try:
        context.wrap(0).probe(probe, hidden, *context.inputs(context.kinds[0], 0, 1)[1:])
    except ReachedError:
        return True
    except TypeError:
        return False
    except Exception as error:  # of any kind: the model's own code fails for want of what it is not given
        raise UnsupportedOpError(
            f"The layers of {type(context.model).__name__} read more than hidden states, a mask, rotary tables and a "
            f"cache ({type(error).__name__}: {first_line(error).rstrip('.')}). Compile them one by one with "
            "streamtensor.compile."
        ) from error
    return False


def _given(model: torch.nn.Module, tokens: int, has_masks: bool) -> list[dict[str, object]]:
    """What the model hands to each of its layers for a text of `tokens` tokens; masks are large and may be left out."""
    hidden = torch.zeros(1, tokens, model.config.get_text_config().hidden_size, dtype=next(model.parameters()).dtype)
    return decoder.given_to_layers(model, hidden, has_masks)


def _windows(model: torch.nn.Module, kinds: list[str], max_context: int) -> dict[str, int]:
    """How many positions a token of each kind of layer sees, read from the masks of the model."""
    stated = getattr(model.config.get_text_config(), "sliding_window", None) or _SHORT
    tokens = min(max_context, stated + 2)
    found = {}
    for kind, arguments in zip(kinds, _given(model, tokens, True), strict=True):
        window = _window(arguments["attention_mask"], tokens)
        if found.setdefault(kind, window) != window or window is None:
            raise UnsupportedOpError(
                f"{type(model).__name__} gives a layer of kind '{kind}' a mask that is no window of the latest "
                "positions, or layers of one kind different masks: one design cannot serve them. Compile each layer "
                "with streamtensor.compile."
            )
    return found


def _window(mask: torch.Tensor | None, tokens: int) -> int | None:
    """The window that gives `mask` [1, 1, tokens, tokens], additive; none if no window does."""
    if mask is None:
        return None
    sees = mask[0, 0] if mask.dtype == torch.bool else mask[0, 0] == 0
    window = int(sees[-1].sum())
    causal = torch.ones(tokens, tokens, dtype=torch.bool).tril()
    if not torch.equal(sees, causal & causal.triu(1 - window)):
        return None
    return window if window < tokens else UNBOUNDED


def _tables(model: torch.nn.Module, kinds: list[str], max_context: int) -> dict[str, tuple[torch.Tensor, ...]]:
    """Rotary tables of each kind of layer, which must not depend on the length of the text."""
    found, short = {}, min(max_context, _SHORT)
    given = zip(kinds, _given(model, max_context, False), _given(model, short, False), strict=True)
    for kind, *calls in given:
        long_tables, short_tables = (arguments.get("position_embeddings") or () for arguments in calls)
        pairs = [*zip(long_tables, short_tables, strict=True)]
        pairs += zip(found.setdefault(kind, tuple(long_tables)), long_tables, strict=True)
        if any(not torch.equal(a[:, :short], b[:, :short]) for a, b in pairs):
            raise UnsupportedOpError(
                f"The rotary tables of {type(model).__name__} change with the length of the text or among layers of "
                f"kind '{kind}': rows in the cache would be of other tables. Compile with a max_context (now "
                f"{max_context}) below the length at which they change (original_max_position_embeddings)."
            )
    return found


def export_layer(
    context: Context,
    index: int,
    tokens: int,
    rows: int,
    time_limit: float = TIME_LIMIT,
    is_looped: bool = False,
    hands_on: bool = False,
) -> LinalgModule:
    """Exports layer `index` for passes of up to `tokens` tokens against a cache of `rows` rows.

    `is_looped`: one launch shall go through all layers. `hands_on`: another design reads the hidden states that it
    gives, and writes all that it reads but its cache.
    """
    layer, cache = context.wrap(index), empty_cache(context, rows)
    names = [*inspect.signature(layer.forward).parameters]
    if hands_on:
        layer.row_major = frozenset(names) - frozenset(cache) | {0}
    inputs = _example_inputs(context, index, tokens, cache)
    extents = dict.fromkeys(cache, ("", "", CONTEXT, ""))
    if tokens > 1:
        extents["hidden_states"] = ("", TOKENS, "")
    updates = {result: (name, POSITION) for result, name in enumerate(cache, 1)}
    shared = frozenset() if context.has_inputs_by_layer else frozenset(names[1 + len(cache) :])
    layers = Layers(len(context.kinds), shared) if is_looped else None
    return export_module(layer, inputs, PREFIX, time_limit, extents, updates, layers)


def digest_layer(context: Context, index: int, tokens: int, rows: int) -> str:
    """`traced` of what `export_layer` gives for those arguments."""
    return digest_module(context.wrap(index), _example_inputs(context, index, tokens, empty_cache(context, rows)))


def _example_inputs(
    context: Context, index: int, tokens: int, cache: dict[str, torch.Tensor]
) -> tuple[torch.Tensor, ...]:
    hidden = context.embed(torch.zeros(1, tokens, dtype=torch.long), 0)
    return hidden, *cache.values(), *context.inputs(context.kinds[index], 0, tokens)
