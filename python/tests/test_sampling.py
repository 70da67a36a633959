# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sampling against transformers' own processors of logits."""

from __future__ import annotations

import itertools

import pytest
import torch
from streamtensor import RunError
from streamtensor.sampling import Sampler, Sampling, adjust
from transformers import (
    LogitsProcessorList,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

TOKENS = [3, 7, 7, 40, 0]
CHOICES = itertools.product([0.0, 0.7, 2.5], [None, 1, 5, 1000], [None, 0.05, 0.6, 1.0], [1.0, 1.3, 0.8])


def expected(logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    processors = LogitsProcessorList()
    if sampling.repetition_penalty != 1.0:
        processors.append(RepetitionPenaltyLogitsProcessor(sampling.repetition_penalty))
    if sampling.temperature > 0:
        processors.append(TemperatureLogitsWarper(sampling.temperature))
    if sampling.top_k:
        processors.append(TopKLogitsWarper(sampling.top_k))
    if sampling.top_p is not None and sampling.top_p < 1.0:
        processors.append(TopPLogitsWarper(sampling.top_p))
    return processors(torch.tensor([TOKENS]), logits[None])[0]


@pytest.mark.parametrize("choice", [c for c in CHOICES if c[0] or not (c[1] or c[2])], ids=str)
def test_scores_are_those_of_transformers(choice):
    generator = torch.Generator().manual_seed(0)
    sampling = Sampling(*choice)
    for _ in range(20):
        logits = 5 * torch.randn(64, generator=generator)
        assert torch.equal(adjust(logits, TOKENS, sampling), expected(logits, sampling))


def test_ties_stay():
    """Tokens as likely as the last that is kept are kept, as transformers keeps them."""
    logits, sampling = torch.tensor([1.0, 2.0, 2.0, 2.0, 0.0]), Sampling(temperature=1.0, top_k=2)
    assert torch.isfinite(adjust(logits, [], sampling)).tolist() == [False, True, True, True, False]


def test_the_coldest_and_the_last_seed_draw_the_likeliest():
    sampling = Sampling(temperature=1e-30, seed=2**64 - 1)
    assert Sampler(sampling).choose(torch.tensor([-500.0, 499.0, 500.0]), []) == 2


def test_draws_follow_the_probabilities():
    sampler, logits = Sampler(Sampling(temperature=1.0, seed=3)), torch.tensor([0.7, 0.2, 0.1]).log()
    found = torch.bincount(torch.tensor([sampler.choose(logits, []) for _ in range(4000)])) / 4000
    assert torch.allclose(found, logits.exp(), atol=0.03)


def test_without_a_temperature_the_likeliest_is_chosen():
    assert Sampler(Sampling()).choose(torch.tensor([0.0, 3.0, 2.0]), []) == 1
    assert Sampler(Sampling(repetition_penalty=2.0)).choose(torch.tensor([0.0, 3.0, 2.0]), [1]) == 2


WRONG = {
    "temperature is -1": {"temperature": -1},
    "temperature is 1e-40": {"temperature": 1e-40},
    "temperature is nan": {"temperature": float("nan")},
    "seed is -1": {"seed": -1},
    "seed is 18446744073709551616": {"seed": 2**64},
    "top_k is 0": {"temperature": 1.0, "top_k": 0},
    "top_p is 1.5": {"temperature": 1.0, "top_p": 1.5},
    "repetition_penalty is 0": {"repetition_penalty": 0},
    "give a temperature above 0 as well": {"top_k": 5},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_choices_are_refused(message):
    with pytest.raises(RunError, match=message):
        Sampling(**WRONG[message])
