# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""x[i] and x[i] = y where i is a tensor of a single number.

PyTorch asks the tensor for its number, and exports a program whose places depend on what it is. Here the row is looked
up, as in x[i.reshape(1)], or written as by index_put. Any other view that is written to stays a view of x.
"""

from __future__ import annotations

import torch
from torch.export import ExportedProgram
from torch.fx import Graph, Node

from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import locations
from streamtensor.frontend.calls import call_in_place_of

_ATEN = torch.ops.aten
REFUSED = (
    "A number that a tensor holds says what is taken of another one{}: the places that a design reads and writes are "
    "fixed when it is compiled. Index with a tensor of one dimension, as in x[i.reshape(1)], choose by torch.where, or "
    "keep this part on the host."
)
_CHECKS = (_ATEN._assert_scalar.default, _ATEN.sym_constrain_range.default, _ATEN.sym_constrain_range_for_size.default)


def look_up(program: ExportedProgram) -> None:
    """Reads and writes by index what a number of a tensor selects."""
    graph = program.graph
    written = {_root(node.args[0]) for node in graph.nodes if _writes(node)}
    for node in list(graph.nodes):
        if node.target is not _ATEN.select.int or not _is_number(node.args[2]):
            continue
        if _is_assigned(node):
            _assign(graph, node)
        elif _root(node) not in written:
            _read(graph, node)
        else:
            raise UnsupportedOpError(REFUSED.format(locations.describe(node)))
    for node in reversed(list(graph.nodes)):
        if _is_number(node) and all(_is_checked_alone(user) for user in node.users):
            _erase(graph, node)


def _is_number(node: object) -> bool:
    """Is it the number that a tensor of integers holds?"""
    return (
        isinstance(node, Node)
        and node.target is _ATEN.item.default
        and not node.args[0].meta["val"].is_floating_point()
    )


def _writes(node: Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable and bool(node.args) and isinstance(node.args[0], Node)


def _is_view(node: Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    return schema is not None and any(result.alias_info is not None for result in schema.returns)


def _root(node: Node) -> Node:
    """What a chain of views begins with."""
    while _is_view(node) and isinstance(node.args[0], Node):
        node = node.args[0]
    return node


def _is_assigned(select: Node) -> bool:
    """Is it the row of x[i] = y, and nothing else?"""
    users = list(select.users)
    is_given = len(users) == 1 and users[0].target in (_ATEN.copy_.default, _ATEN.fill_.Tensor, _ATEN.fill_.Scalar)
    return is_given and users[0].args[0] is select and not users[0].users


def _indices(graph: Graph, select: Node) -> list[Node | None]:
    """The tensor in place of its number, as the index of the dimension that is selected."""
    source, dim, number = select.args
    place = call_in_place_of(graph, select, _ATEN.reshape.default, number.args[0], [])
    return [None] * (dim % source.meta["val"].dim()) + [place]


def _read(graph: Graph, select: Node) -> None:
    with graph.inserting_before(select):
        row = call_in_place_of(graph, select, _ATEN.index.Tensor, select.args[0], _indices(graph, select))
    select.replace_all_uses_with(row)
    graph.erase_node(select)


def _assign(graph: Graph, select: Node) -> None:
    (write,) = select.users
    source, given = select.args[0], write.args[1]
    with graph.inserting_before(write):
        if isinstance(given, Node):
            given = call_in_place_of(graph, write, _ATEN.to.dtype, given, select.meta["val"].dtype)
        else:
            given = call_in_place_of(graph, write, _ATEN.new_full.default, source, [], given)
        call_in_place_of(graph, write, _ATEN.index_put_.default, source, _indices(graph, select), given)
    graph.erase_node(write)
    graph.erase_node(select)


def _is_checked_alone(node: Node) -> bool:
    """Does it serve nothing but a check of the number? A place outside is the nearest one inside."""
    if node.target in _CHECKS:
        return True
    is_of_numbers = node.op == "call_function" and not isinstance(node.target, torch._ops.OpOverload)
    return is_of_numbers and all(_is_checked_alone(user) for user in node.users)


def _erase(graph: Graph, node: Node) -> None:
    for user in list(node.users):
        _erase(graph, user)
    if node in graph.nodes:
        graph.erase_node(node)
