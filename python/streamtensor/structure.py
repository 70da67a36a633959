# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a module returns around its tensors: nested tuples, lists, dicts, dataclasses, constants.

The manifest keeps it, so that a design that is opened again returns what the module returns.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.utils import _pytree as pytree

from streamtensor.errors import CompileError, RunError

_CONSTANTS = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Structure:
    """`tree` is PyTorch's own JSON; `constants` are the leaves that are no tensors, by position."""

    tree: str
    constants: dict[int, object]

    @classmethod
    def of(cls, spec: pytree.TreeSpec, leaves: Sequence[object]) -> Structure:
        """`leaves` stand for tensors where they are not constants."""
        try:
            tree = pytree.treespec_dumps(spec)
        except NotImplementedError as error:
            raise CompileError(
                f"The module returns a {spec.type.__name__}, which cannot be stored with the design: give its "
                "registration with PyTorch a serialized_type_name, or return a tuple or a dict."
            ) from error
        return cls(tree, {i: leaf for i, leaf in enumerate(leaves) if isinstance(leaf, _CONSTANTS)})

    def to_json(self) -> dict:
        return {"tree": self.tree, "constants": [[index, value] for index, value in self.constants.items()]}

    @classmethod
    def from_json(cls, data: dict) -> Structure:
        return cls(data["tree"], dict(data["constants"]))

    def restore(self, tensors: Sequence[torch.Tensor]) -> object:
        for name in _type_names(json.loads(self.tree)[1]):
            _make_known(name)
        given = iter(tensors)
        spec = pytree.treespec_loads(self.tree)
        leaves = [self.constants[i] if i in self.constants else next(given) for i in range(spec.num_leaves)]
        return pytree.tree_unflatten(leaves, spec)


def register_results(results: object) -> None:
    """Makes the classes in `results` known to PyTorch, which looks into registered ones only."""
    for leaf in pytree.tree_leaves(results):
        if isinstance(leaf, (torch.Tensor, *_CONSTANTS)):
            continue
        if not _register(type(leaf)):
            raise CompileError(
                f"The module returns a {type(leaf).__name__}, whose tensors PyTorch does not find: return a tuple, a "
                "dict or a dataclass, or register the class with torch.utils._pytree.register_pytree_node."
            )
        register_results(pytree.tree_leaves(leaf))


def _register(kind: type) -> bool:
    if kind in pytree.SUPPORTED_NODES:
        return True
    name = f"{kind.__module__}.{kind.__qualname__}"
    if name == "transformers.cache_utils.DynamicCache":
        from transformers.integrations.executorch import register_dynamic_cache_export_support

        register_dynamic_cache_export_support()
    elif dataclasses.is_dataclass(kind):
        torch.export.register_dataclass(kind, serialized_type_name=name)
    return kind in pytree.SUPPORTED_NODES


def _type_names(tree: dict) -> Iterator[str]:
    if tree["type"] is not None:
        yield tree["type"]
    for child in tree["children_spec"]:
        yield from _type_names(child)


def _make_known(name: str) -> None:
    """Imports and registers the class `name` where this process has not met it yet."""
    if name in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
        return
    module, _, attribute = name.rpartition(".")
    try:
        is_known = _register(getattr(importlib.import_module(module), attribute))
    except (ImportError, AttributeError, ValueError):
        is_known = False
    if not is_known:
        raise RunError(
            f"The design returns a {name}, which cannot be imported here: import the module that registers it with "
            "PyTorch before the design is called."
        )
