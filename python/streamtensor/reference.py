# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own generation, recorded beforehand, and the comparison with a design's.

A quantised model is followed instead. Where an activation lies on the boundary between two integers, the last bit of a
float sum decides, and later layers make much of it: PyTorch that reads a prompt token by token differs from PyTorch
that reads it at once. So each layer, and the choice of each token, is computed on what the design gave for the layer
before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial

import torch

from streamtensor.errors import Error, RunError
from streamtensor.frontend import decoder
from streamtensor.frontend.cached_attention import rows_in_int8
from streamtensor.llm import Generation, LanguageModel, Pass
from streamtensor.llm_files import write_run
from streamtensor.progress import Progress
from streamtensor.quantise import is_quantised

FOLLOWED_LAYER_ERROR = 1e-2  # of a layer's largest value; what an int8 step of an activation changes is below
HEAD_ERROR = 1e-2  # of the largest logit, on the hidden states that the design's layers gave


@dataclass(frozen=True)
class Reference:
    """PyTorch's greedy continuation, and one forward pass of the prompt and all new tokens but the last.

    One that follows a design has PyTorch's choice behind each of the design's tokens.
    """

    tokens: list[int]
    text: str
    layers: list[torch.Tensor]  # of each layer [1, positions, hidden]
    logits: torch.Tensor  # [1, positions, vocabulary]


@dataclass
class Comparison:
    """How far a design's passes are from PyTorch's.

    `logit_error` is the largest absolute difference of a logit over every position; `layer_error` the largest
    difference of a layer's output relative to the largest value of that output in PyTorch. `head_error` is the
    largest difference of a logit by a head on the device from PyTorch's on the same hidden states, relative to the
    largest.
    """

    logit_error: float = 0.0
    layer_error: float = 0.0
    head_error: float = 0.0
    positions: int = 0
    layers: list[float] = field(default_factory=list)

    @torch.no_grad()
    def add(self, found: Pass, expected: Reference) -> None:
        """Compares the positions of a pass as far as the reference has them."""
        part = slice(found.position, found.position + found.count)
        logits = expected.logits[:, part]
        if logits.shape[1] == 0:  # The continuations differ already.
            return
        self.positions += logits.shape[1]
        self.logit_error = _largest(self.logit_error, _distance(found.logits, logits))
        pairs = zip(found.layers, expected.layers, strict=True)
        errors = [float(_distance(have, want[:, part]) / want.abs().max()) for have, want in pairs]
        self.layers = [_largest(a, b) for a, b in zip(self.layers or errors, errors, strict=True)]
        for error in errors:
            self.layer_error = _largest(self.layer_error, error)
        if found.chosen is not None:
            self.head_error = _largest(self.head_error, _head_error(found.chosen, found.logits[0, -1]))


def _head_error(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Of logits, some of which may not be given: those are to be no larger than what is given."""
    is_given = found != float("-inf")
    error = (found - expected)[is_given].abs().max()
    if not bool(is_given.all()):
        error = torch.maximum(error, expected[~is_given].max() - found[is_given].min())
    return error / expected.abs().max()


def _distance(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    return (found[:, : expected.shape[1]] - expected).abs().max()


def _largest(a: float, b) -> float:
    """A maximum that keeps NaN, so that a broken result is never reported as small."""
    b = float(b)
    return b if b != b or b > a else a


def _rows_rounded(llm: LanguageModel) -> AbstractContextManager:
    """Within, PyTorch's attention sees the rows of an int8 cache as the design rounds them."""
    return rows_in_int8(llm.model, llm.max_context) if llm.context.has_int8_cache else nullcontext()


@torch.no_grad()
def record(llm: LanguageModel, prompt: str | list[int], max_new_tokens: int) -> Reference:
    """Runs PyTorch alone: its greedy continuation, then one forward pass over it with all layer outputs."""
    with _rows_rounded(llm):
        return _record(llm, llm.encode(prompt), max_new_tokens)


def _record(llm: LanguageModel, ids: list[int], max_new_tokens: int) -> Reference:
    given = torch.tensor([ids])
    full = llm.model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=max_new_tokens,
        do_sample=False,
        pad_token_id=0,
    )
    tokens = full[0, len(ids) :].tolist()
    layers, logits = _forward(llm, full[:, : len(ids) + len(tokens) - 1])
    return Reference(tokens, llm.text_of(tokens), layers, logits)


def _forward(
    llm: LanguageModel, ids: torch.Tensor, given: list[torch.Tensor] | None = None
) -> tuple[list[torch.Tensor], torch.Tensor]:
    """What the layers give and the logits; `given`: what each layer is taken to have given to the next one."""
    with decoder.keeping_outputs(llm.model) as outputs:

        def take(module, arguments, keywords) -> tuple[tuple, dict]:
            hidden = given[len(outputs) - 1]
            if arguments:
                return (hidden, *arguments[1:]), keywords
            return arguments, keywords | {"hidden_states": hidden}

        later = [] if given is None else decoder.decoder_of(llm.model).layers[1:]
        hooks = [layer.register_forward_pre_hook(take, with_kwargs=True) for layer in later]
        try:
            logits = llm.model(ids, attention_mask=torch.ones_like(ids), use_cache=False).logits
        finally:
            for hook in hooks:
                hook.remove()
    return outputs, logits


@torch.no_grad()
def follow(llm: LanguageModel, prompt: str | list[int], generation: Generation, passes: list[Pass]) -> Reference:
    """PyTorch's layers on what those of the design gave in `passes`, which read all of the text but its last token."""
    ids = llm.encode(prompt)
    given = [torch.cat(parts, dim=1) for parts in zip(*(each.layers for each in passes), strict=True)]
    with _rows_rounded(llm):
        layers, logits = _forward(llm, torch.tensor([ids + generation.tokens[:-1]]), given)
    tokens = logits[0, len(ids) - 1 :].argmax(-1).tolist()
    return Reference(tokens, llm.text_of(tokens), layers, logits)


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


def _generate_alone(llm: LanguageModel, *generating: object) -> Generation:
    """`llm.generate(*generating)`, PyTorch's layers refusing to run."""
    _ = llm.context  # read from the model's own layers
    with without_layers(llm.model):
        return llm.generate(*generating)


def generate_checked(
    llm: LanguageModel,
    prompt: str,
    max_new_tokens: int,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Reference, Generation, Comparison]:
    """PyTorch first, then the design alone on its own tokens, compared at every layer and position."""
    progress = progress or Progress()
    with progress.stage("reference"):
        reference = record(llm, prompt, max_new_tokens)
    comparison = Comparison()
    observe = partial(comparison.add, expected=reference)
    return reference, _generate_alone(llm, prompt, max_new_tokens, progress, observe, tell), comparison


def generate_followed(
    llm: LanguageModel,
    prompt: str,
    max_new_tokens: int,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Reference, Generation, Comparison]:
    """The design alone, then PyTorch, layer by layer on what the design gave."""
    progress = progress or Progress()
    passes: list[Pass] = []
    generation = _generate_alone(llm, prompt, max_new_tokens, progress, passes.append, tell)
    with progress.stage("reference"):
        reference = follow(llm, prompt, generation, passes)
    comparison = Comparison()
    for each in passes:
        comparison.add(each, reference)
    return reference, generation, comparison


def check_generation(
    llm: LanguageModel,
    prompt: str,
    max_new_tokens: int,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Generation:
    """Generates and compares, keeping the result for the report.

    Differing tokens are an error; of a quantised model, which is followed, layers that are too far off; and logits of a
    head on the device.
    """
    is_followed = is_quantised(llm.model)
    generate = generate_followed if is_followed else generate_checked
    reference, generation, comparison = generate(llm, prompt, max_new_tokens, progress, tell)
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
            "max_head_error": comparison.head_error,
            "positions_compared": comparison.positions,
            "seconds": generation.seconds,
        },
    )
    if is_followed and not comparison.layer_error <= FOLLOWED_LAYER_ERROR:
        raise RunError(
            f"On '{prompt}' a layer of the design is {comparison.layer_error:.2g} of its largest value from PyTorch's, "
            f"which takes what the design gave for the layer before; {FOLLOWED_LAYER_ERROR:g} is allowed. This is a "
            "defect of StreamTensor."
        )
    if not comparison.head_error <= HEAD_ERROR:
        raise RunError(
            f"On '{prompt}' a logit by the head on the device is {comparison.head_error:.2g} of the largest from "
            f"PyTorch's on the same hidden states; {HEAD_ERROR:g} is allowed. This is a defect of StreamTensor."
        )
    if not is_followed and generation.tokens != reference.tokens:
        raise RunError(
            f"The design continues '{prompt}' with {generation.text!r}, PyTorch with {reference.text!r} (largest error "
            f"of a logit {comparison.logit_error:.3g}). This is a defect of StreamTensor."
        )
    return generation
