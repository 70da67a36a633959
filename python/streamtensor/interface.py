# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interface.json: what the emitter says about a design's arguments, results and launches.

A program is a list of launches over numbered tensors. Arguments and constants are given, an alias is another tensor
in another shape (row-major, no data moves), a launch runs one design on tensors in external memory.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from streamtensor import dtypes, native
from streamtensor.errors import RunError


@dataclass(frozen=True)
class Tensor:
    """A tensor in external memory."""

    number: int
    dtype: torch.dtype
    shape: tuple[int, ...]
    name: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Design:
    """One accelerator: its entry point and its ports."""

    name: str
    entry: str
    sources: tuple[str, ...]
    include_dirs: tuple[str, ...]
    ports: tuple[dict, ...]


class Interface:
    """The program of one output directory, executable on the host."""

    def __init__(self, directory: Path):
        self.directory = directory
        data = json.loads((directory / "interface.json").read_text())
        self.arguments = [_tensor(entry) for entry in data["arguments"]]
        self.results = [_tensor(entry) for entry in data["results"]]
        self.designs = {entry["name"]: _design(entry) for entry in data["designs"]}
        self._launches = data["launches"]
        self._aliases = data.get("aliases", [])
        self._constants = data.get("constants", [])
        self._loaded: dict[int, torch.Tensor] = {}

    def build(self) -> None:
        """Compiles every design natively."""
        for design in self.designs.values():
            self._entry(design)

    def execute(self, values: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Runs the program on `values`, which match `arguments` in order, dtype and shape."""
        known = dict(self._constant_tensors())
        for tensor, value in zip(self.arguments, values, strict=True):
            known[tensor.number] = value.contiguous()
        for launch in self._launches:
            self._resolve_aliases(known)
            self._launch(launch, known)
        self._resolve_aliases(known)
        return [known[tensor.number].reshape(tensor.shape).clone() for tensor in self.results]

    def _launch(self, launch: dict, known: dict[int, torch.Tensor]) -> None:
        design = self.designs[launch["design"]]
        outputs = [port for port in design.ports if port["direction"] == "out"]
        for number, port in zip(launch["outputs"], outputs, strict=True):
            known[number] = torch.empty(port["shape"], dtype=dtypes.from_name(port["type"]))
        operands = [known[number] for number in [*launch["inputs"], *launch["outputs"]]]
        pointers = (ctypes.c_void_p * len(operands))(*[tensor.data_ptr() for tensor in operands])
        if self._entry(design)(pointers) != 0:
            raise RunError(
                f"The design '{design.name}' stopped before its end. Run `streamtensor simulate` to see why."
            )

    def _entry(self, design: Design):
        library = native.load(native.build(self.directory, design.sources, design.include_dirs))
        entry = getattr(library, design.entry)
        entry.restype = ctypes.c_int
        entry.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
        return entry

    def _resolve_aliases(self, known: dict[int, torch.Tensor]) -> None:
        pending = [alias for alias in self._aliases if alias["tensor"] not in known]
        progress = True
        while pending and progress:
            ready = [alias for alias in pending if alias["of"] in known]
            for alias in ready:
                known[alias["tensor"]] = known[alias["of"]].reshape(alias["shape"])
            pending = [alias for alias in pending if alias["tensor"] not in known]
            progress = bool(ready)

    def _constant_tensors(self) -> dict[int, torch.Tensor]:
        for entry in self._constants:
            if entry["tensor"] not in self._loaded:
                self._loaded[entry["tensor"]] = self._constant(entry)
        return self._loaded

    def _constant(self, entry: dict) -> torch.Tensor:
        dtype, shape = dtypes.from_name(entry["type"]), tuple(entry["shape"])
        if "splat" in entry:
            return torch.full(shape, float(entry["splat"]), dtype=torch.float64).to(dtype)
        data = np.fromfile(self.directory / entry["file"], dtype=np.uint8)
        return torch.from_numpy(data).view(dtype).reshape(shape)


def _tensor(entry: dict) -> Tensor:
    dtype = dtypes.from_name(entry["type"])
    return Tensor(entry["tensor"], dtype, tuple(entry["shape"]), entry.get("name", ""), entry.get("kind", ""))


def _design(entry: dict) -> Design:
    sources, includes = tuple(entry["sources"]), tuple(entry.get("include_dirs", ()))
    return Design(entry["name"], entry["entry"], sources, includes, tuple(entry["ports"]))
