# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A change of the compiler's source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class Moved(Exception):
    """The text that a mutant changes is not there exactly once: the source has moved on, and the mutant must follow."""


@dataclass(frozen=True)
class Edit:
    """`old`, which the file holds exactly once, becomes `new`."""

    file: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        if text.count(self.old) != 1:
            raise Moved(f"{self.file} holds {text.count(self.old)} times, not once:\n{self.old}")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Mutant:
    """`tests` are those that are asked first, by name (nearest.py)."""

    name: str
    edits: tuple[Edit, ...]
    tests: tuple[str, ...]

    @property
    def description(self) -> str:
        lines = [f"{edit.file}:\n  - {edit.old.strip()}\n  + {edit.new.strip() or '(nothing)'}" for edit in self.edits]
        return "\n".join(lines)

    @contextmanager
    def applied(self, root: Path) -> Iterator[None]:
        """The mutant in the sources below `root`; they are as before in the end, whatever happens."""
        texts = {edit.file: (root / edit.file).read_text() for edit in self.edits}
        changed = dict(texts)
        for edit in self.edits:
            changed[edit.file] = edit.applied(changed[edit.file])
        try:
            for file, text in changed.items():
                (root / file).write_text(text)
            yield
        finally:
            for file, text in texts.items():
                (root / file).write_text(text)
