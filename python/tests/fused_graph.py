# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of operations in the kernels of a fused module, read from its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NAME = re.compile(r"%[A-Za-z0-9_$.-]+")
# `%3 = `, `%3:2 = ` and block arguments `%arg1: type`.
DEFINED = re.compile(r"^\s*((?:%[\w$.-]+(?::\d+)?(?:, )?)+) = ")


@dataclass
class Operation:
    """One operation at the top of a kernel with all that is nested in it."""

    name: str
    results: set[str]
    operands: set[str]
    readers: set[int] = field(default_factory=set)


def operations(text: str) -> list[Operation]:
    """The operations directly inside every `dataflow.kernel`, in order, with their readers."""
    found: list[Operation] = []
    for kernel in _kernels(text.splitlines()):
        found += _operations(kernel, len(found))
    return found


def count(text: str, name: str) -> int:
    return len(re.findall(rf"\b{re.escape(name)}\b", text))


def reconverges(text: str) -> bool:
    """Does a value reach some operation over two different readers?"""
    graph = operations(text)
    reach: list[set[int]] = [set() for _ in graph]
    for index in reversed(range(len(graph))):
        reach[index] = {index}.union(*(reach[reader] for reader in graph[index].readers))
    for operation in graph:
        readers = sorted(operation.readers)
        for position, first in enumerate(readers):
            if any(reach[first] & reach[second] for second in readers[position + 1 :]):
                return True
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _kernels(lines: list[str]) -> list[list[str]]:
    kernels, start = [], None
    for index, line in enumerate(lines):
        if "dataflow.kernel" in line and line.rstrip().endswith("{"):
            start = index
        elif start is not None and line.startswith(" " * _indent(lines[start]) + "}"):
            kernels.append(lines[start + 1 : index])
            start = None
    return kernels


def _operations(lines: list[str], base: int) -> list[Operation]:
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith("^bb0(%arg")] or lines
    level = min(_indent(line) for line in lines)
    groups: list[list[str]] = []
    for line in lines:
        opens = _indent(line) == level and not line.lstrip().startswith(("}", "^"))
        if opens or not groups:
            groups.append([])
        groups[-1].append(line)
    # The kernel's results meet in its terminator, which is no reader.
    found = [operation for operation in map(_operation, groups) if operation.name != "dataflow.yield"]
    writer = {result: index for index, operation in enumerate(found) for result in operation.results}
    for index, operation in enumerate(found):
        for operand in operation.operands:
            if operand in writer and writer[operand] != index:
                found[writer[operand]].readers.add(base + index)
    return found


def _operation(lines: list[str]) -> Operation:
    heads = [DEFINED.match(line) for line in lines]
    results = set(NAME.findall(heads[0][1])) if heads[0] else set()
    inner = {name for head in heads[1:] if head for name in NAME.findall(head[1])}
    body = lines[0][heads[0].end() :] if heads[0] else lines[0]
    words = re.match(r"\s*([\w.]+)", body)
    used = set(NAME.findall(body)) | {name for line in lines[1:] for name in NAME.findall(line)}
    return Operation(words[1] if words else "", results, used - inner - results)
