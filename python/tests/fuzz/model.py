# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The printed C++ of a design against the machine that is simulated, and the simulator against literal stepping."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

from hls.lint import lint
from hls.scan import scan_channels, type_bits
from hls.text import Function
from streamtensor import paths

from fuzz import compiler, printed
from fuzz.compiler import Compiled, Failure

TIME_LIMIT = 60.0


def check(entry: Compiled) -> None:
    """Emits and simulates a design; notes as `model` what differs between the C++ and the simulated machine, as
    `cycles` what differs in time."""
    compiler.emit(entry)
    entry.failure = entry.failure or compare_cycles(entry) or _compare(entry)


def compare_cycles(entry: Compiled) -> Failure | None:
    """The simulator against a reference that shares no code with it: machine, cycles, ends of tasks, use of FIFOs."""
    tool = paths.find_tool("streamtensor-test-sim")
    return compiler.failure_of(compiler.run([tool, entry.path], TIME_LIMIT), "cycles")


def _compare(entry: Compiled) -> Failure | None:
    command = [paths.find_tool("streamtensor-sim"), entry.path, "--json"]
    tool = compiler.run(command, TIME_LIMIT)
    if tool.code != 0:
        return compiler.failure_of(tool, "simulate")
    machine = json.loads(tool.stdout)
    entry.cycles = machine["cycles"]
    wrong = list(differences(machine, entry.emitted))
    return Failure("model", "\n".join(wrong[:10])) if wrong else None


def differences(machine: dict, emitted: Path) -> Iterator[str]:
    """What the C++ of each design says otherwise than the simulated machine."""
    described = {d["name"]: d for d in json.loads((emitted / "interface.json").read_text())["designs"]}
    for design in machine["designs"]:
        name = design["name"]
        text = (emitted / "hls" / f"{name}.cpp").read_text()
        parts = {kind: [part for part in machine[kind] if part["design"] == name] for kind in machine if kind in KINDS}
        for finding in lint(text):
            yield f"{name}: line {finding.line}: {finding.rule}: {finding.message}"
        source = printed.read_design(text)
        functions = {task["name"]: task["function"] for task in described[name]["tasks"]}
        links = (emitted / "vitis" / f"{name}.cfg").read_text()
        for found in (
            *_all_differences(source, parts, functions),
            *_port_differences(source.top, parts["ports"], links),
        ):
            yield f"{name}: {found}"


KINDS = ("tasks", "fifos", "buffers", "ports")


def _all_differences(source: printed.Design, parts: dict[str, list[dict]], functions: dict[str, str]) -> Iterator[str]:
    """`functions`: what C++ calls a task, whose own name may be another's or none in C++."""
    machine = {functions.get(task["name"]): task for task in parts["tasks"]}
    if sorted(source.calls) != sorted(machine):
        yield f"the tasks {sorted(source.calls)} are called, {sorted(machine)} simulated"
        return
    tokens: dict[tuple[str, str], int] = {}
    for called in source.calls:
        task, simulated = source.tasks[called], machine[called]
        if simulated["role"] == "extern":
            continue
        tokens |= task.count_tokens()
        for what, said, meant in _task_facts(task, simulated):
            if said != meant:
                yield f"task {called}: {what} is {said} in C++, {meant} in the machine"
        yield from _memory_differences(task, simulated)
        yield from _operator_differences(task, simulated)
    fifos, _ = scan_channels(source.source, source.top)
    yield from _fifo_differences(fifos, parts["fifos"], tokens)
    yield from _buffer_differences(source, parts["buffers"])


def _task_facts(task: printed.Task, simulated: dict) -> Iterator[tuple[str, object, object]]:
    if "nests" in simulated and simulated["iterations"] == len(simulated["nests"]):
        # Nests of one iteration each are straight-line code, which says nothing of them.
        yield "loops", [loop.trips for region in task.regions for loop in region.loops], []
        return
    yield "nests", task.has_nests, "nests" in simulated
    if task.has_nests and "nests" in simulated:
        yield from _nest_facts(task, simulated)
        return
    (region,) = task.regions
    if region.loops:
        yield "II", region.ii, simulated["ii"]
        yield "style", region.style, simulated["style"]
    yield "iterations", task.iterations, simulated["iterations"]
    yield "trips", region.trips, _as_printed([trip for trip in simulated["loops"] if trip > 1], region)
    yield "serial trips", task.serial_trips, simulated["serial_trips"]
    yield "iterations of the loops", math.prod(simulated["loops"]), simulated["iterations"]


def _nest_facts(task: printed.Task, simulated: dict) -> Iterator[tuple[str, object, object]]:
    nests, shared = simulated["nests"], [trip for trip in simulated["loops"] if trip > 1]
    own = [[trip for trip in nest["loops"] if trip > 1] for nest in nests]
    if simulated["nests_together"]:
        yield "II", {task.regions[0].ii}, {nest["ii"] for nest in nests}
        yield "iterations of nests", task.count_acting(), [math.prod([*shared, *trips]) for trips in own]
        yield "iterations", task.iterations, simulated["iterations"]
        yield "serial trips", task.serial_trips, simulated["serial_trips"]
        return
    # A nest of one iteration has no loop of its own, and no pragma.
    regions = [region for region in task.regions if region.is_pipelined]
    looped = [(nest, trips) for nest, trips in zip(nests, own, strict=True) if trips]
    yield "II of nests", [region.ii for region in regions], [nest["ii"] for nest, _ in looped]
    meant = [[*shared, *trips] for _, trips in looped]
    printed_as = [_as_printed(trips, region) for trips, region in zip(meant, regions, strict=True)]
    yield "trips of nests", [region.trips for region in regions], printed_as


def _as_printed(trips: list[int], region: printed.Region) -> list[int]:
    """Loops whose indices are counters are one loop over all their iterations."""
    if not region.counts_indices:
        return trips
    around = len(region.trips) - 1
    return [*trips[:around], math.prod(trips[around:])]


def _memory_differences(task: printed.Task, simulated: dict) -> Iterator[str]:
    memories, meant = task.memories, simulated["private_memories"]
    if len(memories) != len(meant):
        yield f"task {task.name}: {len(memories)} memories in C++, {len(meant)} in the machine"
        return
    for (name, memory), private in zip(memories.items(), meant, strict=True):
        storage = "" if private["memory"] == "registers" else private["memory"]
        said = (list(memory.shape), list(memory.partition), memory.word, memory.storage)
        if said != (private["shape"], private["partition"], private["word"], storage):
            yield f"task {task.name}: {name} is {said} in C++, {private} in the machine"
        nearest = task.distance(name)
        if memory.distance and nearest and nearest < memory.distance:
            yield f"task {task.name}: {name} is met again after {nearest} iterations, not {memory.distance}"


def _operator_differences(task: printed.Task, simulated: dict) -> Iterator[str]:
    meant = {(o["operation"], o["impl"], o["latency"]): o["count"] for o in simulated["operators"]}
    for key in sorted(task.operators.keys() | meant):
        if task.operators[key] != meant.get(key, 0):
            said = f"{task.operators[key]} {key[0]} of {key[1]} with {key[2]} cycles in C++"
            yield f"task {task.name}: {said}, {meant.get(key, 0)} in the machine"


def _fifo_differences(
    printed_fifos: list[dict], fifos: list[dict], tokens: dict[tuple[str, str], int]
) -> Iterator[str]:
    if len(printed_fifos) != len(fifos):
        yield f"{len(printed_fifos)} FIFOs in C++, {len(fifos)} in the machine"
        return
    for said, meant in zip(printed_fifos, fifos, strict=True):
        in_cpp = (said["depth"], said["width_bits"], said["storage"])
        if in_cpp != (meant["depth"], meant["bits"], meant["memory"]):
            yield f"FIFO {said['name']} is {in_cpp} in C++, {meant} in the machine"
        for way in ("read", "write"):
            count = tokens.get((said["name"], way))
            if count is not None and count != meant["tokens"]:
                yield f"FIFO {said['name']}: {way} {count} times in C++, {meant['tokens']} tokens in the machine"


def _buffer_differences(source: printed.Design, buffers: list[dict]) -> Iterator[str]:
    names = re.findall(r"^hls::stream_of_blocks<\w+,\d+>(\w+)$", "\n".join(_statements(source)), re.MULTILINE)
    if len(names) != len(buffers):
        yield f"{len(names)} block buffers in C++, {len(buffers)} in the machine"
        return
    for name, meant in zip(names, buffers, strict=True):
        blocks, memory = source.block(name)
        registers = meant["memory"] == "registers"
        partition = meant["shape"] if registers else meant["partition"] or [1] * len(meant["shape"])
        wanted = (meant["blocks"], meant["shape"], partition, meant["word"], "" if registers else meant["memory"])
        if (blocks, list(memory.shape), list(memory.partition), memory.word, memory.storage) != wanted:
            yield f"buffer {name} is {blocks} x {memory} in C++, {meant} in the machine"


def _port_differences(top: Function, ports: list[dict], links: str) -> Iterator[str]:
    """Each way of each master of external memory: bits of a word, words of a burst, bursts on the way, channel."""
    said, meant = _printed_ways(top), {(port["interface"], port["way"]): port for port in ports}
    if sorted(said) != sorted(meant):
        yield f"the masters {sorted(said)} are declared, {sorted(meant)} simulated"
        return
    channels = dict(re.findall(r"^sp=\w+\.m_axi_(\w+):(.+)$", links, re.MULTILINE))
    for (bundle, way), words in said.items():
        port = meant[bundle, way]
        wanted = tuple(port[fact] for fact in ("bits", "burst", "outstanding"))
        if words != {wanted}:
            yield f"master {bundle}: {way}s {sorted(words)} in C++, {wanted} in the machine"
        if channels.get(bundle) != port.get("channel"):
            yield f"master {bundle} is linked to {channels.get(bundle)}, {port.get('channel')} in the machine"


def _printed_ways(top: Function) -> dict[tuple[str, str], set[tuple[int, int, int]]]:
    """By bundle and way: bits of a word, longest burst and outstanding bursts of each tensor."""
    ways: dict[tuple[str, str], set[tuple[int, int, int]]] = {}
    pointers = {parameter.name: parameter.type for parameter in top.parameters if parameter.type.endswith("*")}
    for pragma in top.pragmas("interface"):
        options = pragma.options
        if options["mode"] != "m_axi":
            continue
        pointer = pointers.pop(options["port"])
        way = "read" if pointer.startswith("const ") else "write"
        facts = int(options[f"max_{way}_burst_length"]), int(options[f"num_{way}_outstanding"])
        ways.setdefault((options["bundle"], way), set()).add((_bits_in_memory(pointer), *facts))
    assert not pointers, f"ports without an m_axi interface: {sorted(pointers)}"
    return ways


def _bits_in_memory(pointer: str) -> int:
    """Of a word; single integers lie in 8, 16, 32 or 64 bits."""
    bits = type_bits(pointer)
    return bits if "hls::vector" in pointer else max(8, 1 << (bits - 1).bit_length())


def _statements(source: printed.Design) -> list[str]:
    return [node.text for node, _ in source.top.walk() if isinstance(node, printed.Statement)]
