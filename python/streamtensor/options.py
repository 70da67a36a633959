# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user can choose about a compilation or a simulation: the one place where an option is declared.

The command line makes its options of these fields, the driver hands those with a pipeline name to the compiler and all
those of a simulation to the simulator, and a test compares them with what these declare.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, get_args, get_type_hints

from streamtensor.errors import CompileError, Error, RunError
from streamtensor.process import TIME_LIMIT

PHASES = (
    "import",
    "linalg",
    "decide",
    "tile",
    "kernel",
    "fuse",
    "pack",
    "materialise",
    "optimise",
    "stream",
    "size",
    "emit",
)


KERNELS = ("one", "per-die")
DECISIONS = ("simulated", "rules")
MOST_MHZ = 10_000  # no card's
MOST_SEED = 2**31 - 1  # what NumPy, PyTorch and Optuna all take


@dataclass(frozen=True)
class About:
    """What is known of an option beside its type and default.

    `pipeline` is its name in the compiler's pipeline, where a path is a word of its own. Those `is_of_device` stand for
    what the device's file says, which the compiler is given so (`devices.describe`).
    """

    help: str
    pipeline: str = ""
    is_path: bool = False
    is_of_device: bool = False
    least: float | None = None
    most: float | None = None
    metavar: str | None = None


@dataclass(frozen=True)
class Options:
    """Options of a compilation; `streamtensor compile --help` describes them in the same words.

    `clock_mhz`, `memory_efficiency`, `products_per_dsp` and `vitis_version` stand for what the file of `device` says;
    operators keep their cycles at any clock. `tile_size` is the default tile of every dimension; a dimension that it
    does not divide takes its largest divisor below it. `unroll` is the total number of scalar multiply-add lanes;
    without it the device decides, and `lane_share` is the percentage of what it would decide on: without it, as much as
    fits. Other tiles are taken, half of `tile_size` to four times as much, where simulation finds them better
    (`decision`; `rules` for none of that), unless the device decides on the lanes of a short program or of a language
    model.
    `schedule` is a file of choices, as a compilation writes it to schedule.json, in place of those three.
    `engines` lets contractions of a layer whose products are alike take turns with one set of multipliers, where that
    is faster: in one launch of all layers, or in one layer of floats and many tokens. `padding`, in percent, is how
    much longer an extent with few lanes may become; the host pads, results are as before. `fifo_loss` is the part of
    the speed that smaller FIFOs may cost. `kernels` says whether a design on several dies is `one` kernel, whose tasks
    a floorplan places, or one `per-die`, joined by AXI streams. `stop_after` ends the run after a phase. `time_limit`
    is in seconds, for each program that is run. `validate` executes the program before and after every pass on random
    arguments of seed `seed` and stops at a pass that changes a result. `compare` runs the finished design natively, on
    the example inputs and on others drawn with `seed`, and refuses it if PyTorch (for a FILE.mlir: the interpreter)
    finds something else. `force` compiles into an output whose own files were edited, keeping those beside it, and lets
    a run up to `stop_after` replace a complete design.
    """

    device: Annotated[str, About("Name of a device or path of a device file.", "device", is_path=True)] = "u55c"
    clock_mhz: Annotated[
        float | None,
        About("Clock instead of the device's; operators keep their cycles.", is_of_device=True, least=1, most=MOST_MHZ),
    ] = None
    memory_efficiency: Annotated[
        float | None,
        About(
            "Part of its peak rate that external memory sustains, instead of the device's; 1 for all of it.",
            is_of_device=True,
            least=0.01,
            most=1,
        ),
    ] = None
    products_per_dsp: Annotated[
        int | None,
        About("Products of small integers in a DSP, at most; as many as fit without it.", is_of_device=True, least=1),
    ] = None
    vitis_version: Annotated[
        str | None,
        About(
            "Version of Vitis that builds the design, 2023.2 or later, instead of the device's.",
            is_of_device=True,
            metavar="YEAR.N",
        ),
    ] = None
    tile_size: Annotated[int, About("Default tile of every dimension.", "tile-size", least=1)] = 16
    unroll: Annotated[
        int | None, About("Multiply-add lanes of the design; the device decides without it.", "unroll", least=1)
    ] = None
    lane_share: Annotated[
        int | None,
        About(
            "Percent of the lanes that the device would decide on; lowered until the design fits without it.",
            "lane-share",
            least=1,
        ),
    ] = None
    engines: Annotated[
        bool,
        About("One set of multipliers for all contractions of a layer whose products are alike.", "engines"),
    ] = True
    padding: Annotated[
        int,
        About("Percent of elements more that an extent may be padded by; 0 for none.", "padding", least=0, most=100),
    ] = 12
    fifo_loss: Annotated[
        float, About("Part of the speed that smaller FIFOs may cost, 0.1 for a tenth.", "fifo-loss", least=0)
    ] = 0.01
    kernels: Annotated[
        str,
        About(
            "What a design on several dies becomes: 'one' kernel, or one 'per-die', joined by AXI streams.",
            "kernels",
            metavar="one|per-die",
        ),
    ] = "one"
    decision: Annotated[
        str,
        About(
            "How lanes are shared out: the fastest of several ways 'simulated', or by 'rules' alone.",
            "decision",
            metavar="simulated|rules",
        ),
    ] = "simulated"
    schedule: Annotated[
        Path | None,
        About("Take tiles, orders and lanes from this schedule.json, edited.", "schedule", is_path=True),
    ] = None
    stop_after: Annotated[
        str | None, About(f"End after this phase: {', '.join(PHASES)}.", "stop-after", metavar="PHASE")
    ] = None
    time_limit: Annotated[float, About("Seconds for each program that is run.")] = TIME_LIMIT
    validate: Annotated[bool, About("Execute the program before and after every pass; stop at a wrong one.")] = False
    seed: Annotated[
        int, About("Seed of random arguments, --validate's and the comparison's.", least=0, most=MOST_SEED)
    ] = 0
    compare: Annotated[bool, About("Run the design; refuse it if PyTorch finds another result.")] = True
    force: Annotated[bool, About("Replace files that you edited (they are kept beside OUT), or a design by IR.")] = (
        False
    )

    def __post_init__(self) -> None:
        if isinstance(self.device, Path):
            object.__setattr__(self, "device", str(self.device))
        for name in declared():
            _check_range(Options, name, getattr(self, name), CompileError)
        if self.stop_after is not None and self.stop_after not in PHASES:
            raise CompileError(f"There is no phase '{self.stop_after}': stop_after is one of {', '.join(PHASES)}.")
        for name, known in (("kernels", KERNELS), ("decision", DECISIONS)):
            if getattr(self, name) not in known:
                raise CompileError(f"{name} is '{getattr(self, name)}': it is one of {', '.join(known)}.")
        if not self.time_limit > 0:
            raise CompileError(f"time_limit is {self.time_limit}: it is a number of seconds above 0.")
        if self.unroll is not None and self.lane_share is not None:
            raise CompileError(
                "unroll and lane_share are given together: lane_share is a part of what the device decides on without "
                "unroll, so leave one of them out."
            )
        if self.schedule is not None:
            object.__setattr__(self, "schedule", Path(self.schedule).absolute())
            self._check_alone()

    def _check_alone(self) -> None:
        """A schedule says what these options would choose."""
        for name in ("tile_size", "unroll", "lane_share"):
            if getattr(self, name) != getattr(Options, name):
                raise CompileError(
                    f"schedule and {name} are given together, but a schedule has the tiles and lanes of every "
                    f"operation: edit them there, or leave the schedule out."
                )

    @property
    def emits(self) -> bool:
        """Whether the run reaches HLS C++."""
        return self.stop_after in (None, "emit")

    @property
    def stops_before_code(self) -> str | None:
        """The phase after which the run ends, if that is before HLS C++."""
        return None if self.emits else self.stop_after

    def to_json(self) -> dict:
        return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(self).items()}

    def to_pipeline(self) -> dict[str, object]:
        """The options that the compiler's pipeline takes, by their names there, without paths."""
        chosen = self._chosen(are_paths=False)
        if self.emits:
            chosen.pop("stop-after", None)  # The pipeline ends before the phase `emit`.
        return chosen

    def to_paths(self) -> dict[str, object]:
        """The paths among them."""
        return self._chosen(are_paths=True)

    def to_assumptions(self) -> dict[str, float | str]:
        """What they assume instead of what the device's file says."""
        assumed = {n: getattr(self, n) for n, about in declared().items() if about.is_of_device}
        return {name: value for name, value in assumed.items() if value is not None}

    def _chosen(self, are_paths: bool) -> dict[str, object]:
        """What the compiler is told; what is not chosen is left to it."""
        told = {n: about for n, about in declared().items() if about.pipeline and about.is_path == are_paths}
        chosen = {about.pipeline: getattr(self, name) for name, about in told.items()}
        return {name: value for name, value in chosen.items() if value is not None}


@dataclass(frozen=True)
class SimulationOptions:
    """Options of a simulation; `streamtensor simulate --help` describes them in the same words.

    `what_if` edits the design as it was compiled, without compiling it again; `advise` tries such edits.
    """

    timeline: Annotated[Path | None, About("Write a trace of all tasks for ui.perfetto.dev.")] = None
    on_chip_io: Annotated[bool, About("Leave external memory out.")] = False
    what_if: Annotated[
        tuple[str, ...],
        About(
            "Tell what an edit would change: 'fifo NAME depth=512', 'port NAME bits=1024', 'task NAME lanes=x2' or "
            "'task NAME ii=1'; may be given several times.",
            metavar="EDIT",
        ),
    ] = ()
    advise: Annotated[bool, About("Try what could be widened next, and tell what each would gain and cost.")] = False
    clock_mhz: Annotated[
        float | None,
        About("Clock instead of the design's: its schedule stays, and memory keeps its rate.", least=1, most=MOST_MHZ),
    ] = None

    def __post_init__(self) -> None:
        _check_range(SimulationOptions, "clock_mhz", self.clock_mhz, RunError)
        edits = (self.what_if,) if isinstance(self.what_if, str) else self.what_if
        object.__setattr__(self, "what_if", tuple(edits or ()))

    def to_arguments(self) -> list[str | Path]:
        """What the simulator is told."""
        arguments: list[str | Path] = []
        for name in declared(SimulationOptions):
            flag, value = "--" + name.replace("_", "-"), getattr(self, name)
            if isinstance(value, tuple):
                arguments += [f"{flag}={each}" for each in value]
            elif isinstance(value, Path):
                arguments += [flag, value]
            elif isinstance(value, float | int) and not isinstance(value, bool):
                arguments.append(f"{flag}={value}")
            elif value:
                arguments.append(flag)
        return arguments


@cache
def declared(schema: type = Options) -> dict[str, About]:
    """The options by name."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(schema, include_extras=True).items()}


def _check_range(schema: type, name: str, value: object, error: type[Error]) -> None:
    about, hint = declared(schema)[name], get_type_hints(schema)[name]
    if about.least is None or value is None:
        return
    is_fraction = float in (hint, *get_args(hint))
    kinds, noun = ((int, float), "number") if is_fraction else (int, "whole number")
    most = math.inf if about.most is None else about.most
    if not isinstance(value, kinds) or not about.least <= value <= most or value == math.inf:
        bounds = f"at least {about.least}" + (f" and at most {about.most}" if about.most is not None else "")
        raise error(f"{name} is {value!r}: it must be a {noun} of {bounds}.")
