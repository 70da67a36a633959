# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the diagnostics of the MLIR tools to one paragraph for the user."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from pathlib import Path

from safetensors import SafetensorError

from streamtensor import process
from streamtensor.errors import CapacityError, CompileError, CrashedToolError, Error, NoSpaceError

_ENTRY = re.compile(
    r"^(?:(?P<place>loc\(.*?\)|[^\s:][^:\n]*:\d+:\d+|<[^>]+>:\d+(?::\d+)?): )?"
    r"(?P<kind>error|warning|note): (?P<text>.*)$"
)
_NAMED = re.compile(r'loc\("([^"]+)"\((?:"([^"]+)":(\d+)|[^)]*)')
_PLACE = re.compile(r"^(?P<file>.*):(?P<line>\d+):(?P<column>\d+)$")
NO_SPACE = "No space left on device"


@dataclass(frozen=True)
class Diagnostic:
    """One error of a tool: its text, the module path and the source line if known, and its notes."""

    text: str
    module: str
    line: str
    notes: tuple[str, ...]

    def paragraph(self) -> str:
        where = f" in module '{self.module}'" if self.module else ""
        where += f" ({self.line})" if self.line else ""
        text = self.text[:1].upper() + self.text[1:] if where == "" else self.text
        parts = [f"Error{where}: {text}" if where else text, *self.notes]
        return " ".join(part if part.endswith((".", "!", "?")) else part + "." for part in parts)


def parse(stderr: str) -> list[Diagnostic]:
    """The errors in a tool's output, in order."""
    found: list[Diagnostic] = []
    entries = [(m, rest) for m, rest in _entries(stderr)]
    index = 0
    while index < len(entries):
        match, _ = entries[index]
        index += 1
        if match["kind"] != "error":
            continue
        notes = []
        while index < len(entries) and entries[index][0]["kind"] == "note":
            notes.append((entries[index][0]["text"], entries[index][1]))
            index += 1
        found.append(_diagnostic(match, notes))
    return found


def warnings(stderr: str) -> list[str]:
    """What a tool that succeeded has to say."""
    return [match["text"].strip() for match, _ in _entries(stderr) if match["kind"] == "warning"]


def _entries(stderr: str):
    """Each head line with the lines that follow it."""
    head, body = None, []
    for line in stderr.splitlines():
        match = _ENTRY.match(line)
        if match:
            if head:
                yield head, "\n".join(body)
            head, body = match, []
        elif head:
            body.append(line)
    if head:
        yield head, "\n".join(body)


def _diagnostic(match: re.Match, notes: list[tuple[str, str]]) -> Diagnostic:
    module, line = _location(match["place"] or "")
    kept = []
    for text, body in notes:
        if not text.startswith("see current operation"):
            kept.append(text)
            continue
        named = _NAMED.findall(f"{text}\n{body}")
        if named and not module:
            module = named[-1][0]
    return Diagnostic(match["text"].strip(), module, line, tuple(kept))


def _location(place: str) -> tuple[str, str]:
    named = _NAMED.search(place)
    if named:
        return named.group(1), f"{named.group(2)}:{named.group(3)}" if named.group(2) else ""
    plain = _PLACE.match(place)
    return "", f"{plain['file']}:{plain['line']}" if plain else ""


def check(outcome: process.Outcome, source: Path, name: str) -> None:
    """Raises the error that `outcome` reports, if it failed. `name` stands for `source` in the message."""
    if outcome.code == 0:
        return
    tool = Path(outcome.command[0]).name
    if NO_SPACE in outcome.stderr:
        raise no_space(source.parent)
    if outcome.code < 0:
        raise CrashedToolError(
            f"{tool} crashed (signal {-outcome.code}) on {name}. This is a defect of StreamTensor; reproduce it with "
            f"`{outcome.shell}`."
        )
    found = parse(outcome.stderr)
    if not found:
        last = outcome.stderr.strip().splitlines()[-1:] or ["it gave no reason"]
        raise CompileError(f"{tool} failed on {name}: {last[0]}")
    paragraph = found[0].paragraph().replace(str(source), name)
    raise _error(found[0], paragraph)


def _error(diagnostic: Diagnostic, paragraph: str) -> Error:
    if not re.search(r"bytes does not fit on |more than the device has on chip", diagnostic.text):
        return CompileError(paragraph)
    over = re.findall(r"; (\w+) ([\d,]+) of [\d,]+ that can be placed", diagnostic.text)
    return CapacityError(paragraph, {name: float(used.replace(",", "")) for name, used in over})


def is_of_full_disk(error: OSError | SafetensorError) -> bool:
    if isinstance(error, SafetensorError):
        return NO_SPACE in str(error)
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def no_space(directory: Path | str, remedy: str = "choose another output directory with -o") -> NoSpaceError:
    return NoSpaceError(
        f"No space left on the disk that holds {directory}: nothing was changed there. Free some space, or {remedy}."
    )
