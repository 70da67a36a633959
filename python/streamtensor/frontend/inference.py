# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses what only training computes: random numbers, and statistics of the batch that change a module's own.

A module is exported in the mode that it is in, so that a design computes what module(*inputs) computes.
"""

from __future__ import annotations

import torch
from torch.export import ExportedProgram

from streamtensor.errors import CompileError, UnsupportedOpError
from streamtensor.frontend import locations

_PROBABILITIES = ("p", "dropout", "dropout_p")
_MODES = ("train", "training", "use_input_stats")


def check(program: ExportedProgram, module: torch.nn.Module) -> None:
    for node in program.graph.nodes:
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            _check_node(node, module)


def _check_node(node: torch.fx.Node, module: torch.nn.Module) -> None:
    what = _training_only(node)
    if what is None:
        return
    where = f"'{node.target}'{locations.describe(node)} {what}"
    if any(part.training for part in module.modules()) and _arguments(node).keys() & {*_MODES, *_PROBABILITIES}:
        raise CompileError(
            f"{type(module).__name__} is in training mode: {where}. A design computes inference: call module.eval() "
            "before compiling."
        )
    raise UnsupportedOpError(
        f"{where}: a design gives the same results for the same inputs. Pass training=self.training to a function that "
        "drops elements, or 0.0 for the probability where it has no such argument (dropout_p of an attention); pass "
        "random numbers as an input."
    )


def _training_only(node: torch.fx.Node) -> str | None:
    """What a node does that inference does not; None if nothing."""
    given = _arguments(node)
    if any(given.get(name, 1) == 0 for name in (*_PROBABILITIES, *_MODES)):
        return None
    if torch.Tag.nondeterministic_seeded in node.target.tags:
        return "draws random numbers"
    if given.get("running_mean") is not None:
        return "normalises by the statistics of the batch and changes the running ones"
    return None


def _arguments(node: torch.fx.Node) -> dict[str, object]:
    """The arguments of a call by name, defaults included."""
    schema = node.target._schema.arguments
    found = {argument.name: argument.default_value for argument in schema if argument.has_default_value()}
    return found | {a.name: value for a, value in zip(schema, node.args, strict=False)} | dict(node.kwargs)
