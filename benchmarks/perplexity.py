# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What quantisation costs, and what a design adds to it: perplexity of a real model on a fixed text of 2,000 tokens.

The model is SmolLM2-135M or, with `--model gemma3` and the package of its weights, Gemma-3-270M.
The text is a page of this project's documentation, in windows of 250 tokens that stand alone; each token of a window
but the first counts. A model whose tokenizer begins a text with a token of its own has it at the start of each window.
Rows: the model in fp32, each scheme in PyTorch, the first one with int8 rows of keys and values too and, where groups
are those of the file, with its int4 weights quantised again from their floats; and the design of the first, natively.

An activation on the boundary between two integers becomes one or the other by the last bit of a sum, and later layers
make much of it: one scheme computed in two orders differs by more than it costs. So the reference of a design with a
float cache is the quantised model in f64, which takes the design's integers on boundaries and nowhere else
(streamtensor.equality); a second design, whose logits are those of the first bit for bit, tells them. The perplexity of
the design must be within 0.5 % of that one's. Integers of an int8 cache are not told: such a design is printed beside
PyTorch's, and nothing is asked of it. Ends with 1 if a rule is broken.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import results
import torch
from streamtensor import compile_llm, load_llm
from streamtensor.equality.exact import ExactModel, Flips
from streamtensor.equality.observed import compile_observed, load_observed
from streamtensor.frontend import gguf_weights
from streamtensor.frontend.cached_attention import rows_in_int8
from streamtensor.frontend.models import gemma3_path, load_causal_lm, smollm2_path
from streamtensor.progress import Progress, quiet_libraries
from streamtensor.quantise import quantise_model
from streamtensor.reference import without_layers
from streamtensor.schemes import SCHEMES

TOKENS, WINDOW = 2000, 250
TOLERANCE = 0.005  # of the perplexity
MODELS = {"smollm2": smollm2_path, "gemma3": gemma3_path}
TEXT = Path(__file__).parent / "corpus" / "documentation.txt"

Reader = Callable[[list[int]], torch.Tensor]  # tokens to logits [tokens, vocabulary]


def windows(encode: Callable[[str], list[int]], tokens: int) -> list[list[int]]:
    first = encode("")
    ids, width = encode(TEXT.read_text())[len(first) :], WINDOW - len(first)
    count = tokens // WINDOW
    if len(ids) < count * width:
        raise ValueError(f"the text has {len(ids)} tokens, fewer than {count * width}")
    return [first + ids[start : start + width] for start in range(0, count * width, width)]


@torch.no_grad()
def perplexity(read: Reader, texts: list[list[int]]) -> float:
    total, count = 0.0, 0
    for ids in texts:
        logits = read(ids)[:-1].double()
        total += float(torch.nn.functional.cross_entropy(logits, torch.tensor(ids[1:]), reduction="sum"))
        count += len(ids) - 1
    return math.exp(total / count)


def in_pytorch(model: torch.nn.Module, cache: str = "float") -> Reader:
    def read(ids: list[int]) -> torch.Tensor:
        with rows_in_int8(model, WINDOW) if cache == "int8" else contextlib.nullcontext():
            return model(torch.tensor([ids]), use_cache=False).logits[0]

    return read


def on_design(llm, kept: list[torch.Tensor]) -> Reader:
    def read(ids: list[int]) -> torch.Tensor:
        passes = []
        _ = llm.context  # read from the layers that PyTorch has
        with without_layers(llm.model):
            llm.read(ids, llm.new_cache(), passes.append)
        kept.append(torch.cat([each.logits[0] for each in passes]))
        return kept[-1]

    return read


class Resolved:
    """The model in f64 with the integers of a design, window by window."""

    def __init__(self, llm, out: Path):
        if not (out / "design.json").exists():
            compile_observed(llm, out, Progress())
        self.observed = load_observed(llm, out)
        self.exact = ExactModel(llm.model)
        self.flips = Flips()
        self.logits: list[torch.Tensor] = []  # of the design that tells its integers

    def read(self, ids: list[int]) -> torch.Tensor:
        reading = self.observed.read(ids)
        logits, flips = self.exact(ids, reading.integers)
        self.flips.add(flips)
        self.logits.append(reading.logits)
        return logits


def make(arguments: argparse.Namespace, out: Path):
    if (out / "design.json").exists():
        return load_llm(out)
    sizes = {"max_context": WINDOW, "tokens_per_pass": arguments.tokens_per_pass, "cache": arguments.cache}
    scheme = {"quantise": arguments.quantise[0], "group_size": arguments.group_size}
    return compile_llm(MODELS[arguments.model](), out=out, progress=Progress(), **sizes, **scheme)


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=MODELS, default="smollm2")
    parser.add_argument("--quantise", nargs="+", default=SCHEMES, metavar="SCHEME")
    parser.add_argument("--group-size", type=int, default=32)
    parser.add_argument("--cache", choices=["float", "int8"], default="float", help="of the design")
    parser.add_argument("--tokens-per-pass", type=int, default=16, help="of the design; the last pass has the rest")
    parser.add_argument("--tokens", type=int, default=TOKENS, help="a multiple of 250")
    parser.add_argument("--no-design", dest="design", action="store_false", help="PyTorch alone")
    parser.add_argument("--output", type=Path, help="keep the design here, or take the one that is here")
    results.add_option(parser)
    arguments = parser.parse_args(words)
    if arguments.tokens < WINDOW or arguments.tokens % WINDOW:
        parser.error(f"--tokens is {arguments.tokens}: it must be a multiple of {WINDOW}")
    return arguments


def measure(name: str, read: Reader, texts: list[list[int]], printed: results.Results, base: float | None) -> float:
    start = time.monotonic()
    found = perplexity(read, texts)
    change = found / base - 1 if base else 0.0
    seconds = time.monotonic() - start
    text = f"{name:<36}{found:>12.4f}{change:>+10.2%}{seconds:>9.0f}"
    printed.add(text, name=name, perplexity=found, change=change, seconds=seconds)
    return found


def run(arguments: argparse.Namespace, printed: results.Results, out: Path) -> bool:
    path = MODELS[arguments.model]()
    model, tokenizer = load_causal_lm(path)
    texts = windows(lambda text: list(tokenizer(text)["input_ids"]), arguments.tokens)
    printed.line(f"{'':<36}{'perplexity':>12}{'change':>10}{'seconds':>9}")
    base = measure("fp32, PyTorch", in_pytorch(model), texts, printed, None)
    first = None
    for scheme in arguments.quantise:
        quantised = quantise_model(copy.deepcopy(model), scheme, arguments.group_size, path)
        found = measure(f"{scheme}, PyTorch", in_pytorch(quantised), texts, printed, base)
        if first is None:
            rounded = measure(f"{scheme}, int8 cache, PyTorch", in_pytorch(quantised, "int8"), texts, printed, base)
            first = rounded if arguments.cache == "int8" else found
            if arguments.group_size == gguf_weights.GROUP:
                again = quantise_model(copy.deepcopy(model), scheme, arguments.group_size)
                measure(f"{scheme} from floats, PyTorch", in_pytorch(again), texts, printed, base)
                del again
        del quantised
    facts = {
        "model": arguments.model,
        "tokens": arguments.tokens,
        "window": WINDOW,
        "group_size": arguments.group_size,
        "tolerance": TOLERANCE,
    }
    if not arguments.design:
        printed.end(**facts)
        return True
    del model
    scheme = arguments.quantise[0]
    llm = make(arguments, out / "design")
    logits: list[torch.Tensor] = []
    found = measure(f"{scheme}, {arguments.cache} cache, design", on_design(llm, logits), texts, printed, base)
    apart = found / first - 1
    printed.line(f"the design is {apart:+.3%} from PyTorch, which rounds by itself")
    facts |= {"design_beside_pytorch": apart}
    if arguments.cache == "int8":
        printed.end(**facts)
        return True
    resolved = Resolved(llm, out / "observed")
    reference = measure(f"{scheme}, f64, boundaries as the design", resolved.read, texts, printed, base)
    apart = found / reference - 1
    same = all(torch.equal(one, other) for one, other in zip(logits, resolved.logits, strict=True))
    flips = resolved.flips
    holds = abs(apart) <= TOLERANCE and same and flips.unexplained == 0
    printed.line(
        f"the design is {apart:+.4%} from the model in f64, {TOLERANCE:.1%} allowed; {flips.explained} of "
        f"{flips.activations:,} integers on boundaries, {flips.unexplained} elsewhere, logits of both designs "
        f"{'equal' if same else 'DIFFERENT'}: {'pass' if holds else 'FAIL'}"
    )
    printed.end(**facts, holds=holds, design_beside_reference=apart, flips=flips.explained, others=flips.unexplained)
    return holds


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    quiet_libraries()
    printed = results.Results(arguments.json)
    if arguments.output:
        return 0 if run(arguments, printed, arguments.output) else 1
    with tempfile.TemporaryDirectory(prefix="streamtensor-perplexity-") as scratch:
        return 0 if run(arguments, printed, Path(scratch) / "out") else 1


if __name__ == "__main__":
    sys.exit(main())
