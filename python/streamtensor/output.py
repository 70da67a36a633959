# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Output directories that appear whole or not at all, and lose nothing that is not ours.

A compilation writes beside its destination and is renamed at the end, so that a failure, an interrupt or a full disk
leaves a previous good output as it was. What the user put into the previous output stays where it is.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from safetensors import SafetensorError

from streamtensor import diagnostics, ownership
from streamtensor.errors import CompileError, Error, NoSpaceError, RunError

MANIFEST = "design.json"
CODE = "interface.json"  # what a compilation up to an earlier phase lacks
_SHOWN = 5


def check(destination: str | Path, force: bool = False, stop_after: str | None = None) -> None:
    """Refuses a destination whose contents would be lost, or that cannot be written.

    `stop_after` names the phase of a design without code.
    """
    destination = _real(destination)
    _check_place(destination)
    if destination.exists():
        with _locked(destination.parent):  # nobody exchanges it meanwhile
            _check(destination, force, stop_after)


def _check_place(destination: Path) -> None:
    """Another directory takes the place of the one that is there: who works in it would be left in the old one."""
    if Path.cwd().resolve().is_relative_to(destination.resolve()):
        raise CompileError(
            f"The output directory '{destination}' is the current directory or holds it, and a compilation puts "
            "another one in its place. Choose a directory of its own with -o, as in -o out, or compile from elsewhere."
        )
    parent = next(folder for folder in destination.parents if folder.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        reason = "cannot be written" if parent.is_dir() else "is no directory"
        raise CompileError(
            f"The output directory '{destination}' cannot be made: '{parent}' {reason}. Choose another one with -o."
        )


def _check(destination: Path, force: bool, stop_after: str | None) -> None:
    if not destination.exists():
        return
    if not destination.is_dir():
        raise CompileError(f"The output '{destination}' is a file: choose a directory with -o.")
    if not (destination / MANIFEST).exists():
        if any(destination.iterdir()):
            raise CompileError(
                f"The output directory '{destination}' holds something that is not a design. Choose an empty or new "
                "directory with -o."
            )
        return
    if not force:
        _check_design(destination, stop_after)


def _check_design(destination: Path, stop_after: str | None) -> None:
    if stop_after is not None and (destination / CODE).exists():
        raise CompileError(
            f"The output '{destination}' holds a complete design, which --stop-after {stop_after} would replace by IR "
            "alone. Choose another directory with -o, or replace it with --force (force=True)."
        )
    contents = ownership.examine(destination, MANIFEST)
    kept = f"what it replaces is then kept in '{_replaced(destination)}'"
    if contents.edited:
        raise CompileError(
            f"{_spell(contents.edited)} in '{destination}' changed after the compilation that wrote it, and "
            f"compiling would replace it. Choose another directory with -o, or compile with --force (force=True): "
            f"{kept}."
        )
    if contents.foreign and not contents.is_listed:
        raise CompileError(
            f"The design in '{destination}' has no list of its files ({ownership.LIST}), so that yours cannot be told "
            f"apart. Choose another directory with -o, or compile with --force (force=True): {kept}."
        )


def _spell(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"'{name}'" for name in names[:_SHOWN]) + more


@contextmanager
def replacing(destination: str | Path, force: bool = False, stop_after: str | None = None) -> Iterator[Path]:
    """Gives a fresh directory that takes the place of `destination` if the block ends without an exception.

    Files of the previous output that are not ours stay. With `force`, those of ours that were edited, and those that
    the new output has as well, are kept beside it.
    """
    destination = _real(destination)
    check(destination, force, stop_after)
    work = _make_beside(destination)
    try:
        yield work
        ownership.write_list(work)
        with _locked(destination.parent):
            _check(destination, force, stop_after)  # another compilation may have ended meanwhile
            _put(work, destination, force)
    except NoSpaceError as error:  # of a tool, which knows the working directory only
        raise diagnostics.no_space(destination.parent) from error
    except (OSError, SafetensorError) as error:
        if diagnostics.is_of_full_disk(error):
            raise diagnostics.no_space(destination.parent) from error
        raise
    finally:
        _remove(work)


@contextmanager
def scratch(destination: str | Path) -> Iterator[Path]:
    """A directory beside `destination`, on the same disk, for the time of the block."""
    work = _make_beside(_real(destination))
    try:
        yield work
    finally:
        _remove(work)


def _real(destination: str | Path) -> Path:
    """Where the files lie: a link to a directory stays a link."""
    path = Path(destination).absolute()
    try:
        return path.resolve() if path.is_symlink() or ".." in path.parts else path
    except (OSError, RuntimeError) as error:
        raise CompileError(
            f"The output directory '{path}' cannot be made: it is a link that leads to itself. Choose another one with "
            "-o, or remove the link."
        ) from error


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """One compilation at a time puts its output into `directory`."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):  # file systems without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _put(work: Path, destination: Path, force: bool) -> None:
    """Adds what is not ours to `work` and puts it in place; the previous output is complete until then."""
    if not destination.exists():
        work.chmod(0o755)
        work.rename(destination)
        return
    contents = ownership.examine(destination, MANIFEST)
    clashing = [name for name in contents.foreign if ownership.clashes(name, work)]
    if clashing and not force:
        raise CompileError(
            f"The design has files of its own for {_spell(clashing)}, which '{destination}' holds as yours. Move them "
            f"away, or compile with --force (force=True): they are then kept in '{_replaced(destination)}'."
        )
    ownership.keep([name for name in contents.foreign if name not in clashing], destination, work)
    saved = _save_replaced([*contents.edited, *clashing], destination)
    try:
        work.chmod(destination.stat().st_mode)
        _exchange(work, destination)
    except BaseException:
        if saved:
            shutil.rmtree(saved, ignore_errors=True)
        raise
    late = [name for name in ownership.examine(work, MANIFEST).foreign if not ownership.clashes(name, destination)]
    ownership.keep([name for name in late if name not in contents.foreign], work, destination)


def _save_replaced(names: list[str], destination: Path) -> Path | None:
    if not names:
        return None
    saved = _replaced(destination)
    ownership.keep(names, destination, saved)
    return saved


def _replaced(destination: Path) -> Path:
    """A new directory for what --force replaces."""
    path, number = destination.with_name(f"{destination.name}-replaced"), 1
    while os.path.lexists(path):
        number += 1
        path = destination.with_name(f"{destination.name}-replaced-{number}")
    return path


def _remove(work: Path) -> None:
    """Removes a directory, even where a part of it is read-only."""
    for folder, _, _ in os.walk(work):
        os.chmod(folder, 0o700)
    shutil.rmtree(work, ignore_errors=True)


def empty(directory: Path) -> None:
    """Removes what a directory holds."""
    for entry in directory.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _make_beside(destination: Path) -> Path:
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{destination.name}.", dir=destination.parent))
    except OSError as error:
        if diagnostics.is_of_full_disk(error):
            raise diagnostics.no_space(destination.parent) from error
        raise Error(f"The output directory '{destination}' cannot be made: {error.strerror}.") from error


def _exchange(work: Path, destination: Path) -> None:
    """Puts `work` in the place of `destination`; what was there before is in `work` afterwards."""
    if not _rename_exchange(work, destination):
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


def check_file(path: Path) -> None:
    """Refuses a file to be written whose place a directory, a device or a pipe has."""
    if path.exists() and not path.is_file():
        raise RunError(f"{path} cannot be written: it is no regular file. Name one, or a new one.")


def write_file(path: Path, text: str) -> None:
    """Writes a file so that readers see the old or the new text, never a part."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
        ownership.add(path)
    except OSError as error:
        if diagnostics.is_of_full_disk(error):
            raise diagnostics.no_space(path.parent, "move the design to another disk") from error
        if path.is_dir():
            raise Error(f"{path} cannot be written: it is a directory. Move it away.") from error
        raise
    finally:
        if os.path.exists(name):
            os.unlink(name)
