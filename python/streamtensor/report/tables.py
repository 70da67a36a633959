# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the page: columns, and rows that can be sorted, searched and grouped by module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from streamtensor.report.breakdown import KINDS, break_down
from streamtensor.report.modules import Module, group


@dataclass(frozen=True)
class Column:
    """`kind` says how a cell is shown: text, list, number, share, flag, bars or timeline."""

    key: str
    title: str
    kind: str = "text"
    meaning: str = ""


@dataclass(frozen=True)
class Row:
    """Values by column, what a search looks into, and what the cursor shows."""

    cells: dict
    text: str
    title: str = ""
    task: int | None = None  # by which the page finds its timeline


@dataclass(frozen=True)
class Section:
    """A module's rows under a heading; `path` is None where a table has no modules."""

    path: str | None
    level: int
    name: str
    rows: list[Row]
    facts: str = ""


@dataclass(frozen=True)
class Table:
    """`noun` names what a row is; `id` is the page's name for the table."""

    id: str
    noun: str
    columns: tuple[Column, ...]
    sections: list[Section] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(len(section.rows) for section in self.sections)


BREAKDOWN = (
    Column("name", "task"),
    Column("shares", "share of the run", "bars"),
    Column("role", "role"),
    Column("die", "die"),
    Column("ii", "II", "number", "cycles between iterations"),
    Column("iterations", "iterations", "number"),
    *(Column(kind.key, kind.title, "number", kind.meaning) for kind in KINDS),
    Column("multiply_adds", "multiply-adds", "number"),
    Column("dsp", "DSP", "number"),
    Column("lut", "LUT", "number"),
)
TIMELINE = (
    Column("name", "task"),
    Column("start", "first issue", "number", "cycle of the first iteration"),
    Column("end", "end", "number", "cycle in which the last iteration is through"),
    Column("timeline", "", "timeline"),
)
FIFOS = (
    Column("name", "FIFO"),
    Column("writer", "writer"),
    Column("reader", "reader"),
    Column("bits", "bits", "number", "width of a token"),
    Column("depth", "depth", "number", "slots"),
    Column("high_water", "most tokens", "number", "most slots in use at once"),
    Column("filled", "of depth", "share"),
    Column("tokens", "tokens", "number", "that pass through in a launch"),
    Column("memory", "memory", "text", "what it is built of"),
    Column("critical", "critical", "flag", "its lack of slots lies on the critical path of the run"),
    Column("least_depth", "least depth", "number", "with which no deadlock depends on timing"),
)
CHANNELS = (
    Column("name", "channel"),
    Column("bytes", "bytes", "number", "of a launch, in whole beats of the channel"),
    Column("busy", "busy", "number", "cycles in which bursts were on the way"),
    Column("utilisation", "of its sustained rate", "share"),
    Column("interfaces", "ports", "list"),
)
PORTS = (
    Column("interface", "port"),
    Column("way", "way"),
    Column("task", "task"),
    Column("channel", "channel"),
    Column("bits", "width", "number", "bits of a word"),
    Column("burst", "burst", "number", "most words of a burst"),
    Column("outstanding", "outstanding", "number", "bursts on the way"),
    Column("bytes", "bytes", "number", "of a launch"),
    Column("utilisation", "of the channel's sustained rate", "share"),
    Column("tensors", "tensors", "list"),
)


def tables(simulation: dict) -> dict[str, Table]:
    """All tables of the page, by their ids."""
    cycles = {design["name"]: design["cycles"] for design in simulation["designs"]}
    tasks = simulation["tasks"]
    found = (
        Table("breakdown", "task", BREAKDOWN, _by_module("task", tasks, partial(_breakdown, cycles))),
        Table("timeline", "task", TIMELINE, _by_module("task", tasks, _timeline)),
        Table("fifos", "FIFO", FIFOS, _by_module("FIFO", simulation["fifos"], _fifo)),
        Table("channels", "channel", CHANNELS, _plain(simulation["channels"], _channel)),
        Table("ports", "port", PORTS, _plain(simulation["ports"], _port)),
    )
    return {table.id: table for table in found}


def _by_module(noun: str, items: list[dict], row_of: Callable[[int, dict], Row]) -> list[Section]:
    modules = group(list(enumerate(items)), lambda item: item[1].get("module", ""))
    return [_section(module, [row_of(*item) for item in module.own], noun) for module in modules]


def _section(module: Module, rows: list[Row], noun: str) -> Section:
    everything = [data for _, data in module.everything()]
    dsps = sum(data["resources"]["dsp"] for data in everything)
    facts = [module.path] if module.level else []
    facts.append(f"{len(everything)} {noun}{'s' if len(everything) > 1 else ''}")
    if dsps:
        facts.append(f"{dsps:,.10g} DSPs")
    return Section(module.path, module.level, module.name, rows, " · ".join(facts))


def _plain(items: list[dict], row_of: Callable[[dict], Row]) -> list[Section]:
    return [Section(None, 0, "", [row_of(item) for item in items])] if items else []


def _breakdown(cycles: dict[str, int], index: int, task: dict) -> Row:
    parts = break_down(task, cycles[task["design"]])
    resources = {key: task["resources"][key] for key in ("dsp", "lut")}
    cells = {**task, **parts, **resources, "die": task.get("die", ""), "shares": _shares(parts)}
    return Row(cells, _text(task), _origin(task), index)


def _shares(parts: dict[str, int]) -> list[tuple[str, str, int, float]]:
    """Title, colour, cycles and share of each part that has any."""
    whole = sum(parts.values()) or 1
    return [(k.title, k.colour, parts[k.key], parts[k.key] / whole) for k in KINDS if parts[k.key]]


def _timeline(index: int, task: dict) -> Row:
    return Row({**task, "timeline": index}, _text(task), _origin(task), index)


def _text(task: dict) -> str:
    return _searchable(task["name"], task.get("module", ""), task["role"], task.get("line", ""), task.get("die", ""))


def _origin(entry: dict) -> str:
    found = [entry.get("module", ""), entry.get("line", "")]
    return "\n".join(each for each in found if each)


def _fifo(_: int, fifo: dict) -> Row:
    cells = {**fifo, "filled": fifo["high_water"] / fifo["depth"], "least_depth": fifo.get("least_depth")}
    names = (fifo["name"], fifo["writer"], fifo["reader"], fifo.get("module", ""), fifo["memory"])
    return Row(cells, _searchable(*names, "critical" if fifo["critical"] else ""), _origin(fifo))


def _channel(channel: dict) -> Row:
    ports = ", ".join(channel["interfaces"])
    return Row({**channel, "interfaces": ports}, _searchable(channel["name"], ports))


def _port(port: dict) -> Row:
    """A port whose memory is left out of the simulation has no channel and moves nothing there."""
    tensors = ", ".join(port["tensors"])
    absent = {"channel": "", "bytes": None, "utilisation": None}
    names = (port["interface"], port["task"], port.get("channel", ""), port["way"], tensors)
    return Row({**absent, **port, "tensors": tensors}, _searchable(*names))


def _searchable(*words: str) -> str:
    return " ".join(words).lower()
