# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the HLS C++ of many programs, compiled as one library, in a process that may die without harm."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import harness
import numpy as np

from fuzz import effort, wild
from fuzz.compiler import Compiled, Failure
from fuzz.elements import BF16, F16, F64
from fuzz.program import Node, Program, sensitivity

# Seconds for one program to run.
TIME_LIMIT = 20.0
# What math functions may be off by, against the largest value.
_ROUNDING = {F64: 1e-12, F16: 4e-3, BF16: 2e-2}
_ROUNDING_F32 = 5e-6
_SAFETY = 16.0
_FEW = 16
# What is wrong with an entry, by its compiled C++.
Compare = Callable[[Any, harness.Emitted], Failure | None]


def run_all(entries: Sequence, directory: Path, compare: Compare) -> None:
    """Compiles and runs the C++ of what has not failed, and notes what `compare` finds wrong with an entry and its
    native form."""
    _build(entries, directory, lambda batch, some: _run_batch(batch, some, compare))


def compile_as_vitis(entries: Sequence, directory: Path) -> None:
    """Compiles the C++ of what has not failed as synthesis sees it, and runs nothing."""
    _build(entries, directory, lambda batch, _: batch.compile_as_vitis())


def _build(entries: Sequence, directory: Path, work: Callable[[harness.Batch, Sequence], None]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    ready = [entry for entry in entries if entry.failure is None]
    try:
        work(_batch(ready, directory), ready)
    except AssertionError:  # somewhere in the batch the C++ compiler found an error
        for entry in ready:
            try:
                work(_batch([entry], directory), [entry])
            except AssertionError as error:
                entry.failure = Failure("build", str(error))
    shutil.rmtree(directory)


def _batch(entries: Sequence, directory: Path) -> harness.Batch:
    batch = harness.Batch(directory)
    for entry in entries:
        batch.add(entry.emitted)
    return batch


def _run_batch(batch: harness.Batch, entries: Sequence, compare: Compare) -> None:
    batch.compile()
    first = 0
    while first < len(entries):
        first += _run_isolated(entries, batch, first, compare)
        if first < len(entries):
            entries[first].failure = Failure("crash", "the native design crashed or did not end")
        first += 1


def _run_isolated(entries: Sequence, batch: harness.Batch, first: int, compare: Compare) -> int:
    """Runs programs from `first` on in a child until it dies; gives how many it has run."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_child, args=(entries[first:], batch, first, compare, sender))
    child.start()
    sender.close()
    count = 0
    try:
        while first + count < len(entries) and receiver.poll(effort.limit(TIME_LIMIT)):
            entries[first + count].failure = receiver.recv()
            count += 1
    except EOFError:
        pass
    child.kill()
    child.join()
    return count


def _child(entries: Sequence, batch: harness.Batch, first: int, compare: Compare, sender) -> None:
    """The library is loaded here: another one of its name may be in memory by then."""
    batch.load()
    for entry, native in zip(entries, batch.programs[first:], strict=True):
        sender.send(compare(entry, native))


def compare_program(entry: Compiled, native) -> Failure | None:
    """What is wrong with the results for the program's own arguments, and for wild ones."""
    return compare(entry.program, native, entry.interpreted) or compare_wild(entry, native)


def compare(program: Program, native, interpreted: Sequence[np.ndarray] | None = None) -> Failure | None:
    """What is wrong with the results of a program: against numpy, and bit for bit against the interpreter's."""
    try:
        results = native(*program.inputs())
    except (RuntimeError, ValueError, AssertionError) as error:
        return Failure("run", f"{type(error).__name__}: {error}")
    for index, (actual, node) in enumerate(zip(results, program.results, strict=True)):
        wrong = difference(np.asarray(actual), node)
        if wrong:
            return Failure("mismatch", f"result {index} ({node.type}) {wrong}")
    for index, (actual, expected) in enumerate(zip(results, interpreted or [], strict=interpreted is not None)):
        wrong = other_bits(np.asarray(actual), expected)
        if wrong:
            return Failure("bits", f"result {index} ({program.results[index].type}) {wrong}")
    return None


def compare_wild(entry: Compiled, native) -> Failure | None:
    """What is wrong with the results for arguments that hold NaN, infinities and the like."""
    if entry.wild is None:
        return None
    given, expected = entry.wild
    for index, (node, actual, wanted) in enumerate(zip(entry.program.results, native(*given), expected, strict=True)):
        element = node.type.element
        wrong = other_bits(wild.one_nan(np.asarray(actual), element), wild.one_nan(wanted, element))
        if wrong:
            return Failure("bits", f"result {index} ({node.type}) of special arguments {wrong}")
    return None


def other_bits(actual: np.ndarray, expected: np.ndarray) -> str | None:
    """Where the bytes of two arrays of one shape differ."""
    if actual.shape != expected.shape or actual.dtype.itemsize != expected.dtype.itemsize:
        return f"is {list(actual.shape)} of {actual.dtype}, {list(expected.shape)} of {expected.dtype} interpreted"
    size = actual.dtype.itemsize
    bytes_of = [np.frombuffer(np.ascontiguousarray(array).tobytes(), f"V{size}") for array in (actual, expected)]
    bad = np.flatnonzero(bytes_of[0] != bytes_of[1])
    if not len(bad):
        return None
    first = bad[0]
    return (
        f"differs from the interpreter in {len(bad)} places, first at {first}: "
        f"{actual.flat[first]} instead of {expected.flat[first]}"
    )


def difference(actual: np.ndarray, node: Node) -> str | None:
    """How `actual` differs from the reference; nothing if it does not, within what rounding allows."""
    element, data = node.type.element, node.data
    if actual.shape != node.type.shape:
        return f"has shape {list(actual.shape)}"
    if not element.is_float or data.exact:
        expected = data.narrow
        actual = actual.astype(expected.dtype)
        bad = np.argwhere(actual != expected)
        return _describe(bad[0], actual, expected, len(bad)) if len(bad) else None
    actual, expected = actual.astype(np.float64), data.wide
    largest = float(np.abs(expected).max())
    # The difference of two computations of a few elements may be small by chance.
    safety = _SAFETY * max(1.0, _FEW / expected.size)
    tolerance = max(_ROUNDING.get(element, _ROUNDING_F32) * largest, safety * sensitivity(data), 1e-30)
    bad = np.argwhere(~(np.abs(actual - expected) <= tolerance))
    return f"{_describe(bad[0], actual, expected, len(bad))}, tolerance {tolerance:.2e}" if len(bad) else None


def _describe(where: np.ndarray, actual: np.ndarray, expected: np.ndarray, count: int) -> str:
    place = tuple(where.tolist())
    return f"differs in {count} places, first at {list(place)}: {actual[place]} instead of {expected[place]}"
