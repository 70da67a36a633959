# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules at random: other tiles, orders and lanes than the compiler's, all of them lawful."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

from streamtensor import paths

from fuzz import compiler

# Elements of one tile, and points computed at once: more would only make programs slow.
MOST_ELEMENTS, MOST_POINTS = 256, 64


def write_redrawn(entry: compiler.Compiled, source: Path, directory: Path) -> Path | None:
    """The schedule that the compiler makes of `source`, drawn anew; None where it makes none."""
    path = directory / "schedule.json"
    option = f"{entry.options.pipeline()} stop-after=decide write-schedule={path}"
    compiler.run([paths.find_tool("streamtensor-opt"), source, option, "-o", "/dev/null"], compiler.TIME_LIMIT)
    if not path.exists():
        return None
    schedule = json.loads(path.read_text())
    rng = random.Random(entry.program.seed ^ 0x71E)
    for operation in schedule["operations"]:
        redraw(operation, rng)
    path.write_text(json.dumps(schedule))
    return path


def redraw(operation: dict, rng: random.Random) -> None:
    """Draws one entry's choices; lanes grow along loops only that the compiler itself gave lanes."""
    extents = [int(loop.split()[1]) for loop in operation["loops"]]
    widened = [factor > 1 for factor in operation["unroll"]]
    tile, unroll = [], []
    for extent, may_widen in zip(extents, widened, strict=True):
        tile.append(_divisor(extent, MOST_ELEMENTS // math.prod(tile), rng))
        unroll.append(_divisor(tile[-1], MOST_POINTS // math.prod(unroll), rng) if may_widen else 1)
    order = list(range(len(extents)))
    rng.shuffle(order)
    operation.update(tile=tile, order=order, unroll=unroll)


def _divisor(number: int, most: int, rng: random.Random) -> int:
    return rng.choice([d for d in range(1, max(1, min(number, most)) + 1) if number % d == 0])
