# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layered drawing of a graph, top to bottom.

Layers by longest path, long edges routed through places of their own, order within a layer by barycentres, then
horizontal positions by averaging with a least distance kept (the method of Sugiyama, Tagawa and Toda, 1981).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass

_SWEEPS = 12


@dataclass(frozen=True)
class Layout:
    """Positions in units of one place: x and layer of each node, and the way of each edge as such points."""

    nodes: dict[int, tuple[float, int]]
    edges: list[list[tuple[float, int]]]


def lay_out(count: int, edges: list[tuple[int, int]]) -> Layout:
    """Lays out nodes 0 .. count-1; edges may form cycles, which are broken where they are found."""
    forward = _acyclic(count, edges)
    layer = _layers(count, forward)
    chains, total, layer = _split_long_edges(count, forward, layer)
    above, below = defaultdict(list), defaultdict(list)
    for chain in chains:
        for source, target in itertools.pairwise(chain):
            below[source].append(target)
            above[target].append(source)
    rows = _order(total, layer, above, below)
    x = _place(rows, above, below)
    nodes = {node: (x[node], layer[node]) for node in range(count)}
    ways = [[(x[node], layer[node]) for node in chain] for chain in chains]
    turned = [way[::-1] if pair != edge else way for way, pair, edge in zip(ways, forward, edges, strict=True)]
    return Layout(nodes, turned)


def _acyclic(count: int, edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The edges with those turned round that close a cycle in a depth-first visit."""
    following = defaultdict(list)
    for source, target in edges:
        following[source].append(target)
    state = [0] * count  # 0 not seen, 1 on the stack, 2 done
    back = set()
    for root in range(count):
        if state[root]:
            continue
        stack = [(root, iter(following[root]))]
        state[root] = 1
        while stack:
            node, rest = stack[-1]
            target = next(rest, None)
            if target is None:
                state[node] = 2
                stack.pop()
            elif state[target] == 0:
                state[target] = 1
                stack.append((target, iter(following[target])))
            elif state[target] == 1:
                back.add((node, target))
    return [(target, source) if (source, target) in back else (source, target) for source, target in edges]


def _layers(count: int, edges: list[tuple[int, int]]) -> list[int]:
    waiting = [0] * count
    following = defaultdict(list)
    for source, target in edges:
        if source != target:
            following[source].append(target)
            waiting[target] += 1
    layer = [0] * count
    ready = [node for node in range(count) if waiting[node] == 0]
    while ready:
        node = ready.pop()
        for target in following[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    return _pull_down_sources(layer, following)


def _pull_down_sources(layer: list[int], following: dict[int, list[int]]) -> list[int]:
    """A node that nothing feeds stands just above its first reader, not at the top."""
    fed = {target for targets in following.values() for target in targets}
    for node, targets in following.items():
        if node not in fed and targets:
            layer[node] = min(layer[target] for target in targets) - 1
    lowest = min(layer, default=0)
    return [value - lowest for value in layer]


def _split_long_edges(count: int, edges: list[tuple[int, int]], layer: list[int]):
    """Each edge as a chain of nodes in adjacent layers; the nodes between are new."""
    layer = list(layer)
    chains = []
    for source, target in edges:
        chain = [source]
        for between in range(layer[source] + 1, layer[target]):
            chain.append(len(layer))
            layer.append(between)
        chains.append([*chain, target])
    return chains, len(layer), layer


def _order(total: int, layer: list[int], above, below) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node in range(total):
        rows[layer[node]].append(node)
    for sweep in range(_SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        order = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        position = {node: index for row in rows for index, node in enumerate(row)}
        for index in order:
            key = {n: _mean([position[m] for m in neighbours[n]], position[n]) for n in rows[index]}
            rows[index].sort(key=key.__getitem__)
            position.update({node: place for place, node in enumerate(rows[index])})
    return rows


def _place(rows: list[list[int]], above, below) -> dict[int, float]:
    x = {node: index - len(row) / 2 for row in rows for index, node in enumerate(row)}
    for sweep in range(_SWEEPS):
        order = rows if sweep % 2 == 0 else rows[::-1]
        for row in order:
            wish = [_mean([x[m] for m in [*above[n], *below[n]]], x[n]) for n in row]
            for node, value in zip(row, _separate(wish), strict=True):
                x[node] = value
    left = min(x.values(), default=0.0)
    return {node: value - left for node, value in x.items()}


def _separate(wish: list[float]) -> list[float]:
    """The nearest positions to `wish` at least one place apart: the mean of pushing right and pushing left."""
    right, left = list(wish), list(wish)
    for index in range(1, len(wish)):
        right[index] = max(right[index], right[index - 1] + 1)
    for index in range(len(wish) - 2, -1, -1):
        left[index] = min(left[index], left[index + 1] - 1)
    return [(a + b) / 2 for a, b in zip(right, left, strict=True)]


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
