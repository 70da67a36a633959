# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files of an output directory are ours: those of its list, as long as nobody has changed them.

`files.json` names every file that a compilation wrote, with digest, size and time. Whatever else lies in the directory
(a bitstream, notes, a trace) is the user's, and so is a file of the list once its contents are others.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

LIST = "files.json"


@dataclass(frozen=True)
class Contents:
    """The files of a directory by owner, as paths relative to it."""

    edited: list[str] = field(default_factory=list)  # ours once
    foreign: list[str] = field(default_factory=list)  # empty directories of the user's end with a slash
    is_listed: bool = True


def write_list(directory: Path) -> None:
    """Takes every file in `directory` for ours."""
    _save(directory, {name: _describe(directory / name) for name in _walk(directory) if not name.endswith("/")})


def add(path: Path) -> None:
    """Takes a file for ours that was written into a finished output, or into a design within one."""
    for directory in (path.parent, path.parent.parent):
        files = _load(directory)
        if files is not None:
            _save(directory, {**files, str(path.relative_to(directory)): _describe(path)})
            return


def examine(directory: Path, manifest: str) -> Contents:
    """What in `directory` is not ours. Without a list only the manifest is."""
    files = _load(directory)
    known = {manifest: None} if files is None else files
    edited, foreign = [], []
    for name in _walk(directory):
        if name not in known:
            foreign.append(name)
        elif known[name] is not None and not _is_unchanged(directory / name, known[name]):
            edited.append(name)
    return Contents(edited, foreign, files is not None)


def keep(names: Iterable[str], source: Path, target: Path) -> None:
    """Puts files of `source` also into `target`: as links, which cost nothing, or copies where links cannot be."""
    for name in names:
        path = target / name
        if name.endswith("/"):
            _make_directory(source, target, Path(name))
            continue
        _make_directory(source, target, Path(name).parent)
        try:
            os.link(source / name, path, follow_symlinks=False)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EEXIST):
                raise
            shutil.copy2(source / name, path, follow_symlinks=False)


def _make_directory(source: Path, target: Path, name: Path) -> None:
    """The directory `name` in `target`, and those above it, with the permissions that they have in `source`."""
    for part in [*reversed(name.parents), name]:
        if not (target / part).exists():
            (target / part).mkdir(parents=True)
            shutil.copymode(source / part, target / part)


def clashes(name: str, directory: Path) -> bool:
    """Whether `directory` holds something else where the file `name` would lie."""
    path = directory / name
    if os.path.lexists(path):
        return not (name.endswith("/") and path.is_dir())
    above = (directory / parent for parent in Path(name).parents)
    return any(os.path.lexists(parent) and not parent.is_dir() for parent in above)


def _walk(directory: Path) -> Iterator[str]:
    """Files and links below `directory`, and empty directories, sorted; not the list itself."""
    for folder, directories, files in os.walk(directory):
        directories.sort()
        place = Path(folder)
        links = [name for name in directories if (place / name).is_symlink()]
        for name in sorted(files + links):
            relative = str((place / name).relative_to(directory))
            if relative != LIST:
                yield relative
        if not files and not directories and place != directory:
            yield f"{place.relative_to(directory)}/"


def _describe(path: Path) -> dict:
    status = path.lstat()
    return {"sha256": _digest(path), "size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_unchanged(path: Path, entry: dict) -> bool:
    """By time and size; by contents where the time is another, as after a copy."""
    if path.is_symlink() or not path.is_file():
        return False
    status = path.stat()
    if status.st_size != entry["size"]:
        return False
    return status.st_mtime_ns == entry["mtime_ns"] or _digest(path) == entry["sha256"]


def _load(directory: Path) -> dict[str, dict] | None:
    try:
        files = json.loads((directory / LIST).read_text())["files"]
        return {name: {key: entry[key] for key in ("sha256", "size", "mtime_ns")} for name, entry in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _save(directory: Path, files: dict[str, dict]) -> None:
    work = directory / f".{LIST}.{os.getpid()}"
    try:
        work.write_text(json.dumps({"version": 1, "files": files}, indent=1) + "\n")
        os.replace(work, directory / LIST)
    finally:
        work.unlink(missing_ok=True)
