# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The choice of the next token from its logits, on the host: greedy, or drawn with a seed."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from streamtensor.errors import RunError

_COLDEST = 1e-30  # logits that are divided by it are still floats


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen. Without a temperature the likeliest one is; the same seed gives the same tokens.

    `temperature` divides the logits; `top_k` keeps the k likeliest tokens; `top_p` keeps the likeliest ones that
    together reach this probability; `repetition_penalty` divides positive logits of tokens that the text already
    has, and multiplies negative ones. Order and meaning are those of transformers.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    repetition_penalty: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        is_finite = self.temperature == 0 or self.temperature >= _COLDEST
        _check(is_finite, f"temperature is {self.temperature}", f"0 (greedy) or at least {_COLDEST:g}")
        _check(self.top_k is None or self.top_k >= 1, f"top_k is {self.top_k}", "at least 1")
        _check(self.top_p is None or 0 < self.top_p <= 1, f"top_p is {self.top_p}", "above 0 and at most 1")
        _check(self.repetition_penalty > 0, f"repetition_penalty is {self.repetition_penalty}", "above 0 (1: none)")
        _check(0 <= self.seed < 2**64, f"seed is {self.seed}", "at least 0 and below 2 to the power of 64")
        if self.temperature == 0 and (self.top_k or self.top_p):
            raise RunError("top_k and top_p choose among tokens that are drawn: give a temperature above 0 as well.")


def _check(holds: bool, what: str, rule: str) -> None:
    if not holds:
        raise RunError(f"{what}: it must be {rule}.")


class Sampler:
    """Chooses the tokens of one text, one after the other."""

    def __init__(self, sampling: Sampling):
        self._sampling = sampling
        self._generator = torch.Generator().manual_seed(sampling.seed)

    def choose(self, logits: torch.Tensor, tokens: list[int]) -> int:
        """The token after `tokens`, the prompt among them; `logits`: [vocabulary]."""
        scores = adjust(logits, tokens, self._sampling)
        if self._sampling.temperature == 0:
            return int(scores.argmax())
        return int(torch.multinomial(torch.softmax(scores, -1), 1, generator=self._generator))


def adjust(logits: torch.Tensor, tokens: list[int], sampling: Sampling) -> torch.Tensor:
    """What is drawn from, up to softmax; tokens that cannot be drawn are at minus infinity."""
    scores = logits.float()
    if sampling.repetition_penalty != 1.0:
        scores = _penalise(scores, tokens, sampling.repetition_penalty)
    if sampling.temperature > 0:
        scores = scores / sampling.temperature
    if sampling.top_k:
        scores = _keep_likeliest(scores, sampling.top_k)
    if sampling.top_p is not None and sampling.top_p < 1:
        scores = _keep_probable(scores, sampling.top_p)
    return scores


def _penalise(scores: torch.Tensor, tokens: list[int], penalty: float) -> torch.Tensor:
    known = torch.tensor(sorted(set(tokens)), dtype=torch.long)
    held = scores[known]
    return scores.scatter(0, known, torch.where(held < 0, held * penalty, held / penalty))


def _keep_likeliest(scores: torch.Tensor, count: int) -> torch.Tensor:
    least = torch.topk(scores, min(count, len(scores))).values[-1]
    return scores.masked_fill(scores < least, float("-inf"))


def _keep_probable(scores: torch.Tensor, probability: float) -> torch.Tensor:
    """From the least likely token up, those are dropped that together stay within 1 - `probability`."""
    ascending, order = torch.sort(scores)
    dropped = torch.softmax(ascending, -1).cumsum(-1) <= 1 - probability
    dropped[-1] = False
    return scores.masked_fill(torch.zeros_like(dropped).scatter(0, order, dropped), float("-inf"))
