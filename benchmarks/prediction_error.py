# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far predictions of language models are from simulations: passes at positions that no prediction simulated.

`simulate --prompt-tokens A --new-tokens B` simulates passes at some positions and draws lines between them. Here a text
that fills the context is predicted; then passes are simulated at the first position of every tile of the cache that
was not simulated, where a pass becomes longer, and at positions drawn at random, with the scalars that a launch at that
position has. Without directories SmolLM2-135M (its weights, 256 positions) and GPT-2 medium (random ones, 512) are
compiled in W4A8, each with a float and an int8 cache. Ends with 1 if a pass is more than 1 % off.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import paper_table
import results
from streamtensor import Options, compile_llm
from streamtensor.frontend.models import smollm2_path
from streamtensor.prediction import Passes
from streamtensor.progress import quiet_libraries
from streamtensor.stored import StoredDesign

BOUND = 0.01  # of the simulated cycles
CACHES = ("float", "int8")
SMOLLM2_CONTEXT = 256


def compile_smollm2(cache: str, out: Path) -> None:
    sizes = {"max_context": SMOLLM2_CONTEXT, "quantise": "w4a8", "cache": cache}
    compile_llm(smollm2_path(), options=Options(compare=False), out=out, **sizes)


def compile_gpt2_medium(cache: str, out: Path) -> None:
    sizes = {"max_context": paper_table.MAX_CONTEXT, "quantise": "w4a8", "group_size": 128, "cache": cache}
    model = paper_table.random_model("gpt2-medium")
    compile_llm(model, paper_table.Numbers(), options=Options(compare=False), out=out, **sizes)


MODELS = {"smollm2-135m": compile_smollm2, "gpt2-medium": compile_gpt2_medium}


def designs(arguments: argparse.Namespace, scratch: Path) -> Iterator[tuple[str, StoredDesign]]:
    """Each under its name."""
    for directory in arguments.directories:
        yield directory.name, StoredDesign(directory)
    if arguments.directories:
        return
    for name in arguments.models or MODELS:
        for cache in arguments.cache or CACHES:
            out = scratch / f"{name}-{cache}"
            MODELS[name](cache, out)
            yield out.name, StoredDesign(out)


def lengths(manifest: dict) -> list[tuple[int, int]]:
    """Tokens of prompt and new ones that together fill the context: mostly new ones, and mostly prompt."""
    most, per_pass = manifest["max_context"], manifest["tokens_per_pass"]
    texts = [(min(per_pass, most), most - min(per_pass, most) + 1)]
    return texts if per_pass == 1 else [*texts, (most, 1)]


def unknown_passes(passes: Passes, count: int, generator: random.Random) -> dict[tuple[int, int], str]:
    """Why each of them is looked at: it begins a tile that was not simulated, or was drawn."""
    known = {(each.tokens, each.rows) for each in passes.samples}
    begins, others = {}, []
    for tokens, position in passes.prompt + passes.answer:
        step = (passes.tokens(tokens), passes.rows(position))
        if step in known and position == step[1]:
            continue
        others.append((tokens, position))
        if step not in known and step not in begins:
            begins[step] = (tokens, position)
    chosen = dict.fromkeys(begins.values(), "tile")
    return chosen | dict.fromkeys(generator.sample(others, min(count, len(others))), "drawn") | chosen


def measure(name: str, design: StoredDesign, arguments: argparse.Namespace, printed: results.Results) -> None:
    for text in lengths(design.manifest):
        passes = Passes(design, *text)
        chosen = unknown_passes(passes, arguments.positions, random.Random(arguments.seed))
        errors = {}
        for each in chosen:
            simulated = passes.simulate(*each)
            errors[each] = abs(passes.cycles(*each) - simulated) / simulated
        worst = max(errors, key=errors.__getitem__, default=None)
        row = {
            "design": name,
            "prompt_tokens": text[0],
            "new_tokens": text[1],
            "samples": len(passes.samples),
            "tiles": sum(why == "tile" for why in chosen.values()),
            "drawn": sum(why == "drawn" for why in chosen.values()),
            "largest_error": errors.get(worst, 0.0),
            "at_tokens": worst and worst[0],
            "at_position": worst and worst[1],
            "mean_error": sum(errors.values()) / max(len(errors), 1),
        }
        printed.add(spell(row), **row)


HEADING = f"{'design':<22}{'text':>12}{'samples':>9}{'tiles':>7}{'drawn':>7}{'largest':>10}{'position':>10}{'mean':>10}"


def spell(row: dict) -> str:
    text = f"[{row['prompt_tokens']}:{row['new_tokens']}]"
    place = "" if row["at_position"] is None else str(row["at_position"])
    return (
        f"{row['design']:<22}{text:>12}{row['samples']:>9}{row['tiles']:>7}{row['drawn']:>7}"
        f"{row['largest_error']:>10.3%}{place:>10}{row['mean_error']:>10.3%}"
    )


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="*", type=Path, metavar="DIRECTORY", help="compiled language models")
    parser.add_argument("--models", action="append", choices=list(MODELS), help="to compile; all without it")
    parser.add_argument("--cache", action="append", choices=CACHES, help="to compile with; both without it")
    parser.add_argument("--positions", type=int, default=16, help="drawn at random, of each text")
    parser.add_argument("--seed", type=int, default=1, help="of the positions that are drawn")
    results.add_option(parser)
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    quiet_libraries()
    printed = results.Results(arguments.json)
    printed.line(HEADING)
    with tempfile.TemporaryDirectory(prefix="streamtensor-prediction-") as scratch:
        for name, design in designs(arguments, Path(scratch)):
            measure(name, design, arguments, printed)
    largest = max(row["largest_error"] for row in printed.rows)
    printed.line(f"largest error {largest:.3%} of the simulated cycles, {BOUND:.0%} allowed; seed {arguments.seed}")
    printed.end(seed=arguments.seed, bound=BOUND, largest_error=largest)
    return 0 if largest <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
