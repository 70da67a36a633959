# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the cycles of a task go, as the simulator counted them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One use of a task's cycles: the name of its column, and its colour."""

    key: str
    title: str
    colour: str
    meaning: str


KINDS = (
    Kind("before", "before", "#f0f2f4", "waiting for its first token or block"),
    Kind("busy", "busy", "#2a78d6", "iterations, each at the task's interval"),
    Kind("input", "input wait", "#f3cf7a", "waiting for a token or a full block, after the first iteration"),
    Kind("output", "output wait", "#d8442f", "waiting for a free slot or block"),
    Kind("memory", "memory wait", "#4a3aa7", "waiting for a channel of external memory"),
    Kind("other", "other", "#9aa4ae", "filling and draining the pipeline, swaps of blocks, gaps between bursts"),
    Kind("after", "after", "#f0f2f4", "done, while others still run"),
)


def break_down(task: dict, cycles: int) -> dict[str, int]:
    """The cycles of a task in a launch of `cycles`, by kind."""
    found = {
        "before": task["start_stall"],
        "busy": task["busy"],
        "input": task["input_stall"] - task["start_stall"],
        "output": task["output_stall"],
        "memory": task["memory_stall"],
        "after": cycles - task["end"],
    }
    # An interval longer than the pipeline ends behind the task's last iteration.
    found["other"] = max(0, cycles - sum(found.values()))
    return {kind.key: found[kind.key] for kind in KINDS}
