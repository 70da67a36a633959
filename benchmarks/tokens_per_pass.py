# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what reading several tokens in a pass costs and wins: one decoder layer of SmolLM2's shape, random weights.

Passes that read a prompt are full, those that take a new token have one. Cycles are simulated, the start of a kernel
is estimated from the device file; milliseconds on this machine are of one native launch of a full pass.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import results
import transformers
from streamtensor import Options, compile_llm
from streamtensor.frontend.models import random_causal_lm
from streamtensor.prediction import Prediction, predict
from streamtensor.progress import quiet_libraries

PROMPT_TOKENS, NEW_TOKENS = 32, 32
_LAUNCHES = 20


def layer_of_smollm2():
    sizes = {"hidden_size": 576, "intermediate_size": 1536, "num_attention_heads": 9, "num_key_value_heads": 3}
    return random_causal_lm(transformers.LlamaConfig(num_hidden_layers=1, vocab_size=100, **sizes))


class Numbers:
    """A tokenizer that is not asked."""

    def save_pretrained(self, directory: Path) -> None:
        """Nothing to save."""


def measure(tokens: int, max_context: int, unroll: int | None, quantise: str | None, out: Path) -> dict:
    sizes = {"options": Options(unroll=unroll), "quantise": quantise, "layers": "host"}
    llm = compile_llm(layer_of_smollm2(), Numbers(), max_context, tokens, out=out, **sizes)
    found = predict(llm.design, PROMPT_TOKENS, NEW_TOKENS)
    return {
        "tokens_per_pass": tokens,
        "cycles": most(found, tokens),
        "cycles_of_one": most(found, 1),
        "ttft_ms": found.ttft_ms,
        "latency_ms": found.latency_ms,
        "native_ms": native_milliseconds(llm, tokens),
    }


def most(found: Prediction, tokens: int) -> int:
    """Cycles of the longest pass of so many tokens."""
    return max(each.cycles for each in found.samples if each.tokens in (0, tokens))


def native_milliseconds(llm, tokens: int) -> float:
    """Of one pass over the layer, the least of several: other programs only add to it."""
    cache, found = llm.new_cache(), []
    for _ in range(_LAUNCHES):
        cache.keep(0)
        start = time.perf_counter()
        llm.read(list(range(1, tokens + 1)), cache)
        found.append(time.perf_counter() - start)
    return min(found) * 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tokens", nargs="*", type=int, default=[1, 2, 4, 8, 16], help="tokens of a pass to measure")
    parser.add_argument("--max-context", type=int, default=256)
    parser.add_argument("--unroll", type=int, help="multiply-add lanes to ask for; the device decides without it")
    parser.add_argument("--quantise", help="a scheme, such as w4a8")
    results.add_option(parser)
    arguments = parser.parse_args()
    quiet_libraries()
    printed = results.Results(arguments.json)
    printed.line(
        f"one layer, {PROMPT_TOKENS} tokens of prompt and {NEW_TOKENS} new ones, context {arguments.max_context}"
    )
    printed.line(f"{'tokens':>6}{'cycles':>12}{'of one':>12}{'first, ms':>12}{'all, ms':>12}{'native, ms':>12}")
    with tempfile.TemporaryDirectory(prefix="streamtensor-passes-") as scratch:
        for tokens in arguments.tokens:
            out = Path(scratch) / str(tokens)
            row = measure(tokens, arguments.max_context, arguments.unroll, arguments.quantise, out)
            times = "".join(f"{row[key]:>12.2f}" for key in ("ttft_ms", "latency_ms", "native_ms"))
            printed.add(f"{tokens:>6}{row['cycles']:>12,}{row['cycles_of_one']:>12,}{times}", **row)
    printed.end(max_context=arguments.max_context, unroll=arguments.unroll, quantise=arguments.quantise)
    return 0


if __name__ == "__main__":
    sys.exit(main())
