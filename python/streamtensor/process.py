# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs other programs: always with a time limit, never leaving a child behind."""

from __future__ import annotations

import ctypes
import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from streamtensor.errors import TimeLimitError, ToolError

TIME_LIMIT = 600.0  # seconds, of each program, unless the options say otherwise

_C_LIBRARY = ctypes.CDLL(None)
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>


def _end_with_parent() -> None:
    """Runs in the child: whatever ends this process, be it SIGKILL, ends the child."""
    _C_LIBRARY.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


@dataclass(frozen=True)
class Outcome:
    """How a program ended."""

    command: tuple[str, ...]
    code: int
    stdout: str
    stderr: str

    @property
    def shell(self) -> str:
        """The command as it is typed."""
        return shlex.join(self.command)


MORE_TIME = "Give it more time with time_limit (--time-limit)."
AGAIN = "Run it again when the machine has less to do."


def run(command: Sequence[str | Path], time_limit: float, cwd: Path | None = None, remedy: str = MORE_TIME) -> Outcome:
    """Runs `command` to its end; raises ToolError if it cannot start, TimeLimitError after `time_limit` seconds.

    `remedy` is what helps against the latter: `AGAIN` where no option sets the limit.
    """
    words = tuple(_word(word) for word in command)
    child = start(
        words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace"
    )
    try:
        stdout, stderr = child.communicate(timeout=time_limit)
    except subprocess.TimeoutExpired as error:
        raise TimeLimitError(
            f"{Path(words[0]).name} did not end within {time_limit:g} seconds and was stopped. {remedy}"
        ) from error
    finally:
        stop(child)
    return Outcome(words, child.returncode, stdout, stderr)


def start(words: Sequence[str], **options: object) -> subprocess.Popen[str]:
    """A child that ends with this process; whoever starts it calls `stop`."""
    try:
        return subprocess.Popen(words, text=True, start_new_session=True, preexec_fn=_end_with_parent, **options)
    except OSError as error:
        raise ToolError(f"{words[0]} cannot be started: {error.strerror}.") from error


def describe_end(code: int) -> str:
    """How a child of that return code ended, in words."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def _word(word: str | Path) -> str:
    """No program takes a file for an option because of its name."""
    text = str(word)
    return f"./{text}" if isinstance(word, Path) and text.startswith("-") else text


def stop(child: subprocess.Popen) -> None:
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
