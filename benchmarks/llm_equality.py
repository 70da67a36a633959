# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the greedy tokens of SmolLM2-135M-Instruct, quantised, on a design with those of the quantised model.

Activations are rounded to int8 for each token. One that lies on the boundary between two integers becomes one or the
other by the last bit of a float sum, and later layers make a large difference of it: PyTorch that reads a prompt token
by token differs from PyTorch that reads it at once. Therefore the reference is the quantised model in f64
(streamtensor.equality.exact), which takes the design's integer where its own value is within 1/256 step of the
boundary between the two, and nowhere else. The rule:

- no activation differs anywhere else, and every integer that differs does so by one step (`flips`);
- the design's token is the reference's wherever the reference's two best logits differ by more than the bound; a token
  where they are closer is excused, counted, and the reference's is read on instead; at most 2 % are.

The integers come from a second design of the same layer, which has them as results; on every pass the logits and the
outputs of all layers must be those of the first, bit for bit. Beside the design stands PyTorch in f32, which reads the
prompt at once and then its own tokens one by one, by the same rule; and how far design and PyTorch are from PyTorch
that reads each text at once, where nothing resolves the boundaries. Ends with 1 if the design breaks the rule.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import results
import torch
from corpus.prompts import COUNT, prompts
from streamtensor import Options, compile_llm, load_llm
from streamtensor.demo import peak_memory_gib
from streamtensor.equality.exact import REACH, ExactModel
from streamtensor.equality.observed import ObservedPyTorch, Reading, compile_observed, load_observed
from streamtensor.frontend.models import smollm2_path
from streamtensor.progress import Progress, quiet_libraries
from streamtensor.reference import without_layers
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

# Of a logit; four times the largest error that the design has on any of the prompts.
BOUND, LARGEST_BOUND, EXCUSED_SHARE = 0.002, 0.05, 0.02
MAX_CONTEXT = 272


@dataclass
class Text:
    """A prompt and what the design adds to it, with the reference's token in the place of an excused one."""

    ids: list[int]
    prompt: int
    seconds: float = 0.0  # of the passes behind the prompt
    passes: int = 0


@dataclass(frozen=True)
class Verdict:
    """One computation of a text against the reference that took its integers where it may."""

    tokens: int
    wrong: int
    excused: int
    largest_error: float  # of a logit, absolute
    activations: int
    flips: int
    unexplained_flips: int
    farthest_flip: float  # from a boundary, in steps
    largest_flip: int  # in steps

    @property
    def holds(self) -> bool:
        return self.wrong == 0 and self.unexplained_flips == 0 and self.largest_flip <= 1


@dataclass(frozen=True)
class Plain:
    """One computation of a text against another, each by itself."""

    tokens_that_differ: int
    largest_error: float


def judge(reading: Reading, exact: ExactModel, text: Text, bound: float) -> tuple[Verdict, torch.Tensor]:
    logits, flips = exact(text.ids, reading.integers)
    chosen = slice(text.prompt - 1, len(text.ids))
    found, expected = reading.logits[chosen].double(), logits[chosen]
    best = torch.topk(expected, 2).values
    differs = found.argmax(-1) != expected.argmax(-1)
    is_tie = best[:, 0] - best[:, 1] <= bound
    verdict = Verdict(
        tokens=len(found),
        wrong=int((differs & ~is_tie).sum()),
        excused=int((differs & is_tie).sum()),
        largest_error=float((reading.logits.double() - logits).abs().max()),
        activations=flips.activations,
        flips=flips.explained,
        unexplained_flips=flips.unexplained,
        farthest_flip=flips.farthest,
        largest_flip=flips.largest,
    )
    return verdict, logits


def compare(found: Reading, other: Reading, text: Text) -> Plain:
    chosen = slice(text.prompt - 1, len(text.ids))
    pair = found.logits[chosen], other.logits[chosen]
    differ = int((pair[0].argmax(-1) != pair[1].argmax(-1)).sum())
    return Plain(differ, float((pair[0] - pair[1]).abs().max()))


class Prover:
    """The two designs, the reference, and PyTorch."""

    def __init__(self, arguments: argparse.Namespace, out: Path):
        self.arguments = arguments
        self.llm = load_llm(out / "design")
        self.observed = load_observed(self.llm, out / "observed")
        hold_weights(self.llm.model)
        self.exact = ExactModel(self.llm.model)
        _ = self.llm.context  # read from the layers that PyTorch has

    def prove(self, ids: list[int]) -> dict:
        """What one prompt gave."""
        text = Text(list(ids), len(ids))
        passes = self._continue(text)
        while True:
            reading = self.observed.read(text.ids)
            check_same(passes, reading)
            verdict, expected = judge(reading, self.exact, text, self.arguments.bound)
            place = self._first_other(expected, text)
            if place is None:
                break
            text.ids[place:] = [int(expected[place - 1].argmax())]
            passes = self._continue(text)
        at_once = ObservedPyTorch(self.llm.model).read(text.ids)
        return {
            "prompt_tokens": text.prompt,
            "tokens_per_second": text.passes / text.seconds,
            **asdict(verdict),
            "holds": verdict.holds,
            "beside_pytorch_at_once": asdict(compare(reading, at_once, text)),
        }

    def control(self, ids: list[int]) -> dict:
        """PyTorch in the place of the design, on its own tokens."""
        reading = ObservedPyTorch(self.llm.model).generate(ids, self.arguments.new_tokens)
        text = Text(reading.ids, len(ids))
        verdict, _ = judge(reading, self.exact, text, self.arguments.bound)
        at_once = ObservedPyTorch(self.llm.model).read(text.ids)
        beside = {"beside_pytorch_at_once": asdict(compare(reading, at_once, text))}
        return asdict(verdict) | {"holds": verdict.holds} | beside

    def _continue(self, text: Text) -> list:
        """The design's own greedy tokens behind `text`; the last one is not read."""
        passes, cache = [], self.llm.new_cache()
        missing = text.prompt + self.arguments.new_tokens - len(text.ids)
        with without_layers(self.llm.model):
            logits = self.llm.read(text.ids, cache, passes.append)
            for _ in range(missing - 1):
                text.ids.append(int(logits.argmax()))
                start = time.perf_counter()
                logits = self.llm.read(text.ids[-1:], cache, passes.append)
                text.seconds += time.perf_counter() - start
                text.passes += 1
        return passes

    def _first_other(self, expected: torch.Tensor, text: Text) -> int | None:
        """Where the design went on with a token that is not the reference's."""
        for place in range(text.prompt, len(text.ids)):
            if text.ids[place] != int(expected[place - 1].argmax()):
                return place
        return None


def check_same(passes: list, reading: Reading) -> None:
    """The design that tells its integers computes what the other does."""
    for one, other in zip(passes, reading.passes, strict=True):
        pairs = zip([one.logits, *one.layers], [other.logits, *other.layers], strict=True)
        if not all(torch.equal(*pair) for pair in pairs):
            raise SystemExit(f"the observed design differs from the design at position {one.position}")


def return_large_tensors() -> None:
    """Tensors of a MiB and more are mapped, so that their memory goes back when they end."""
    threshold = -3  # M_MMAP_THRESHOLD
    ctypes.CDLL(None).mallopt(threshold, 1 << 20)


def hold_weights(model) -> None:
    """torchao makes floats of a quantised weight at each use: they are kept here. The numbers are the same."""
    for parameter in model.parameters():
        if is_traceable_wrapper_subclass(parameter):
            held = parameter.dequantize()
            parameter.dequantize = lambda held=held: held


def make(arguments: argparse.Namespace, out: Path) -> None:
    """Compiles what is not there yet, in a process of its own: the memory that an export takes ends with it."""
    design, observed = out / "design", out / "observed"
    if not (design / "design.json").exists():
        options = Options(unroll=arguments.unroll)
        sizes = {"max_context": MAX_CONTEXT, "quantise": arguments.quantise, "group_size": arguments.group_size}
        llm = compile_llm(smollm2_path(), options=options, out=design, progress=Progress(), **sizes)
        compile_observed(llm, observed, Progress())
    elif not (observed / "design.json").exists():
        compile_observed(load_llm(design), observed, Progress())


_WIDTHS = {
    "tokens": 8,
    "wrong": 6,
    "excused": 8,
    "error": 9,
    "flips": 7,
    "farthest": 10,
    "others": 7,
    "differ": 8,
    "by": 9,
}
_COLUMNS = "".join(name.rjust(width) for name, width in _WIDTHS.items())
HEADING = f"{'prompt':>7}{'tokens/s':>9} |{_COLUMNS} |{_COLUMNS}"
WHOSE = f"{'':>16} |{'the design':^72} |{'PyTorch':^72}"


def spell(row: dict) -> str:
    text = f"{row['prompt_tokens']:>7}{row['tokens_per_second']:>9.2f}"
    for found in (row, row.get("pytorch")):
        text += f" |{_spell(found)}" if found else ""
    return text


def _spell(found: dict) -> str:
    beside = found["beside_pytorch_at_once"]
    return (
        f"{found['tokens']:>8}{found['wrong']:>6}{found['excused']:>8}{found['largest_error']:>9.1e}{found['flips']:>7}"
        f"{found['farthest_flip']:>10.1e}{found['unexplained_flips']:>7}{beside['tokens_that_differ']:>8}"
        f"{beside['largest_error']:>9.2g}"
    )


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prompts", type=int, default=COUNT, help=f"how many of the {COUNT} prompts, evenly spread")
    parser.add_argument("--new-tokens", type=int, default=64, help="tokens after each prompt")
    parser.add_argument("--bound", type=float, default=BOUND, help="difference of logits that is a tie")
    parser.add_argument("--quantise", default="w4a8")
    parser.add_argument("--group-size", type=int, default=32)
    parser.add_argument("--unroll", type=int, help="multiply-add lanes; the device decides without it")
    parser.add_argument("--no-control", dest="control", action="store_false", help="leave PyTorch's own rows out")
    parser.add_argument("--output", type=Path, help="keep designs and rows here, and go on with those that are here")
    results.add_option(parser)
    arguments = parser.parse_args(words)
    if not 0 <= arguments.bound <= LARGEST_BOUND:
        parser.error(f"--bound is {arguments.bound}: it must be 0 to {LARGEST_BOUND}")
    if not 1 <= arguments.prompts <= COUNT:
        parser.error(f"--prompts is {arguments.prompts}: it must be 1 to {COUNT}")
    return arguments


class Kept:
    """Results of earlier runs with the same design and settings, one JSON object a line."""

    def __init__(self, path: Path, key: dict):
        self._path, self._key = path, key
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [entry for entry in map(json.loads, lines) if entry["key"] == key]
        self._known = {(entry["of"], entry["prompt"]): entry["found"] for entry in entries}

    def get(self, of: str, prompt: int, find: Callable[[], dict]) -> dict:
        if (of, prompt) not in self._known:
            found = self._known[of, prompt] = find()
            with self._path.open("a") as file:
                file.write(json.dumps({"key": self._key, "of": of, "prompt": prompt, "found": found}) + "\n")
        return self._known[of, prompt]


def rows(prover: Prover, chosen: list[int], out: Path) -> Iterator[dict]:
    arguments, manifest = prover.arguments, prover.llm.design.manifest
    settings = {name: getattr(arguments, name) for name in ("new_tokens", "bound")}
    kept = Kept(out / "rows.jsonl", {"content": manifest["content"], "quantise": manifest["quantise"], **settings})
    texts = prompts(prover.llm.encode)
    for prompt in chosen:
        row = dict(kept.get("design", prompt, partial(prover.prove, texts[prompt])))
        if arguments.control:
            row["pytorch"] = kept.get("pytorch", prompt, partial(prover.control, texts[prompt]))
        yield row


def run(arguments: argparse.Namespace, printed: results.Results, out: Path) -> bool:
    out.mkdir(parents=True, exist_ok=True)
    maker = multiprocessing.get_context("spawn").Process(target=make, args=(arguments, out))
    maker.start()
    maker.join()
    if maker.exitcode:
        raise SystemExit(maker.exitcode)
    prover = Prover(arguments, out)
    printed.line(WHOSE)
    printed.line(HEADING)
    chosen = [index * COUNT // arguments.prompts for index in range(arguments.prompts)]
    found = []
    for row in rows(prover, chosen, out):
        printed.add(spell(row), **row)
        found.append(row)
    return conclude(found, arguments, printed)


def conclude(found: list[dict], arguments: argparse.Namespace, printed: results.Results) -> bool:
    tokens, excused = sum(row["tokens"] for row in found), sum(row["excused"] for row in found)
    holds = all(row["holds"] for row in found) and excused <= EXCUSED_SHARE * tokens
    totals = {name: sum(row[name] for row in found) for name in ("wrong", "flips", "unexplained_flips", "activations")}
    most = {name: max(row[name] for row in found) for name in ("largest_error", "farthest_flip")}
    speed = min(row["tokens_per_second"] for row in found)
    plain = {"design": found, "pytorch": [row["pytorch"] for row in found if "pytorch" in row]}
    differ = {
        whose: sum(row["beside_pytorch_at_once"]["tokens_that_differ"] for row in each) for whose, each in plain.items()
    }
    printed.line(
        f"{len(found)} prompts, {tokens} tokens: {totals['wrong']} wrong, {excused} excused ({excused / tokens:.1%}, "
        f"logits closer than {arguments.bound:g}); largest error of a logit {most['largest_error']:.2g}"
    )
    printed.line(
        f"{totals['flips']} of {totals['activations']:,} activations flipped, at most {most['farthest_flip']:.2g} "
        f"steps from a boundary ({REACH:.2g} allowed), {totals['unexplained_flips']} elsewhere"
    )
    printed.line(
        f"beside PyTorch that reads each text at once, {differ['design']} tokens of the design differ, and "
        f"{differ['pytorch']} of PyTorch that generates them"
    )
    memory = f"{peak_memory_gib():.1f} GiB at most, reference and PyTorch with it"
    printed.line(f"at least {speed:.2f} tokens/s natively, {memory}: {'pass' if holds else 'FAIL'}")
    printed.end(
        holds=holds,
        prompts=len(found),
        new_tokens=arguments.new_tokens,
        bound=arguments.bound,
        reach=REACH,
        quantise=arguments.quantise,
        group_size=arguments.group_size,
        tokens=tokens,
        excused=excused,
        excused_share=excused / tokens,
        **totals,
        **most,
        tokens_beside_pytorch_at_once=differ,
        tokens_per_second=speed,
        peak_memory_gib=peak_memory_gib(),
    )
    return holds


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    quiet_libraries()
    return_large_tensors()
    printed = results.Results(arguments.json)
    if arguments.output:
        return 0 if run(arguments, printed, arguments.output) else 1
    with tempfile.TemporaryDirectory(prefix="streamtensor-equality-") as scratch:
        return 0 if run(arguments, printed, Path(scratch)) else 1


if __name__ == "__main__":
    sys.exit(main())
