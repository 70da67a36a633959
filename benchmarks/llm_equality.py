# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the greedy tokens of SmolLM2-135M-Instruct, quantised, with those of the same quantised model in PyTorch.

The design reads each prompt and then PyTorch's own tokens, one by one. Its choice must be PyTorch's wherever PyTorch's
two best logits differ by more than the bound. Where they are closer a difference is excused: a rounding decides there.
Excused tokens are counted, and at most 2 % of all may be. Every decoder layer is computed by the design's HLS C++,
compiled natively. Ends with 1 if a token is wrong or too many are excused.

`--control` puts PyTorch in the design's place: it reads the same tokens one by one, where the reference reads the
prompt at once. What differs then is the model's own sensitivity: a rounding moves an activation to the next int8.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import results
import torch
from corpus.prompts import prompts
from streamtensor import Options, compile_llm, load_llm
from streamtensor.demo import peak_memory_gib
from streamtensor.frontend.models import smollm2_path
from streamtensor.progress import Progress, quiet_libraries
from streamtensor.reference import without_layers
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

LARGEST_BOUND, EXCUSED_SHARE = 0.05, 0.02
MAX_CONTEXT = 272


@dataclass
class Outcome:
    """What one prompt gave; logits are compared at each position whose token is chosen."""

    prompt_tokens: int
    tokens: int = 0
    wrong: int = 0
    excused: int = 0
    largest_error: float = 0.0  # of a logit, absolute
    margins: list[float] = field(default_factory=list)  # of PyTorch where the two choices differ
    decode_seconds: float = 0.0
    decode_passes: int = 0

    def add(self, found: torch.Tensor, expected: torch.Tensor, bound: float) -> None:
        self.tokens += 1
        self.largest_error = max(self.largest_error, float((found - expected).abs().max()))
        if found.argmax() == expected.argmax():
            return
        best, second = torch.topk(expected, 2).values.tolist()
        self.margins.append(best - second)
        if best - second > bound:
            self.wrong += 1
        else:
            self.excused += 1


@torch.no_grad()
def reference_logits(model, ids: list[int], new_tokens: int) -> Iterator[torch.Tensor]:
    """PyTorch's logits before each of its greedy tokens, an end token being one like any other."""
    given, cache = torch.tensor([ids]), None
    for _ in range(new_tokens):
        found = model(given, past_key_values=cache, use_cache=True)
        cache = found.past_key_values
        yield found.logits[0, -1]
        given = found.logits[:, -1:].argmax(-1)


def hold_weights(model) -> None:
    """torchao makes floats of a quantised weight at each use: they are kept here. The numbers are the same."""
    for parameter in model.parameters():
        if is_traceable_wrapper_subclass(parameter):
            held = parameter.dequantize()
            parameter.dequantize = lambda held=held: held


class OneByOne:
    """PyTorch in the place of a design: every token of a text in a pass of its own."""

    def __init__(self, model):
        self._model = model
        self._cache = None

    def new_cache(self) -> None:
        self._cache = None

    def read(self, ids: list[int], cache: None) -> torch.Tensor:
        for token in ids:
            found = self._model(torch.tensor([[token]]), past_key_values=self._cache, use_cache=True)
            self._cache = found.past_key_values
        return found.logits[0, -1]


@torch.no_grad()
def examine(llm, ids: list[int], expected: list[torch.Tensor], bound: float) -> Outcome:
    """The design on a prompt and on PyTorch's tokens behind it."""
    outcome, cache = Outcome(len(ids)), llm.new_cache()
    unread = ids
    for logits in expected:
        start = time.perf_counter()
        found = llm.read(unread, cache)
        if outcome.tokens:
            outcome.decode_seconds += time.perf_counter() - start
            outcome.decode_passes += 1
        outcome.add(found, logits, bound)
        unread = [int(logits.argmax())]
    return outcome


def make(arguments: argparse.Namespace, out: Path):
    if (out / "design.json").exists():
        return load_llm(out)
    options = Options(unroll=arguments.unroll)
    sizes = {"max_context": MAX_CONTEXT, "quantise": arguments.quantise, "group_size": arguments.group_size}
    return compile_llm(smollm2_path(), options=options, out=out, progress=Progress(), **sizes)


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prompts", type=int, default=20, help="how many of the 20 prompts, evenly spread")
    parser.add_argument("--new-tokens", type=int, default=64, help="tokens after each prompt")
    parser.add_argument("--bound", type=float, default=LARGEST_BOUND, help="difference of logits that is a tie")
    parser.add_argument("--quantise", default="w4a8")
    parser.add_argument("--group-size", type=int, default=32)
    parser.add_argument("--unroll", type=int, help="multiply-add lanes; the device decides without it")
    parser.add_argument("--control", action="store_true", help="compare PyTorch with itself")
    parser.add_argument("--output", type=Path, help="keep the design here, or take the one that is here")
    results.add_option(parser)
    arguments = parser.parse_args(words)
    if not 0 <= arguments.bound <= LARGEST_BOUND:
        parser.error(f"--bound is {arguments.bound}: it must be 0 to {LARGEST_BOUND}")
    return arguments


def run(arguments: argparse.Namespace, printed: results.Results, out: Path) -> bool:
    llm = make(arguments, out)
    hold_weights(llm.model)
    chosen = prompts(llm.encode)[:: max(1, 20 // arguments.prompts)][: arguments.prompts]
    printed.line(f"{'prompt':>8}{'tokens':>8}{'wrong':>7}{'excused':>9}{'largest error':>15}{'tokens/s':>10}")
    outcomes = []
    for ids in chosen:
        expected = list(reference_logits(llm.model, ids, arguments.new_tokens))
        _ = llm.context
        with contextlib.nullcontext() if arguments.control else without_layers(llm.model):
            examined = OneByOne(llm.model) if arguments.control else llm
            found = examine(examined, ids, expected, arguments.bound)
        outcomes.append(found)
        speed = found.decode_passes / found.decode_seconds if found.decode_passes else 0.0
        text = f"{found.prompt_tokens:>8}{found.tokens:>8}{found.wrong:>7}{found.excused:>9}"
        figures = {"wrong": found.wrong, "excused": found.excused, "largest_error": found.largest_error}
        sizes = {"prompt_tokens": found.prompt_tokens, "tokens": found.tokens}
        text += f"{found.largest_error:>15.3g}{speed:>10.2f}"
        printed.add(text, **sizes, **figures, margins=found.margins, tokens_per_second=speed)
    return conclude(outcomes, arguments, printed)


def conclude(outcomes: list[Outcome], arguments: argparse.Namespace, printed: results.Results) -> bool:
    def total(name: str) -> float:
        return sum(getattr(outcome, name) for outcome in outcomes)

    share = total("excused") / total("tokens")
    holds = total("wrong") == 0 and share <= EXCUSED_SHARE
    speed = total("decode_passes") / total("decode_seconds") if total("decode_seconds") else 0.0
    error = max(outcome.largest_error for outcome in outcomes)
    printed.line(
        f"{total('tokens')} tokens, {total('wrong')} wrong, {total('excused')} excused ({share:.1%}), their logits "
        f"closer than {arguments.bound:g}; largest error of a logit {error:.3g}"
    )
    memory = f"{peak_memory_gib():.1f} GiB at most, PyTorch's model with it"
    printed.line(f"{speed:.2f} tokens/s natively, {memory}: {'pass' if holds else 'FAIL'}")
    printed.end(
        holds=holds,
        control=arguments.control,
        bound=arguments.bound,
        quantise=arguments.quantise,
        group_size=arguments.group_size,
        tokens=total("tokens"),
        wrong=total("wrong"),
        excused=total("excused"),
        excused_share=share,
        largest_error=error,
        tokens_per_second=speed,
        peak_memory_gib=peak_memory_gib(),
    )
    return holds


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    quiet_libraries()
    printed = results.Results(arguments.json)
    if arguments.output:
        return 0 if run(arguments, printed, arguments.output) else 1
    with tempfile.TemporaryDirectory(prefix="streamtensor-equality-") as scratch:
        return 0 if run(arguments, printed, Path(scratch) / "out") else 1


if __name__ == "__main__":
    sys.exit(main())
