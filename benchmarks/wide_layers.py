# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoder layers of each family at full width: does a W4A8 design compute what quantised PyTorch computes?

One layer of each model, of Gemma-3 a local and a global one, with random weights. The design reads a prompt of 12
tokens and takes 8 more, natively. The reference is the quantised model of PyTorch in f64, which takes an integer of the
design on the boundary between two, and nowhere else (streamtensor.equality); a second design, whose other results are
those of the first bit for bit, tells them. No element of a layer may be off by more than two steps of an int8 quantiser
over the layer's output of a pass, and no integer may be another one but on a boundary. The first pass, and the first of
a single token behind the prompt, also run in the interpreter: there and natively, results are the same bit for bit.
`at once`: how far PyTorch, which reads the text at once and rounds by itself, is from the reference, in the same steps.
Windows are 16 positions here, so that the text leaves them. Ends with 1 if one of the rules is broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import results
import torch
import zoo
from streamtensor import Options, compile_llm
from streamtensor.equality.exact import REACH, ExactModel, Flips
from streamtensor.equality.observed import Reading, compile_observed, load_observed
from streamtensor.errors import Error
from streamtensor.frontend import decoder, models
from streamtensor.frontend.cached_decoder import CACHE_ARGUMENTS, LAYERS, empty_cache
from streamtensor.llm import LanguageModel, parameters_of
from streamtensor.memory import as_tensor
from streamtensor.progress import Progress, quiet_libraries
from streamtensor.reference import without_layers

STEPS = 2.0  # of an int8 quantiser over a layer's output
PROMPT, NEW_TOKENS, MAX_CONTEXT, WINDOW = 12, 8, 32, 16
VOCABULARY = 384  # bytes; it is no part of a layer
CONFIGS: dict[str, Callable[[], object]] = {
    "gpt2-medium": lambda: models.gpt2_medium_config(1),
    "qwen2.5-0.5b": models.qwen2_0_5b_config,
    "qwen3-0.6b": models.qwen3_0_6b_config,
    "gemma-3-1b": models.gemma3_1b_config,
    "llama-3.2-1b": models.llama3_1b_config,
    "tinyllama-1.1b": models.tinyllama_config,
    "phi-3-mini": models.phi3_mini_config,
    "mistral-7b": models.mistral_7b_config,
}
LOCAL_AND_GLOBAL = ["sliding_attention", "full_attention"]


def random_model(name: str):
    """Layers of each kind, with weights that are not those of a fresh model: ones and zeros would hide a mistake."""
    config = CONFIGS[name]()
    if getattr(config, "sliding_window", None):
        config.sliding_window = WINDOW
    if name.startswith("gemma"):
        config.num_hidden_layers, config.layer_types = len(LOCAL_AND_GLOBAL), LOCAL_AND_GLOBAL
    model = zoo.random_causal_lm(config, VOCABULARY)
    model.generation_config.eos_token_id = None
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:  # norms and biases
                parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def steps_apart(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference in steps of an int8 quantiser over all of `expected`."""
    return float((found - expected).abs().max() / ((expected.max() - expected.min()) / 255))


def read_text(llm: LanguageModel, out: Path) -> Reading:
    """What the design read and gave, and the integers that the second design, made in `out`, tells of it."""
    ids, passes = [7 * index % VOCABULARY + 3 for index in range(PROMPT)], []
    _ = llm.context  # read from the layers that PyTorch has
    with without_layers(llm.model):
        generation = llm.generate(ids, NEW_TOKENS + 1, observe=passes.append)
    compile_observed(llm, out, Progress())
    reading = load_observed(llm, out).read(ids + generation.tokens[:-1], PROMPT)
    for one, other in zip(passes, reading.passes, strict=True):
        if not all(map(torch.equal, one.layers, other.layers)):
            raise Error(f"The design that tells its integers differs from the design at position {one.position}.")
    return reading


@torch.no_grad()
def read_at_once(llm: LanguageModel, ids: list[int]) -> list[torch.Tensor]:
    """What each layer of PyTorch gives for the text, [tokens, hidden]."""
    with decoder.keeping_outputs(llm.model) as outputs:
        llm.model(torch.tensor([ids]), use_cache=False)
    return [each[0] for each in outputs]


@dataclass(frozen=True)
class Launch:
    """What one pass over all layers reads, in the order of the design's arguments, and its scalars."""

    values: list[torch.Tensor]
    scalars: dict[str, int]


@torch.no_grad()
def launch_at(llm: LanguageModel, ids: list[int], position: int, tokens: int) -> Launch:
    """The pass that reads `tokens` of the text from `position` on, with caches as PyTorch fills them."""
    context, interface = llm.context, llm.design.interface
    shapes = {argument.name: argument.shape for argument in interface.arguments}
    hidden, caches = context.embed(torch.tensor([ids[: max(position, 1)]]), 0), []
    for index, kind in enumerate(context.kinds):
        rows = [*empty_cache(context, shapes["keys"][-2]).values()]
        if position:
            hidden, *new = context.wrap(index)(hidden, *rows, *context.inputs(kind, 0, position))
            for each, added in zip(rows, new, strict=True):
                each[:, :, :position] = added
        caches.append(rows)
    (parameters,) = parameters_of(llm.model, llm.loops_over_layers)
    names = [name for name in CACHE_ARGUMENTS if name in shapes]
    stacked = (
        torch.stack(each).reshape(shapes[name]) for name, each in zip(names, zip(*caches, strict=True), strict=True)
    )
    padded = (ids[position : position + tokens] * llm.tokens_per_pass)[: llm.tokens_per_pass]
    # Arguments lie as the layer takes them: hidden states, caches, the rest.
    given = iter(
        [context.embed(torch.tensor([padded]), position), *stacked, *context.all_inputs(position, llm.tokens_per_pass)]
    )
    values = [parameters[a.name] if a.kind == "parameter" else next(given) for a in interface.arguments]
    return Launch(values, interface.fill(context.scalars(position, tokens) | {LAYERS: len(context.kinds)}))


def differing_results(llm: LanguageModel, launch: Launch, scratch: Path) -> int:
    """How many elements of the results differ, in any bit, between the interpreter and the native run."""
    words = [f"--scalar={name}={value}" for name, value in launch.scalars.items()]
    for number, value in enumerate(launch.values):
        np.save(scratch / f"{number}.npy", as_tensor(value).contiguous().numpy())
        words.append(f"--input={scratch / f'{number}.npy'}")
    zoo.run_tool("streamtensor-run", llm.design.directory / "ir" / "sized.mlir", *words, f"--output-dir={scratch}")
    found = llm.design.interface.execute(launch.values, launch.scalars)
    pairs = [(as_tensor(value), np.load(scratch / f"result{number}.npy")) for number, value in enumerate(found)]
    return sum(_differing(native.contiguous().numpy(), interpreted) for native, interpreted in pairs)


def _differing(native: np.ndarray, interpreted: np.ndarray) -> int:
    assert native.shape == interpreted.shape and native.dtype == interpreted.dtype
    bits = {1: np.uint8, 2: np.uint16, 4: np.uint32}[native.itemsize]
    return int((native.view(bits) != interpreted.view(bits)).sum())


HEADING = (
    f"{'layer':<16}{'kind':<20}{'prompt':>9}{'new':>9}{'at once':>9}{'flips':>7}{'farthest':>10}{'others':>8}"
    f"{'interpreted':>13}{'differ':>8}{'compile, s':>12}"
)


def spell(row: dict) -> str:
    return (
        f"{row['model']:<16}{row['kind']:<20}{row['prompt_steps']:>9.5f}{row['new_steps']:>9.5f}{row['at_once_steps']:>9.3f}"
        f"{row['flips']:>7}{row['farthest_flip']:>10.1e}{row['unexplained_flips']:>8}"
        f"{row['interpreted_passes']:>13}{row['differing_elements']:>8}{row['compile_seconds']:>12.1f}"
        f"{'' if row['holds'] else '  FAIL'}"
    )


def measure(name: str, arguments: argparse.Namespace, scratch: Path) -> list[dict]:
    """A row for each layer."""
    import transformers

    start, sizes = time.monotonic(), {"quantise": arguments.quantise, "group_size": arguments.group_size}
    options = Options(compare=False)
    model, tokenizer, out = random_model(name), transformers.ByT5Tokenizer(), scratch / "out"
    llm = compile_llm(model, tokenizer, MAX_CONTEXT, arguments.tokens_per_pass, options=options, out=out, **sizes)
    seconds = time.monotonic() - start
    reading = read_text(llm, scratch / "observed")
    _, expected, flips = ExactModel(llm.model).read(reading.ids, reading.integers)
    differing, launches = 0, [(0, llm.tokens_per_pass), (PROMPT, 1)] if arguments.interpreter else []
    for position, tokens in launches:
        differing += differing_results(llm, launch_at(llm, reading.ids, position, tokens), scratch)
    at_once = read_at_once(llm, reading.ids)
    return [
        row_of(reading, index, expected[index], at_once[index], flips)
        | {
            "model": name,
            "kind": kind,
            "interpreted_passes": len(launches),
            "differing_elements": differing,
            "compile_seconds": seconds,
        }
        for index, kind in enumerate(llm.context.kinds)
    ]


def row_of(reading: Reading, index: int, expected: torch.Tensor, at_once: torch.Tensor, flips: Flips) -> dict:
    """How far layer `index` is from what is `expected` of it, pass by pass."""
    steps, others = {}, []
    for each in reading.passes:
        rows = slice(each.position, each.position + each.count)
        steps[each.position] = steps_apart(each.layers[index][0], expected[rows])
        others.append(steps_apart(at_once[rows], expected[rows]))
    return {
        "prompt_steps": max(found for position, found in steps.items() if position < PROMPT),
        "new_steps": max(found for position, found in steps.items() if position >= PROMPT),
        "at_once_steps": max(others),
        "activations": flips.activations,
        "flips": flips.explained,
        "farthest_flip": flips.farthest,
        "unexplained_flips": flips.unexplained,
        "largest_flip": flips.largest,
    }


def does_hold(row: dict) -> bool:
    is_near = row["prompt_steps"] <= STEPS and row["new_steps"] <= STEPS
    return is_near and row["unexplained_flips"] == 0 and row["largest_flip"] <= 1 and row["differing_elements"] == 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(CONFIGS)}; all without one")
    parser.add_argument("--tokens-per-pass", type=int, default=4, help="of the prompt, at most")
    parser.add_argument("--quantise", default="w4a8")
    parser.add_argument("--group-size", type=int, default=128, choices=[32, 64, 128])
    parser.add_argument("--no-interpreter", dest="interpreter", action="store_false", help="leave the interpreter out")
    results.add_option(parser)
    arguments = parser.parse_args(words)
    zoo.check_names(parser, arguments.models, CONFIGS)
    quiet_libraries()
    printed = results.Results(arguments.json)
    printed.line(HEADING)
    for name in arguments.models or CONFIGS:
        with tempfile.TemporaryDirectory(prefix="streamtensor-wide-") as scratch:
            try:
                rows = measure(name, arguments, Path(scratch))
            except Error as error:
                printed.add(f"{name:<16}{error}", model=name, error=str(error), holds=False)
                continue
        for row in rows:
            row["holds"] = does_hold(row)
            printed.add(spell(row), **row)
    holds = all(row["holds"] for row in printed.rows)
    printed.line(f"steps of an int8 quantiser over a layer's output, at most {STEPS:g}: {'pass' if holds else 'FAIL'}")
    printed.end(
        holds=holds,
        steps=STEPS,
        prompt_tokens=PROMPT,
        new_tokens=NEW_TOKENS,
        tokens_per_pass=arguments.tokens_per_pass,
        quantise=arguments.quantise,
        group_size=arguments.group_size,
        reach=REACH,
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
