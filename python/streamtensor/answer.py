# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several tokens in one launch: what stands between two passes when the host does not, in PyTorch.

A kernel goes round: all layers read the hidden states of a token, `NextPlace` says where the next one lies, `NextPass`
chooses it and makes what the layers read of it. A tensor that a turn hands to the next lies in one place, and a design
must not read where it writes: so `NextPlace` reads the place and the log that `NextPass` wrote and writes those that it
reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from streamtensor.errors import RunError
from streamtensor.frontend.cached_decoder import Context
from streamtensor.frontend.linalg_module import INPUT
from streamtensor.head import Head, bound_program, example_hidden, logits_of, make_head
from streamtensor.interface import Interface
from streamtensor.memory import PackedTensor, as_tensor
from streamtensor.process import TIME_LIMIT
from streamtensor.request import HEADS, TURNS
from streamtensor.sampling import Sampling
from streamtensor.source import Program

_HIDDEN, _ROWS = 0, 4  # results of NextPass: hidden states, and behind place, log and logit the rows of tables
_NO_END = torch.iinfo(torch.int32).max


class NextPlace(torch.nn.Module):
    """Where the next pass lies, and the log of tokens with room for one more at its end."""

    def forward(self, place: torch.Tensor, log: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """`place`: of a pass, [..., 1], or [..., 2] with the window behind it; `log`: the latest tokens, [turns]."""
        columns = torch.arange(place.shape[-1], dtype=place.dtype)
        return torch.where(columns == 0, place + 1, place), torch.cat([log[1:], log[:1]])


class NextPass(torch.nn.Module):
    """Final norm, head and choice of a token, and all that the layers read of it."""

    def __init__(self, context: Context, head: Head, tokens: int):
        """`tokens`: of a pass; `head` embeds its one candidate."""
        super().__init__()
        self.head = head
        self._tokens, self._last = tokens, context.max_context - 1
        tables = context.all_tables()
        # As the layers write and read them.
        self.row_major = frozenset({"states", _HIDDEN, *range(_ROWS, _ROWS + len(tables))})
        self._rows = [(*table.shape[:-2], 1, table.shape[-1]) for table in tables]
        self.tables = torch.nn.ParameterList(
            torch.nn.Parameter(table.movedim(-2, 0).reshape(table.shape[-2], -1), False) for table in tables
        )

    def forward(
        self, states: torch.Tensor, row: torch.Tensor, place: torch.Tensor, log: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """`states`: what all layers gave, [layers, 1, tokens, hidden], and which row of them is that of the last token,
        [1]; `place` and `log` by `NextPlace`.

        Gives the hidden states of the next pass [1, tokens, hidden], its place, the log, the logit of the token that
        was chosen [1], and rows of the rotary tables. Only the first token of the next pass counts.
        """
        hidden = states.reshape(-1, states.shape[-1])[row.long()][None]
        position = place.reshape(-1)[:1].clamp(max=self._last)
        best, token, embedded = self.head(hidden, position)
        rows = [
            table[position.long()].reshape(shape).expand(*shape[:-2], self._tokens, shape[-1])
            for table, shape in zip(self.tables, self._rows, strict=True)
        ]
        columns, entries = (torch.arange(each.shape[-1], dtype=each.dtype) for each in (place, log))
        return (
            embedded.expand(1, self._tokens, -1).contiguous(),
            torch.minimum(place, torch.where(columns == 0, self._last, _NO_END).to(place.dtype)),
            torch.where(entries == log.shape[0] - 1, token, log),
            best,
            *(each.contiguous() for each in rows),
        )


def next_place_program(context: Context, turns: int, time_limit: float = TIME_LIMIT) -> Program:
    """The program of `NextPlace` in launches of up to `turns` tokens."""
    return bound_program("NextPlace", NextPlace().eval(), _example(context, turns), time_limit)


def next_pass_program(context: Context, row: int, tokens: int, turns: int, time_limit: float = TIME_LIMIT) -> Program:
    """The program of `NextPass` for passes of `tokens` tokens, in launches of up to `turns`."""
    module = NextPass(context, make_head(context, row, 1, True), tokens).eval()
    layers = len(context.kinds)
    states = example_hidden(context).expand(layers, 1, tokens, -1).contiguous()
    last = torch.tensor([layers * tokens - 1], dtype=torch.int32)
    examples = (states, last, *_example(context, turns))
    return bound_program(f"{type(context.model).__name__}NextPass", module, examples, time_limit)


def _example(context: Context, turns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The place of a pass, and a log."""
    position = min(1, context.max_context - 1)
    return context.all_inputs(position, 1)[0], torch.arange(turns, dtype=torch.int32)


@dataclass(frozen=True)
class Launched:
    """What a launch left: the states of all layers in its last pass, [layers, 1, tokens, hidden], the tokens that it
    chose, and the logit of the last, [1]."""

    states: torch.Tensor
    tokens: list[int]
    logit: torch.Tensor

    def logits(self, vocabulary: int) -> torch.Tensor | None:
        """Of the last token, [vocabulary]: those of all but the one that was chosen are minus infinity. None where none
        was."""
        return logits_of(self.logit, torch.tensor(self.tokens[-1:]), vocabulary) if self.tokens else None


class DeviceAnswer:
    """The kernel of a language model that goes from token to token by itself, up to `turns` in a launch."""

    def __init__(self, interface: Interface, parameters: dict[str, torch.Tensor | PackedTensor], turns: int):
        self.interface, self.turns = interface, turns
        self._parameters = parameters
        self._states = interface.results[0]

    def launch(
        self,
        hidden: torch.Tensor,
        cache: Sequence[torch.Tensor | PackedTensor],
        inputs: Sequence[torch.Tensor],
        count: int,
        scalars: dict[str, int],
        turns: int,
        chooses: bool,
    ) -> Launched:
        """Makes `turns` passes: of the first one the hidden states, `Context.all_inputs` and `count`, how many tokens
        it reads, are given. `chooses`: a token follows each pass, for the next one to read.
        """
        place, *tables = inputs
        layers, _, tokens, _ = self._states.shape
        row = torch.tensor([(layers - 1) * tokens + count - 1], dtype=torch.int32)
        log = torch.zeros(self.turns, dtype=torch.int32)
        given = iter((hidden, place, log, *tables, *cache, row))
        values = [next(given) if a.kind == INPUT else self._parameters[a.name] for a in self.interface.arguments]
        numbers = self.interface.fill(scalars | {TURNS: turns, HEADS: int(chooses)})
        states, *_, log, logit = self.interface.execute(values, numbers, in_place=True)
        tokens = as_tensor(log)[self.turns - turns :].tolist() if chooses else []
        return Launched(as_tensor(states), tokens, as_tensor(logit))

    def check(self, sampling: Sampling) -> None:
        """Refuses a choice that needs the host between two tokens."""
        if sampling.temperature > 0 or sampling.repetition_penalty != 1.0:
            raise RunError(
                "A token is to be drawn, or to be chosen by what was said before, but the design chooses the likeliest "
                "one itself, several in a launch: leave temperature and repetition_penalty out, or compile without "
                "tokens_per_launch (--tokens-per-launch)."
            )
