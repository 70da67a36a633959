# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The design of a head in the output directory of a language model: how it gets there, and what it leaves the layers.

The head is compiled first, with a share of the lanes that the device decides on: by default most of its share of the
products that a token takes. What it takes of each die, and of the
wires between them, is missing on the device that the layers are then compiled for: so both fit the card together.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from streamtensor import compiler, devices
from streamtensor.answer import next_pass_program, next_place_program
from streamtensor.card_memory import OnCard
from streamtensor.devices import Device
from streamtensor.errors import CapacityError, CompileError, MemoryCapacityError
from streamtensor.frontend.cached_decoder import Context
from streamtensor.head import CANDIDATES, MOST_CANDIDATES, VOCABULARY, head_program, linear_of, row_of, share_of
from streamtensor.options import Options
from streamtensor.progress import Progress
from streamtensor.source import Program
from streamtensor.stored import EMBEDS, HEAD, NEXT_PLACE

_REST = "rest.json"


@dataclass(frozen=True)
class Wish:
    """What was asked for of a head: percent of the lanes, by the model if that is None, how many of the best tokens it
    gives (None: all logits), whether it embeds the best one, and how many tokens a launch makes with it."""

    share: int | None = None
    candidates: int | None = None
    embeds: bool = False
    turns: int = 1

    def __post_init__(self) -> None:
        if self.share is not None and not 1 <= self.share <= 99:
            raise CompileError(
                f"head_share is {self.share}: it is the percentage of the lanes that the head takes, 1 to 99."
            )
        if self.candidates is not None and not 1 <= self.candidates <= MOST_CANDIDATES:
            raise CompileError(
                f"candidates is {self.candidates}: a head on the device gives the 1 to {MOST_CANDIDATES} best tokens, "
                "or all logits without it."
            )
        if self.embeds and self.candidates is None:
            raise CompileError(
                "The embedding on the device is that of the token that the head there chooses: give candidates=1 "
                "(--candidates 1) as well."
            )
        if self.turns > 1 and not (self.embeds and self.candidates == 1):
            raise CompileError(
                "Several tokens in one launch need a head that chooses and embeds them: give candidates=1 and "
                "embedding='device' (--candidates 1 --embedding device) as well."
            )


def _options(options: Options, share: int) -> Options:
    """Of the head, by those of the layers."""
    own = replace(options, schedule=None, stop_after=None, unroll=None, lane_share=None)
    if options.unroll is None:
        return replace(own, lane_share=share)
    return replace(own, unroll=max(1, options.unroll * share // 100))


@dataclass(frozen=True)
class BuiltHead:
    """A head's design in `directory`, what it leaves of the card, and what the manifest of the layers says of it.

    `parameters`: its own. `next_place`: where launches make several tokens, the design that says where the next pass
    lies.
    """

    directory: Path
    rest: Device
    facts: dict
    parameters: dict[str, torch.Tensor]
    next_place: Path | None = None

    def put(self, work: Path) -> None:
        """Beside the layers' design in `work`, which must not need ports that the head has."""
        if self.next_place:
            shutil.move(self.next_place, work / NEXT_PLACE)
        else:
            _check_ports(self.directory, work)
        shutil.move(self.directory, work / HEAD)

    def programs(self) -> tuple[OnCard, ...]:
        """What has tensors in the memory of the card."""
        return tuple(OnCard.read(each) for each in (self.directory, self.next_place) if each)

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Adds to a CapacityError of the layers what the head takes."""
        try:
            yield
        except MemoryCapacityError:  # which counts the head
            raise
        except CapacityError as error:
            used = ", ".join(f"{name} {amount:,.0f}" for name, amount in self.facts["resources"].items())
            raise CapacityError(
                f"{error} The head on the device takes {used} of the card: give it less than {self.facts['share']} % "
                "with head_share (--head-share), or leave it on the host with head='host' (--head host).",
                error.needs,
            ) from error


def build_head(
    context: Context,
    device: Device,
    options: Options,
    wish: Wish,
    tokens: int,
    scratch: Path,
    out: Path,
    progress: Progress,
) -> BuiltHead:
    """Compiles the head of a model, for passes of `tokens` tokens, into `scratch`; `out` is where the design of its
    layers will be."""
    row, limit = row_of(options.tile_size), options.time_limit
    with progress.stage("export"):
        if wish.turns > 1:
            program = next_pass_program(context, row, tokens, wish.turns, limit)
        else:
            program = head_program(context, row, wish.candidates, wish.embeds, limit)
    share = share_of(context.model) if wish.share is None else wish.share
    own = _options(options, share)
    extra = {VOCABULARY: linear_of(context.model).out_features, CANDIDATES: wish.candidates, EMBEDS: wish.embeds}

    def build(program: Program, name: str, extra: dict | None = None) -> tuple[Path, dict]:
        directory = scratch / name
        directory.mkdir()
        compiler.build_program(program, device, own, directory, out.with_name(f"{out.name}-{name}"), progress, extra)
        return directory, json.loads((directory / "simulation.json").read_text())

    directory, simulation = build(program, HEAD, extra)
    facts = {
        "content": json.loads((directory / "design.json").read_text())["content"],
        "share": share,
        CANDIDATES: wish.candidates,
        EMBEDS: wish.embeds,
        "cycles": simulation["cycles"],
        "resources": {name: entry["used"] for name, entry in simulation["resources"].items()},
    }
    rest, next_place = devices.rest_of(device, simulation, scratch / _REST), None
    if wish.turns > 1:
        next_place, simulation = build(next_place_program(context, wish.turns, limit), NEXT_PLACE)
        for name, entry in simulation["resources"].items():
            facts["resources"][name] += entry["used"]
        rest = devices.rest_of(rest, simulation, scratch / f"{NEXT_PLACE}-{_REST}")
    return BuiltHead(directory, rest, facts, program.bound, next_place)


def _check_ports(*directories: Path) -> None:
    """Ports of both designs on one channel of memory are at most as many as the linker takes."""
    ports: Counter[str] = Counter()
    for directory in directories:
        for design in json.loads((directory / "interface.json").read_text())["designs"]:
            pairs = {pair for port in design["ports"] for pair in zip(port["bundles"], port["memories"], strict=True)}
            ports.update(memory for _, memory in pairs)
    most = json.loads((directories[0] / "device.json").read_text())["external_memory"]["ports_per_channel"]
    for memory, count in ports.items():
        if count > most:
            raise CapacityError(
                f"The head and the layers have {count} ports on {memory} together, which takes {most}: leave the head "
                "on the host with head='host' (--head host)."
            )
