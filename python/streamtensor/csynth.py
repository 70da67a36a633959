# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of Vitis HLS: `csynth.xml`, which synthesis writes below `syn/report`.

The file has the top function's figures, and one entry per module with its loops, resources (those of the modules in it
included) and operators. Modules are there from Vitis HLS 2021.1 on; older reports have the top alone.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from streamtensor.errors import RunError

FIRST_ARGUMENT = 0x10  # of the register map (UG1399); before it start, done and interrupts
BURST = OUTSTANDING = 16  # of masters, where nothing else is asked for (UG1399)
RESOURCES = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "uram": "URAM"}


@dataclass(frozen=True)
class Loop:
    """A loop that is a pipeline."""

    name: str
    trips: int | None
    ii: int
    depth: int


@dataclass(frozen=True)
class Operator:
    """An instance in hardware: what it does, as synthesis built it."""

    kind: str  # fadd, fmul, mul, fifo, ram_2p, …
    instance: str  # fmul_32ns_32ns_32_4_max_dsp_1_U7
    implementation: str  # maxdsp, fabric, bram, …
    latency: int
    dsp: float
    bram18: int
    uram: int
    is_storage: bool
    source: str = ""  # file and line, where the report says it


@dataclass(frozen=True)
class Module:
    name: str
    interval: int | None  # cycles from one call to the next
    resources: dict[str, float]  # lut, ff, dsp, bram (of 36 Kbit), uram
    loops: list[Loop] = field(default_factory=list)
    operators: list[Operator] = field(default_factory=list)


@dataclass(frozen=True)
class Master:
    """An AXI master of the top, and the words that may be on the way through it: bursts outstanding x longest burst."""

    name: str
    bits: int
    reads: int
    writes: int


@dataclass(frozen=True)
class Report:
    path: Path
    version: str
    part: str
    top: str
    clock_ns: float
    total: Module
    modules: dict[str, Module]
    masters: tuple[Master, ...] = ()
    instances: Counter[str] = field(default_factory=Counter)  # how often each module is there
    inner: dict[str, frozenset[str]] = field(default_factory=dict)  # the modules in each, at any depth
    argument_bits: int | None = None  # registers that the host writes; None without an AXI4-Lite slave


def read_report(path: Path) -> Report:
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError as error:
        raise RunError(f"There is no file '{path}': synthesis writes csynth.xml below syn/report.") from error
    except (OSError, ElementTree.ParseError) as error:
        raise RunError(f"'{path}' cannot be read as XML ({error}): it should be csynth.xml of Vitis HLS.") from error
    top = root.findtext("UserAssignments/TopModelName")
    resources = root.find("AreaEstimates/Resources")
    if root.tag != "profile" or top is None or resources is None:
        raise RunError(f"'{path}' is no report of synthesis: it should be csynth.xml of Vitis HLS.")
    modules = {module.name: module for module in map(_read_module, root.iterfind("ModuleInformation/Module"))}
    interval = _number(root.findtext("PerformanceEstimates/SummaryOfOverallLatency/Interval-max"))
    loops = list(_read_loops(root.find("PerformanceEstimates/SummaryOfLoopLatency")))
    return Report(
        path,
        root.findtext("ReportVersion/Version", ""),
        root.findtext("UserAssignments/Part", ""),
        top,
        float(root.findtext("UserAssignments/TargetClockPeriod", "0")),
        Module(top, interval, _read_resources(resources), loops),
        modules,
        tuple(_read_masters(root)),
        Counter(name.text for name in root.iterfind("RTLDesignHierarchy//ModuleName")),
        dict(_read_hierarchy(root)),
        _count_argument_bits(root),
    )


def _read_masters(root: ElementTree.Element) -> Iterator[Master]:
    bits: dict[str, int] = {}
    for port in root.iterfind("InterfaceSummary/RtlPorts"):
        if port.findtext("IOProtocol") == "m_axi":
            name = port.findtext("Object", "")
            is_word = port.findtext("name", "").endswith("_RDATA")
            bits[name] = int(port.findtext("Bits") or 0) if is_word else bits.get(name, 0)
    stated = {entry.get("InterfaceName"): entry for entry in root.iterfind(".//Interfaces/Interface")}
    for name, width in bits.items():
        entry = stated.get(f"m_axi_{name}")
        nodes = entry.iterfind("busParams/busParam") if entry is not None else ()
        words = {node.get("busParamName"): int(node.text or 0) for node in nodes if (node.text or "").isdigit()}
        reads, writes = (
            words.get(f"NUM_{way}_OUTSTANDING", OUTSTANDING) * words.get(f"MAX_{way}_BURST_LENGTH", BURST)
            for way in ("READ", "WRITE")
        )
        yield Master(name, width, reads, writes)


def _read_hierarchy(root: ElementTree.Element) -> Iterator[tuple[str, frozenset[str]]]:
    for entry in root.iterfind("RTLDesignHierarchy//ModuleName/.."):
        inner = entry.iterfind("InstancesList//ModuleName")
        yield entry.findtext("ModuleName", ""), frozenset(name.text or "" for name in inner)


def _count_argument_bits(root: ElementTree.Element) -> int | None:
    if all(port.findtext("IOProtocol") != "s_axi" for port in root.iterfind("InterfaceSummary/RtlPorts")):
        return None
    registers = root.iterfind(".//Interfaces//register")
    written = [entry for entry in registers if int(entry.get("offset", "0"), 16) >= FIRST_ARGUMENT]
    return sum(int(entry.get("range", "0")) for entry in written)


def _read_module(entry: ElementTree.Element) -> Module:
    interval = entry.findtext("PerformanceEstimates/SummaryOfOverallLatency/PipelineInitiationInterval")
    operators = {node.get("RTLNAME"): _read_operator(node) for node in entry.iterfind("BindNodes/BindNode")}
    return Module(
        entry.findtext("Name", ""),
        _number(interval),
        _read_resources(entry.find("AreaEstimates/Resources")),
        list(_read_loops(entry.find("PerformanceEstimates/SummaryOfLoopLatency"))),
        list(operators.values()),  # nodes that share an instance are one
    )


def _read_resources(entry: ElementTree.Element | None) -> dict[str, float]:
    if entry is None:
        return dict.fromkeys((*RESOURCES, "bram"), 0.0)
    found = {key: float(entry.findtext(tag) or 0) for key, tag in RESOURCES.items()}
    if entry.find("DSP") is None:  # as older reports call it
        found["dsp"] = float(entry.findtext("DSP48E") or 0)
    return found | {"bram": float(entry.findtext("BRAM_18K") or 0) / 2}


def _read_loops(summary: ElementTree.Element | None) -> Iterator[Loop]:
    """The pipelines among the loops, those within others too."""
    for entry in summary if summary is not None else ():
        ii, depth = (_number(entry.findtext(tag)) for tag in ("PipelineII", "PipelineDepth"))
        if ii is not None and depth is not None:
            trips = entry.findtext("TripCount/range/max") or entry.findtext("TripCount")
            yield Loop(entry.findtext("Name") or entry.tag, _number(trips), ii, depth)
        yield from _read_loops(entry)


def _read_operator(node: ElementTree.Element) -> Operator:
    def number(name: str) -> float:
        return float(node.get(name) or 0)

    return Operator(
        node.get("OPTYPE", ""),
        node.get("RTLNAME", ""),
        node.get("IMPL", ""),
        int(number("LATENCY")),
        number("DSP"),
        int(number("BRAM")),
        int(number("URAM")),
        node.get("BINDTYPE") == "storage",
        node.get("SOURCE", ""),
    )


def _number(text: str | None) -> int | None:
    """A count; of a range the largest, of `undef` and `?` nothing."""
    last = (text or "").split("~")[-1].strip()
    return int(last) if last.isdigit() else None
