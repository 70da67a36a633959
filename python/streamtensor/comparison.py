# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does a design compute what its source says? Checked before the design is put in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain

import torch

from streamtensor import dtypes, launches, process, tolerances
from streamtensor.errors import CompileError, CrashError, DifferenceError, RunError, ToolError
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor
from streamtensor.oracle import Oracle, arguments

_SCALAR = "scalar."


@dataclass
class Finding:
    """What the comparisons of one design found. `max_error` is relative to the largest value of a result."""

    reference: str
    draws: list[str] = field(default_factory=list)
    max_abs_error: float = 0.0
    max_error: float = 0.0
    badly_conditioned: int = 0  # elements beyond the tolerance that the reference itself does not hold

    def to_json(self) -> dict:
        return asdict(self)


def check(
    interface: Interface, oracles: Sequence[Oracle], program: str, seed: int, time_limit: float = process.TIME_LIMIT
) -> Finding:
    """Runs the design natively, in a process of its own, on the values of each oracle.

    Raises DifferenceError where a result differs, CrashError where there is none.
    """
    finding = Finding(oracles[0].name)
    with launches.Apart(time_limit) as launch:
        for oracle in oracles:
            values = arguments(oracle, interface.arguments)
            try:
                found = run(interface, values, launch, oracle.scalars)
            except RunError as error:
                blame = "" if isinstance(error, launches.SilentError) else " This is a defect of StreamTensor."
                text = f"On {oracle.title}: {error}{blame}"
                raise CrashError(text, _named(oracle, values, [])) from error
            for part, own in oracle.parts(found):
                difference = check_draw(part, own, program, seed, finding)
                if difference:
                    raise DifferenceError(_message(difference, part), _named(oracle, values, found))
            finding.draws.append(oracle.title)
    return finding


def run(
    interface: Interface, values: Sequence[torch.Tensor], launch: launches.Launch, scalars: Mapping[str, int]
) -> list[torch.Tensor]:
    """Scalars without a value have their largest. Of what is updated in place, the new elements."""
    try:
        numbers = interface.fill(scalars)
        return interface.new_elements(
            [as_tensor(result) for result in interface.execute(values, numbers, launch)], numbers
        )
    except ToolError as error:
        raise ToolError(f"{error} Without it, --no-compare (compare=False) leaves the design unchecked.") from error


def check_draw(oracle: Oracle, found: list[torch.Tensor], program: str, seed: int, finding: Finding) -> str | None:
    """What differs, in words."""
    expected = oracle.expected
    undeclared = _declared(found, expected)
    if undeclared:
        return undeclared
    wrong = _beyond(found, expected, program)
    count = _count(wrong)
    if count:
        _check_repeats(oracle)
        _excuse(wrong, found, oracle, seed)
    finding.badly_conditioned += count - _count(wrong)
    _measure(found, expected, finding)
    return _first(wrong, found, expected, program)


def first_difference(found: list[torch.Tensor], expected: list[torch.Tensor], program: str) -> str | None:
    """The first element beyond its tolerance, in words."""
    return _declared(found, expected) or _first(_beyond(found, expected, program), found, expected, program)


def _beyond(found: list[torch.Tensor], expected: list[torch.Tensor], program: str) -> list[torch.Tensor]:
    pairs = zip(found, expected, strict=True)
    return [tolerances.beyond(have, want, tolerances.coarsest(program, want.dtype)) for have, want in pairs]


def _check_repeats(oracle: Oracle) -> None:
    if not oracle.repeats():
        raise CompileError(
            f"{oracle.name} gives other results on {oracle.title} when it runs again: a design computes one function "
            "of its inputs. Take what is random or keeps a state out of the module, or pass it as an input."
        )


def _count(wrong: list[torch.Tensor]) -> int:
    return sum(int(each.sum()) for each in wrong)


def _declared(found: list[torch.Tensor], expected: list[torch.Tensor]) -> str | None:
    """What already the number, the shapes and the types of the results say."""
    if len(found) != len(expected):
        return f"there are {len(found)} results instead of {len(expected)}"
    for index, (have, want) in enumerate(zip(found, expected, strict=True)):
        if (have.shape, have.dtype) != (want.shape, want.dtype):
            return f"result {index} is {_spell(have)} instead of {_spell(want)}"
    return None


def _spell(value: torch.Tensor) -> str:
    return f"{dtypes.name_of(value.dtype)}{list(value.shape)}"


def _excuse(wrong: list[torch.Tensor], found: list[torch.Tensor], oracle: Oracle, seed: int) -> None:
    """Clears elements that the reference itself does not hold when what it reads moves by a few roundings."""
    before = _count(wrong)
    wide = oracle.widened() or oracle.expected
    few = [tolerances.few_jumps(*pair) for pair in zip(wide, oracle.expected, strict=True)]
    spread = [torch.zeros(value.shape, dtype=torch.float64) for value in found]
    moves = oracle.neighbours(torch.Generator().manual_seed(seed))
    for move, near in enumerate(chain([wide], moves)):
        _spread(spread, near, oracle.expected)
        for index, (value, have, want) in enumerate(zip(near, found, oracle.expected, strict=True)):
            if want.is_floating_point():
                wrong[index] &= tolerances.distance(have, want) > tolerances.held(spread[index])
            elif int((have != want).sum()) <= few[index]:
                wrong[index] &= value != have
        left = _count(wrong)
        if left == 0 or (move == tolerances.FIRST_MOVES and left == before):
            break
    if _count(wrong):
        _excuse_turns(wrong, found, oracle, spread, torch.Generator().manual_seed(seed))


def _excuse_turns(
    wrong: list[torch.Tensor],
    found: list[torch.Tensor],
    oracle: Oracle,
    held: list[torch.Tensor],
    generator: torch.Generator,
) -> None:
    """Clears elements that are no farther off than roundings that could go either way move the reference."""
    spread = [torch.zeros_like(each) for each in held]
    for near in oracle.turns(generator):
        _spread(spread, near, oracle.expected)
    for index, (have, want) in enumerate(zip(found, oracle.expected, strict=True)):
        if want.is_floating_point():
            may = tolerances.held(held[index]) + tolerances.turned(spread[index])
            wrong[index] &= tolerances.distance(have, want) > may


def _spread(spread: list[torch.Tensor], near: list[torch.Tensor], expected: list[torch.Tensor]) -> None:
    """Adds how far the floats of a run are from the expected ones to the largest distances."""
    for most, value, want in zip(spread, near, expected, strict=True):
        if want.is_floating_point():
            torch.maximum(most, tolerances.distance(value, want), out=most)


def _first(
    wrong: list[torch.Tensor], found: list[torch.Tensor], expected: list[torch.Tensor], program: str
) -> str | None:
    for index, each in enumerate(wrong):
        if not bool(each.any()):
            continue
        place = tuple(torch.nonzero(each)[0].tolist())
        text = f"element {list(place)} of result {index} is {_value(found[index][place])}"
        text += f" instead of {_value(expected[index][place])}"
        if expected[index].is_floating_point():
            dtype = tolerances.coarsest(program, expected[index].dtype)
            text += f" (tolerance {float(tolerances.allowed(expected[index], dtype)[place]):.3g})"
        return f"{text}, the first of {int(each.sum())} that differ of {each.numel()}"
    return None


def _value(element: torch.Tensor) -> str:
    return f"{element.item():.9g}" if element.is_floating_point() else str(element.item())


def _message(difference: str, oracle: Oracle) -> str:
    return (
        f"The design does not compute what its source says: on {oracle.title}, {difference}. Expected is what "
        f"{oracle.name} gives. This is a defect of StreamTensor."
    )


def _measure(found: list[torch.Tensor], expected: list[torch.Tensor], finding: Finding) -> None:
    for have, want in zip(found, expected, strict=True):
        if not want.is_floating_point() or want.numel() == 0:
            continue
        error = float(tolerances.distance(have, want).max())
        largest = float(want.double().abs().nan_to_num(nan=0.0, posinf=0.0).max())
        finding.max_abs_error = max(finding.max_abs_error, error)
        finding.max_error = max(finding.max_error, error / largest if largest else error)


def scalars_of(values: Mapping[str, torch.Tensor]) -> dict[str, int]:
    """The scalars among the values of an UnfitError."""
    return {name.removeprefix(_SCALAR): int(value) for name, value in values.items() if name.startswith(_SCALAR)}


def _named(oracle: Oracle, values: list[torch.Tensor], found: list[torch.Tensor]) -> dict:
    lists = {"arg": values, "expected": oracle.expected, "found": found}
    named = {f"{name}{index}": value for name, each in lists.items() for index, value in enumerate(each)}
    return named | {f"{_SCALAR}{name}": torch.tensor(value) for name, value in oracle.scalars.items()}
