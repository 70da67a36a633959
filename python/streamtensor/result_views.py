# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory in which a graph's results lie, restored around a design.

In PyTorch results may be views of inputs or of each other, and who writes to one sees it in the other; torch.compile
counts on that and on their strides. A design gives each result in memory of its own, row after row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import torch

from streamtensor.errors import Error


@dataclass(frozen=True)
class _View:
    """Where a tensor lies in its memory, in elements."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    dtype: torch.dtype

    @classmethod
    def of(cls, tensor: torch.Tensor) -> _View:
        return cls(tuple(tensor.shape), tensor.stride(), tensor.storage_offset(), tensor.dtype)

    def end(self) -> int:
        """The element behind the last one."""
        return self.offset + 1 + sum((size - 1) * stride for size, stride in zip(self.size, self.stride, strict=True))

    def of_memory(self, memory: torch.Tensor, start: int) -> torch.Tensor:
        """This view of the memory of `memory`, moved by as much as that begins behind `start`."""
        return memory.as_strided(self.size, self.stride, self.offset - start + memory.storage_offset())


def restorer(graph: torch.fx.GraphModule) -> Callable[[Sequence, Sequence], list]:
    """A function that takes a call's inputs and what a design of `graph` computed of them, both in the graph's order,
    and gives the results as the graph would: views of inputs, of the graph's own tensors, or of memory that they share.
    """
    (output,) = graph.graph.find_nodes(op="output")
    if not isinstance(output.args[0], Sequence):  # No graph of torch.compile.
        return lambda _, computed: computed
    results = [_example(node) for node in output.args[0]]
    owners: dict[int, tuple[_View, Callable[[Sequence], torch.Tensor]]] = {}
    for node in graph.graph.find_nodes(op="get_attr"):
        if (example := _example(node)) is not None:
            owners[_memory(example)] = _View.of(example), lambda _, find=attrgetter(node.target): find(graph)
    for number, node in enumerate(graph.graph.find_nodes(op="placeholder")):
        if (example := _example(node)) is not None:
            owners[_memory(example)] = _View.of(example), lambda inputs, number=number: inputs[number]
    views = [None if result is None else _View.of(result) for result in results]
    owner_of = [None if result is None else owners.get(_memory(result)) for result in results]
    apart = defaultdict(list)  # The results in each memory that nobody owns.
    for number, (result, owner) in enumerate(zip(results, owner_of, strict=True)):
        if result is None:
            continue
        if owner is None:
            apart[_memory(result)].append(number)
        _check_types(views[number], owner[0] if owner else views[apart[_memory(result)][0]])

    def restore(inputs: Sequence, computed: Sequence) -> list:
        restored = list(computed)
        for number, owner in enumerate(owner_of):
            if owner is not None:
                restored[number] = views[number].of_memory(owner[1](inputs), owner[0].offset)
        for numbers in apart.values():
            if len(numbers) > 1 or computed[numbers[0]].stride() != views[numbers[0]].stride:
                for number, view in zip(numbers, _together([views[n] for n in numbers]), strict=True):
                    _fill(view, computed[number])
                    restored[number] = view
        return restored

    return restore


def _example(node: object) -> torch.Tensor | None:
    """What tracing knows of a tensor; nothing of numbers, and of a graph that was not traced."""
    value = node.meta.get("example_value") if isinstance(node, torch.fx.Node) else None
    return value if isinstance(value, torch.Tensor) and value.layout == torch.strided else None


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata


def _check_types(view: _View, other: _View) -> None:
    if view.dtype != other.dtype:
        raise Error(f"a result is a view, of type {view.dtype}, of a tensor of {other.dtype}; return a copy of it")


def _together(views: list[_View]) -> list[torch.Tensor]:
    """New tensors that lie as `views` in one memory."""
    start = min(view.offset for view in views)
    memory = torch.empty(max(view.end() for view in views) - start, dtype=views[0].dtype)
    return [view.of_memory(memory, start) for view in views]


def _fill(view: torch.Tensor, values: torch.Tensor) -> None:
    """Writes `values`; elements that are repeated, once."""
    for dim, stride in enumerate(view.stride()):
        if stride == 0:
            view, values = view.narrow(dim, 0, 1), values.narrow(dim, 0, 1)
    view.copy_(values)
