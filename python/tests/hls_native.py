"""Emit stream-level IR as HLS C++, compile it and call it: for tests."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
from streamtensor import native

ROOT = Path(__file__).resolve().parents[2]
OPT = Path(os.environ.get("STREAMTENSOR_OPT", ROOT / "build" / "bin" / "streamtensor-opt"))
TRANSLATE = Path(os.environ.get("STREAMTENSOR_TRANSLATE", ROOT / "build" / "bin" / "streamtensor-translate"))
FLAGS = ["-std=c++17", "-O3", "-ffp-contract=off", "-fwrapv", "-fPIC", "-Wno-unknown-pragmas"]
TIME_LIMIT = 300


def dtype(name: str) -> np.dtype:
    """The numpy type of an interface's dtype; narrow integers lie in whole bytes."""
    if name == "bfloat16":
        return np.dtype(ml_dtypes.bfloat16)
    if name.startswith("int") and name not in ("int8", "int16", "int32", "int64"):
        width = max(8, 1 << (int(name[3:]) - 1).bit_length())
        return np.dtype(f"int{width}")
    return np.dtype(name)


def translate(source: str, directory: Path, *options: str, passes: tuple = ()) -> subprocess.CompletedProcess:
    """Schedules a design written by hand and emits it, after further passes; a FIFO without a depth stays without."""
    path, scheduled = directory / "design.mlir", directory / "scheduled.mlir"
    path.write_text(source)
    schedule = ["--dataflow-attach-device=device=u55c", "--streamtensor-schedule-phase", *passes]
    schedule.append("--mlir-print-debuginfo")
    done = subprocess.run([str(OPT), str(path), *schedule, "-o", str(scheduled)], capture_output=True, text=True)
    if done.returncode != 0:
        return done
    command = [str(TRANSLATE), str(scheduled), f"--output-dir={directory / 'out'}", *options]
    return subprocess.run(command, capture_output=True, text=True)


def compiler() -> str:
    for name in ("clang++-22", "clang++", "g++"):
        if shutil.which(name):
            return name
    raise RuntimeError("no C++ compiler")


def compile_library(sources: Sequence[Path], library: Path, flags: Sequence[str]) -> None:
    precompiled = native.precompile_headers(Path(compiler()), flags, TIME_LIMIT)
    command = [compiler(), *flags, "-shared", *native.folder_options(), *precompiled, *sources, "-o", library]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    assert done.returncode == 0, done.stderr[:3000]


def in_shared_bytes(values: np.ndarray, bits: int) -> np.ndarray:
    """Integers as a port of `bits` an element has them: the bits of all elements, lowest first, cut into bytes."""
    low_bits = np.unpackbits(values.reshape(-1, 1).view(np.uint8), axis=1, bitorder="little")[:, :bits]
    return np.packbits(low_bits.reshape(-1), bitorder="little")


def from_shared_bytes(data: np.ndarray, port: dict) -> np.ndarray:
    bits = np.unpackbits(data, bitorder="little").reshape(-1, port["bits"]).astype(np.int64)
    values = (bits << np.arange(port["bits"])).sum(axis=1)
    signed = values - (bits[:, -1] << port["bits"])
    return signed.astype(dtype(port["dtype"])).reshape(port["shape"])


def result(parts: list[np.ndarray], shape: tuple[int, ...], port: dict) -> np.ndarray:
    """A tensor from its stripes."""
    array = np.concatenate(parts, axis=-1) if len(parts) > 1 else parts[0]
    return from_shared_bytes(array.reshape(-1), port) if port["bits"] < 8 else array.reshape(shape)


class Native:
    """The designs of one emitted directory, compiled together."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.interface = json.loads((directory / "interface.json").read_text())
        sources = [directory / s for d in self.interface["designs"] for s in d["sources"]]
        library = directory / "native.so"
        compile_library(sources, library, FLAGS)
        self.library = ctypes.CDLL(str(library))

    def launch(self, name: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
        design = next(d for d in self.interface["designs"] if d["name"] == name)
        addresses = (ctypes.c_void_p * design["argument_count"])()
        inputs, outputs, kept = list(inputs), [], []
        for port in design["ports"]:
            if port["direction"] != "out":
                array = np.array(inputs.pop(0), dtype(port["dtype"]), order="C")
                assert list(array.shape) == port["shape"]
            else:
                array = np.empty(port["shape"], dtype=dtype(port["dtype"]))
            shape = array.shape
            if port["bits"] < 8:
                array = in_shared_bytes(array, port["bits"])
            stripes = max(port["stripes"]) + 1
            row = array.size // max(1, int(np.prod(shape[:-1])))
            parts = [array]
            if stripes > 1:
                parts = [np.ascontiguousarray(p) for p in np.split(array.reshape(-1, row), stripes, axis=-1)]
            kept.append(parts)
            if port["direction"] != "in":
                outputs.append((parts, shape, port))
            for position, stripe in zip(port["positions"], port["stripes"], strict=True):
                addresses[position] = parts[stripe].ctypes.data
        message = ctypes.create_string_buffer(1024)
        status = getattr(self.library, design["call"])(addresses, message, ctypes.c_size_t(1024))
        if status:
            raise RuntimeError(message.value.decode())
        return [result(*output) for output in outputs]

    def __call__(self, *inputs: np.ndarray) -> list[np.ndarray]:
        main = self.interface["main"]
        values = {a["value"]: x for a, x in zip(main["arguments"], inputs, strict=True)}
        for constant in main["constants"]:
            data = np.fromfile(self.directory / constant["file"], dtype=dtype(constant["dtype"]))
            values[constant["value"]] = data.reshape(constant["shape"])
        for step in main["steps"]:
            if step["op"] == "reshape":
                shape = main["values"][step["output"]]["shape"]
                values[step["output"]] = values[step["input"]].reshape(shape)
                continue
            results = self.launch(step["design"], [values[i] for i in step["inputs"]])
            values.update(zip(step["outputs"], results, strict=True))
        return [values[i] for i in main["results"]]


def build(source: str, directory: Path, *options: str) -> Native:
    done = translate(source, directory, *options)
    assert done.returncode == 0, done.stderr
    return Native(directory / "out")
