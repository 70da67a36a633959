# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Final norm and LM head of a language model on the device, the choice of the best tokens there, and the embedding.

A design of its own beside that of the layers. It reads the hidden states of one token and gives all logits, or the best
of them with their tokens. The vocabulary is padded to whole rows of logits, of which the largest are found one by one.
With the embedding on the device too, it also gives what the layers read of the best token at the next position.
"""

from __future__ import annotations

import copy
from functools import partial

import torch

from streamtensor import oracle
from streamtensor.design import Design
from streamtensor.errors import CompileError, RunError
from streamtensor.frontend import decoder, export_module, flat_state
from streamtensor.frontend.cached_decoder import Context
from streamtensor.process import TIME_LIMIT
from streamtensor.sampling import Sampling
from streamtensor.source import Program
from streamtensor.stored import EMBEDS

VOCABULARY, CANDIDATES = "vocabulary", "candidates"  # in the manifest of a head's design
MOST_CANDIDATES = 16  # each takes two searches of its own
_EXAMPLE_SEED = 0
_NO_TOKEN = torch.iinfo(torch.int32).max
# Of its share of a token's products: a head's lanes are always busy, those of layers wait for each other.
_PART, _LARGEST_SHARE = 0.8, 50  # percent of the lanes, where nobody asks for more


class Head(torch.nn.Module):
    """What the design computes, in PyTorch. `row`: so many logits are one row of those that are compared.

    `candidates`: so many of the best tokens, or all logits without it; `embeds`: the hidden states of the best one too.
    """

    def __init__(self, model: torch.nn.Module, row: int, candidates: int | None, embeds: bool = False):
        super().__init__()
        parts, linear = decoder.decoder_of(model), linear_of(model)
        self.norm = parts.final_norm
        self.linear = padded(linear, -linear.out_features % row)
        self._vocabulary, self._row, self._candidates = linear.out_features, row, candidates
        self.embedding = model.get_input_embeddings() if embeds else None
        self.positions = parts.positions if embeds else None
        self._embed_positions = parts.embed_positions

    def forward(self, hidden_states: torch.Tensor, position: torch.Tensor | None = None):
        """`position`: of the next token, [1], where a table of positions is added to its embedding."""
        logits = self.linear(self.norm(hidden_states))
        if self._candidates is None:
            return logits
        best, tokens = self._best(logits)
        if self.embedding is None:
            return best, tokens
        return best, tokens, self.embedding(tokens[:1].long())[None] + self._embed_positions(position)

    def _best(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The largest logits and their tokens, both [candidates]; of equal ones the first come first."""
        count = logits.shape[-1]
        tokens = torch.arange(count, dtype=torch.int32).reshape(-1, self._row)
        logits = logits.reshape(-1, self._row)
        if self._candidates > 1:  # a copy is never larger than the last token, but would come second
            logits = torch.where(tokens < self._vocabulary, logits, -torch.inf)
        of_rows = self._largest(logits, tokens)
        best, tokens = self._largest(*(each.reshape(1, -1) for each in of_rows))
        return best.reshape(-1), tokens.reshape(-1).clamp(max=self._vocabulary - 1)

    def _largest(self, values: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Of each row the largest values and their tokens, [rows, candidates], one after the other."""
        found = []
        for _ in range(self._candidates):
            if found:
                values = torch.where(tokens == found[-1][1], -torch.inf, values)
            best = values.amax(-1, keepdim=True)
            found.append((best, torch.where(values == best, tokens, _NO_TOKEN).amin(-1, keepdim=True)))
        best, chosen = (torch.cat(each, -1) for each in zip(*found, strict=True))
        return best, chosen


def linear_of(model: torch.nn.Module) -> torch.nn.Linear:
    head = model.get_output_embeddings()
    if not isinstance(head, torch.nn.Linear):
        raise CompileError(
            f"The head of {type(model).__name__} is a {type(head).__name__}, and a head on the device is a linear "
            "layer: compile with head='host' (--head host)."
        )
    return head


def share_of(model: torch.nn.Module) -> int:
    """Percent of the lanes that are for the head, by its share of a token's multiplications by weights."""
    head = linear_of(model).weight.numel()
    layers = sum(each.numel() for each in decoder.decoder_of(model).layers.parameters() if each.dim() == 2)
    return min(max(round(100 * _PART * head / (head + layers)), 1), _LARGEST_SHARE)


def padded(linear: torch.nn.Linear, more: int) -> torch.nn.Linear:
    """`linear` with `more` copies of its last output, which are as large as it is and never larger."""
    if more == 0:
        return linear

    def extend(tensor: torch.Tensor) -> torch.Tensor:
        return torch.cat([tensor, tensor[-1:].expand(more, *tensor.shape[1:])])

    found = copy.copy(linear)
    found._parameters = {
        name: None if value is None else torch.nn.Parameter(flat_state.rebuild(value.detach(), extend), False)
        for name, value in linear._parameters.items()
    }
    found.out_features = linear.out_features + more
    return found


def row_of(tile_size: int) -> int:
    """Logits of a row: whole tiles, and about as many as there are rows."""
    return tile_size * tile_size


def make_head(context: Context, row: int, candidates: int | None, embeds: bool) -> Head:
    """The head of a model, after a check that the model has one that can be built so."""
    known, given = context.model.get_input_embeddings().num_embeddings, linear_of(context.model).out_features
    if candidates is not None and candidates > given:
        raise CompileError(f"candidates is {candidates}, but the model knows {given} tokens: ask for as many at most.")
    if embeds and given > known:
        raise CompileError(
            f"The head gives {given} logits, but the embedding has {known} rows: leave the embedding on the host, with "
            "embedding='host' (--embedding host)."
        )
    return Head(context.model, row, candidates, embeds).eval()


def head_program(
    context: Context, row: int, candidates: int | None, embeds: bool, time_limit: float = TIME_LIMIT
) -> Program:
    """The program of the head, its weights bound."""
    head = make_head(context, row, candidates, embeds)
    examples = (example_hidden(context),)
    if head.positions is not None:
        examples += (context.numbers(1, 1).int(),)
    return bound_program(f"{type(context.model).__name__}Head", head, examples, time_limit)


@torch.no_grad()
def example_hidden(context: Context) -> torch.Tensor:
    """Hidden states of one token, [1, 1, hidden]."""
    known = context.model.get_input_embeddings().num_embeddings
    token = torch.randint(known, (1, 1), generator=torch.Generator().manual_seed(_EXAMPLE_SEED))
    return context.embed(token, 0)


def bound_program(name: str, module: torch.nn.Module, examples: tuple[torch.Tensor, ...], time_limit: float) -> Program:
    """The program of a module, its parameters bound."""
    exported = export_module(module, examples, time_limit=time_limit)
    oracles = partial(oracle.of_module, module, examples, exported.parameters)
    return Program(name, exported.text, exported, oracles)


def logits_of(values: torch.Tensor, tokens: torch.Tensor, vocabulary: int) -> torch.Tensor:
    """[vocabulary], `values` for `tokens`, both [candidates]; those not given are minus infinity."""
    logits = torch.full((vocabulary,), float("-inf"), dtype=values.dtype)
    logits[tokens.long()] = values
    return logits


class DeviceHead:
    """A head on the device: one launch for each new token."""

    def __init__(self, design: Design):
        self.design = design
        self.vocabulary: int = design.manifest[VOCABULARY]
        self.candidates: int | None = design.manifest[CANDIDATES]
        self.embeds: bool = design.manifest.get(EMBEDS, False)
        self._embedded: tuple[int, int, torch.Tensor] | None = None  # the last token, its position, its hidden states

    def logits(self, hidden: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        """[vocabulary] of the token that follows the hidden states [1, 1, hidden], at `position`, [1]; those not given
        are minus infinity."""
        place = [position.int()][: len(self.design.inputs) - 1]  # read where a table of positions is
        found = self.design.compute(hidden.contiguous(), *place)
        if self.candidates is None:
            return found[0].reshape(-1)[: self.vocabulary]
        values, tokens = found[:2]
        if self.embeds:
            self._embedded = (int(tokens[0]), int(position), found[2].clone())
        return logits_of(values, tokens, self.vocabulary)

    def embedded(self, ids: list[int], position: int) -> torch.Tensor | None:
        """What the layers read of the one token `ids` at `position`, [1, 1, hidden], if the last launch gave it."""
        if self._embedded is None or (ids, position) != ([self._embedded[0]], self._embedded[1]):
            return None
        return self._embedded[2]

    def check(self, sampling: Sampling) -> None:
        """Refuses a choice that needs other logits than those of the candidates."""
        if self.candidates is None:
            return
        remedy = "compile without --candidates, so that the head gives all logits"
        if sampling.temperature > 0 and (sampling.top_k is None or sampling.top_k > self.candidates):
            asked = "all tokens" if sampling.top_k is None else f"the {sampling.top_k} likeliest tokens (top_k)"
            raise RunError(
                f"A token is to be drawn among {asked}, but the head on the device gives the logits of the "
                f"{self.candidates} likeliest: leave the temperature out, or {remedy}."
            )
        if sampling.repetition_penalty != 1.0:
            raise RunError(
                "repetition_penalty may choose a token that is not among those that the head on the device gives, the "
                f"{self.candidates} likeliest: leave it out, or {remedy}."
            )
