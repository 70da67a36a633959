# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What may change in a schedule: a parameter for each tile, each factor of lanes and each place in an order."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution

from streamtensor.errors import RunError


@dataclass(frozen=True)
class Space:
    """The schedules of one program. `vector` keeps what the file says: it follows from the lanes where that is null.

    Every assignment is a lawful schedule: tiles are divisors of their loop's extent, lanes the greatest divisor that
    they share with their tile, loops are ordered by their ranks.
    """

    schedule: dict

    @staticmethod
    def read(path: Path) -> Space:
        """The space around a schedule that a compilation wrote."""
        try:
            schedule = json.loads(path.read_text())
            is_old = any("lane_loops" not in operation for operation in schedule["operations"])
            space = Space(schedule)
            if not is_old and space.apply(space.start) and schedule["program"] and schedule["device"]:
                return space
        except (ValueError, LookupError, TypeError, AttributeError):
            raise RunError(f"{path} is not the schedule that a compilation wrote: compile again.") from None
        raise RunError(f"{path} is of an earlier version and does not say where lanes may be: compile again.")

    @property
    def distributions(self) -> dict[str, BaseDistribution]:
        """What each parameter may be; loops of extent 1 have none."""
        found: dict[str, BaseDistribution] = {}
        for index, operation in enumerate(self.schedule["operations"]):
            extents = extents_of(operation)
            long = [loop for loop, extent in enumerate(extents) if extent > 1]
            for loop in long:
                divisors = CategoricalDistribution(_divisors(extents[loop]))
                found[f"{index}.tile.{loop}"] = divisors
                if loop in operation["lane_loops"]:
                    found[f"{index}.unroll.{loop}"] = divisors
                if len(long) > 1:
                    found[f"{index}.rank.{loop}"] = IntDistribution(0, len(extents) - 1)
        return found

    @property
    def start(self) -> dict[str, int]:
        """The parameters of the schedule itself."""
        values = {}
        for name in self.distributions:
            index, field, loop = _parts(name)
            operation = self.schedule["operations"][index]
            values[name] = operation["order"].index(loop) if field == "rank" else operation[field][loop]
        return values

    def apply(self, values: Mapping[str, int]) -> dict:
        """The schedule with these parameters; what they leave out stays."""
        schedule = copy.deepcopy(self.schedule)
        ranks = [{loop: rank for rank, loop in enumerate(op["order"])} for op in schedule["operations"]]
        for name, value in values.items():
            index, field, loop = _parts(name)
            if field == "rank":
                ranks[index][loop] = value
            else:
                schedule["operations"][index][field][loop] = value
        for operation, rank in zip(schedule["operations"], ranks, strict=True):
            operation["order"] = sorted(operation["order"], key=lambda loop: (rank[loop], loop))
            operation["unroll"] = list(map(math.gcd, operation["unroll"], operation["tile"]))
        return schedule

    def operation_of(self, name: str) -> int:
        """The operation that a parameter belongs to."""
        return _parts(name)[0]


def extents_of(operation: dict) -> list[int]:
    return [int(loop.split()[1]) for loop in operation["loops"]]


def _parts(name: str) -> tuple[int, str, int]:
    index, field, loop = name.split(".")
    return int(index), field, int(loop)


def _divisors(number: int) -> list[int]:
    return [d for d in range(1, number + 1) if number % d == 0]
