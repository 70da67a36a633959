# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What to change so that a design fits its device: advice that was compiled before it is given.

Where the device decides on lanes, fewer of them are compiled before that is an error, and then what the advice would
be. There, too, fewer lanes come first: the largest `unroll` that fits is bisected, so that the next one is known not to
fit. Where not even one lane fits, other tile sizes are tried, smaller ones first. All of it ends after a stated time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from streamtensor.errors import CapacityError, EngineError, Error, TimeLimitError
from streamtensor.options import Options
from streamtensor.progress import Progress

LIMIT_SECONDS = 60.0
LANE_SHARES = (95, 90, 85, 80, 70, 60, 50, 40)  # percent of the lanes that the device decides on, in turn
_MOST_LANES = 2**14  # no device has room for more
_LARGEST_TILE = 64

Built = TypeVar("Built")
# Compiles with (tile_size, unroll) within so many seconds; CapacityError where that does not fit.
Attempt = Callable[[int, int, float], None]


@contextmanager
def advising(attempt: Attempt, options: Options, progress: Progress, limit: float) -> Iterator[None]:
    """Adds to a CapacityError of the block what fits instead; `fits` says it where the user has stated no lanes."""
    try:
        yield
    except CapacityError as error:
        if options.schedule is not None:
            raise CapacityError(f"{error} {_advise_edit(options)}", error.needs) from error
        search = _Search(attempt, options, progress, limit)
        with progress.stage("fit"):
            advice = search.advise(error)
        raise CapacityError(f"{error} {advice}", error.needs, search.found if decides(options) else {}) from error


def decides(options: Options) -> bool:
    """Does the device decide on lanes, however few?"""
    return options.unroll is None and options.lane_share is None and options.schedule is None


def build_fitting(
    build: Callable[[Options], Built], options: Options, progress: Progress, decide: Callable[[Options], object]
) -> Built:
    """What `build` makes of `options`; where the device decides on lanes and they do not fit, with fewer of them.

    Contractions that were to share multipliers and cannot all get lanes for multipliers of their own. `decide` gives
    the choices that `build` follows, in a fraction of its time: lanes come in steps, and a share that leads to those of
    the one before is not compiled. Where not even the fewest fit, contractions that share multipliers get their own.
    Raises the CapacityError of `options` if nothing fits.
    """
    arrays = replace(options, engines=False)
    try:
        return build(options)
    except EngineError as error:
        progress.warn(f"{error} Compiling with multipliers of its own for each contraction.")
        return build_fitting(build, arrays, progress, decide)
    except CapacityError as error:
        refused, first = error, error
    if options.schedule is not None:
        raise first
    known = chosen = decide(options)
    for share in LANE_SHARES if decides(options) else ():
        fewer = replace(options, lane_share=share)
        before, known = known, decide(fewer)
        if known == before:
            continue
        needs = f" ({_spell(refused.needs)})" if refused.needs else ""
        progress.warn(f"The lanes that the device decides on do not fit{needs}: compiling with {share} % of them.")
        try:
            return build(fewer)
        except EngineError:
            return build_fitting(build, arrays, progress, decide)
        except CapacityError as error:
            refused = error
    if options.engines and decide(arrays) != chosen:
        progress.warn("Shared multipliers do not fit: compiling with multipliers of its own for each contraction.")
        try:
            return build(arrays)
        except CapacityError:
            pass
    raise first


def _spell(needs: dict[str, float]) -> str:
    return ", ".join(f"{name} {amount:,.0f}" for name, amount in needs.items())


def _advise_edit(options: Options) -> str:
    """Lanes and tiles are in the user's own file: what they could be for all operations at once does not apply."""
    return (
        f"Lower 'unroll', or 'tile', of the operations that take most in {options.schedule.name}, or compile without a "
        "schedule to be told what fits."
    )


def _join(sizes: list[int]) -> str:
    *most, last = map(str, sizes)
    return f"{', '.join(most)} or {last}" if most else last


@dataclass
class _Search:
    attempt: Attempt
    options: Options
    progress: Progress
    limit: float
    tried: dict[tuple[int, int], Error | None] = field(default_factory=dict)  # None: it fits
    timed_out: bool = False
    found: dict[str, int] = field(default_factory=dict)  # options with which it fits

    def __post_init__(self) -> None:
        self._deadline = time.monotonic() + self.limit

    def advise(self, error: CapacityError) -> str:
        if self.options.unroll is not None:
            self.tried[self.options.tile_size, self.options.unroll] = error
        for tile_size in self._tile_sizes():
            if self._fits(tile_size, 1):
                return self._advise_lanes(tile_size)
        return self._admit()

    def _tile_sizes(self) -> list[int]:
        """The chosen one, its halves down to 1, then its doubles."""
        chosen = self.options.tile_size
        smaller = [chosen >> shift for shift in range(1, chosen.bit_length())]
        larger = [chosen << shift for shift in range(1, _LARGEST_TILE) if chosen << shift <= _LARGEST_TILE]
        return [chosen, *smaller, *larger]

    def _fits(self, tile_size: int, unroll: int) -> bool | None:
        """Whether it compiles and fits; None where the time is up."""
        left = self._deadline - time.monotonic()
        if (tile_size, unroll) not in self.tried:
            if left <= 0:
                self.timed_out = True
                return None
            try:
                self.attempt(tile_size, unroll, left)
                self.tried[tile_size, unroll] = None
            except TimeLimitError:
                self.timed_out = True
                return None
            except Error as error:
                self.tried[tile_size, unroll] = error
            fits = self.tried[tile_size, unroll] is None
            self.progress.advance(f"tile_size {tile_size}, unroll {unroll}: {'fits' if fits else 'does not fit'}")
        return self.tried[tile_size, unroll] is None

    def _bracket(self, tile_size: int) -> tuple[int, int | None]:
        """The largest unroll found to fit, where 1 does, and the smallest above it found not to."""
        fits, fails = 1, None
        first = self.options.unroll
        while fits < _MOST_LANES and (fails is None or fails - fits > 1):
            if fails is not None:
                middle = (fits + fails) // 2
            else:
                middle = first if first is not None and first > fits else fits * 4
            found = self._fits(tile_size, middle)
            if found is None or (found and middle == first):
                return (middle if found else fits), fails
            fits, fails = (middle, fails) if found else (fits, middle)
        return fits, fails

    def _advise_lanes(self, tile_size: int) -> str:
        fits, fails = self._bracket(tile_size)
        self.found = {"tile_size": tile_size, "unroll": fits}
        same_tile = tile_size == self.options.tile_size
        python = f"unroll={fits}" if same_tile else f"tile_size={tile_size} and unroll={fits}"
        flags = f"--unroll {fits}" if same_tile else f"--tile-size {tile_size} --unroll {fits}"
        begin = "" if same_tile else f"Not even unroll=1 fits with tile_size={self.options.tile_size}. "
        if fails == fits + 1:
            found = f"The largest unroll that fits{'' if same_tile else f' with tile_size={tile_size}'} is {fits}"
            proof = f"it was compiled and fits, {fails} does not"
        elif fails is None:
            found, proof = f"With {python} it fits", "that was compiled"
        else:
            found = f"The largest unroll found to fit within {self.limit:g} s is {fits}"
            proof = f"it was compiled and fits, {fails} does not, and what lies between was not tried"
        instead = "" if self.options.lane_share is None else " instead of lane_share"
        return f"{begin}{found} ({proof}): pass {python} ({flags}){instead}."

    def _admit(self) -> str:
        """Nothing that was tried fits."""
        sizes = [size for size, unroll in self.tried if unroll == 1]
        ended = f" The search for what fits ended after {self.limit:g} s." if self.timed_out else ""
        if not sizes:
            return f"No other unroll or tile_size could be tried within {self.limit:g} s: {self._untried()}."
        tried = f"unroll=1 with tile_size {_join(sizes)}"
        smallest = min(self._known_needs(), key=lambda pair: sum(pair[1].values()), default=None)
        if smallest is None:
            return f"Not even {tried} fits: choose a device with more on-chip memory.{ended}"
        size, needs = smallest
        return (
            f"Not even {tried} fits: choose a device where at least {_spell(needs)} can be placed (what "
            f"tile_size={size} with unroll=1 needs).{ended}"
        )

    def _untried(self) -> str:
        if self.options.lane_share is None:
            return "choose a larger device"
        return "leave lane_share (--lane-share) out, which tries ever fewer lanes, or choose a larger device"

    def _known_needs(self) -> list[tuple[int, dict[str, float]]]:
        errors = [(size, error) for (size, unroll), error in self.tried.items() if unroll == 1]
        return [(size, error.needs) for size, error in errors if isinstance(error, CapacityError) and error.needs]
