# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Causal attention in chunks of queries, each with the keys up to its last one.

    keys      0   1   2   3        a chunk of a quarter of the queries multiplies with one, two, three, four
    chunk 0   ■   .   .   .        quarters of the keys: ten of sixteen blocks, where the stock decomposition
    chunk 1   ■   ■   .   .        computes all and masks six
    chunk 2   ■   ■   ■   .
    chunk 3   ■   ■   ■   ■

Only where a program is attention and nothing else: beside linears its products have few lanes, which more of them share
worse. (A block of 128 features and tokens on 256 lanes: 220,633 cycles without chunks, 233,007 and 234,052 with two and
four; attention alone, four heads of 128 queries and 32 features on 128 lanes: 40,825, 37,125 and 29,967.)

Each query sees a key at least, so no row is masked whole, which the stock decomposition asks for each score.
"""

from __future__ import annotations

import math
from functools import partial

import torch
from torch.export import ExportedProgram

_OP = torch.ops.aten.scaled_dot_product_attention.default

#: Eight would leave out another sixteenth of the products, and each has tasks of its own.
MOST_CHUNKS = 4
#: Queries of a chunk, at least.
FEWEST_QUERIES = 16


def count_chunks(queries: int) -> int:
    """As many equal chunks as there may be."""
    fitting = (n for n in range(MOST_CHUNKS, 1, -1) if queries % n == 0 and queries // n >= FEWEST_QUERIES)
    return next(fitting, 1)


def _attention(
    in_chunks: bool,
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    *,
    scale=None,
    enable_gqa=False,
):
    """`query` is [..., L, E], `key` [..., S, E], `value` [..., S, Ev]; query i sees keys 0 to i."""
    if not is_causal or attn_mask is not None or dropout_p > 0.0:
        # What PyTorch runs where no rule is given; `decompose` would come back here.
        stock = torch._C.DispatchKey.CompositeImplicitAutograd
        return _OP._op_dk(stock, query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    if enable_gqa:
        heads = query.shape[-3]
        key = key.repeat_interleave(heads // key.shape[-3], dim=-3)
        value = value.repeat_interleave(heads // value.shape[-3], dim=-3)
    scaled = query * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    queries = query.shape[-2]
    size = queries // count_chunks(queries) if in_chunks else queries
    return torch.cat([_chunk(scaled, key, value, first, size) for first in range(0, queries, size)], dim=-2)


def _chunk(scaled, key, value, first: int, size: int):
    seen = min(first + size, key.shape[-2])
    queries = scaled.narrow(-2, first, size)
    scores = queries @ key.narrow(-2, 0, seen).transpose(-2, -1)
    mask = torch.ones(size, seen, dtype=torch.bool, device=scaled.device).tril(first)
    scores = torch.where(mask, scores, -math.inf)
    return torch.softmax(scores, dim=-1) @ value.narrow(-2, 0, seen)


def decompositions(program: ExportedProgram) -> dict:
    """The rule for `program`: one without weights is attention and nothing else."""
    return {_OP: partial(_attention, not program.state_dict)}
