# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own generation, recorded beforehand, and the comparison with a design's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

from streamtensor.errors import Error, RunError
from streamtensor.frontend import decoder
from streamtensor.llm import Generation, LanguageModel, Step, pad, write_run
from streamtensor.progress import Progress


@dataclass(frozen=True)
class Reference:
    """PyTorch's greedy continuation and the forward pass that gave each token."""

    tokens: list[int]
    text: str
    steps: list[Step]


@dataclass
class Comparison:
    """How far a design's forward passes are from PyTorch's.

    `logit_error` is the largest absolute difference of a logit over every position of every step; `layer_error` the
    largest difference of a layer's output relative to the largest value of that output in PyTorch.
    """

    logit_error: float = 0.0
    layer_error: float = 0.0
    steps: int = 0
    positions: int = 0
    layers: list[float] = field(default_factory=list)

    def add(self, found: Step, expected: Step) -> None:
        self.steps += 1
        self.positions += found.logits.shape[1]
        self.logit_error = _largest(self.logit_error, (found.logits - expected.logits).abs().max())
        errors = [
            float((f - e).abs().max() / e.abs().max()) for f, e in zip(found.layers, expected.layers, strict=True)
        ]
        self.layers = [max(a, b) for a, b in zip(self.layers or errors, errors, strict=True)]
        for error in errors:
            self.layer_error = _largest(self.layer_error, error)


def _largest(a: float, b) -> float:
    """A maximum that keeps NaN, so that a broken result is never reported as small."""
    b = float(b)
    return b if b != b or b > a else a


@torch.no_grad()
def record(llm: LanguageModel, prompt: str, max_new_tokens: int) -> Reference:
    """Runs PyTorch alone: its greedy continuation, then the forward pass of each step with all layer outputs."""
    ids = llm.encode(prompt)
    given = torch.tensor([ids])
    full = llm.model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=max_new_tokens,
        do_sample=False,
        pad_token_id=0,
    )
    tokens = full[0, len(ids) :].tolist()
    steps = [_forward(llm, pad(ids + tokens[:count], llm.num_tokens)) for count in range(len(tokens))]
    return Reference(tokens, llm.tokenizer.decode(tokens), steps)


def _forward(llm: LanguageModel, ids: torch.Tensor) -> Step:
    outputs: list[torch.Tensor] = []

    def keep(module, arguments, result) -> None:
        outputs.append((result[0] if isinstance(result, tuple) else result).clone())

    hooks = [layer.register_forward_hook(keep) for layer in decoder.decoder_of(llm.model).layers]
    try:
        logits = llm.model(ids, attention_mask=torch.ones_like(ids), use_cache=False).logits
    finally:
        for hook in hooks:
            hook.remove()
    return Step(ids, outputs, logits)


@contextmanager
def without_layers(model) -> Iterator[None]:
    """Within the block, PyTorch's decoder layers and everything in them raise when called."""

    def refuse(*arguments, **keywords):
        raise Error("A decoder layer of PyTorch was called while the design was generating.")

    modules = [module for layer in decoder.decoder_of(model).layers for module in layer.modules()]
    for module in modules:
        module.forward = refuse
    try:
        yield
    finally:
        for module in modules:
            del module.forward


def generate_checked(
    llm: LanguageModel, prompt: str, max_new_tokens: int, progress: Progress | None = None
) -> tuple[Reference, Generation, Comparison]:
    """PyTorch first, then the design alone on its own tokens, compared at every layer and position."""
    progress = progress or Progress()
    with progress.stage("reference"):
        reference = record(llm, prompt, max_new_tokens)
    comparison = Comparison()
    expected = iter(reference.steps)

    def compare(step: Step) -> None:
        other = next(expected, None)
        if other is not None:
            comparison.add(step, other)

    with without_layers(llm.model):
        generation = llm.generate(prompt, max_new_tokens, progress, compare)
    return reference, generation, comparison


def check_generation(
    llm: LanguageModel, prompt: str, max_new_tokens: int, progress: Progress | None = None
) -> Generation:
    """`generate_checked`, keeping the result for the report; differing tokens are an error."""
    reference, generation, comparison = generate_checked(llm, prompt, max_new_tokens, progress)
    write_run(
        llm.design,
        {
            "prompt": prompt,
            "tokens_expected": reference.tokens,
            "tokens_generated": generation.tokens,
            "text_expected": reference.text,
            "text_generated": generation.text,
            "max_abs_error": comparison.logit_error,
            "max_layer_error": comparison.layer_error,
            "layer_errors": comparison.layers,
            "positions_compared": comparison.positions,
        },
    )
    if generation.tokens != reference.tokens:
        raise RunError(
            f"The design continues '{prompt}' with {generation.text!r}, PyTorch with {reference.text!r} (largest error "
            f"of a logit {comparison.logit_error:.3g}). This is a defect of StreamTensor."
        )
    return generation
