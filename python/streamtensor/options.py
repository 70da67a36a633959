# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user can choose about a compilation."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from streamtensor.errors import CompileError
from streamtensor.process import TIME_LIMIT

PHASES = ("import", "linalg", "tile", "kernel", "fuse", "pack", "materialise", "optimise", "stream", "size", "emit")


@dataclass(frozen=True)
class Options:
    """Options of a compilation.

    `tile_size` is the default tile of every dimension; a dimension that it does not divide takes its largest divisor
    below it. `unroll` is the total number of scalar multiply-add lanes; without it the device decides. `stop_after`
    ends the run after a phase. `time_limit` is in seconds, for each program that is run. `validate` executes the
    program before and after every pass on random arguments of seed `seed` and stops at a pass that changes a result.
    `compare` runs the finished design natively, on the example inputs and on others drawn with `seed`, and refuses it
    if PyTorch (for a FILE.mlir: the interpreter) finds something else. `force` compiles into an output whose own files
    were edited, keeping those beside it, and lets a run up to `stop_after` replace a complete design.
    """

    device: str = "u55c"
    tile_size: int = 16
    unroll: int | None = None
    stop_after: str | None = None
    time_limit: float = TIME_LIMIT
    validate: bool = False
    seed: int = 0
    compare: bool = True
    force: bool = False

    def __post_init__(self) -> None:
        _check_positive("tile_size", self.tile_size)
        if self.unroll is not None:
            _check_positive("unroll", self.unroll)
        if self.stop_after is not None and self.stop_after not in PHASES:
            raise CompileError(f"There is no phase '{self.stop_after}': stop_after is one of {', '.join(PHASES)}.")

    @property
    def emits(self) -> bool:
        """Whether the run reaches HLS C++."""
        return self.stop_after in (None, "emit")

    @property
    def stops_before_code(self) -> str | None:
        """The phase after which the run ends, if that is before HLS C++."""
        return None if self.emits else self.stop_after

    def to_json(self) -> dict:
        return asdict(self)


def _check_positive(name: str, value: int) -> None:
    if not isinstance(value, int) or value < 1:
        raise CompileError(f"{name} is {value!r}: it must be a whole number of at least 1.")
