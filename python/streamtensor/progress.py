# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress of long work: a bar on a terminal, plain lines elsewhere, silence in a library call."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Progress:
    """Tells nobody. `stage` wraps a step that has a name, `advance` counts within it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[None]:
        start = time.monotonic()
        self._begin(name, total)
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
        self._end(name, self.seconds[name])

    def advance(self, text: str = "") -> None:
        """One of `total` is done."""

    def warn(self, text: str) -> None:
        """Something that the user should know, though the work goes on."""

    def _begin(self, name: str, total: int | None) -> None:
        pass

    def _end(self, name: str, seconds: float) -> None:
        pass

    def close(self) -> None:
        pass


class Keeping(Progress):
    """Tells another of warnings, and keeps them."""

    def __init__(self, other: Progress) -> None:
        super().__init__()
        self._other, self.warnings = other, []

    def warn(self, text: str) -> None:
        self.warnings.append(text)
        self._other.warn(text)


class Lines(Progress):
    """One line when a stage ends."""

    def __init__(self, stream=None) -> None:
        super().__init__()
        self._stream = stream or sys.stderr

    def advance(self, text: str = "") -> None:
        if text:
            print(f"  {text}", file=self._stream, flush=True)

    def warn(self, text: str) -> None:
        print(f"warning: {text}", file=self._stream, flush=True)

    def _end(self, name: str, seconds: float) -> None:
        print(f"{name}: {seconds:.1f} s", file=self._stream, flush=True)


class Bar(Progress):
    """A rich progress bar on standard error."""

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._rich = RichProgress(*columns, console=Console(stderr=True))
        self._rich.start()
        self._task = None

    def _begin(self, name: str, total: int | None) -> None:
        self._task = self._rich.add_task(name, total=total)

    def advance(self, text: str = "") -> None:
        if self._task is None:
            return
        self._rich.advance(self._task)
        if text:
            self._rich.update(self._task, description=text)

    def warn(self, text: str) -> None:
        self._rich.console.print(f"warning: {text}", markup=False)

    def _end(self, name: str, seconds: float) -> None:
        self._rich.update(self._task, total=1, completed=1)

    def close(self) -> None:
        self._rich.stop()


def for_stderr() -> Progress:
    return Bar() if sys.stderr.isatty() else Lines()


def quiet_libraries() -> None:
    """Other libraries' notices and bars are not this program's output."""
    os.environ.setdefault("TQDM_DISABLE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    logging.getLogger("torch").setLevel(logging.ERROR)
    # Of torchao, as it is imported; torch sets the level of its own logger anew.
    logging.getLogger("torch.utils._pytree").setLevel(logging.ERROR)
