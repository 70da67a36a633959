# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast a compiled language model would answer on its card: passes x launches.

A launch goes through all layers, or there is one for each. Its cycles are simulated for the tokens of its pass at some
positions, by the rows of the cache that count there, and interpolated between them: where a simulation half-way shows
that a line misses it, more positions are simulated. What starting a kernel costs is the device file's estimate. A head
on the device adds its cycles, which are the same for every token, and its launches to each pass whose last token is
followed by a new one, and there the embedding of the best token where the head makes that too. Where one launch makes
several tokens, only its first pass starts a kernel. Other embeddings, sampling, a head on the host, and moving rows
between host and card are not counted.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from streamtensor.devices import load_device
from streamtensor.errors import RunError
from streamtensor.lengths import check_length
from streamtensor.stored import ANSWER, DEVICE, EMBEDS, HEAD, HOST, NEXT_PLACE, StoredDesign

# Scalars of streamtensor.frontend.cached_decoder, which imports PyTorch.
_CONTEXT, _TOKENS, _POSITION = "context", "tokens", "position"
_PARTS = 4  # into which positions are cut before any is looked at
INTERPOLATED = 0.0025  # of the cycles half-way between two positions: how far a line may miss them


@dataclass(frozen=True)
class Sample:
    """The simulated cycles of all layers for a pass of `tokens` tokens that reads `rows` rows of the cache."""

    tokens: int
    rows: int
    cycles: int


@dataclass(frozen=True)
class HeadTime:
    """What a head on the device adds for one new token: simulated cycles, and launches."""

    cycles: int = 0
    launches: int = 0


@dataclass(frozen=True)
class Prediction:
    """A text of `prompt_tokens` and `new_tokens`; times in milliseconds, rates in tokens per second."""

    model: str
    card: str
    clock_mhz: float
    prompt_tokens: int
    new_tokens: int
    tokens_per_pass: int
    layers: int
    layers_on: str  # who goes through the layers of a pass: device or host
    launches_per_pass: int
    tokens_per_launch: int  # that a launch makes of an answer, with as many passes
    head_on: str  # who computes final norm and head: device or host
    embedding_on: str  # who embeds new tokens: device or host
    head: HeadTime  # of each new token
    launches: int  # of the whole text
    samples: list[Sample]  # simulated
    launch_us: float  # estimated, from the device file
    passes: int
    ttft_ms: float  # from the prompt to the first new token
    tokens_per_second: float  # of the tokens after the first
    latency_ms: float  # from the prompt to the last new token
    launch_share: float  # of the latency that starting kernels takes

    @property
    def not_counted(self) -> list[str]:
        embedding = "embedding" if self.embedding_on == HOST else "embedding of the prompt"
        chosen = [] if self.tokens_per_launch > 1 else ["sampling"]
        return [embedding, *(["head"] if self.head_on == HOST else []), *chosen]

    @property
    def launches_of_a_token(self) -> float:
        """Behind the first one, on average."""
        later = self.new_tokens - 1
        first = (self.passes - later) * self.launches_per_pass + self.head.launches
        return (self.launches - first) / later if later else self.launches_per_pass + self.head.launches

    def to_json(self) -> dict:
        known = {"samples": "simulated, in between interpolated", "launch_us": "estimated"}
        known["head"] = "simulated" if self.head_on == DEVICE else "not counted"
        known["not_counted"] = ", ".join(self.not_counted)
        return asdict(self) | {"known": known}


class Passes:
    """The passes of a text over all layers of a design: (tokens, position of the first) each, and their cycles.

    Simulated at some positions, on the line between their neighbours at others.
    """

    def __init__(self, design: StoredDesign, prompt_tokens: int, new_tokens: int, on_chip_io: bool = False):
        manifest = design.manifest
        if "layers" not in manifest:
            raise RunError(
                f"The design in {design.directory} is not a language model: simulate it without --prompt-tokens and "
                "--new-tokens."
            )
        check_length(prompt_tokens, new_tokens, manifest["max_context"])
        self._design, self._on_chip_io = design, on_chip_io
        self.main = json.loads((design.directory / "interface.json").read_text())["main"]
        self.runs = 1 if "layers" in self.main else manifest["layers"]  # of the program, in a pass
        per_pass = manifest["tokens_per_pass"]
        self.prompt = [(min(per_pass, prompt_tokens - start), start) for start in range(0, prompt_tokens, per_pass)]
        self.answer = [(1, position) for position in range(prompt_tokens, prompt_tokens + new_tokens - 1)]
        steps = [self._step(*each) for each in self.prompt + self.answer]
        self._curves = dict(_curves(steps, lambda tokens, rows: self._run(_scalars(self.main, tokens, rows))))

    @property
    def samples(self) -> list[Sample]:
        return [Sample(tokens, *known) for tokens, curve in self._curves.items() for known in curve.items()]

    def cycles(self, tokens: int, position: int) -> float:
        tokens, rows = self._step(tokens, position)
        return between(self._curves[tokens], rows)

    def simulate(self, tokens: int, position: int) -> int:
        """Of a pass of the text, with the scalars that its launches have."""
        scalars = _scalars(self.main, *self._step(tokens, position))
        for scalar in self.main["scalars"]:
            if scalar["name"] in (_CONTEXT, _POSITION):
                scalars[scalar["name"]] = min(max(position, scalar["low"]), scalar["high"])
        return self._run(scalars)

    def rows(self, position: int) -> int:
        """Rows of the cache that a pass at `position` takes time for, in whole steps; 0 where all take the same."""
        scalar = next((scalar for scalar in self.main["scalars"] if scalar["name"] == _CONTEXT), None)
        if scalar is None:
            return 0
        step = scalar["step"]
        return min(-(-max(position, scalar["low"]) // step) * step, scalar["high"])

    def tokens(self, count: int) -> int:
        """Tokens that a pass of `count` takes time for; 0 where all passes take the same."""
        return count if any(scalar["name"] == _TOKENS for scalar in self.main["scalars"]) else 0

    def _step(self, tokens: int, position: int) -> tuple[int, int]:
        return self.tokens(tokens), self.rows(position)

    def _run(self, scalars: dict[str, int]) -> int:
        return self.runs * self._design.simulate(None, self._on_chip_io, scalars).cycles


def predict(design: StoredDesign, prompt_tokens: int, new_tokens: int, on_chip_io: bool = False) -> Prediction:
    """Simulates passes over all layers of `design`, or over one where the host launches each."""
    passes = Passes(design, prompt_tokens, new_tokens, on_chip_io)
    manifest, device = design.manifest, load_device(design.directory / "device.json")
    turns = manifest.get(ANSWER, {}).get("turns", 1)
    launches = passes.runs * _launches(passes.main)
    head = _head_time(design, on_chip_io)
    first = len(passes.prompt)
    steps = passes.prompt + passes.answer
    # Of each pass: the kernels that are started for it, its cycles, those of the head where a new token follows.
    starts = [0 if index > first and (index - first) % turns else launches for index in range(len(steps))]
    followed = [index >= first - 1 for index in range(len(steps))]
    counts = [own + head.launches * has_head for own, has_head in zip(starts, followed, strict=True)]
    cycles = [passes.cycles(*each) + head.cycles * has_head for each, has_head in zip(steps, followed, strict=True)]
    hertz, launch = manifest["clock_mhz"] * 1e6, device.launch_us * 1e-6
    seconds = [each / hertz + count * launch for each, count in zip(cycles, counts, strict=True)]
    later = seconds[first:] or seconds[-1:]
    return Prediction(
        model=manifest["model"],
        card=manifest["card"],
        clock_mhz=manifest["clock_mhz"],
        prompt_tokens=prompt_tokens,
        new_tokens=new_tokens,
        tokens_per_pass=manifest["tokens_per_pass"],
        layers=manifest["layers"],
        layers_on="device" if "layers" in passes.main else "host",
        launches_per_pass=launches,
        tokens_per_launch=turns,
        head_on=HOST if design.head is None else DEVICE,
        embedding_on=DEVICE if manifest.get(HEAD, {}).get(EMBEDS) else HOST,
        head=head,
        launches=sum(counts),
        samples=passes.samples,
        launch_us=device.launch_us,
        passes=len(cycles),
        ttft_ms=sum(seconds[:first]) * 1e3,
        tokens_per_second=len(later) / sum(later),
        latency_ms=sum(seconds) * 1e3,
        launch_share=sum(counts) * launch / sum(seconds),
    )


def _launches(main: dict) -> int:
    return sum(step["op"] == "launch" for step in main["steps"])


def _head_time(design: StoredDesign, on_chip_io: bool) -> HeadTime:
    """Of a head on the host nothing is known. One in the kernel of the layers needs no launch, but what says where the
    next pass lies."""
    if design.head is None:
        return HeadTime()
    if ANSWER in design.manifest:
        parts = (design.head, design.directory / NEXT_PLACE)
        return HeadTime(sum(StoredDesign(part).simulate(None, on_chip_io).cycles for part in parts))
    main = json.loads((design.head / "interface.json").read_text())["main"]
    return HeadTime(StoredDesign(design.head).simulate(None, on_chip_io).cycles, _launches(main))


def _scalars(main: dict, tokens: int, rows: int) -> dict[str, int]:
    return {name: value for name, value in ((_TOKENS, tokens), (_CONTEXT, rows)) if value}


def _curves(passes: list[tuple[int, int]], simulate: Callable[[int, int], int]) -> Iterator[tuple[int, dict[int, int]]]:
    """By the tokens of a pass, simulated cycles by rows, which increase."""
    for count in sorted({count for count, _ in passes}):
        rows = sorted({rows for other, rows in passes if other == count})
        yield count, sample(rows, lambda each, count=count: simulate(count, each))


def sample(rows: Sequence[int], simulate: Callable[[int], int]) -> dict[int, int]:
    """Cycles at some of `rows`, which increase: enough that a line between neighbours is near those in between."""
    last = len(rows) - 1
    places = sorted({round(part * last / _PARTS) for part in range(_PARTS + 1)})
    found = {rows[place]: simulate(rows[place]) for place in places}
    pending = list(pairwise(places))
    while pending:
        low, high = pending.pop()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        cycles = simulate(rows[middle])
        line = between({rows[place]: found[rows[place]] for place in (low, high)}, rows[middle])
        found[rows[middle]] = cycles
        if abs(line - cycles) > INTERPOLATED * cycles:
            pending += [(low, middle), (middle, high)]
    return dict(sorted(found.items()))


def between(cycles: dict[int, int], rows: int) -> float:
    """On the line between the neighbours of `rows`, which increase."""
    known = list(cycles)
    place = bisect_left(known, rows)
    if known[place] == rows:
        return cycles[rows]
    low, high = known[place - 1], known[place]
    return cycles[low] + (cycles[high] - cycles[low]) * (rows - low) / (high - low)


def describe(found: Prediction) -> str:
    """The prediction in lines, each figure with how it is known."""
    pieces = f"{found.passes} passes x {found.launches_per_pass} launch(es) for {found.layers} layers"
    head = ""
    if found.tokens_per_launch > 1:
        pieces = f"{found.passes} passes over {found.layers} layers in {found.launches} launches"
    elif found.head_on == DEVICE:
        pieces += f", {found.new_tokens} x {found.head.launches} for the head"
    if found.head_on == DEVICE:
        head = f", {found.head.cycles:,} of the head"
    *first, last = found.not_counted
    return "\n".join(
        [
            f"{found.model} on {found.card} at {found.clock_mhz:g} MHz: {found.prompt_tokens} tokens of prompt, "
            f"{found.new_tokens} new",
            f"work                  {pieces}, {found.tokens_per_pass} token(s) a pass",
            f"time to first token   {found.ttft_ms:,.2f} ms",
            f"tokens per second     {found.tokens_per_second:,.1f}, after the first",
            f"latency               {found.latency_ms:,.2f} ms, {found.launch_share:.0%} of it starting kernels",
            f"how it is known       {_cycles(found)} cycles per pass{head} simulated, "
            f"{found.launch_us:g} us per launch estimated;",
            f"                      {' and '.join([', '.join(first), last] if first else [last])} on the host "
            f"{'are' if first else 'is'} not counted",
        ]
    )


def _cycles(found: Prediction) -> str:
    cycles = [each.cycles for each in found.samples]
    least, most = min(cycles), max(cycles)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
