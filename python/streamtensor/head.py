# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Final norm and LM head of a language model on the device, and the choice of the best token there.

A design of its own beside that of the layers. It reads the hidden states of one token and gives all logits, or the best
of them with its token. The vocabulary is padded to whole rows of logits, of which the largest are found one by one.
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

VOCABULARY, CANDIDATES = "vocabulary", "candidates"  # in the manifest of a head's design
_EXAMPLE_SEED = 0
# Of its share of a token's products: a head's lanes are always busy, those of layers wait for each other.
_PART, _LARGEST_SHARE = 0.8, 50  # percent of the lanes, where nobody asks for more


class Head(torch.nn.Module):
    """What the design computes, in PyTorch. `row`: so many logits are one row of those that are compared."""

    def __init__(self, model: torch.nn.Module, row: int, candidates: int | None):
        super().__init__()
        linear = linear_of(model)
        self.norm = decoder.decoder_of(model).final_norm
        self.linear = padded(linear, -linear.out_features % row)
        self._row, self._candidates = row, candidates

    def forward(self, hidden_states: torch.Tensor):
        logits = self.linear(self.norm(hidden_states))
        return logits if self._candidates is None else self._best(logits)

    def _best(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The largest logit and its token, both [1]; of equal ones the first."""
        count = logits.shape[-1]
        tokens = torch.arange(count, dtype=torch.int32).reshape(-1, self._row)
        logits = logits.reshape(-1, self._row)
        best = logits.amax(-1)
        first = torch.where(logits == best[:, None], tokens, count).amin(-1)
        largest = best.amax(0, keepdim=True)
        return largest, torch.where(best == largest, first, count).amin(0, keepdim=True)


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


def head_program(context: Context, row: int, candidates: int | None, time_limit: float = TIME_LIMIT) -> Program:
    """The program of the head, its weights bound."""
    if candidates not in (None, 1):
        raise CompileError(
            f"candidates is {candidates}: a head on the device gives the best token (1), or all logits without it."
        )
    head = Head(context.model, row, candidates).eval()
    known = context.model.get_input_embeddings().num_embeddings
    token = torch.randint(known, (1, 1), generator=torch.Generator().manual_seed(_EXAMPLE_SEED))
    with torch.no_grad():
        examples = (context.embed(token, 0),)
    module = export_module(head, examples, time_limit=time_limit)
    oracles = partial(oracle.of_module, head, examples, module.parameters)
    return Program(f"{type(context.model).__name__}Head", module.text, module, oracles)


class DeviceHead:
    """A head on the device: one launch for each new token."""

    def __init__(self, design: Design):
        self.design = design
        self.vocabulary: int = design.manifest[VOCABULARY]
        self.candidates: int | None = design.manifest[CANDIDATES]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Of the token with the hidden states [1, 1, hidden]: [vocabulary]; those not given are minus infinity."""
        found = self.design.compute(hidden.contiguous())
        if self.candidates is None:
            return found[0].reshape(-1)[: self.vocabulary]
        values, tokens = found
        logits = torch.full((self.vocabulary,), float("-inf"), dtype=values.dtype)
        # A token behind the vocabulary is a copy of the last one.
        logits[tokens.long().clamp(max=self.vocabulary - 1)] = values
        return logits

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
