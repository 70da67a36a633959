# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of operations that take the place of another one in an exported graph."""

from __future__ import annotations

from collections.abc import Callable

from torch.fx import Graph, Node
from torch.fx.node import map_arg

from streamtensor.frontend import locations


def call_in_place_of(graph: Graph, origin: Node, target: Callable, *arguments: object, **keywords: object) -> Node:
    """A call of the module and the line of `origin`."""
    node = graph.call_function(target, arguments, keywords)
    node.meta = locations.origin_of(origin)
    node.meta["val"] = target(*map_arg(arguments, lambda operand: operand.meta["val"]), **keywords)
    return node
