# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Output directories that appear whole or not at all.

A compilation writes beside its destination and is renamed at the end, so that a failure, an interrupt or a full disk
leaves a previous good output as it was.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamtensor import diagnostics
from streamtensor.errors import CompileError, Error, NoSpaceError

MANIFEST = "design.json"


@contextmanager
def replacing(destination: str | Path) -> Iterator[Path]:
    """Gives a fresh directory that takes the place of `destination` if the block ends without an exception."""
    destination = Path(destination).absolute()
    _check_destination(destination)
    work = _make_beside(destination)
    try:
        yield work
        work.chmod(0o755)
        _exchange(work, destination)
    except NoSpaceError as error:  # of a tool, which knows the working directory only
        raise diagnostics.no_space(destination.parent) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise diagnostics.no_space(destination.parent) from error
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _check_destination(destination: Path) -> None:
    if not destination.exists():
        return
    if not destination.is_dir():
        raise CompileError(f"The output '{destination}' is a file: choose a directory with -o.")
    if any(destination.iterdir()) and not (destination / MANIFEST).exists():
        raise CompileError(
            f"The output directory '{destination}' holds something that is not a design: it would be replaced. Choose "
            "an empty or new directory with -o."
        )


def _make_beside(destination: Path) -> Path:
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{destination.name}.", dir=destination.parent))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise diagnostics.no_space(destination.parent) from error
        raise Error(f"The output directory '{destination}' cannot be made: {error.strerror}.") from error


def _exchange(work: Path, destination: Path) -> None:
    """Puts `work` in the place of `destination`; what was there before is in `work` afterwards."""
    if not destination.exists():
        work.rename(destination)
    elif not _rename_exchange(work, destination):
        old = work.with_name(work.name + ".old")
        destination.rename(old)
        work.rename(destination)
        shutil.rmtree(old, ignore_errors=True)


def _rename_exchange(first: Path, second: Path) -> bool:
    """renameat2 with RENAME_EXCHANGE: one step, where the system has it."""
    at_fdcwd, exchange = -100, 2
    try:
        renameat2 = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    return renameat2(at_fdcwd, os.fsencode(first), at_fdcwd, os.fsencode(second), exchange) == 0


def write_file(path: Path, text: str) -> None:
    """Writes a file so that readers see the old or the new text, never a part."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise diagnostics.no_space(path.parent, "move the design to another disk") from error
        raise
    finally:
        if os.path.exists(name):
            os.unlink(name)
