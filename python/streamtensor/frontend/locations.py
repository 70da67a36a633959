# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where an operation came from: the module's path and the user's source line."""

from __future__ import annotations

import operator
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import torch

_HANDED_OVER: ContextVar[tuple[str, int] | None] = ContextVar("handed_over", default=None)
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_TORCH = os.path.dirname(torch.__file__) + os.sep
_TORCHAO = os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "torchao") + os.sep
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PYTHON = os.path.dirname(os.__file__) + os.sep
_HIDDEN = (_TORCH, _TORCHAO, _OURS, "<")


ORIGIN = ("nn_module_stack", "stack_trace")  # the keys of what a node knows of where it comes from


def origin_of(node: torch.fx.Node) -> dict[str, object]:
    return {key: node.meta[key] for key in ORIGIN if key in node.meta}


def module_path(node: torch.fx.Node, prefix: str = "") -> str:
    """The path of the module that issued `node`, such as `self_attn.q_proj`, without `prefix`."""
    stack = node.meta.get("nn_module_stack") or {}
    paths = [entry[0] for entry in stack.values()]
    path = paths[-1] if paths else ""
    if prefix and (path == prefix or path.startswith(prefix + ".")):
        path = path[len(prefix) + 1 :]
    return path


def operation_name(node: torch.fx.Node) -> str:
    """`add` for aten.add.Tensor: the name of an operation that the outermost module issues itself."""
    return node.target._opname if isinstance(node.target, torch._ops.OpOverload) else ""


def name_of(node: torch.fx.Node, prefix: str = "") -> str:
    """The name in the location of `node`."""
    return module_path(node, prefix) or operation_name(node)


def is_aten(node: torch.fx.Node) -> bool:
    return node.target is operator.getitem or getattr(node.target, "namespace", "") in ("aten", "prims")


def source_line(node: torch.fx.Node) -> tuple[str, int] | None:
    """File and line of the innermost frame of `node` that is not PyTorch's own; else where the module was handed over.

    A torch.nn.Sequential has no line of the user's between itself and PyTorch.
    """
    frames = [(file, int(line)) for file, line in _FRAME.findall(node.meta.get("stack_trace") or "")]
    own = [frame for frame in frames if _is_own(frame[0])]
    if own or not frames:
        return own[-1] if own else None
    return _HANDED_OVER.get() or frames[-1]


@contextmanager
def handed_over_at(line: tuple[str, int] | None) -> Iterator[None]:
    """Within the block, `line` stands for operations that only PyTorch's own code wrote."""
    token = _HANDED_OVER.set(line)
    try:
        yield
    finally:
        _HANDED_OVER.reset(token)


def calling_line() -> tuple[str, int] | None:
    """The line of the user's program that called into this package."""
    own = [frame for frame in traceback.extract_stack() if _is_own(frame.filename)]
    return (own[-1].filename, own[-1].lineno) if own else None


def _is_own(filename: str) -> bool:
    """Whether a file is the user's or another package's, not PyTorch's, ours or Python's own."""
    if filename.startswith(_HIDDEN):
        return False
    return "site-packages" in filename or not filename.startswith(_PYTHON)


def describe(node: torch.fx.Node, prefix: str = "") -> str:
    """` in module 'x.y' (file.py:12)`, as far as it is known."""
    path, line = module_path(node, prefix), source_line(node)
    text = f" in module '{path}'" if path else ""
    return text + (f" ({line[0]}:{line[1]})" if line else "")


def user_frame(error: BaseException) -> str:
    """` at file.py:12, 'if x.sum() > 0:'`, the innermost frame of the user's own code in the traceback of `error`."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if _is_own(f.filename)]
    if not own:
        return ""
    text = f", '{own[-1].line}'" if own[-1].line else ""
    return f" at {own[-1].filename}:{own[-1].lineno}{text}"
