# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one pass: its tokens see the rows of earlier passes, which lie in the cache, and their own.

The scores come in two blocks, one per source, under one softmax: the cache is read where it lies and is never joined
with the new rows, so a design streams it once and its length need not match theirs. What a token may see follows from
its position, which is known when the design runs: no mask is stored or read.

A layer whose attention does not go through transformers' interface gets joined rows and a mask instead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

import torch

from streamtensor.errors import UnsupportedOpError

NAME = "streamtensor"
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


class Rows:
    """In the place of transformers' cache for one call of one layer: keeps the rows that the layer adds.

    keys and values: [1, heads, rows, width], of which those before `place` count.
    """

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, place: torch.Tensor, is_joined: bool = False):
        self.keys, self.values, self.place = keys, values, place
        self.is_joined = is_joined
        self.new: tuple[torch.Tensor, torch.Tensor] | None = None

    def update(self, keys: torch.Tensor, values: torch.Tensor, *arguments, **keywords):
        if self.new is not None:
            raise UnsupportedOpError(
                "A layer extends its cache twice, which a design cannot: compile its parts with streamtensor.compile."
            )
        self.new = keys, values
        if not self.is_joined:
            return keys, values
        return torch.cat([self.keys, keys], 2), torch.cat([self.values, values], 2)

    def begin(self) -> None:
        """Called when the attention function of this module is reached."""

    def mask(self, tokens: int) -> torch.Tensor:
        """What is added to the scores of joined rows, [1, 1, tokens, rows + tokens]."""
        blocks = visible(self.place, self.keys.shape[2], tokens)
        return torch.where(torch.cat(blocks, 1), 0.0, _lowest(self.keys))[None, None]


class ReachedError(Exception):
    """A probe has seen what it was sent for."""


class Probe(Rows):
    """Ends the call when the attention function is reached, or already at the rows that a layer adds."""

    def __init__(self, at_rows: bool):
        super().__init__(torch.empty(0), torch.empty(0), torch.empty(0))
        self._at_rows = at_rows

    def update(self, keys: torch.Tensor, values: torch.Tensor, *arguments, **keywords):
        self.new = keys, values
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
    groups, length = key.shape[1], rows.keys.shape[2]
    scale = width**-0.5 if scaling is None else scaling
    grouped = (query * scale).reshape(1, groups, heads // groups * tokens, width)

    def scores(keys: torch.Tensor, sees: torch.Tensor) -> torch.Tensor:
        found = (grouped @ keys.transpose(2, 3)).reshape(1, heads, tokens, keys.shape[2])
        capped = torch.tanh(found / softcap) * softcap if softcap else found
        return torch.where(sees, capped, _lowest(query))

    old, new = (scores(*pair) for pair in zip((rows.keys, key), visible(rows.place, length, tokens), strict=True))
    largest = torch.maximum(old.amax(-1, keepdim=True), new.amax(-1, keepdim=True))
    old, new = torch.exp(old - largest), torch.exp(new - largest)
    total = old.sum(-1, keepdim=True) + new.sum(-1, keepdim=True)
    summed = old.reshape(1, groups, -1, length) @ rows.values + new.reshape(1, groups, -1, tokens) @ value
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
