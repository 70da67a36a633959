# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lowering reads of a program that PyTorch traced, as a digest.

It has every operation with its operands, types, module and line, the signature and the values of constants. Of
parameters it has the types alone: which zero points are 0 is up to whoever compares two programs. What has no value
that can be spelt out, an object for instance, makes a digest of its own.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator

import torch
from torch.export import ExportedProgram
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from streamtensor.frontend import locations

_ADDRESS = re.compile(r" at 0x[0-9a-f]+>")  # of an object, and later perhaps of another one
_objects = itertools.count()


def digest_of(program: ExportedProgram) -> str:
    digest = hashlib.sha256()
    for part in _parts(program):
        digest.update(part.encode())
        if _ADDRESS.search(part):
            digest.update(str(next(_objects)).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _parts(program: ExportedProgram) -> Iterator[str]:
    for node in program.graph.nodes:
        yield f"{node.op} {node.name} {node.target} {node.args!r} {node.kwargs!r} {_describe(node.meta.get('val'))}"
        yield from (str(node.meta.get(place)) for place in locations.ORIGIN)
    yield repr(program.graph_signature)
    yield repr(program.call_spec)
    for name, value in sorted(program.constants.items()):
        yield f"{name} {_describe(value)} {_spell(value)}"


def _describe(value: object) -> str:
    """The type of a tensor, the parts of one that consists of several, any other value."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_describe, value))}]"
    if not isinstance(value, torch.Tensor):
        return repr(value)
    if is_traceable_wrapper_subclass(value):
        names, context = value.__tensor_flatten__()
        parts = ", ".join(f"{name}: {_describe(getattr(value, name))}" for name in names)
        return f"{type(value).__name__}({parts}, {context!r})"
    return f"{value.dtype} {tuple(value.shape)} {value.stride()} {value.device}"


def _spell(value: object) -> str:
    if not isinstance(value, torch.Tensor) or is_traceable_wrapper_subclass(value):
        return repr(value)
    try:
        return value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes().hex()
    except RuntimeError:  # a wrapper of PyTorch's own around what it traces
        return str(next(_objects))
