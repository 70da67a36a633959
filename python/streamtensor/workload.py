# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many tokens a pass of a language model reads, for texts of a known length.

A design of more tokens a pass reads a prompt faster; its passes of a single token may be slower, as it is another
design. So each number is compiled, and what the whole text takes is predicted. The card does one launch after the
other: what is best for one text is best for many.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from streamtensor.errors import CapacityError, CompileError
from streamtensor.prediction import predict
from streamtensor.progress import Progress
from streamtensor.stored import StoredDesign


@dataclass(frozen=True)
class Workload:
    """Texts of `prompt_tokens`, of which each gets `new_tokens`."""

    prompt_tokens: int
    new_tokens: int
    latency_ms: dict[int, float] = field(default_factory=dict)  # predicted, by the tokens of a pass

    @property
    def tokens_per_pass(self) -> int:
        """Those of the fastest; of equals the fewest."""
        return min(self.latency_ms, key=lambda tokens: (self.latency_ms[tokens], tokens))

    def to_json(self) -> dict:
        return {
            "prompt_tokens": self.prompt_tokens,
            "new_tokens": self.new_tokens,
            "latency_ms": {str(tokens): latency for tokens, latency in self.latency_ms.items()},
        }


def try_passes(
    workload: Workload, build: Callable[[int, Path], object], most: int, is_whole: bool, progress: Progress
) -> Workload:
    """Builds designs of 1, 2, 4, ... tokens a pass, at most `most`, until one is slower or does not fit.

    `build` puts a design of so many tokens into a directory. Raises what it raises if the first does not fit.
    """
    if not is_whole:
        raise CompileError(
            "What a text takes is known of whole designs that the compiler chose: leave the lengths of the text out "
            "(workload, --prompt-tokens and --new-tokens), or stop_after and schedule."
        )
    if min(workload.prompt_tokens, workload.new_tokens) < 1:
        raise CompileError("A text has one token of prompt at least, and gets one new token at least.")
    found: dict[int, float] = {}
    tokens = 1
    with tempfile.TemporaryDirectory(prefix="streamtensor-workload-") as scratch:
        while tokens <= min(most, workload.prompt_tokens):
            directory = Path(scratch) / str(tokens)
            with progress.stage(f"{tokens} a pass"):
                try:
                    build(tokens, directory)
                except CapacityError:
                    if not found:
                        raise
                    break
                found[tokens] = predict(StoredDesign(directory), workload.prompt_tokens, workload.new_tokens).latency_ms
            shutil.rmtree(directory)
            if found[tokens] > min(found.values()):
                break
            tokens *= 2
    return replace(workload, latency_ms=found)


def describe(facts: dict) -> str:
    """One line of what the manifest says."""
    tried = ", ".join(f"{latency:.3g} ms at {tokens}" for tokens, latency in facts["latency_ms"].items())
    return f"{facts['prompt_tokens']} tokens of prompt and {facts['new_tokens']} new, by the tokens of a pass: {tried}"
