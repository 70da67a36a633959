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

Bytes of external memory and multiply-adds come from the same simulations, and are interpolated as cycles are. Energy is
an estimate: the device file's watts for as long as the text takes, and its picojoules for each byte and each operation
of a DSP.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from textwrap import wrap

from streamtensor.devices import Energy, load_device
from streamtensor.errors import RunError
from streamtensor.lengths import check_length
from streamtensor.simulation import Simulation
from streamtensor.stored import (
    ANSWER,
    DEVICE,
    HOST,
    MOST_POSITIONS,
    NEXT_PLACE,
    StoredDesign,
    count_launches,
    embedding_on,
    left_to_host,
    read_json,
    tokens_per_launch,
)

# Scalars of streamtensor.frontend.cached_decoder, which imports PyTorch.
_CONTEXT, _TOKENS, _POSITION = "context", "tokens", "position"
_PARTS = 4  # into which positions are cut before any is looked at
INTERPOLATED = 0.0025  # of the cycles half-way between two positions: how far a line may miss them
_SHOWN = 9  # positions whose speed `describe` shows


@dataclass(frozen=True)
class Work:
    """What is moved and computed."""

    external_bytes: float = 0.0
    multiply_adds: float = 0.0
    dsp_operations: float = 0.0  # each multiply-add is one of all DSPs of its lane
    lane_cycles: float = 0.0  # that the multiply-adds take on all lanes that can be placed

    def __add__(self, other: Work) -> Work:
        return Work(*(getattr(self, name) + getattr(other, name) for name in _WORK))

    def __mul__(self, times: int) -> Work:
        return Work(*(getattr(self, name) * times for name in _WORK))


_WORK = tuple(field.name for field in fields(Work))


@dataclass(frozen=True)
class Sample:
    """The simulated cycles of all layers for a pass of `tokens` tokens that reads `rows` rows of the cache."""

    tokens: int
    rows: int
    cycles: int
    external_bytes: float
    multiply_adds: float


@dataclass(frozen=True)
class Speed:
    """Of a new token at a position that was simulated."""

    position: int
    tokens_per_second: float


@dataclass(frozen=True)
class Phase:
    """A part of the text; shares are of what the card could do in its time, joules and watts are estimates."""

    seconds: float
    external_bytes: float
    multiply_adds: float
    memory_share: float  # of the bytes that all channels sustain
    lane_share: float  # of the multiply-adds of all lanes that can be placed
    joules: float | None  # None where nothing is known of the card's energy
    watts: float | None


@dataclass(frozen=True)
class HeadTime:
    """What a head on the device adds for one new token: simulated cycles and work, and launches."""

    cycles: int = 0
    launches: int = 0
    work: Work = Work()


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
    over_context: list[Speed]  # of new tokens, where passes of one token were simulated
    launch_us: float  # estimated, from the device file
    passes: int
    ttft_ms: float  # from the prompt to the first new token
    tokens_per_second: float | None  # of the tokens after the first, if there are any
    latency_ms: float  # from the prompt to the last new token
    launch_share: float  # of the latency that starting kernels takes
    memory_bytes_per_second: float  # that all channels of the card sustain
    prompt: Phase  # up to the first new token
    answer: Phase | None  # behind it
    joules_per_token: float | None  # of the tokens after the first
    watts: float | None  # on average
    static_watts: float | None  # of those, what the card takes doing nothing

    @property
    def not_counted(self) -> list[str]:
        return left_to_host(self.head_on, self.embedding_on, self.tokens_per_launch)

    @property
    def launches_of_the_prompt(self) -> int:
        """Up to the first new token."""
        return (self.passes - self.new_tokens + 1) * self.launches_per_pass + self.head.launches

    @property
    def launches_of_a_token(self) -> float:
        """Behind the first one, on average."""
        later = self.new_tokens - 1
        if not later:
            return self.launches_per_pass + self.head.launches
        return (self.launches - self.launches_of_the_prompt) / later

    def to_json(self) -> dict:
        known = {"samples": "simulated, in between interpolated", "launch_us": "estimated"}
        known["head"] = "simulated" if self.head_on == DEVICE else "not counted"
        known["shares"] = "simulated, in between interpolated"
        known["energy"] = "not known of this card" if self.watts is None else "estimated"
        known["not_counted"] = ", ".join(self.not_counted)
        return asdict(self) | {"known": known}


class Passes:
    """The passes of a text over all layers of a design: (tokens, position of the first) each, their cycles and work.

    Simulated at some positions, on the line between their neighbours at others.
    """

    def __init__(self, design: StoredDesign, prompt_tokens: int, new_tokens: int, on_chip_io: bool = False):
        manifest = design.manifest
        if "layers" not in manifest:
            raise RunError(
                f"The design in {design.directory} is not a language model: simulate it without --prompt-tokens and "
                "--new-tokens."
            )
        check_length(prompt_tokens, new_tokens, manifest["max_context"], manifest.get(MOST_POSITIONS))
        self._design, self._on_chip_io = design, on_chip_io
        self.main = design.read("interface.json")["main"]
        self.runs = 1 if "layers" in self.main else manifest["layers"]  # of the program, in a pass
        per_pass = manifest["tokens_per_pass"]
        self.prompt = [(min(per_pass, prompt_tokens - start), start) for start in range(0, prompt_tokens, per_pass)]
        self.answer = [(1, position) for position in range(prompt_tokens, prompt_tokens + new_tokens - 1)]
        steps = [self._step(*each) for each in self.prompt + self.answer]
        self._works: dict[tuple[int, int], Work] = {}
        self.bytes_per_second = 0.0  # of the card
        self._curves = dict(_curves(steps, self._measure))

    @property
    def samples(self) -> list[Sample]:
        found = []
        for tokens, curve in self._curves.items():
            for rows, cycles in curve.items():
                work = self._works[tokens, rows]
                found.append(Sample(tokens, rows, cycles, work.external_bytes, work.multiply_adds))
        return found

    @property
    def of_new_tokens(self) -> dict[int, int]:
        """Cycles of a pass of one token by its position, where such a pass of the text was simulated."""
        if not self.answer:
            return {}
        return {rows or self.answer[0][1]: cycles for rows, cycles in self._curves[self.tokens(1)].items()}

    def cycles(self, tokens: int, position: int) -> float:
        tokens, rows = self._step(tokens, position)
        return between(self._curves[tokens], rows)

    def work(self, tokens: int, position: int) -> Work:
        tokens, rows = self._step(tokens, position)
        works = {known: self._works[tokens, known] for known in self._curves[tokens]}
        return Work(*(between({known: getattr(work, name) for known, work in works.items()}, rows) for name in _WORK))

    def simulate(self, tokens: int, position: int) -> int:
        """Of a pass of the text, with the scalars that its launches have."""
        scalars = _scalars(self.main, *self._step(tokens, position))
        for scalar in self.main["scalars"]:
            if scalar["name"] in (_CONTEXT, _POSITION):
                scalars[scalar["name"]] = min(max(position, scalar["low"]), scalar["high"])
        return self.runs * self._run(scalars).cycles

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

    def _measure(self, tokens: int, rows: int) -> int:
        """Cycles of a pass; what it moves and computes is kept."""
        found = self._run(_scalars(self.main, tokens, rows))
        self._works[tokens, rows] = work_of(found) * self.runs
        self.bytes_per_second = found.data["designs"][0]["roofline"]["bytes_per_second"]
        return self.runs * found.cycles

    def _run(self, scalars: dict[str, int]) -> Simulation:
        return self._design.simulate(None, self._on_chip_io, scalars)


def work_of(simulation: Simulation) -> Work:
    """Of all designs of a launch."""
    found = Work()
    for design in simulation.data["designs"]:
        roof = design["roofline"]
        products = roof["multiply_adds"]
        lanes = roof.get("placeable_lanes") or roof["lanes"]  # Those without DSPs: as many as there are.
        busy = products / lanes if lanes else 0.0
        found += Work(roof["external_bytes"], products, products * roof["dsps_per_lane"], busy)
    return found


def predict(design: StoredDesign, prompt_tokens: int, new_tokens: int, on_chip_io: bool = False) -> Prediction:
    """Simulates passes over all layers of `design`, or over one where the host launches each."""
    passes = Passes(design, prompt_tokens, new_tokens, on_chip_io)
    manifest, device = design.manifest, load_device(design.directory / "device.json")
    turns = tokens_per_launch(manifest)
    launches = passes.runs * count_launches(passes.main)
    head = _head_time(design, on_chip_io)
    first = len(passes.prompt)
    steps = passes.prompt + passes.answer
    # Of each pass: the kernels that are started for it, its cycles, those of the head where a new token follows.
    starts = [0 if index > first and (index - first) % turns else launches for index in range(len(steps))]
    followed = [index >= first - 1 for index in range(len(steps))]
    counts = [own + head.launches * has_head for own, has_head in zip(starts, followed, strict=True)]
    cycles = [passes.cycles(*each) + head.cycles * has_head for each, has_head in zip(steps, followed, strict=True)]
    works = [passes.work(*each) + head.work * has_head for each, has_head in zip(steps, followed, strict=True)]
    hertz, launch = manifest["clock_mhz"] * 1e6, device.launch_us * 1e-6
    seconds = [each / hertz + count * launch for each, count in zip(cycles, counts, strict=True)]
    later = seconds[first:]

    def phase(part: slice) -> Phase:
        work, time = sum(works[part], Work()), sum(seconds[part])
        return _phase(work, time, passes.bytes_per_second, hertz, device.energy)

    answer, whole = phase(slice(first, None)) if later else None, phase(slice(None))
    starting = (launches / turns + head.launches) * launch
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
        embedding_on=embedding_on(manifest),
        head=head,
        launches=sum(counts),
        samples=passes.samples,
        over_context=[
            Speed(position, 1 / ((own + head.cycles) / hertz + starting))
            for position, own in passes.of_new_tokens.items()
        ],
        launch_us=device.launch_us,
        passes=len(cycles),
        ttft_ms=sum(seconds[:first]) * 1e3,
        tokens_per_second=len(later) / sum(later) if later else None,
        latency_ms=sum(seconds) * 1e3,
        launch_share=sum(counts) * launch / sum(seconds),
        memory_bytes_per_second=passes.bytes_per_second,
        prompt=phase(slice(first)),
        answer=answer,
        joules_per_token=answer.joules / len(later) if answer and answer.joules is not None else None,
        watts=whole.watts,
        static_watts=device.energy.static_watts if device.energy else None,
    )


def _phase(work: Work, seconds: float, bytes_per_second: float, hertz: float, energy: Energy | None) -> Phase:
    joules = energy.joules(seconds, work.external_bytes, work.dsp_operations) if energy else None
    return Phase(
        seconds=seconds,
        external_bytes=work.external_bytes,
        multiply_adds=work.multiply_adds,
        memory_share=work.external_bytes / (seconds * bytes_per_second),
        lane_share=work.lane_cycles / (seconds * hertz),
        joules=joules,
        watts=None if joules is None else joules / seconds,
    )


def _head_time(design: StoredDesign, on_chip_io: bool) -> HeadTime:
    """Of a head on the host nothing is known. One in the kernel of the layers needs no launch, but what says where the
    next pass lies."""
    if design.head is None:
        return HeadTime()
    in_kernel = ANSWER in design.manifest
    parts = (design.head, design.directory / NEXT_PLACE) if in_kernel else (design.head,)
    found = [StoredDesign(part).simulate(None, on_chip_io) for part in parts]
    launches = 0 if in_kernel else count_launches(read_json(design.head / "interface.json")["main"])
    return HeadTime(sum(each.cycles for each in found), launches, sum(map(work_of, found), Work()))


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
    speed = "none: no token follows the first"
    if found.tokens_per_second is not None:
        speed = f"{found.tokens_per_second:,.1f}, after the first"
    return "\n".join(
        [
            f"{found.model} on {found.card} at {found.clock_mhz:g} MHz: {found.prompt_tokens} tokens of prompt, "
            f"{found.new_tokens} new",
            f"work                  {pieces}, {found.tokens_per_pass} token(s) a pass",
            f"time to first token   {found.ttft_ms:,.2f} ms",
            f"tokens per second     {speed}",
            *_over_context(found),
            f"latency               {found.latency_ms:,.2f} ms, {found.launch_share:.0%} of it starting kernels",
            *_shares(found),
            *_energy(found),
            f"how it is known       {_cycles(found)} cycles per pass{head} simulated, "
            f"{found.launch_us:g} us per launch estimated;",
            f"                      {' and '.join([', '.join(first), last] if first else [last])} on the host "
            f"{'are' if first else 'is'} not counted",
        ]
    )


def _over_context(found: Prediction) -> list[str]:
    """At some of the positions that were simulated, the first and the last among them; all are in the JSON."""
    last = len(found.over_context) - 1
    if last < 0:
        return []
    places = sorted({round(part * last / (_SHOWN - 1)) for part in range(_SHOWN)})
    shown = [found.over_context[place] for place in places]
    text = ", ".join(f"{each.tokens_per_second:,.1f}\xa0at\xa0{each.position:,}" for each in shown)
    first, *others = wrap(text, 90, break_long_words=False)
    lines = [f"  at positions        {first}", *(f"{'':22}{other}" for other in others)]
    return [line.replace("\xa0", " ") for line in lines]


def _shares(found: Prediction) -> list[str]:
    rate = f"{found.memory_bytes_per_second / 1e9:,.4g} GB/s"
    phases = [(found.prompt, "to the first token")] + ([(found.answer, "after it")] if found.answer else [])
    memory = ", ".join(f"{phase.memory_share:.1%} {when}" for phase, when in phases)
    lanes = ", ".join(f"{phase.lane_share:.1%} {when}" for phase, when in phases)
    return [f"share of memory       {memory}, of {rate}", f"share of lanes        {lanes}, of those that can be placed"]


def _energy(found: Prediction) -> list[str]:
    if found.watts is None:
        return ["energy                not known of this card"]
    later = "" if found.joules_per_token is None else f", {found.joules_per_token:,.3g} J for each token after it"
    return [
        f"energy, estimated     {found.prompt.joules:,.3g} J to the first token{later};",
        f"                      {found.watts:,.1f} W on average, {found.static_watts:g} W of them at rest",
    ]


def _cycles(found: Prediction) -> str:
    cycles = [each.cycles for each in found.samples]
    least, most = min(cycles), max(cycles)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
