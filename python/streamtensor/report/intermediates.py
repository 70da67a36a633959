# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intermediate tensors of a program before fusion: every tensor that one operation hands to another.

Read from the IR of phase `linalg`, where reshapes move no data and every other operation is a kernel of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

_RESULT = re.compile(r"^\s*%(?P<name>[\w$.-]+)(?::(?P<count>\d+))? = (?P<op>[\w.]+)(?P<rest>.*)$")
_TENSOR = re.compile(r"tensor<((?:\d+x)*)([a-z]+\d+)>")
_VALUE = re.compile(r"%([\w$.-]+)")
_KERNELS = ("linalg.generic", "tensor.concat", "tensor.pad")
_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.cast")
_BITS = re.compile(r"\d+$")


@dataclass(frozen=True)
class Intermediate:
    """One tensor between kernels."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def bytes(self) -> int:
        bits = int(_BITS.search(self.element).group())
        return prod(self.shape) * max(bits, 8) // 8


def intermediates(text: str) -> list[Intermediate]:
    """The results of the kernels in `@main` that the program does not return."""
    found: list[Intermediate] = []
    views: dict[str, str] = {}
    returned: list[str] = []
    open_kernel = None
    for line in text.splitlines():
        match = _RESULT.match(line)
        if match and match["op"] in _VIEWS:
            views[match["name"]] = _VALUE.search(match["rest"]).group(1)
        elif match and match["op"] in _KERNELS:
            if line.rstrip().endswith("{") or match["op"] == "linalg.generic":
                open_kernel = match["name"]
            else:
                found += _tensors(match["name"], line.rsplit("->", 1)[-1].rsplit(" to ", 1)[-1])
        elif open_kernel and line.lstrip().startswith("}"):
            found += _tensors(open_kernel, line.rsplit("->", 1)[-1].rsplit(" to ", 1)[-1])
            open_kernel = None
        elif line.lstrip().startswith("return "):
            returned = [_origin(name, views) for name in _VALUE.findall(line)]
    return [tensor for tensor in found if tensor.name not in returned]


def _tensors(name: str, types: str) -> list[Intermediate]:
    matches = _TENSOR.findall(types)
    names = [name] if len(matches) == 1 else [f"{name}#{index}" for index in range(len(matches))]
    return [
        Intermediate(each, tuple(int(size) for size in shape.split("x") if size), element)
        for each, (shape, element) in zip(names, matches, strict=True)
    ]


def _origin(name: str, views: dict[str, str]) -> str:
    while name in views:
        name = views[name]
    return name
