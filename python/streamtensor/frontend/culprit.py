# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operation it is at which torch-mlir dies or never ends, or that it refuses without a name.

Found by halving: of a program that it does not survive, the shortest beginning that it does not survive either ends
with the operation at fault. So it is where it names only a constant that an operation without a lowering takes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import torch
from torch_mlir import ir

from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import locations, lowering, refusals

_TRIAL_SECONDS = 10.0  # of each beginning; torch-mlir needs well under a second for a decoder layer

Import = Callable[[torch.fx.Graph], ir.Module]


def describe(ended: lowering.Ended, graph: torch.fx.Graph, prefix: str, to_module: Import) -> UnsupportedOpError:
    node = _find(graph, to_module, lowering.Ended)
    return UnsupportedOpError(
        f"torch-mlir, which lowers PyTorch to Linalg, {ended.how} at operation '{node.target}'"
        f"{locations.describe(node, prefix)}. {refusals.REMEDY}"
    )


def describe_unnamed(
    refused: lowering.Refused, graph: torch.fx.Graph, prefix: str, to_module: Import
) -> UnsupportedOpError:
    return refusals.tell(refused, [_find(graph, to_module, lowering.Refused)], prefix)


def _find(graph: torch.fx.Graph, to_module: Import, failure: type[Exception]) -> torch.fx.Node:
    """The last operation of the shortest beginning that ends in `failure`; the whole program is one."""
    calls = [node for node in graph.nodes if node.op == "call_function" and node.target is not operator.getitem]
    survived, ended = 0, len(calls)
    while ended - survived > 1:
        middle = (survived + ended) // 2
        if _survives(to_module(_beginning(graph, calls[middle - 1])), failure):
            survived = middle
        else:
            ended = middle
    return calls[ended - 1]


def _survives(module: ir.Module, failure: type[Exception]) -> bool:
    try:
        lowering.lower(module, _TRIAL_SECONDS)
    except (lowering.Refused, lowering.Ended) as found:
        return not isinstance(found, failure)
    return True


def _beginning(graph: torch.fx.Graph, last: torch.fx.Node) -> torch.fx.Graph:
    """`graph` up to `last`; its results are the tensors that nothing in it reads."""
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    part = torch.fx.Graph(graph.owning_module)
    for node in graph.nodes:
        if node > last and not _takes_from(node, copies):
            continue
        copies[node] = part.node_copy(node, copies.__getitem__)
    part.output(tuple(copy for copy in copies.values() if not copy.users and _is_tensor(copy)))
    return part


def _takes_from(node: torch.fx.Node, copies: dict[torch.fx.Node, torch.fx.Node]) -> bool:
    """Whether `node` picks one of the results of an operation that is in the part."""
    return node.target is operator.getitem and node.args[0] in copies


def _is_tensor(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)
