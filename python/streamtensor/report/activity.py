# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each task does in each part of a run, small enough for a page."""

from __future__ import annotations

PARTS = 1024  # of a run, at most
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
STALLS = ("input_stall", "output_stall", "memory_stall")


def encode(task: dict, part_cycles: int) -> dict[str, str]:
    """For each kind of waiting a digit a part: 0 for none of its cycles, z for all of them."""
    return {kind: _digits(task["activity"].get(kind, ()), part_cycles) for kind in STALLS}


def _digits(cycles: list[int], part_cycles: int) -> str:
    last = len(DIGITS) - 1
    return "".join(DIGITS[min(last, round(last * each / part_cycles))] for each in cycles)
