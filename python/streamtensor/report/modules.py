# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks and FIFOs by the modules of the user's model that they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from streamtensor.report.graph import Channel, Graph, Task

T = TypeVar("T")
UNNAMED = "(no module)"


@dataclass
class Module:
    """A module by its dotted path, with what is its own and the modules within it."""

    path: str
    own: list = field(default_factory=list)
    within: dict[str, Module] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.path.rsplit(".", 1)[-1] or UNNAMED

    @property
    def level(self) -> int:
        return self.path.count(".")

    def walk(self) -> Iterator[Module]:
        """This module and all within it, outer ones first."""
        yield self
        for module in self.within.values():
            yield from module.walk()

    def everything(self) -> list:
        return [each for module in self.walk() for each in module.own]


def group(items: list[T], path_of: Callable[[T], str]) -> list[Module]:
    """The modules of all items, outer ones before those within, else in the order of the items."""
    root = Module("")
    for item in items:
        module, path = root, path_of(item)
        parts = path.split(".") if path else []
        for length, part in enumerate(parts, start=1):
            module = module.within.setdefault(part, Module(".".join(parts[:length])))
        module.own.append(item)
    found = [module for outer in root.within.values() for module in outer.walk()]
    return [*found, Module("", root.own)] if root.own else found


def contract(graph: Graph) -> Graph:
    """The graph of modules: all tasks of one as one box, all that passes from one to another as one edge."""
    paths = list(dict.fromkeys(_path(task) for task in graph.tasks))
    tasks = [_box(path, [task for task in graph.tasks if _path(task) == path]) for path in paths]
    number = {path: index for index, path in enumerate(paths)}
    module = [number[_path(task)] for task in graph.tasks]
    between: dict[tuple[int, int], list[Channel]] = {}
    for channel in graph.channels:
        ends = module[channel.source], module[channel.target]
        if ends[0] != ends[1]:
            between.setdefault(ends, []).append(channel)
    return Graph(tasks, [_edge(ends, channels) for ends, channels in between.items()])


def _path(task: Task) -> str:
    return task.data.get("module", "")


def _box(path: str, tasks: list[Task]) -> Task:
    computes = any(task.role == "compute" for task in tasks)
    role = "compute" if computes else tasks[0].role
    return Task("", path or UNNAMED, role, {"tasks": len(tasks), "names": " ".join(task.name for task in tasks)})


def _edge(ends: tuple[int, int], channels: list[Channel]) -> Channel:
    size = sum(channel.bytes for channel in channels)
    kind = "buffer" if any(channel.kind == "buffer" for channel in channels) else "fifo"
    names = ", ".join(str(channel.data["name"]) for channel in channels)
    return Channel(
        *ends, kind, size, f"{len(channels)}", {"name": f"{len(channels)} edges", "bytes": size, "of": names}
    )
