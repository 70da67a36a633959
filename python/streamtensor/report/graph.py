# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The task graph of a design, from the simulator's answer, with what is weight and what is intermediate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_DESIGN = re.compile(r"^\s*dataflow\.design @(?P<name>[\w$.-]+|\"[^\"]+\")")
_PORT = re.compile(r'^\s*(?P<value>%[\w$.-]+) = dataflow\.port +(?P<way>in|out) "(?P<name>[^"]+)"')
_LEAF = re.compile(r'^\s*dataflow\.leaf "(?P<name>[^"]+)"')
_LOAD = re.compile(r"dataflow\.load (?P<value>%[\w$.-]+)[ \[].*!dataflow\.port<")


@dataclass(frozen=True)
class Task:
    """A leaf task of one design."""

    design: str
    name: str
    role: str
    data: dict


@dataclass(frozen=True)
class Channel:
    """A FIFO or a block buffer between two tasks, by their numbers."""

    source: int
    target: int
    kind: str  # "fifo", "buffer"
    bytes: int
    label: str
    data: dict


@dataclass
class Graph:
    """Tasks and channels; `weight_tasks` handle parameters only, and so do the channels that they write."""

    tasks: list[Task]
    channels: list[Channel]
    weight_tasks: set[int] = field(default_factory=set)

    def is_weight(self, channel: Channel) -> bool:
        return channel.source in self.weight_tasks

    @property
    def intermediate_bytes(self) -> int:
        """Bytes of FIFOs, block buffers and private memories that hold anything but parameters."""
        privates = sum(memory["bytes"] for _, memory in self._privates())
        channels = sum(channel.bytes for channel in self.channels)
        return channels + privates - self.weight_bytes

    @property
    def weight_bytes(self) -> int:
        weights = {
            (channel.data.get("design", ""), channel.data["name"])
            for channel in self.channels
            if self.is_weight(channel)
        }
        held = sum(memory["bytes"] for task, memory in self._privates() if _holds(memory, task, weights))
        return held + sum(channel.bytes for channel in self.channels if self.is_weight(channel))

    def _privates(self) -> list[tuple[Task, dict]]:
        return [(task, memory) for task in self.tasks for memory in task.data["private_memories"]]


def _holds(memory: dict, task: Task, fifos: set[tuple[str, str]]) -> bool:
    """Does the memory hold what comes through these FIFOs (by design and name), and nothing else?"""
    sources = {(task.design, name) for name in memory["filled_from"]}
    return bool(sources) and sources <= fifos


def build_graph(simulation: dict, parameter_loads: set[tuple[str, str]]) -> Graph:
    """`parameter_loads` names the tasks that read parameters from external memory, as (design, task)."""
    tasks = [Task(t.get("design", ""), t["name"], t["role"], t) for t in simulation["tasks"]]
    number = {(task.design, task.name): index for index, task in enumerate(tasks)}
    channels = [_fifo(fifo, number) for fifo in simulation["fifos"]]
    channels += [_buffer(buffer, number) for buffer in simulation["buffers"]]
    graph = Graph(tasks, channels)
    graph.weight_tasks = _weight_tasks(graph, {number[load] for load in parameter_loads if load in number})
    return graph


def _fifo(fifo: dict, number: dict) -> Channel:
    design, depth = fifo.get("design", ""), fifo["depth"]
    size = -(-depth * fifo["bits"] // 8)
    return Channel(number[design, fifo["writer"]], number[design, fifo["reader"]], "fifo", size, f"{depth}", fifo)


def _buffer(buffer: dict, number: dict) -> Channel:
    design = buffer.get("design", "")
    label = "×".join(map(str, buffer["shape"])) + f" · {buffer['blocks']}"
    ends = number[design, buffer["writer"]], number[design, buffer["reader"]]
    return Channel(*ends, "buffer", buffer["bytes"], label, buffer)


def _weight_tasks(graph: Graph, loads: set[int]) -> set[int]:
    """Tasks that read parameters, and those that read nothing but what such tasks write."""
    inputs: dict[int, set[int]] = {}
    for channel in graph.channels:
        inputs.setdefault(channel.target, set()).add(channel.source)
    found = set(loads)
    while True:
        new = {task for task, sources in inputs.items() if task not in found and sources <= found}
        if not new:
            return found
        found |= new


def parameter_loads(sized: str, parameter_ports: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The tasks of size-phase IR that load from the given ports, as (design, task)."""
    found = set()
    design, leaf, ports = "", "", {}
    for line in sized.splitlines():
        if match := _DESIGN.match(line):
            design, ports = match["name"].strip('"'), {}
        elif match := _PORT.match(line):
            ports[match["value"]] = match["name"]
        elif match := _LEAF.match(line):
            leaf = match["name"]
        elif (match := _LOAD.search(line)) and (design, ports.get(match["value"])) in parameter_ports:
            found.add((design, leaf))
    return found


def parameter_ports(interface: dict) -> set[tuple[str, str]]:
    """The ports through which launches read parameters or constants, as (design, port)."""
    main = interface["main"]
    values = {a["value"] for a in main["arguments"] if a["kind"] == "parameter"}
    values |= {c["value"] for c in main["constants"]}
    ports = {d["name"]: [p["name"] for p in d["ports"] if p["direction"] != "out"] for d in interface["designs"]}
    found = set()
    for step in main["steps"]:
        if step["op"] != "launch" and step["input"] in values:
            values.add(step["output"])
        elif step["op"] == "launch":
            names = zip(step["inputs"], ports[step["design"]], strict=True)
            found |= {(step["design"], name) for value, name in names if value in values}
    return found
