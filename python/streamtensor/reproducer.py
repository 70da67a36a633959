# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a comparison that failed leaves beside the output: the refused design, what it was given, expected and found.

    python -m streamtensor.reproducer OUT-compare

runs the design on the same arguments again and compares; the code is 1 while it differs or crashes.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import torch

from streamtensor import comparison, launches, process
from streamtensor.design import Design
from streamtensor.errors import CrashedToolError, Error, UnfitError
from streamtensor.memory import apart

VALUES = "values.safetensors"
_NOTE = """{message}

design/             the design that was refused: its source is design/ir/00-source.mlir, its code is in design/hls/
values.safetensors  arg0, … in the order of the program's arguments, scalar.NAME, expected0, … and, if it ended,
                    found0, …

To run it again:

    {command}
"""


def leave(work: Path, place: Path, error: UnfitError) -> str:
    """Moves the design in `work` into a reproducer at `place`; says where it is, or why there is none."""
    from safetensors.torch import save_file

    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        try:
            save_file(apart(error.values), folder / VALUES)
            (folder / "README.txt").write_text(_NOTE.format(message=error, command=_command(place)))
            shutil.move(work, folder / "design")
            for directory in (folder, folder / "design"):
                directory.chmod(0o755)
            place = _put(folder, place)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as problem:
        return f"The reproducer could not be written ({problem.strerror})."
    return f"The reproducer is in '{place}': `{_command(place)}` repeats the run."


def _command(place: Path) -> str:
    return shlex.join(["python", "-m", "streamtensor.reproducer", str(place)])


def keep(work: Path, place: Path, error: CrashedToolError) -> CrashedToolError:
    """Moves what a program crashed on from `work` to `place`, and gives the error that names it there."""
    try:
        place = _free(place)
        shutil.move(work, place)
        place.chmod(0o755)
    except OSError as problem:
        return CrashedToolError(f"{error} Its files could not be kept ({problem.strerror}).")
    return CrashedToolError(str(error).replace(str(work), str(place)))


def _put(folder: Path, place: Path) -> Path:
    """A reproducer takes the place of an older one; what is not one stays."""
    if place.is_dir() and (place / VALUES).exists() and (place / "design").is_dir():
        shutil.rmtree(place)
    return folder.rename(_free(place))


def _free(place: Path) -> Path:
    """`place`, or one beside it where something lies there."""
    number = 1
    chosen = place
    while os.path.lexists(chosen):
        number += 1
        chosen = place.with_name(f"{place.name}-{number}")
    return chosen


def repeat(directory: Path) -> str | None:
    """What differs when the refused design runs again, in words; raises RunError where it crashes again."""
    from safetensors.torch import load_file

    values = load_file(directory / VALUES)
    interface = Design(directory / "design").interface
    with launches.Apart(process.TIME_LIMIT) as launch:
        found = comparison.run(interface, _numbered(values, "arg"), launch, comparison.scalars_of(values))
    program = (directory / "design" / "ir" / "00-source.mlir").read_text()
    return comparison.first_difference(found, _numbered(values, "expected"), program)


def _numbered(values: dict[str, torch.Tensor], name: str) -> list[torch.Tensor]:
    count = sum(key.rstrip("0123456789") == name for key in values)
    return [values[f"{name}{index}"] for index in range(count)]


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not (Path(arguments[0]) / VALUES).exists():
        print("usage: python -m streamtensor.reproducer OUT-compare", file=sys.stderr)
        return 2
    try:
        difference = repeat(Path(arguments[0]))
    except Error as error:
        print(f"{error}")
        return 1
    print(f"The results differ: {difference}." if difference else "The results agree.")
    return int(bool(difference))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
