# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is kept of a design, as lines that a reader can compare."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import harness

from golden.designs import Golden

RESULTS = Path(__file__).parent / "results"
# Where something stands in the user's source; what the device file says; what follows from the figures kept.
FROM_THE_DEVICE = {"card", "device", "clock_mhz", "available", "placeable", "wires"}
LEFT_OUT = {"line", "module", *FROM_THE_DEVICE, "seconds", "utilisation"}
STALLS = {"input_stall", "output_stall", "memory_stall"}
# Of another launch of the same design.
OF_A_LAUNCH = {"cycles", "tasks", "channels", "name", "start", "end", "busy", *STALLS}
# Of a design with a port of twice the bits.
OF_A_QUESTION = {"cycles", "channels", "name", "busy", "what_if", "busiest_tasks", "share", "critical_fifos", "notes"}
# Of the link configuration: where kernels and ports lie.
LINKS = ("sp=", "slr=")
_FUNCTION = re.compile(r"^(?:static )?[\w:<>]+ (\w+)\(.*?^}$", re.MULTILINE | re.DOTALL)


def record(golden: Golden, directory: Path) -> dict[str, str]:
    """The texts by file name."""
    sized = golden.build(directory)
    emitted = directory / "emitted"
    harness.translate(sized, emitted).succeed(golden.name)
    sizings = ["--fifo-losses=0,0.1"] if golden.sizings else []
    outcome = harness.simulate(sized, "--advise", "--activity=8", *sizings)
    figures = [*_figures(outcome, set())]
    if golden.sizings and outcome.code == 0:
        for name in sorted({port["interface"] for port in json.loads(outcome.stdout)["ports"]}):
            question = f"port {name} bits=x2"
            figures += [question, *_figures(harness.simulate(sized, f"--what-if={question}"), OF_A_QUESTION)]
    if golden.scalars:
        given = (f"--scalar={scalar}" for scalar in golden.scalars)
        figures += [f"launch {' '.join(golden.scalars)}", *_figures(harness.simulate(sized, *given), OF_A_LAUNCH)]
    for path in sorted((emitted / "vitis").glob("*.cfg")):
        figures += [f"{path.name}: {line}" for line in path.read_text().splitlines() if line.startswith(LINKS)]
    sources = [path for path in sorted((emitted / "hls").glob("*.cpp")) if path.name != "testbench.cpp"]
    texts = {}
    if golden.whole_source:
        texts = {f"{golden.name}.cpp": "\n".join(path.read_text() for path in sources)}
    else:
        figures += [line for path in sources for line in _digests(path.read_text())]
    return {f"{golden.name}.txt": "\n".join(figures) + "\n", **texts}


def _figures(outcome: harness.Outcome, wanted: set[str]) -> Iterator[str]:
    """A line for each figure, task, FIFO, port …; a simulation that fails says why."""
    if outcome.code != 0:
        said = re.sub(r"\S*/", "", outcome.stderr.strip())
        yield f"fails with {outcome.code}: {said}"
        return
    for key, value in _kept(json.loads(outcome.stdout), wanted).items():
        for entry in value if isinstance(value, list) else [value]:
            words = entry.items() if isinstance(entry, dict) else [("", entry)]
            yield " ".join([key, *(f"{name}={_text(word)}".removeprefix("=") for name, word in words)])


def _kept(value: object, wanted: set[str]) -> object:
    """Without what is left out and what is nothing: 0, false, empty; only what is wanted, if something is."""
    if isinstance(value, dict):
        some = {k: _kept(v, wanted) for k, v in value.items() if k not in LEFT_OUT and (not wanted or k in wanted)}
        return {k: v for k, v in some.items() if v}
    return [_kept(entry, wanted) for entry in value] if isinstance(value, list) else value


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _digests(source: str) -> Iterator[str]:
    rest = source
    for match in _FUNCTION.finditer(source):
        rest = rest.replace(match[0], "", 1)
        yield f"function {match[1]}: {_digest(match[0])}"
    yield f"around them: {_digest(rest)}"


def _digest(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//")]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return f"{len(lines)} lines {digest[:16]}"
