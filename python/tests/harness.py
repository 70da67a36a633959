# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ tools and the native compiler, for tests that run what the tools emit.

A test lowers many small programs and compiles them into one library (`Batch`): the headers are parsed once, so that a
program costs a tenth of a second and not two.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import vitis_compile
from hls.lint import lint
from hls_native import TIME_LIMIT, Native, compile_library, dtype
from streamtensor import native, paths, process

DEFAULT_SEED = 20_251_018


def seed() -> int:
    """The seed of the randomised tests: another one with STREAMTENSOR_TEST_SEED."""
    return int(os.environ.get("STREAMTENSOR_TEST_SEED", DEFAULT_SEED))


def device_file(name: str = "u55c") -> Path:
    return paths.devices_directory() / f"{name}.json"


class Outcome(process.Outcome):
    """How a tool ended."""

    def succeed(self, what: str = "") -> Outcome:
        assert self.code == 0, f"{what} {' '.join(self.command)}\n{self.stderr[:2000]}"
        return self


def run_tool(name: str, *arguments: object) -> Outcome:
    done = process.run((paths.find_tool(name), *map(str, arguments)), TIME_LIMIT)
    return Outcome(done.command, done.code, done.stdout, done.stderr)


def optimise(source: Path, output: Path, **options: object) -> Outcome:
    """Runs the pipeline; options are its options with '_' for '-', and `device` may be given, None for the module's."""
    options = {"device": device_file(), **options}
    text = " ".join(f"{key.replace('_', '-')}={value}" for key, value in options.items() if value is not None)
    return run_tool("streamtensor-opt", source, f"--streamtensor-pipeline={text}", "-o", output)


def options_of(source: Path) -> dict[str, str]:
    """The options that the first line of a reduced program names."""
    words = source.read_text().splitlines()[0].removeprefix("// ").split()
    return {key.replace("-", "_"): value for key, value in (word.split("=") for word in words)}


def without_locations(module: Path) -> str:
    """The text of a printed module, which says nothing of the source any more."""
    return re.sub(r" loc\([^()]*\)$|^#loc.*\n", "", module.read_text(), flags=re.MULTILINE)


def translate(source: Path, directory: Path, *arguments: str) -> Outcome:
    return run_tool("streamtensor-translate", source, f"--output-dir={directory}", *arguments)


def simulate(source: Path, *arguments: str) -> Outcome:
    return run_tool("streamtensor-sim", source, "--json", *arguments)


def size(source: Path, sized: Path) -> Outcome:
    """Schedules a design written by hand, binds it to memory and sizes what is not yet sized."""
    attach = f"--dataflow-attach-device=device={device_file()}"
    return run_tool("streamtensor-opt", source, attach, "--streamtensor-size-phase", "-o", sized)


def settings(scalars: dict[str, int]) -> list[str]:
    """The values of a program's scalars, as the tools take them."""
    return [f"--scalar={name}={value}" for name, value in scalars.items()]


def lower(text: str, directory: Path, **options: object) -> Path:
    """Takes Linalg text to stream level in `directory`/design.mlir, phases beside it; gives the path."""
    directory.mkdir(parents=True, exist_ok=True)
    source, design = directory / "program.mlir", directory / "design.mlir"
    source.write_text(text)
    optimise(source, design, dump_dir=directory, **options).succeed(directory.name)
    return design


def phase_text(directory: Path, phase: str) -> str:
    """The IR that `phase` left in `directory`."""
    (path,) = directory.glob(f"[0-9][0-9]-{phase}.mlir")
    return path.read_text()


def emit(design: Path, directory: Path, *arguments: str) -> Path:
    """Emits a stream-level module, sized before if it is not yet; `arguments` give it a device if it has none."""
    if "#dataflow.design_sizing" not in design.read_text():
        sized = design.with_name(f"{design.stem}-sized.mlir")
        attach = [f"--dataflow-attach-device=device={a.partition('=')[2]}" for a in arguments]
        run_tool("streamtensor-opt", design, *attach, "--streamtensor-size-phase", "-o", sized).succeed(str(design))
        design = sized
    translate(design, directory).succeed(design.parent.name)
    for path in (directory / "hls").glob("*.cpp"):
        assert lint(path.read_text()) == [], path
    return directory


class Emitted(Native):
    """The designs of one emitted directory; the library comes from a `Batch`."""

    def __init__(self, directory: Path, prefix: str = ""):
        self.directory = directory
        self.prefix = prefix
        self.interface = json.loads((directory / "interface.json").read_text())
        for design in self.interface["designs"]:
            design["call"] = prefix + design["call"]

    def __call__(self, *inputs: np.ndarray) -> list[np.ndarray]:
        main = self.interface["main"]
        values = {a["value"]: as_array(x, a["dtype"]) for a, x in zip(main["arguments"], inputs, strict=True)}
        for constant in main["constants"]:
            data = np.fromfile(self.directory / constant["file"], dtype=dtype(constant["dtype"]))
            values[constant["value"]] = data.reshape(constant["shape"])
        for step in main["steps"]:
            if step["op"] == "launch":
                results = self.launch(step["design"], [values[i] for i in step["inputs"]])
                values.update(zip(step["outputs"], results, strict=True))
            else:
                shapes = [tuple(main["values"][step[side]]["shape"]) for side in ("input", "output")]
                values[step["output"]] = rearranged(step, values[step["input"]], *shapes)
        return [values[i] for i in main["results"]]

    def unit(self, of_callers: bool = True) -> str:
        """All sources as one piece of text, each design within a namespace, without includes."""
        designs = self.interface["designs"]
        text = "".join(
            f"namespace {self.prefix}space{index} {{\n"
            + "\n".join(
                _inlined(self.directory / source)
                for source in design["sources"]
                if of_callers or not source.endswith("_native.cpp")
            )
            + "\n}\n"
            for index, design in enumerate(designs)
        )
        for design in designs:
            name = design["function"]
            text = re.sub(rf"\b{name}(_call)?\b", rf"{self.prefix}{name}\1", text)
        return text


def _inlined(path: Path) -> str:
    """A source without its includes: the batch has them all, and a definition comes before its use."""
    return re.sub(r"^#include .*$", "", path.read_text(), flags=re.M)


# Compilation costs more than the run.
FLAGS = ("-std=c++17", "-O0", "-ffp-contract=off", "-fwrapv", "-fPIC", "-w")


@dataclass
class Batch:
    """Emitted programs that are compiled together."""

    directory: Path
    programs: list[Emitted] = field(default_factory=list)

    def add(self, emitted_directory: Path) -> Emitted:
        self.programs.append(Emitted(emitted_directory, f"p{len(self.programs)}_"))
        return self.programs[-1]

    def build(self) -> None:
        """Compiles and loads the programs."""
        self.compile()
        self.load()

    @property
    def library(self) -> Path:
        return self.directory / "batch.so"

    def compile(self) -> None:
        self.compile_as_vitis()
        source = self.directory / "batch.cpp"
        units = "".join(program.unit() for program in self.programs)
        includes = "".join(f'#include "{header}"\n' for header in native.COMMON_HEADERS)
        source.write_text(includes + "#include <limits>\n" + units)
        compile_library([source], self.library, FLAGS)

    def compile_as_vitis(self) -> None:
        """The designs alone as synthesis sees them, against AMD's interfaces."""
        source = self.directory / "synthesis.cpp"
        units = "".join(program.unit(of_callers=False) for program in self.programs)
        source.write_text("#include <limits>\n" + units)
        said = vitis_compile.errors([source], vitis_compile.SYNTHESIS, vitis_compile.OF_DESIGNS)
        assert said == "", said[:3000]

    def load(self) -> None:
        loaded = ctypes.CDLL(str(self.library))
        for program in self.programs:
            program.library = loaded


def rearranged(step: dict, data: np.ndarray, given: tuple[int, ...], wanted: tuple[int, ...]) -> np.ndarray:
    """A reshape, a pack or an unpack: a packed element (i0, i1, ...) lies at offset + i0 * strides[0] + ..."""
    if step["op"] == "reshape":
        return data.reshape(wanted)
    places = packed_places(wanted if step["op"] == "pack" else given, step["strides"], step.get("offset", 0))
    lanes = slice(step["lanes"] or None)
    result = np.zeros(wanted, data.dtype)
    if step["op"] == "pack":
        result[..., lanes] = data.reshape(-1)[places[..., lanes]]
    else:
        result.reshape(-1)[places[..., lanes]] = data[..., lanes]
    return result


def packed_places(shape: tuple[int, ...], strides: list[int], offset: int) -> np.ndarray:
    places = np.full(shape, offset)
    for dim, stride in enumerate(strides):
        extent = [1] * len(shape)
        extent[dim] = shape[dim]
        places += stride * np.arange(shape[dim]).reshape(extent)
    return places


def as_array(value: object, name: str) -> np.ndarray:
    return np.require(value, dtype(name), ["C"])


def relative_error(actual: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference against the largest value; infinite for another shape or where one is not finite."""
    if actual.shape != expected.shape:
        return float("inf")
    if actual.size == 0:
        return 0.0
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    if np.any(~same & ~(np.isfinite(actual) & np.isfinite(expected))):
        return float("inf")
    with np.errstate(invalid="ignore"):  # Infinity less itself.
        difference = np.where(same, 0.0, np.abs(actual - expected))
    finite = np.abs(expected[np.isfinite(expected)])
    return float(difference.max() / max(1e-6, finite.max() if finite.size else 1e-6))
