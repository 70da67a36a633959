# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one native design on tensors in memory: in this process, or apart, where a crash ends only a child."""

from __future__ import annotations

import json
import mmap
import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from streamtensor import launch_worker, native, process
from streamtensor import lazy_torch as torch
from streamtensor.errors import RunError


class SilentError(RunError):
    """A design that did not end within its time: it may only be slow."""


@dataclass(frozen=True)
class Ports:
    """Dense tensors, inputs before outputs; `positions` are the arguments of the C function that each is.

    Outputs begin with what they hold: a design may update a tensor in place.
    """

    inputs: Sequence[torch.Tensor]
    outputs: Sequence[torch.Tensor]
    positions: Sequence[Sequence[int]]

    @property
    def tensors(self) -> list[torch.Tensor]:
        return [*self.inputs, *self.outputs]

    def arguments(self, values: Sequence[int]) -> list[int]:
        """What the C function takes, from one value per tensor."""
        taken = {p: value for value, each in zip(values, self.positions, strict=True) for p in each}
        return [taken[position] for position in range(len(taken))]


# The library, the function in it and its ports; gives the reason why the design stopped, "" where it ended.
Launch = Callable[[Path, str, Ports], str]


def here(library: Path, call: str, ports: Ports) -> str:
    return launch_worker.call(native.load(library), call, ports.arguments([t.data_ptr() for t in ports.tensors]))


class Apart:
    """A child process that knows ctypes alone; tensors lie in memory that both share."""

    def __init__(self, time_limit: float):
        self._time_limit = time_limit
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> Apart:
        self._memory = os.memfd_create("streamtensor-launch")
        self._said = tempfile.TemporaryFile()
        return self

    def __exit__(self, *error: object) -> None:
        if self._child:
            process.stop(self._child)
            self._child.stdin.close()
            self._child.stdout.close()
        self._said.close()
        os.close(self._memory)

    def __call__(self, library: Path, call: str, ports: Ports) -> str:
        starts, size = _places(ports.tensors)
        os.ftruncate(self._memory, size)
        with mmap.mmap(self._memory, size) as memory:
            for start, tensor in zip(starts, ports.tensors, strict=True):
                _shared(memory, start, tensor)[:] = _bytes(tensor)
            job = {"library": str(library), "call": call, "size": size, "starts": ports.arguments(starts)}
            reason = self._ask(job)
            for start, tensor in zip(starts[len(ports.inputs) :], ports.outputs, strict=True):
                _bytes(tensor)[:] = _shared(memory, start, tensor)
        return reason

    def _ask(self, job: dict) -> str:
        self._child = self._child or self._start()
        try:
            self._child.stdin.write(json.dumps(job) + "\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._death() from None
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stdout, selectors.EVENT_READ)
            if not selector.select(self._time_limit):
                raise SilentError(
                    f"The native run of the design did not end within {self._time_limit:g} seconds and was stopped. If "
                    "it is only slow, give it more time with time_limit (--time-limit), or release it unchecked with "
                    "compare=False (--no-compare)."
                )
        answer = self._child.stdout.readline()
        if not answer:
            raise self._death()
        return json.loads(answer)

    def _start(self) -> subprocess.Popen[str]:
        words = [sys.executable, "-I", "-S", launch_worker.__file__, str(self._memory)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._said}
        return process.start(words, pass_fds=(self._memory,), **pipes)

    def _death(self) -> RunError:
        end = process.describe_end(self._child.wait())
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return RunError(f"The native run of the design {end}{f' ({lines[-1]})' if lines else ''}.")


def _places(tensors: Sequence[torch.Tensor]) -> tuple[list[int], int]:
    """Where each tensor starts, in bytes, and the bytes of them all; a page each, so that vectors may be read."""
    starts, size = [], 0
    for tensor in tensors:
        starts.append(size)
        size += -(-max(1, tensor.nbytes) // mmap.PAGESIZE) * mmap.PAGESIZE
    return starts, max(size, mmap.PAGESIZE)


def _bytes(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().reshape(-1).view(torch.uint8).numpy()


def _shared(memory: mmap.mmap, start: int, tensor: torch.Tensor) -> np.ndarray:
    return np.ndarray(tensor.nbytes, np.uint8, memory, start)
