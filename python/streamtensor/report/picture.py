# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The task graph as one SVG picture: tasks as boxes, FIFOs with their depths, block buffers and converters as thick
edges with their blocks."""

from __future__ import annotations

import itertools
from html import escape

from streamtensor.report.graph import Channel, Graph, Task
from streamtensor.report.layout import lay_out

_WIDTH, _HEIGHT = 150, 34  # a box
_STEP_X, _STEP_Y = 172, 84  # places
_MARGIN = 24
_COLOURS = {
    "compute": "#2f6db5",
    "load": "#6a737d",
    "store": "#6a737d",
    "fork": "#8a63d2",
    "fill": "#b08800",
    "drain": "#b08800",
    "convert_in": "#d1570c",
    "convert_out": "#d1570c",
    "chunk": "#22863a",
    "concat": "#22863a",
    "pad": "#22863a",
    "extern": "#b31d28",
    "regroup": "#22863a",
    "discard": "#22863a",
}
_OTHER = "#444c56"
_UNTOLD = ("name", "design", "activity", "private_memories", "nests", "line")
LEGEND = tuple(dict.fromkeys((colour, role.split("_")[0]) for role, colour in _COLOURS.items()))


def draw(graph: Graph) -> str:
    """SVG text. Every edge says its depth (FIFO) or the shape and number of its blocks (buffer)."""
    layout = lay_out(len(graph.tasks), [(channel.source, channel.target) for channel in graph.channels])
    columns = max((x for way in layout.edges for x, _ in way), default=0.0)
    columns = max([columns, *(x for x, _ in layout.nodes.values())], default=0.0)
    rows = max((layer for _, layer in layout.nodes.values()), default=0)
    width = columns * _STEP_X + _WIDTH + 2 * _MARGIN
    height = rows * _STEP_Y + _HEIGHT + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="sans-serif" font-size="11">'
    ]
    parts += [_edge(channel, way, graph) for channel, way in zip(graph.channels, layout.edges, strict=True)]
    parts += [_box(task, *layout.nodes[index]) for index, task in enumerate(graph.tasks)]
    return "\n".join([*parts, "</svg>"])


def _box(task: Task, x: float, layer: int) -> str:
    left, top = _MARGIN + x * _STEP_X, _MARGIN + layer * _STEP_Y
    colour = _COLOURS.get(task.role, _OTHER)
    shown = task.name if len(task.name) <= 24 else task.name[:11] + "…" + task.name[-12:]
    facts = ", ".join(f"{key} {value}" for key, value in task.data.items() if key not in _UNTOLD)
    return (
        f'<g class="task" data-text="{_searchable(task)}"><title>{escape(task.name)}: {escape(facts)}</title>'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" fill="{colour}"/>'
        f'<text x="{left + _WIDTH / 2:.1f}" y="{top + 21:.1f}" fill="#fff" text-anchor="middle">{escape(shown)}</text>'
        "</g>"
    )


def _searchable(task: Task) -> str:
    """What a search for this box looks into."""
    words = (task.name, task.role, *(task.data.get(key, "") for key in ("module", "line", "die", "names")))
    return escape(" ".join(words).lower())


def _edge(channel: Channel, way: list[tuple[float, int]], graph: Graph) -> str:
    points = [(_MARGIN + x * _STEP_X + _WIDTH / 2, _MARGIN + layer * _STEP_Y + _HEIGHT / 2) for x, layer in way]
    curve = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        middle = (y0 + y1) / 2
        curve += f" C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
    x, y = _label_place(points)
    is_buffer = channel.kind == "buffer"
    colour = "#9aa0a6" if graph.is_weight(channel) else "#d1570c" if is_buffer else "#1b1f24"
    facts = ", ".join(f"{key} {value}" for key, value in channel.data.items() if key not in _UNTOLD)
    return (
        f'<g class="{channel.kind}"><title>{escape(str(channel.data["name"]))}: {escape(facts)}</title>'
        f'<path d="{curve}" fill="none" stroke="{colour}" stroke-width="{4 if is_buffer else 1.4}"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" stroke="#fff" stroke-width="3" paint-order="stroke" '
        f'text-anchor="middle">{escape(channel.label)}</text></g>'
    )


def _label_place(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Just below the writer, nearer to it than to the reader, so that labels of one reader do not meet."""
    (x0, y0), (x1, y1) = points[0], points[min(1, len(points) - 1)]
    return x0 + (x1 - x0) * 0.5, y0 + (y1 - y0) * 0.5 + 4
