# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What depends on no input is known when a design is compiled.

Indices that are known choose slices: torch-mlir reads such elements one by one at computed positions, which a stream
cannot. Decoders choose with constants where they split fused projections, number positions and build masks.
Comparisons that are known are settled: torch-mlir's own of 0.1 < 0 is true, and that of integers ends the process.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.export import ExportedProgram
from torch.fx import Graph, Node

from streamtensor.frontend import joins
from streamtensor.frontend.calls import call_in_place_of

_ATEN = torch.ops.aten
_MOST_ELEMENTS = 1 << 16  # of a value that is computed here
_MOST_SLICES = 512

Choice = tuple[Node, int, torch.Tensor]  # a tensor, its dimension, what is taken of it


def settle_comparisons(program: ExportedProgram) -> None:
    """Gives the result of each comparison that has the same for all elements."""
    graph, values = program.graph, KnownValues(program)
    for node in list(graph.nodes):
        known = values.get(node) if node.target in _COMPARISONS else None
        if known is None or known.numel() == 0 or known.any() != known.all():
            continue
        with graph.inserting_before(node):
            arguments = list(known.shape), bool(known.any())
            settled = graph.call_function(_ATEN.full.default, arguments, {"dtype": torch.bool})
        settled.meta = dict(node.meta)
        node.replace_all_uses_with(settled)
        graph.erase_node(node)
    graph.eliminate_dead_code()


def slice_known_indices(program: ExportedProgram) -> None:
    """Rewrites index, index_select, embedding and flip whose indices are known."""
    graph, values = program.graph, KnownValues(program)
    for node in list(graph.nodes):
        choice = _CHOICES[node.target](node, values) if node.target in _CHOICES else None
        if choice is not None:
            _slice(graph, node, *choice)
    graph.eliminate_dead_code()


class KnownValues:
    """The values of nodes that depend on no input, parameter or buffer, computed on demand."""

    def __init__(self, program: ExportedProgram):
        literals = program.graph_signature.inputs_to_lifted_tensor_constants
        self._literals = {name: program.constants[target] for name, target in literals.items()}
        self._found: dict[Node, torch.Tensor | None] = {}

    def get(self, node: object) -> torch.Tensor | None:
        if not isinstance(node, Node):
            return None
        if node not in self._found:
            self._found[node] = self._compute(node)
        return self._found[node]

    def _compute(self, node: Node) -> torch.Tensor | None:
        if node.op == "placeholder":
            return self._literals.get(node.name)
        shown = node.meta.get("val")
        is_small = isinstance(shown, torch.Tensor) and shown.numel() <= _MOST_ELEMENTS
        if not is_small or not isinstance(node.target, torch._ops.OpOverload):
            return None
        if any(self.get(operand) is None for operand in node.all_input_nodes):
            return None
        arguments, keywords = torch.fx.node.map_arg((node.args, node.kwargs), self.get)
        return node.target(*arguments, **keywords)


def _of_index(node: Node, values: KnownValues) -> Choice | None:
    """Where one dimension alone is indexed."""
    indices = [(dim, index) for dim, index in enumerate(node.args[1]) if index is not None]
    return _choose(node.args[0], *indices[0], values) if len(indices) == 1 else None


def _choose(source: Node, dim: int, index: Node, values: KnownValues) -> Choice | None:
    known = values.get(index)
    if known is None or known.dtype == torch.bool:
        return None
    return source, dim, known % source.meta["val"].shape[dim]


def _of_flip(node: Node, values: KnownValues) -> Choice | None:
    source, dims = node.args
    if len(dims) != 1:
        return None
    return source, dims[0] % node.meta["val"].dim(), torch.arange(node.meta["val"].shape[dims[0]]).flip(0)


_COMPARISONS = {
    getattr(getattr(_ATEN, name), overload)
    for name in ("lt", "le", "gt", "ge", "eq", "ne")
    for overload in ("Scalar", "Tensor")
}
_CHOICES: dict[object, Callable[[Node, KnownValues], Choice | None]] = {
    _ATEN.index.Tensor: _of_index,
    _ATEN.index_select.default: lambda node, values: _choose(*node.args, values),
    _ATEN.embedding.default: lambda node, values: _choose(node.args[0], 0, node.args[1], values),
    _ATEN.flip.default: _of_flip,
}


def _runs(index: list[int]) -> list[tuple[int, int]]:
    """First and end of each run of consecutive numbers."""
    runs: list[tuple[int, int]] = []
    for number in index:
        if runs and runs[-1][1] == number:
            runs[-1] = (runs[-1][0], number + 1)
        else:
            runs.append((number, number + 1))
    return runs


def _slice(graph: Graph, node: Node, source: Node, dim: int, index: torch.Tensor) -> None:
    runs = _runs(index.flatten().tolist())
    if not 0 < len(runs) <= _MOST_SLICES:
        return
    with graph.inserting_before(node):
        slices = [call_in_place_of(graph, node, _ATEN.slice.Tensor, source, dim, first, end) for first, end in runs]
        while len(slices) > 1:
            slices = [call_in_place_of(graph, node, _ATEN.cat.default, part, dim) for part in joins.divide(slices)]
        (result,) = slices
        shape = list(node.meta["val"].shape)
        if list(result.meta["val"].shape) != shape:
            result = call_in_place_of(graph, node, _ATEN.view.default, result, shape)
    node.replace_all_uses_with(result)
    graph.erase_node(node)
