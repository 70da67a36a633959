# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program's arguments a second time with what arithmetic is seldom asked: NaN, infinities, zeros of either sign, the
largest, smallest and subnormal numbers, the ends of the integers.

What numpy would say depends on the order of sums, so the reference is the interpreter's last phase: the native C++
must give its bits, but for those that say which NaN it is.
"""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
from streamtensor import paths

from fuzz import compiler
from fuzz.compiler import Compiled
from fuzz.elements import BF16, Element
from fuzz.program import Node, Program

# Of a tensor's elements, how many are special; of the programs, how many are given none but ordinary ones beside.
_SHARE = 0.25
TIME_LIMIT = 30.0
# A float that no integer can hold has no integer: what a cast makes of it, nobody says.
UNDEFINED = {"fptosi", "fptoui", "own_power"}


def is_defined(program: Program) -> bool:
    return not UNDEFINED & program.labels()


def inputs(program: Program) -> list[np.ndarray]:
    """The program's own arguments with special values among them."""
    numbers = np.random.default_rng(program.seed ^ 0x3117D)
    return [_spoilt(node, values, numbers) for node, values in zip(program.arguments, program.inputs(), strict=True)]


def _spoilt(node: Node, values: np.ndarray, numbers: np.random.Generator) -> np.ndarray:
    element = node.type.element
    if element.is_bool or _is_index(node):
        return values
    chosen = numbers.random(values.shape) < _SHARE
    return np.where(chosen, numbers.choice(specials(element), values.shape), values).astype(values.dtype)


def _is_index(node: Node) -> bool:
    """Rows of tables keep their places."""
    return node.type.element.is_int and node.type.element.width >= 32


def specials(element: Element) -> np.ndarray:
    if not element.is_float:
        return np.array([element.lowest, element.highest, -1, 0, 1], element.dtype)
    limits = ml_dtypes.finfo(element.dtype)
    ends = [limits.max, limits.smallest_normal, limits.smallest_subnormal]
    values = [np.nan, np.inf, 0.0, 1.0, *map(float, ends)]
    return np.array([*values, *(-value for value in values)], np.float64).astype(element.dtype)


def interpret(entry: Compiled) -> None:
    """Executes the last phase on the special arguments; what it gives is in the entry's `wild`."""
    if not is_defined(entry.program):
        return
    directory = entry.path.with_suffix(".wild")
    directory.mkdir()
    given = inputs(entry.program)
    flags = save(entry.program, given, directory)
    command = [paths.find_tool("streamtensor-run"), entry.path, *flags, f"--output-dir={directory}"]
    entry.failure = compiler.failure_of(compiler.run(command, TIME_LIMIT), "interpreter")
    if entry.failure is None:
        results = [np.load(directory / f"result{index}.npy") for index in range(len(entry.program.results))]
        entry.wild = (given, results)


def save(program: Program, given: list[np.ndarray], directory: Path) -> list[str]:
    """Writes arguments for the interpreter; gives the flags that name them."""
    flags = []
    for index, (node, values) in enumerate(zip(program.arguments, given, strict=True)):
        path = directory / f"arg{index}.npy"
        np.save(path, values.view(np.uint16) if node.type.element is BF16 else values)
        flags.append(f"--input={path}")
    return flags


def one_nan(values: np.ndarray, element: Element) -> np.ndarray:
    """The values with one bit pattern for all that are no number."""
    if not element.is_float:
        return values
    floats = values.view(element.dtype).copy()
    floats[np.isnan(floats.astype(np.float64))] = np.nan
    return floats
