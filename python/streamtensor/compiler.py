# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver: Linalg text through the C++ tools into an output directory."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from streamtensor import (
    capacity,
    card_memory,
    diagnostics,
    fitting,
    hand_written,
    mlir_text,
    output,
    paths,
    process,
    shared_bytes,
    simulation,
    source,
)
from streamtensor.design import Design
from streamtensor.devices import Device, describe, find_device
from streamtensor.errors import CapacityError, CompileError, CrashedToolError, EngineError, UnfitError
from streamtensor.interface import Interface
from streamtensor.memory import apart
from streamtensor.options import Options
from streamtensor.progress import Keeping, Progress
from streamtensor.schemes import GROUP_SIZE, OF_ROWS

if TYPE_CHECKING:
    from streamtensor.comparison import Finding

SOURCE_FILE = "00-source.mlir"
SIZED_FILE = "sized.mlir"
COMPARE = "compare"
SCHEDULE_FILE = "schedule.json"
DEVICE_FILE = "device.json"


def compile(
    module_or_path: object,
    example_inputs: Sequence | None = None,
    options: Options | None = None,
    out: str | Path = "out",
    progress: Progress | None = None,
    quantise: str | None = None,
    group_size: int | None = None,
) -> Design:
    """Compiles a torch.nn.Module, FILE.mlir or `package.module:factory` into the directory `out`.

    `quantise`: a scheme of streamtensor.quantise, with a scale for each `group_size` weights of a row (32 without it);
    the module that is handed over stays as it is.
    """
    if group_size is not None and quantise is None:
        raise CompileError("group_size is for quantised weights: give quantise as well, or leave it out.")
    if group_size is not None and quantise in OF_ROWS:
        raise CompileError(
            f"group_size is for groups of a row, and {quantise} has one scale for all of it: leave it out."
        )
    options = options or Options()
    progress = progress or Progress()
    device = find_device(options.device)
    output.check(out, options.force, options.stops_before_code)
    with progress.stage("export"):
        group = GROUP_SIZE if group_size is None else group_size
        program = source.load(module_or_path, example_inputs, options.time_limit, quantise, group)
    return compile_program(program, device, options, Path(out), progress)


def compile_program(
    program: source.Program,
    device: Device,
    options: Options,
    out: Path,
    progress: Progress,
    extra: dict | None = None,
    save: Callable[[Path], None] | None = None,
    context: card_memory.Context | None = None,
) -> Design:
    """Compiles `program` into `out`; `extra` is added to the manifest, `save` may add files of its own.

    `context`: of the language model whose layers it is.
    """
    with output.replacing(out, options.force, options.stops_before_code) as work:
        build_program(program, device, options, work, out, progress, extra, save, context)
    return Design(out)


def build_program(
    program: source.Program,
    device: Device,
    options: Options,
    work: Path,
    out: Path,
    progress: Progress,
    extra: dict | None = None,
    save: Callable[[Path], None] | None = None,
    context: card_memory.Context | None = None,
) -> None:
    """Compiles `program` into the directory `work`, which it empties; `out` is where the design will be.

    What a failure leaves to be repeated is kept beside `out`.
    """

    def build(chosen: Options, refuses_unfit: bool) -> _Run:
        output.empty(work)
        run = _Run(program, device, chosen, work, progress, out, refuses_unfit)
        with run.keeping_crashes():
            run.build()
        return run

    said = Keeping(progress)
    try:
        with fitting.advising(partial(_attempt, program, device, options), options, progress, fitting.LIMIT_SECONDS):
            run = _build_fitting(build, options, said, partial(_decide, program, device))
    except CapacityError as error:
        if not error.fits:
            raise
        lanes = ", ".join(f"{name} {value}" for name, value in error.fits.items())
        said.warn(f"No share of the lanes that the device decides on fits: compiling with {lanes}, which was found to.")
        run = build(replace(options, **error.fits), refuses_unfit=False)
    run.warnings = [*said.warnings, *run.warnings]
    if options.emits:
        run.check_memory(context)
        run.check_hand_written()
        run.save_parameters()
        with run.keeping_crashes():
            run.compare(extra or {})
    if options.emits and save:
        with progress.stage("save"), run.keeping_crashes():
            save(work)
    run.write_manifest(extra or {})


def _build_fitting(
    build: Callable[[Options, bool], _Run], options: Options, said: Keeping, decide: Callable[[Options], bytes]
) -> _Run:
    """As `fitting.build_fitting`; that a design does not fit is said before its FIFOs are sized where others follow."""
    others_follow = fitting.decides(options)
    try:
        return fitting.build_fitting(partial(build, refuses_unfit=others_follow), options, said, decide)
    except CapacityError:
        if not others_follow:
            raise
    # None did: what takes the most is known of a sized design.
    try:
        return build(options, refuses_unfit=False)
    except EngineError:
        return build(replace(options, engines=False), refuses_unfit=False)


def _attempt(
    program: source.Program, device: Device, options: Options, tile_size: int, unroll: int, seconds: float
) -> None:
    """Compiles with other options, for the error that it may raise."""
    limit = min(seconds, options.time_limit)
    lanes = {"tile_size": tile_size, "unroll": unroll, "lane_share": None}
    chosen = replace(options, **lanes, stop_after=None, validate=False, time_limit=limit)
    with tempfile.TemporaryDirectory(prefix="streamtensor-fit-") as work:
        _Run(program, device, chosen, Path(work), Progress(), Path(work)).build()


def _decide(program: source.Program, device: Device, options: Options) -> bytes:
    """The schedule that a compilation follows."""
    chosen = replace(options, stop_after="decide", validate=False)
    with tempfile.TemporaryDirectory(prefix="streamtensor-decide-") as work:
        _Run(program, device, chosen, Path(work), Progress(), Path(work)).lower()
        return (Path(work) / SCHEDULE_FILE).read_bytes()


@dataclass
class _Run:
    """One compilation on its way through the phases, in the directory `work`."""

    program: source.Program
    device: Device
    options: Options
    work: Path
    progress: Progress
    out: Path
    refuses_unfit: bool = False
    finding: Finding | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def _source(self) -> Path:
        return self.work / "ir" / SOURCE_FILE

    @property
    def _sized(self) -> Path:
        return self.work / "ir" / SIZED_FILE

    @contextmanager
    def keeping_crashes(self) -> Iterator[None]:
        """What a program crashed on stays beside the output, so that the command of the error can be repeated."""
        try:
            yield
        except CrashedToolError as error:
            from streamtensor import reproducer

            raise reproducer.keep(self.work, self._beside("crash"), error) from error

    def build(self) -> None:
        """From the exported program to simulated C++, or to the phase that the options name."""
        self.lower()
        if self.options.emits:
            self.emit()
            self.simulate()

    def lower(self) -> None:
        """Linalg to the sized stream level, or to the phase that the options name."""
        self._source.parent.mkdir(parents=True)
        self._source.write_text(self.program.text)
        (self.work / DEVICE_FILE).write_text(describe(self.device, self.options))
        with self.progress.stage("lower"):
            command = [
                paths.find_tool("streamtensor-opt"),
                self._source,
                f"--streamtensor-pipeline={self._pipeline_options()}",
                *self._pipeline_paths(),
                "--mlir-print-debuginfo",
                *self._validation_flags(),
                "-o",
                self._sized,
            ]
            outcome = process.run(command, self.options.time_limit)
        if outcome.code != 0 and self.program.module is None:
            mlir_text.check_parses(self._source, self._shown_name(), self.options.time_limit)
        diagnostics.check(outcome, self._source, self._shown_name())
        self.warnings = diagnostics.warnings(outcome.stderr)
        apart = next((text for text in self.warnings if text.startswith("[engine.fallback]")), None)
        if apart and self.options.schedule is None:
            raise EngineError(f"{apart}.")
        for text in self.warnings:
            self.progress.warn(text)
        if not self.options.emits:
            self._sized.unlink()

    def _pipeline_options(self) -> str:
        chosen = self.options.to_pipeline()
        if self.refuses_unfit:
            chosen["refuse-unfit"] = True
        return " ".join(f"{name}={value}" for name, value in chosen.items())

    def _pipeline_paths(self) -> list[str]:
        """Words of their own: the options of a pipeline are cut at spaces, quotes and braces."""
        words = {**self.options.to_paths(), "device": self.work / DEVICE_FILE}
        words |= {"dump-dir": self.work / "ir", "write-schedule": self.work / SCHEDULE_FILE}
        if self.program.directory is not None:
            words["source-dir"] = self.program.directory
        return [f"--{name}={value}" for name, value in words.items()]

    def _validation_flags(self) -> list[str]:
        if not self.options.validate:
            return []
        return [
            "--validate",
            f"--validate-seed={self.options.seed}",
            f"--validate-dir={self._beside('validate')}",
        ]

    def _beside(self, suffix: str) -> Path:
        """Where reproducers go."""
        return self.out.with_name(f"{self.out.name}-{suffix}")

    def _shown_name(self) -> str:
        """The file as the user knows it: the tools read a copy."""
        return f"{self.program.name}.mlir" if self.program.module is None else self.program.name

    def emit(self) -> None:
        with self.progress.stage("emit"):
            command = [paths.find_tool("streamtensor-translate"), self._sized, f"--output-dir={self.work}"]
            outcome = process.run(command, self.options.time_limit)
        diagnostics.check(outcome, self._sized, self._shown_name())

    def simulate(self) -> None:
        """A design is released only if runs of its final depths have ended, with the largest and the least scalars."""
        main = json.loads((self.work / "interface.json").read_text())["main"]
        least = {scalar["name"]: scalar["low"] for scalar in main["scalars"]}
        with self.progress.stage("simulate"):
            result = simulation.simulate(self._sized, self.options.time_limit)
            if least:
                short = simulation.simulate(self._sized, self.options.time_limit, scalars=least)
                result.data["least"] = {"scalars": least, "cycles": short.cycles}
        capacity.check_fits(self._shown_name(), self.device.card, result.data)
        (self.work / "simulation.json").write_text(json.dumps(result.data, indent=1))

    def check_memory(self, context: card_memory.Context | None) -> None:
        """Other lanes need no less memory beside the chip: nothing else is tried."""
        programs = [card_memory.OnCard.read(self.work, context), *(context.beside if context else ())]
        card_memory.check_memory(self._shown_name(), self.device.card, self.work / DEVICE_FILE, programs, context)

    def check_hand_written(self) -> None:
        """What the user wrote is what no pass has checked: run it."""
        if hand_written.names(self.work):
            with self.progress.stage("check"):
                hand_written.check(self.work, self.options.seed, self.options.time_limit)

    def save_parameters(self) -> None:
        if not self.program.bound:
            return
        from safetensors.torch import save_file

        directory = self.work / "params"
        directory.mkdir(exist_ok=True)
        bits = {a.name: a.bits for a in self.program.module.arguments if a.bits in shared_bytes.WIDTHS}
        bound = shared_bytes.share_all(self.program.bound, bits)
        save_file(apart(bound), directory / "parameters.safetensors")

    def compare(self, extra: dict) -> None:
        """A design is released only if it computes what its source does."""
        if not self.options.compare:
            return
        from streamtensor import comparison, reproducer

        with self.progress.stage(COMPARE):
            try:
                self.finding = comparison.check(
                    self._interface(),
                    self._oracles(),
                    self.program.text,
                    self.options.seed,
                    self.options.time_limit,
                )
            except UnfitError as error:
                self.write_manifest(extra)
                place = reproducer.leave(self.work, self._beside("compare"), error)
                raise type(error)(f"{error} {place}", error.values) from error

    def _interface(self) -> Interface:
        interface = Interface(self.work, self.options.time_limit)
        if self.program.module:
            interface.declare(*map(_describe_all, (self.program.module.arguments, self.program.module.results)))
        return interface

    def _oracles(self) -> list:
        if self.program.oracles:
            draw = self.program.looped if self._interface().layers else self.program.oracles
            return draw(self.options.seed)
        from streamtensor import oracle

        return oracle.of_file(self._source, self._interface(), self.options.seed, self.options.time_limit)

    def write_manifest(self, extra: dict) -> None:
        module = self.program.module
        manifest = {
            "version": 1,
            "content": content(self.work),
            "model": self.program.name,
            "device": self.device.name,
            "card": self.device.card,
            "part": self.device.part,
            "clock_mhz": self.options.clock_mhz or self.device.clock_mhz,
            "options": self.options.to_json(),
            "parameters_bound": bool(self.program.bound),
            "arguments": _describe_all(module.arguments) if module else [],
            "results": _describe_all(module.results) if module else [],
            "structure": module.structure.to_json() if module else None,
            "phases": sorted(path.name for path in (self.work / "ir").iterdir()),
            "stages_seconds": {name: round(seconds, 3) for name, seconds in self.progress.seconds.items()},
            "compile_seconds": round(sum(self.progress.seconds.values()) - self.progress.seconds.get(COMPARE, 0.0), 3),
            "compare_seconds": round(self.progress.seconds[COMPARE], 3) if self.finding else None,
            "warnings": self.warnings,
            "comparison": self.finding.to_json() if self.finding else None,
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "tools": _versions(),
            **extra,
        }
        (self.work / output.MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def content(directory: Path, parameters: Path | None = None) -> str:
    """A digest of what a design computes: its code, its interface and its parameters, which it finds itself where the
    source bound them."""
    digest = hashlib.sha256()
    files = [directory / "interface.json", parameters or directory / "params" / "parameters.safetensors"]
    for path in [*files, *sorted((directory / "hls").rglob("*"))]:
        if path.is_file():
            digest.update(path.name.encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _describe_all(arguments: Sequence) -> list[dict]:
    return [_describe(argument) for argument in arguments]


def _describe(argument) -> dict:
    from streamtensor import dtypes

    return {
        "name": argument.name,
        "kind": argument.kind,
        "type": dtypes.name_of(argument.dtype),
        "shape": list(argument.shape),
        "bits": argument.bits,
    }


def _versions() -> dict[str, str]:
    from importlib import metadata

    found = {}
    for name in ("streamtensor", "torch", "torch-mlir", "transformers"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
