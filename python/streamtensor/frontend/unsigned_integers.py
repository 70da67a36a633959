# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unsigned integers that an operation extends, extended before it: torch-mlir forgets that they have no sign.

PyTorch computes `x / 255` on floats and `x + y.int()` on 32 bits. What the operation computes on is written into the
program as a conversion of its own, which torch-mlir lowers right.
"""

from __future__ import annotations

import torch
from torch.export import ExportedProgram
from torch.fx import Node
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

from streamtensor.frontend.calls import call_in_place_of

_EXTENDING = (torch.ops.aten.cat, torch.ops.aten.stack, torch.ops.aten.prod, torch.ops.aten.mean)


def widen(program: ExportedProgram) -> None:
    """Changes `program`: operands of uint8 get the type that is computed on where that is another."""
    graph = program.graph
    if not any(map(_is_unsigned, graph.nodes)):
        return
    for node in list(graph.nodes):
        if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
            continue
        if node.target == torch.ops.aten.abs.default and _is_unsigned(node.args[0]):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
        elif dtype := _get_computed(node):
            _convert(node, dtype)
    program.graph_module.recompile()


def _is_unsigned(value: object) -> bool:
    return isinstance(value, Node) and getattr(value.meta.get("val"), "dtype", None) == torch.uint8


def _get_computed(node: Node) -> torch.dtype | None:
    """The type that `node` computes on, if it has operands of uint8 and extends them."""
    operands = [each for each in pytree.tree_leaves((node.args, node.kwargs)) if isinstance(each, Node)]
    extends = node.target.overloadpacket in _EXTENDING or torch.Tag.pointwise in node.target.tags
    if not extends or not any(map(_is_unsigned, operands)):
        return None
    dtype = getattr(node.meta.get("val"), "dtype", None)
    if dtype == torch.bool:
        values = [each.meta["val"] if isinstance(each, Node) else each for each in node.args]
        numbers = [each for each in values if isinstance(each, (torch.Tensor, int, float))]
        dtype = torch.result_type(*numbers) if len(numbers) == 2 else None
    return None if dtype in (torch.uint8, torch.bool) else dtype


def _convert(node: Node, dtype: torch.dtype) -> None:
    graph = node.graph

    def converted(operand: Node) -> Node:
        if not _is_unsigned(operand):
            return operand
        with graph.inserting_before(node):
            return call_in_place_of(graph, node, torch.ops.aten._to_copy.default, operand, dtype=dtype)

    node.args, node.kwargs = map_arg(node.args, converted), map_arg(node.kwargs, converted)
