# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one pass: its tokens see the rows of earlier passes, which lie in the cache, and their own.

The scores come in two blocks, one per source, under one softmax: the cache is read where it lies and is never joined
with the new rows, so a design streams it once and its length need not match theirs. What a token may see follows from
its position, which is known when the design runs: no mask is stored or read.

Rows may be int8, each with a scale: those of the cache and, so that a text gives the same however it is cut into
passes, the new ones. Then products are of integers: queries become int8 too, one scale for each head and token, and the
weights of values, which have the values' scales in them, integers of up to 15 bits. Sums are exact in 32 bits.

A layer whose attention does not go through transformers' interface gets joined rows and a mask instead.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

import torch

from streamtensor.errors import UnsupportedOpError
from streamtensor.quantise import quantise_symmetric

NAME = "streamtensor"
_WHOLE = "streamtensor-int8-rows"
UNBOUNDED = 1 << 30  # the window of a layer without one, in positions
# What transformers hands to every attention function and this one need not look at.
_IGNORED = {"dropout", "sliding_window", "position_ids", "cache_position", "is_causal", "use_cache"}
_IGNORED |= {"output_attentions", "output_hidden_states", "position_embeddings", "past_key_values", "return_dict"}


def visible(place: torch.Tensor, rows: int, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Which rows of the cache [tokens, rows] and which of the pass [tokens, tokens] each token of a pass sees.

    `place`, i32: the position of the first token and, for layers with a window, how many positions a token sees,
    itself among them.
    """
    token = torch.arange(tokens, dtype=torch.int32)[:, None]
    other = torch.arange(tokens, dtype=torch.int32)[None, :]
    cached = torch.arange(rows, dtype=torch.int32)[None, :]
    old, new = cached < place[0], other <= token
    if len(place) == 1:
        return old.expand(tokens, rows), new
    return old & (cached > place[0] + token - place[1]), new & (other > token - place[1])


@dataclass(frozen=True)
class Block:
    """Keys or values [1, heads, rows, width]: floats, or int8 with scales [1, heads, rows, 1]."""

    rows: torch.Tensor
    scales: torch.Tensor | None = None

    def dot(self, queries: Block, products: torch.dtype = torch.int32) -> torch.Tensor:
        """Queries [1, heads, n, width] by each row: [1, heads, n, rows]. Both are floats, or both int8 with scales."""
        if self.scales is None:
            return queries.rows @ self.rows.transpose(2, 3)
        found = queries.rows.to(products) @ self.rows.to(products).transpose(2, 3)
        return found.to(queries.scales.dtype) * queries.scales * self.scales.transpose(2, 3)

    def weigh(self, weights: torch.Tensor) -> torch.Tensor:
        """Weights [1, heads, n, rows] of the rows as they lie here."""
        return weights if self.scales is None else weights * self.scales.transpose(2, 3)


def in_int8(rows: torch.Tensor) -> Block:
    return Block(*quantise_symmetric(rows, rows.shape[-1]))


def weighted_sum(
    blocks: list[Block], weights: list[torch.Tensor], positions: int, products: torch.dtype = torch.int32
) -> torch.Tensor:
    """The rows of all blocks times their weights [1, heads, n, rows], none below 0: [1, heads, n, width].

    Weights of int8 rows become integers of a unit for each n, the largest of all blocks `levels(positions)`.
    """
    parts = [block.weigh(each) for block, each in zip(blocks, weights, strict=True)]
    if blocks[0].scales is None:
        return sum(part @ block.rows for part, block in zip(parts, blocks, strict=True))
    most = functools.reduce(torch.maximum, (part.amax(-1, keepdim=True) for part in parts))
    unit = (most / levels(positions)).clamp(min=torch.finfo(most.dtype).smallest_normal)
    whole = [torch.round(part * (1.0 / unit)).to(torch.int16) for part in parts]
    found = sum(part.to(products) @ block.rows.to(products) for part, block in zip(whole, blocks, strict=True))
    return found.to(unit.dtype) * unit


def levels(positions: int) -> int:
    """Of weights whose sum over so many int8 rows, and as many that pad a pass, stays within 32 bits: 16,383 for 512
    positions, half for twice as many."""
    return min(2**15 - 1, (2**31 - 1) // (2 * positions * 2**7))


class Rows:
    """In the place of transformers' cache for one call of one layer: keeps the rows that the layer adds.

    keys and values: [1, heads, rows, width], of which those before `place` count; `scales` of both, if they are int8,
    for texts of up to so many `positions`.
    """

    def __init__(
        self,
        keys: torch.Tensor,
        values: torch.Tensor,
        place: torch.Tensor,
        is_joined: bool = False,
        scales: tuple[torch.Tensor, torch.Tensor] | None = None,
        positions: int = 0,
    ):
        self.keys, self.values = (Block(*parts) for parts in zip((keys, values), scales or (None, None), strict=True))
        self.place = place
        self.is_joined = is_joined
        self.is_int8 = scales is not None
        self.positions = positions
        self.added: tuple[Block, Block] | None = None

    @property
    def new(self) -> tuple[torch.Tensor, ...]:
        """The rows that the layer added: keys, values and, where they have them, the scales of both."""
        scales = [block.scales for block in self.added if block.scales is not None]
        return *(block.rows for block in self.added), *scales

    def update(self, keys: torch.Tensor, values: torch.Tensor, *arguments, **keywords):
        if self.added is not None:
            raise UnsupportedOpError(
                "A layer extends its cache twice, which a design cannot: compile its parts with streamtensor.compile."
            )
        self.added = tuple(in_int8(rows) if self.is_int8 else Block(rows) for rows in (keys, values))
        if not self.is_joined:
            return keys, values
        return torch.cat([self.keys.rows, keys], 2), torch.cat([self.values.rows, values], 2)

    def begin(self) -> None:
        """Called when the attention function of this module is reached."""

    def mask(self, tokens: int) -> torch.Tensor:
        """What is added to the scores of joined rows, [1, 1, tokens, rows + tokens]."""
        blocks = visible(self.place, self.keys.rows.shape[2], tokens)
        return torch.where(torch.cat(blocks, 1), 0.0, _lowest(self.keys.rows))[None, None]


class ReachedError(Exception):
    """A probe has seen what it was sent for."""


class Probe(Rows):
    """Ends the call when the attention function is reached, or already at the rows that a layer adds."""

    def __init__(self, at_rows: bool):
        super().__init__(torch.empty(0), torch.empty(0), torch.empty(0))
        self._at_rows = at_rows

    def update(self, keys: torch.Tensor, values: torch.Tensor, *arguments, **keywords):
        self.added = Block(keys), Block(values)
        if self._at_rows:
            raise ReachedError
        return keys, values

    def begin(self) -> None:
        raise ReachedError


def _lowest(like: torch.Tensor) -> float:
    return torch.finfo(like.dtype).min


_current: ContextVar[Rows] = ContextVar("rows of the layer that runs")


def attend(module, query, key, value, attention_mask=None, scaling=None, softcap=None, **keywords):
    """Attention as transformers calls it: query [1, heads, tokens, width], key and value those of the new rows."""
    rows = _current.get()
    rows.begin()
    _check_keywords(keywords)
    _, heads, tokens, width = query.shape
    groups, length = key.shape[1], rows.keys.rows.shape[2]
    scale = width**-0.5 if scaling is None else scaling
    grouped = (query * scale).reshape(1, groups, heads // groups * tokens, width)
    queries = in_int8(grouped) if rows.is_int8 else Block(grouped)

    def scores(keys: Block, sees: torch.Tensor) -> torch.Tensor:
        found = keys.dot(queries).reshape(1, heads, tokens, keys.rows.shape[2])
        capped = torch.tanh(found / softcap) * softcap if softcap else found
        return torch.where(sees, capped, _lowest(query))

    new_keys, new_values = rows.added
    old, new = (scores(*pair) for pair in zip((rows.keys, new_keys), visible(rows.place, length, tokens), strict=True))
    largest = torch.maximum(old.amax(-1, keepdim=True), new.amax(-1, keepdim=True))
    old, new = torch.exp(old - largest), torch.exp(new - largest)
    total = old.sum(-1, keepdim=True) + new.sum(-1, keepdim=True)
    weights = [old.reshape(1, groups, -1, length), new.reshape(1, groups, -1, tokens)]
    summed = weighted_sum([rows.values, new_values], weights, rows.positions)
    result = summed.reshape(1, heads, tokens, value.shape[3]) / total
    return result.transpose(1, 2).contiguous(), None


def _check_keywords(keywords: dict[str, object]) -> None:
    unknown = sorted(name for name, value in keywords.items() if value is not None and name not in _IGNORED)
    if unknown:
        raise UnsupportedOpError(
            f"The attention of this model takes {', '.join(unknown)}, which a design with a cache does not know: "
            "compile its layers one by one with streamtensor.compile."
        )


@contextlib.contextmanager
def attending(config, rows: Rows) -> Iterator[None]:
    """Within the block, layers of `config` attend over `rows`."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, attend)
    before, token = config._attn_implementation, _current.set(rows)
    # As set_attn_implementation does; the setter itself refuses some families whose attention ignores the name.
    config._attn_implementation_internal = "eager" if rows.is_joined else NAME
    try:
        yield
    finally:
        config._attn_implementation_internal = before
        _current.reset(token)


def _attend_whole(
    positions: int, module, query, key, value, attention_mask=None, scaling=None, softcap=None, **keywords
):
    """Attention of a whole text over int8 rows, for a model that runs by itself. Floats that hold every sum exactly are
    faster here than integers."""
    _check_keywords(keywords)
    _, heads, tokens, width = query.shape
    keys, values = in_int8(key), in_int8(value)
    scale = width**-0.5 if scaling is None else scaling
    grouped = (query * scale).reshape(len(query), key.shape[1], -1, width)
    found = keys.dot(in_int8(grouped), torch.float64).reshape(len(query), heads, tokens, -1)
    found = torch.tanh(found / softcap) * softcap if softcap else found
    weights = torch.softmax(found if attention_mask is None else found + attention_mask[..., : found.shape[-1]], -1)
    weights = weights.reshape(len(query), key.shape[1], -1, found.shape[-1])
    summed = weighted_sum([values], [weights], positions, torch.float64)
    return summed.reshape(len(query), heads, tokens, value.shape[3]).transpose(1, 2).contiguous(), None


@contextlib.contextmanager
def rows_in_int8(model: torch.nn.Module, positions: int) -> Iterator[None]:
    """Within the block, the attention of `model` in PyTorch sees keys and values as an int8 cache has them that is made
    for texts of up to so many positions."""
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask

    AttentionInterface.register(_WHOLE, functools.partial(_attend_whole, positions))
    AttentionMaskInterface.register(_WHOLE, eager_mask)
    config = model.config.get_text_config()
    before, config._attn_implementation_internal = config._attn_implementation, _WHOLE
    try:
        yield
    finally:
        config._attn_implementation_internal = before
