# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an output directory tells without PyTorch, whose import takes longer than most simulations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from streamtensor import output
from streamtensor import simulation as simulator
from streamtensor.errors import RunError

HEAD, HEAD_ON = "head", "head_on"  # the folder of a language model's head; who computes it, in the manifest
ANSWER = "answer"  # the folder of the kernel that makes several tokens in a launch, and what the manifest says of it
ANSWER_FACTS = "answer.json"  # in that folder: what the manifest says of it
NEXT_PLACE = "next_place"  # the folder of the design that such a kernel has beside layers and head
EMBEDS = "embeds"  # in the manifest of a head: does it embed the best token?
MOST_POSITIONS = "most_positions"  # in the manifest of a language model: how many the model itself has
WORKLOAD = "workload"
DEVICE, HOST = "device", "host"


def tokens_per_launch(manifest: dict) -> int:
    """Of a language model, at most."""
    return (manifest.get(ANSWER) or {}).get("turns", 1)


def embedding_on(manifest: dict) -> str:
    """Who embeds the token that a language model has chosen."""
    return DEVICE if (manifest.get(HEAD) or {}).get(EMBEDS) else HOST


def left_to_host(head_on: str, embedding_on: str, tokens_per_launch: int) -> list[str]:
    """What PyTorch computes of a language model."""
    embedding = "embedding" if embedding_on == HOST else "embedding of the prompt"
    chosen = [] if tokens_per_launch > 1 else ["sampling"]
    return [embedding, *(["head"] if head_on == HOST else []), *chosen]


def count_launches(main: dict) -> int:
    """Of a program, as interface.json says it."""
    return sum(step["op"] == "launch" for step in main["steps"])


class StoredDesign:
    """The files of a design: its manifest, and its simulation on the device."""

    def __init__(self, directory: str | Path):
        self.directory = Path(directory).absolute()  # Programs change theirs.
        self.manifest = _read_manifest(self.directory)
        self._stamp = _stamp(self.directory)

    def simulate(
        self,
        timeline: Path | None = None,
        on_chip_io: bool = False,
        scalars: Mapping[str, int] | None = None,
        what_if: Sequence[str] = (),
        advise: bool = False,
        clock_mhz: float | None = None,
        further: Sequence[str] = (),
    ) -> simulator.Simulation:
        """Cycles of one activation on the device; scalars without a value have their largest.

        `what_if` edits the machine first, as in `["fifo NAME depth=512", "task NAME lanes=x2"]`: the answer is about
        the edited design, and its `data["what_if"]` compares it with the one as it is. `advise` tries such edits and
        puts their gains and costs into `data["advice"]`. At another clock, `clock_mhz`, the schedule stays and memory
        keeps its rate. `further` are options of streamtensor-sim.
        """
        self._check_same()
        self._check_complete()
        limit = self.manifest["options"]["time_limit"]
        sized = self.find("ir/sized.mlir")
        return simulator.simulate(sized, limit, timeline, on_chip_io, scalars, what_if, advise, clock_mhz, further)

    def host_launches(self) -> tuple[int, float]:
        """How often the host starts a kernel in a run of the program, and microseconds that each start takes it."""
        main = self.read("interface.json")["main"]
        return count_launches(main), self.read("device.json")["host_launch_us"]["value"]

    def find(self, pattern: str) -> Path:
        """The one file in the directory that a pattern names, which every complete design has."""
        found = next(self.directory.glob(pattern), None)
        if found is None:
            raise RunError(f"The design in {self.directory} lacks {pattern}: compile it again.")
        return found

    def read(self, name: str) -> dict:
        """What a file of JSON says that every complete design has."""
        self._check_complete()
        return read_json(self.find(name))

    @property
    def head(self) -> Path | None:
        """The directory of the head's design, where a language model has its head on the device."""
        if self.manifest.get(HEAD_ON, HOST) == HOST:
            return None
        directory = self.directory / HEAD
        again = f"Copy the whole output directory, or compile {self.manifest['model']} again."
        if not (directory / output.MANIFEST).exists():
            raise RunError(
                f"The design in {self.directory} has its head in {directory}, which holds no design. {again}"
            )
        if _read_manifest(directory).get("content") != self.manifest[HEAD]["content"]:
            raise RunError(
                f"The head in {directory} is not the one that was compiled with the layers in {self.directory}. {again}"
            )
        return directory

    def _check_complete(self) -> None:
        if (self.directory / "interface.json").exists():
            return
        phase = self.manifest["options"].get("stop_after")
        if phase:
            raise RunError(
                f"The design in {self.directory} was compiled up to phase '{phase}' only: it holds no code. Compile it "
                "again without --stop-after."
            )
        self.find("interface.json")

    def _check_same(self) -> None:
        """Refuses a directory that holds another design by now: its code would not match this interface."""
        stamp = _stamp(self.directory)
        if stamp == self._stamp:
            return
        if _read_manifest(self.directory).get("content") != self.manifest.get("content"):
            raise RunError(
                f"The design in {self.directory} was replaced by another compilation after it was loaded. Load it "
                "again with Design(directory), or compile each design into a directory of its own with out=."
            )
        self._stamp = stamp


def read_json(path: Path) -> dict:
    """What a compilation wrote there."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise RunError(f"The file {path} of a design cannot be read ({error}): compile the design again.") from error


def _stamp(directory: Path) -> tuple[int, int] | None:
    """Changes whenever the manifest is written anew."""
    try:
        status = (directory / output.MANIFEST).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _read_manifest(directory: Path) -> dict:
    path = directory / output.MANIFEST
    if path.exists():
        return read_json(path)
    if (directory / ANSWER_FACTS).exists():
        raise RunError(
            f"'{directory}' is the kernel of a language model, not a design: name the directory around it, "
            f"'{directory.absolute().parent}'."
        )
    raise RunError(f"'{directory}' holds no design: {path} is missing. Compile one with `streamtensor compile`.")
