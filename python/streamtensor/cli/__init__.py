# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `streamtensor`."""

from __future__ import annotations

import signal
import sys

import typer

from streamtensor.errors import Error

DONE, FAULT, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 1 the input is at fault, 2 usage, 130 interrupted."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    terminated = _watch_terminations()
    interrupted = _watch_interrupts()
    try:
        from streamtensor.cli.commands import app

        command = typer.main.get_command(app)
        code = int(command.main(arguments, prog_name="streamtensor", standalone_mode=False) or DONE)
        return _interruption() if code == INTERRUPTED else code
    except Error as error:
        if interrupted:
            return _interruption()
        print(f"streamtensor: {error}", file=sys.stderr)
        return FAULT
    except (KeyboardInterrupt, *_aborts()):
        return _interruption()
    except _usage_error() as error:
        error.show()
        return USAGE
    except Exception:
        # A library caught Ctrl-C or the end, as imports do, and failed for want of what it broke off.
        if terminated:
            return terminated[0]
        if not interrupted:
            raise
        return _interruption()


def _watch_terminations() -> list[int]:
    """SIGTERM unwinds like an exception, so that nothing half-written stays; the code that it asks for is noted."""
    codes: list[int] = []

    def end(number: int, frame: object) -> None:
        codes.append(128 + number)
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    return codes


def _watch_interrupts() -> list[int]:
    """Notes each Ctrl-C before it unwinds; a shell's background jobs go on ignoring it."""
    seen: list[int] = []

    def note(number: int, frame: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    return seen


def _interruption() -> int:
    print("streamtensor: interrupted; nothing was changed.", file=sys.stderr)
    return INTERRUPTED


def _aborts() -> tuple[type[BaseException], ...]:
    return (typer.Abort,)


def _usage_error() -> type[Exception]:
    """The base of `no such option` and the like, wherever typer keeps its click."""
    return next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")
