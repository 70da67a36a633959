# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of Vitis HLS, checked on the text of generated C++.

    PYTHONPATH=python/tests python -m hls.lint out/hls/*.cpp

Synthesis takes half an hour to say what these rules say at once. Each rule has a name, a law and a way out; a finding
names the line. Files that run on the host (testbench, native call) are checked for pragmas only.
"""

from __future__ import annotations

import argparse
import itertools
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hls.scan import type_bits
from hls.text import Branch, Function, Loop, Pragma, Source, Statement, Token, join, read

MAXIMAL_STREAM_BITS = 4096
MAXIMAL_PORT_BITS = 1024

#: Pragmas and their options (None: a flag), from the Vitis HLS user guide UG1399.
PRAGMAS: dict[str, set[str]] = {
    "allocation": {"function", "operation", "instances", "limit"},
    "array_partition": {"variable", "type", "factor", "dim", "off"},
    "array_reshape": {"variable", "type", "factor", "dim", "object", "off"},
    "bind_op": {"variable", "op", "impl", "latency"},
    "bind_storage": {"variable", "type", "impl", "latency"},
    "dataflow": {"disable_start_propagation"},
    "dependence": {"variable", "class", "type", "direction", "distance", "dependent", "true", "false"},
    "inline": {"off", "recursive"},
    "interface": {
        "mode", "port", "bundle", "offset", "depth", "latency", "register", "max_widen_bitwidth", "channel",
        "max_read_burst_length", "max_write_burst_length", "num_read_outstanding", "num_write_outstanding",
    },
    "latency": {"min", "max"},
    "loop_flatten": {"off"},
    "loop_merge": {"force"},
    "loop_tripcount": {"min", "max", "avg"},
    "pipeline": {"ii", "style", "rewind", "off"},
    "stream": {"variable", "depth", "type", "off"},
    "unroll": {"factor", "skip_exit_check", "off"},
}  # fmt: skip

#: Options whose values are words of a fixed list.
WORDS = {
    ("array_partition", "type"): {"cyclic", "block", "complete"},
    ("array_reshape", "type"): {"cyclic", "block", "complete"},
    ("bind_storage", "type"): {
        "fifo",
        "ram_1p",
        "ram_1wnr",
        "ram_2p",
        "ram_s2p",
        "ram_t2p",
        "rom_1p",
        "rom_2p",
        "rom_np",
    },
    ("bind_storage", "impl"): {"bram", "lutram", "uram", "srl", "memory", "auto"},
    ("interface", "mode"): {"m_axi", "s_axilite", "axis", "ap_none", "ap_ctrl_hs", "ap_ctrl_chain", "ap_ctrl_none"},
    ("interface", "offset"): {"slave", "off", "direct"},
    ("pipeline", "style"): {"stp", "flp", "frp"},
}

REQUIRED = {
    "array_partition": {"variable", "type"},
    "array_reshape": {"variable", "type"},
    "bind_op": {"variable", "op", "latency"},
    "bind_storage": {"variable", "type"},
    "dependence": {"type"},
    "interface": {"mode", "port"},
    "stream": {"variable"},
}

NOT_SYNTHESISABLE = {
    "new": "dynamic memory",
    "delete": "dynamic memory",
    "malloc": "dynamic memory",
    "calloc": "dynamic memory",
    "realloc": "dynamic memory",
    "free": "dynamic memory",
    "throw": "exceptions",
    "try": "exceptions",
    "goto": "jumps",
    "virtual": "virtual functions",
    "printf": "input and output",
    "std::cout": "input and output",
    "std::string": "dynamic memory",
    "std::vector": "dynamic memory",
    "std::deque": "dynamic memory",
    "std::map": "dynamic memory",
    "std::unique_ptr": "dynamic memory",
    "std::function": "indirect calls",
}


@dataclass(frozen=True)
class Finding:
    line: int
    rule: str
    message: str


def lint(text: str) -> list[Finding]:
    """All findings of one file, by line."""
    source = read(text)
    findings = list(check_pragmas(source))
    if not is_host(source):
        for rule in (
            check_constructs, check_loops, check_recursion, check_streams, check_regions, check_memory_ports,
            check_stream_ports, check_locks, check_flattening, check_tasks, check_storage, check_layouts,
            check_local_arrays, check_operators, check_index_divisions, check_bursts,
        ):  # fmt: skip
            findings.extend(rule(source))
    return sorted(findings, key=lambda finding: (finding.line, finding.rule))


def is_host(source: Source) -> bool:
    return any(re.search(r'#include "st_(main|native)\.h"', directive.text) for directive in source.directives)


def statements(function: Function) -> Iterator[Statement]:
    return (node for node, _ in function.walk() if isinstance(node, Statement))


def words(function: Function) -> set[str]:
    """Every identifier that a function declares or mentions."""
    found = {parameter.name for parameter in function.parameters} | {"return"}
    for node, _ in function.walk():
        if isinstance(node, Statement):
            found |= {token.text for token in node.tokens if token.kind == "name"}
    return found


# --- pragmas --------------------------------------------------------------------------------------------------------


def check_pragmas(source: Source) -> Iterator[Finding]:
    """Known names, known options, known values, variables that exist."""
    for directive in source.directives:
        if directive.text.startswith("#pragma HLS") or directive.name:
            yield Finding(directive.line, "pragma-place", f"'{directive.text}' stands outside of a function")
    for function in source.functions:
        known = words(function)
        for node, _ in function.walk():
            if isinstance(node, Pragma) and node.text.startswith("#pragma"):
                yield from check_pragma(node, known)


def check_pragma(pragma: Pragma, known: set[str]) -> Iterator[Finding]:
    def finding(message: str) -> Finding:
        return Finding(pragma.line, "pragma-syntax", f"{message} in '{pragma.text}'")

    if pragma.name not in PRAGMAS:
        yield finding(f"unknown pragma '{pragma.name}'")
        return
    options = {key.lower(): value for key, value in pragma.options.items()}
    for option, value in options.items():
        if option not in PRAGMAS[pragma.name]:
            yield finding(f"unknown option '{option}'")
        allowed = WORDS.get((pragma.name, option))
        if allowed and value.lower() not in allowed:
            yield finding(f"'{option}' is '{value}', not one of {', '.join(sorted(allowed))}")
        if option in ("depth", "factor", "ii", "dim", "min", "max") and not value.isdigit():
            yield finding(f"'{option}' is not a whole number")
    for option in REQUIRED.get(pragma.name, set()) - set(options):
        yield finding(f"'{option}' is missing")
    for option in ("variable", "port"):
        if option in options and options[option] not in known:
            yield finding(f"'{options[option]}' is not declared in this function")
    if options.get("type") in ("cyclic", "block") and "factor" not in options:
        yield finding("'factor' is missing")


# --- constructs -----------------------------------------------------------------------------------------------------


def check_constructs(source: Source) -> Iterator[Finding]:
    for function in source.functions:
        for statement in statements(function):
            for token in statement.tokens:
                if token.kind == "name" and token.text in NOT_SYNTHESISABLE:
                    yield Finding(
                        token.line,
                        "not-synthesisable",
                        f"'{token.text}' ({NOT_SYNTHESISABLE[token.text]}) has no hardware; use arrays of fixed size",
                    )


def check_loops(source: Source) -> Iterator[Finding]:
    for function in source.functions:
        for node, _ in function.walk():
            if isinstance(node, Loop) and node.trips is None and not has_stated_trips(node):
                yield Finding(
                    node.line,
                    "constant-bounds",
                    f"'{node.keyword}' in '{function.name}' does not count from 0 to a constant; "
                    "the schedule needs its trip count",
                )


def has_stated_trips(loop: Loop) -> bool:
    """Does it count from 0 to a number that is known when it begins, with its largest value stated?"""
    counts = re.fullmatch(r"(?:int|long long) (\w+)=0;\1<[^;]+;(?:\+\+\1|\1\+\+)", join(loop.header))
    stated = any(p.name == "loop_tripcount" and p.options.get("max", "").isdigit() for p in loop.pragmas)
    return loop.keyword == "for" and bool(counts) and stated


def check_recursion(source: Source) -> Iterator[Finding]:
    # The runtime's own functions (st::rsqrt) may be called as a task is.
    calls = {
        function.name: {name.rsplit("::", 1)[-1] for name, _ in calls_in(function) if not name.startswith("st::")}
        for function in source.functions
    }
    for function in source.functions:
        reached, waiting = set(), [function.name]
        while waiting:
            for callee in calls.get(waiting.pop(), ()):
                if callee not in reached:
                    reached.add(callee)
                    waiting.append(callee)
        if function.name in reached:
            yield Finding(function.line, "recursion", f"'{function.name}' calls itself; hardware has no stack")


def calls_in(function: Function) -> Iterator[tuple[str, Statement]]:
    for statement in statements(function):
        for index, (called, after) in enumerate(itertools.pairwise(statement.tokens)):
            is_member = index > 0 and statement.tokens[index - 1].text in (".", "->")
            if called.kind == "name" and after.text == "(" and not is_member:
                yield called.text, statement


# --- streams and regions --------------------------------------------------------------------------------------------


def channels(function: Function) -> dict[str, tuple[str, str, int]]:
    """FIFOs and block buffers that a function declares: name to (kind, element type, line)."""
    found = {}
    for statement in statements(function):
        match = re.fullmatch(r"hls::(stream|stream_of_blocks)<(.*)>(\w+)(\(.*\))?", statement.text)
        if match:
            found[match.group(3)] = (match.group(1), match.group(2), statement.line)
    return found


def check_streams(source: Source) -> Iterator[Finding]:
    """Every FIFO has a depth; elements fit."""
    for function in source.functions:
        depths = {
            pragma.options.get("variable"): pragma.options.get("depth", "") for pragma in function.pragmas("stream")
        }
        for name, (kind, element, line) in channels(function).items():
            if kind != "stream":
                continue
            if not depths.get(name, "").isdigit() or int(depths[name]) < 1:
                yield Finding(
                    line, "stream-depth", f"FIFO '{name}' has no depth pragma; the default of 2 is seldom right"
                )
            bits = type_bits(element)
            if bits > MAXIMAL_STREAM_BITS:
                yield Finding(
                    line,
                    "stream-width",
                    f"FIFO '{name}' is {bits} bits wide, more than {MAXIMAL_STREAM_BITS}; split its lanes",
                )


def uses(function: Function, name: str) -> set[str]:
    """How a task uses a channel that it knows as `name`: {"read"}, {"write"} or both."""
    found = set()
    for statement in statements(function):
        text = statement.text
        if re.search(rf"\b{name}\.read\(|\b{name}>>", text) or re.search(rf"read_lock<[^;]*>\w+\({name}\)", text):
            found.add("read")
        if re.search(rf"\b{name}\.write\(|\b{name}<<", text) or re.search(rf"write_lock<[^;]*>\w+\({name}\)", text):
            found.add("write")
    return found


def region_calls(source: Source, region: Function) -> list[tuple[Function, list[str], Statement]]:
    """Calls of tasks in a dataflow region, with the names of their arguments."""
    found = []
    for name, statement in calls_in(region):
        task = source.function(name)
        if task:
            arguments = statement.text[statement.text.index("(") + 1 : -1]
            found.append((task, arguments.split(",") if arguments else [], statement))
    return found


def foreign_calls(region: Function) -> list[tuple[Statement, list[str]]]:
    """Calls of functions that the user wrote, `::scale_rows(x, y)`, with the names of their arguments."""
    found = []
    for statement in statements(region):
        match = re.fullmatch(r"::\w+(?:::\w+)*\((.*)\)", statement.text)
        if match:
            found.append((statement, match.group(1).split(",")))
    return found


def check_regions(source: Source) -> Iterator[Finding]:
    """One producer and one consumer per channel, producer first; nothing but declarations and calls.

    A function that the user wrote is the end that a channel lacks: the writer if nothing before writes it.
    """
    for region in source.functions:
        if not region.pragmas("dataflow"):
            continue
        calls = region_calls(source, region)
        foreign = foreign_calls(region)
        yield from check_region_form(region, {id(call[-1]) for call in calls} | {id(call) for call, _ in foreign})
        ends: dict[str, dict[str, list[int]]] = defaultdict(lambda: {"read": [], "write": []})
        for task, arguments, statement in calls:
            for parameter, argument in zip(task.parameters, arguments, strict=False):
                for use in uses(task, parameter.name):
                    ends[argument][use].append(statement.line)
        for statement, arguments in foreign:
            for argument in arguments:
                is_written = any(line < statement.line for line in ends[argument]["write"])
                ends[argument]["read" if is_written else "write"].append(statement.line)
        for name, (_, _, line) in channels(region).items():
            writers, readers = ends[name]["write"], ends[name]["read"]
            if len(writers) != 1 or len(readers) != 1:
                yield Finding(
                    line,
                    "one-producer-one-consumer",
                    f"'{name}' has {len(writers)} writing and {len(readers)} reading tasks; "
                    "a channel joins exactly one to one",
                )
            elif writers[0] >= readers[0] and not is_for_synthesis(source, line):
                yield Finding(line, "feedback", f"'{name}' is read by a task called before, or by, its writer")


def section(source: Source, line: int) -> str:
    """The conditional directive in front of a line."""
    conditional = (d for d in reversed(source.directives) if d.text.startswith(("#if", "#else", "#endif")))
    return next((directive.text for directive in conditional if directive.line < line), "")


def is_for_synthesis(source: Source, line: int) -> bool:
    """Only synthesis sees the line: there streams may lead back, C simulation would read them empty."""
    return section(source, line) == "#ifdef __SYNTHESIS__"


def is_for_simulation(source: Source, line: int) -> bool:
    """Synthesis does not see the line; what stands in `#else` it has seen in another form."""
    return section(source, line) in ("#ifndef __SYNTHESIS__", "#else")


def check_region_form(region: Function, calls: set[int]) -> Iterator[Finding]:
    for node, _ in region.walk():
        if isinstance(node, Loop | Branch):
            yield Finding(node.line, "region-form", "loops and branches inside a dataflow region make it sequential")
        elif isinstance(node, Statement) and id(node) not in calls and not node.text.startswith("hls::stream"):
            yield Finding(node.line, "region-form", f"'{node.text}' is neither a channel nor a call of a task")


def check_memory_ports(source: Source) -> Iterator[Finding]:
    """Pointers of the top function are m_axi ports; in a region one task reaches each, one way; see also
    `check_bundles`. A design that a kernel calls, never inlined, has the ports of its kernel."""
    for top in source.functions:
        if not top.exported or is_for_simulation(source, top.line):
            continue
        is_called, is_region = bool(top.pragmas("inline")), bool(top.pragmas("dataflow"))
        interfaces = [pragma.options for pragma in top.pragmas("interface") if pragma.options.get("mode") == "m_axi"]
        bundle_of = {options.get("port"): options.get("bundle", "") for options in interfaces}
        calls = region_calls(source, top)
        for parameter in top.parameters:
            if not parameter.type.endswith("*"):
                continue
            name = parameter.name
            if not bundle_of.get(name) and not is_called:
                yield Finding(top.line, "port-interface", f"port '{name}' has no m_axi interface with a bundle")
            bits = type_bits(parameter.type)
            if bits > MAXIMAL_PORT_BITS:
                yield Finding(
                    top.line, "port-width", f"port '{name}' is {bits} bits wide, more than {MAXIMAL_PORT_BITS}"
                )
            tasks = [
                (task, task.parameters[arguments.index(name)].name) for task, arguments, _ in calls if name in arguments
            ]
            if len(tasks) > 1 and is_region:
                yield Finding(
                    top.line, "port-sharing", f"port '{name}' is reached by {len(tasks)} tasks; give each its own port"
                )
            for task, local in tasks if is_region else ():
                yield from check_port_use(task, local)
        yield from check_bundles(top, bundle_of, calls)


def check_stream_ports(source: Source) -> Iterator[Finding]:
    """FIFOs of a top function are AXI streams from and to other kernels: words of whole bytes (UG1399, "How AXI4-Stream
    is Implemented"), taken or given by one task."""
    for top in source.functions:
        if not top.exported or is_for_simulation(source, top.line):
            continue
        modes = {pragma.options.get("port"): pragma.options.get("mode") for pragma in top.pragmas("interface")}
        calls = region_calls(source, top)
        for parameter in top.parameters:
            match = re.fullmatch(r"hls::stream<(.*)> ?&", parameter.type)
            if not match:
                continue
            name, bits = parameter.name, type_bits(match[1])
            if modes.get(name) != "axis":
                yield Finding(top.line, "port-interface", f"stream '{name}' has no axis interface")
            if bits % 8 or bits > MAXIMAL_STREAM_BITS:
                yield Finding(
                    top.line, "port-width", f"stream '{name}' has words of {bits} bits; an AXI stream has whole bytes"
                )
            ends = [
                (task, way)
                for task, arguments, _ in calls
                if name in arguments
                for way in uses(task, task.parameters[arguments.index(name)].name)
            ]
            if len(ends) != 1:
                yield Finding(
                    top.line, "port-sharing", f"stream '{name}' has {len(ends)} ends in the kernel; it has one there"
                )


def check_bundles(top: Function, bundle_of: dict[str, str], calls: list[tuple]) -> Iterator[Finding]:
    """One task of a region reads through a bundle and one writes (Vitis HLS 200-1013); its ports have one width
    (HLS 200-451)."""
    users, widths = defaultdict(set), defaultdict(set)
    for parameter in top.parameters:
        bundle = bundle_of.get(parameter.name)
        if bundle and parameter.type.endswith("*"):
            way = "read" if parameter.type.startswith("const ") else "written"
            users[bundle, way] |= {task.name for task, arguments, _ in calls if parameter.name in arguments}
            widths[bundle].add(type_bits(parameter.type))
    for (bundle, way), tasks in users.items():
        if len(tasks) > 1 and top.pragmas("dataflow"):
            yield Finding(top.line, "port-sharing", f"bundle '{bundle}' is {way} by {len(tasks)} tasks; one may")
    for bundle, bits in widths.items():
        if len(bits) > 1:
            yield Finding(
                top.line, "port-width", f"bundle '{bundle}' has ports of {sorted(bits)} bits; it has one width"
            )


def check_port_use(task: Function, name: str) -> Iterator[Finding]:
    reads = writes = None
    for statement in statements(task):
        left, equals, right = statement.text.partition("=")
        if equals and re.match(rf"\*?{name}\b", left):
            writes = statement
        if re.search(rf"\b{name}\b", right if equals else left):
            reads = statement
    if reads and writes:
        yield Finding(
            writes.line,
            "port-read-write",
            f"'{task.name}' reads and writes port '{name}' in one region: the order is not defined",
        )


def check_bursts(source: Source) -> Iterator[Finding]:
    """A port has room for bursts of a loop only where Vitis infers them (UG1399, "Preconditions and Limitations of
    Burst Transfer"; UG1448, "Burst Inference Failure 10"): the access is in no branch, and its place is a sum of the
    indices of loops. Else an iteration asks for its own words, and the pragma of its bundle may say no more."""
    for top in source.functions:
        if not top.exported or is_for_simulation(source, top.line):
            continue
        masters = (pragma.options for pragma in top.pragmas("interface") if pragma.options.get("mode") == "m_axi")
        interfaces = {options.get("port"): options for options in masters}
        requests: dict[tuple[str, str], list[int | None]] = defaultdict(list)
        limits: dict[tuple[str, str], int] = {}
        for task, arguments, _ in region_calls(source, top):
            for parameter, argument in zip(task.parameters, arguments, strict=False):
                options = interfaces.get(argument)
                if not options or not parameter.type.endswith("*"):
                    continue
                way = "read" if parameter.type.startswith("const ") else "write"
                key = options.get("bundle", ""), way
                limits[key] = max(limits.get(key, 0), int(options.get(f"max_{way}_burst_length", "16")))
                requests[key] += requested_words(task, parameter.name)
        for (bundle, way), words in requests.items():
            most = max((word for word in words if word), default=0)
            longest = max(2, 1 << (most - 1).bit_length())
            if most and None not in words and limits[bundle, way] > longest:
                yield Finding(
                    top.line,
                    "burst",
                    f"bundle '{bundle}' may {way} bursts of {limits[bundle, way]} words, but no access has any over "
                    f"iterations; one asks for {most} words at most",
                )


def requested_words(task: Function, port: str) -> list[int | None]:
    """For each access of a task to a port the words of an iteration, or None where bursts of its loops are inferred."""
    changed = {
        token.text
        for statement in statements(task)
        for token in changed_names(statement.tokens)
        if token.text not in {node.variable for node, _ in task.walk() if isinstance(node, Loop)}
    }
    found: list[int | None] = []
    for node, around in task.walk():
        if not isinstance(node, Statement):
            continue
        for place in subscripts(node.tokens, port):
            loops = [outer for outer in around if isinstance(outer, Loop)]
            names = {token.text for token in place if token.kind == "name"}
            # A quotient of a sum of indices is none; lanes are constants.
            indices = {loop.variable for loop in loops if not loop.unrolled}
            divided = any(
                token.text in ("/", "%") and names_before(place, position) & indices
                for position, token in enumerate(place)
            )
            is_row = any(token.text.startswith("st::") for token in place)
            if any(isinstance(outer, Branch) and not outer.is_block for outer in around):
                found.append(1)
            elif names & changed or divided or is_row:
                lanes = [loop.trips or 1 for loop in loops if loop.unrolled and loop.variable in names]
                found.append(math.prod(lanes))
            else:
                found.append(None)
    return found


def changed_names(tokens: list[Token]) -> Iterator[Token]:
    """What a statement counts up, or gives a new value."""
    for before, after in itertools.pairwise(tokens):
        if before.text == "++" and after.kind == "name":
            yield after
        if after.text == "=" and before.kind == "name" and tokens[0] is before:
            yield before


def subscripts(tokens: list[Token], name: str) -> Iterator[list[Token]]:
    """What stands between the brackets of `name[...]`."""
    for position, (token, after) in enumerate(itertools.pairwise(tokens)):
        if token.text == name and after.text == "[":
            yield tokens[position + 2 : closing(tokens, position + 1)]


def names_before(tokens: list[Token], end: int) -> set[str]:
    return {token.text for token in operand_before(tokens, end) if token.kind == "name"}


def check_tasks(source: Source) -> Iterator[Finding]:
    """Canonical form (UG1399, "Canonical Forms"): tasks return nothing, take channels by reference, each once, and none
    of their variables outlives the call."""
    for region in source.functions:
        if not region.pragmas("dataflow"):
            continue
        for task, arguments, statement in region_calls(source, region):
            if task.returns != "void":
                yield Finding(task.line, "task-form", f"task '{task.name}' returns '{task.returns}'; a task is void")
            for parameter in task.parameters:
                if "hls::stream" in parameter.type and not parameter.type.endswith("&"):
                    yield Finding(task.line, "task-form", f"'{parameter.name}' is a channel: take it by reference")
            for name in channels(region):
                if arguments.count(name) > 1:
                    yield Finding(statement.line, "task-form", f"'{name}' reaches '{task.name}' more than once")
            for inner in statements(task):
                if inner.text.startswith("static ") and not inner.text.startswith("static const "):
                    yield Finding(inner.line, "task-form", f"'{inner.text}' outlives its call; pass it on by a channel")


#: Storage that each kind of memory can have (UG1399, pragma HLS bind_storage).
IMPLEMENTATIONS = {
    "fifo": {"bram", "lutram", "uram", "memory", "srl", "auto"},
    "ram": {"bram", "lutram", "uram", "auto"},
    "ram_t2p": {"bram", "uram", "auto"},
    "rom": {"bram", "lutram", "uram", "auto"},
}


def check_storage(source: Source) -> Iterator[Finding]:
    """FIFOs are bound as fifo, all else as a memory that it can be, of blocks with its latency; a variable is bound
    once."""
    for function in source.functions:
        fifos = {name for name, (kind, _, _) in channels(function).items() if kind == "stream"}
        bound: set[str] = set()
        for pragma in function.pragmas("bind_storage"):
            name, kind = pragma.options.get("variable", ""), pragma.options.get("type", "").lower()
            implementation = pragma.options.get("impl", "auto").lower()
            if (kind == "fifo") != (name in fifos):
                yield Finding(pragma.line, "storage", f"'{name}' is bound as '{kind}', which it is not")
            built_of = IMPLEMENTATIONS.get(kind) or IMPLEMENTATIONS.get(kind.split("_")[0], {implementation})
            if implementation not in built_of:
                yield Finding(pragma.line, "storage", f"no {kind} is built of {implementation}")
            if kind != "fifo" and implementation in ("bram", "uram") and "latency" not in pragma.options:
                yield Finding(pragma.line, "storage", f"'{name}' is read in as many cycles as the tool likes")
            if name in bound:
                yield Finding(pragma.line, "storage", f"'{name}' is bound twice")
            bound.add(name)


def check_layouts(source: Source) -> Iterator[Finding]:
    """An array is cut into banks or joined to words: what both at once come to, no guide says."""
    for function in source.functions:
        apart = {pragma.options.get("variable") for pragma in function.pragmas("array_partition")}
        for pragma in function.pragmas("array_reshape"):
            if pragma.options.get("variable") in apart:
                name = pragma.options["variable"]
                yield Finding(pragma.line, "layout", f"'{name}' is cut into banks and joined to words")


def check_local_arrays(source: Source) -> Iterator[Finding]:
    """What an iteration keeps for itself is registers: left alone, an array may become a memory, of which a cycle
    reaches two words (UG1399, "Array Accesses and Performance")."""
    for function in source.functions:
        whole = {
            pragma.options.get("variable")
            for pragma in function.pragmas("array_partition")
            if pragma.options.get("type") == "complete" and pragma.options.get("dim") == "0"
        }
        for node, around in function.walk():
            if not isinstance(node, Statement) or not any(isinstance(outer, Loop) for outer in around):
                continue
            match = re.fullmatch(r"(?:const )?[\w:]+(?:<.*>)? ?\b(\w+)(?:\[\d+\])+(?:\{\})?", node.text)
            if match and match[1] not in whole:
                yield Finding(node.line, "local-array", f"'{match[1]}' is not partitioned into registers")


# --- operators ------------------------------------------------------------------------------------------------------

#: The largest latency of an operation with an implementation (UG1399, pragma HLS bind_op).
CORES = {
    (match[1], match[2]): int(match[3])
    for match in re.finditer(
        r"^VITIS_CORE\((\w+), (\w+), (\d+)\)$",
        (Path(__file__).parents[3] / "include/streamtensor/Device/VitisCores.def").read_text(),
        re.MULTILINE,
    )
}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
FLOATS = {"f": "float", "d": "double", "h": "half"}


def check_operators(source: Source) -> Iterator[Finding]:
    """An operation is bound to what UG1399 lists; the pragma stands behind the variable that holds nothing else."""
    for function in source.functions:
        bound: set[str] = set()
        for body in bodies(function):
            for before, node in itertools.pairwise([None, *body]):
                if isinstance(node, Pragma) and node.name == "bind_op":
                    for message in operator_faults(node, before):
                        yield Finding(node.line, "operator", message)
                    name = node.options.get("variable", "")
                    if name in bound:
                        yield Finding(node.line, "operator", f"'{name}' is bound twice")
                    bound.add(name)


def bodies(function: Function) -> Iterator[list]:
    yield function.body
    yield from (node.body for node, _ in function.walk() if isinstance(node, Loop | Branch))


def operator_faults(pragma: Pragma, before: object) -> Iterator[str]:
    options = {key: value.lower() for key, value in pragma.options.items()}
    operation, implementation = options.get("op", ""), options.get("impl", "")
    most, latency = CORES.get((operation, implementation)), options.get("latency", "0")
    if most is None:
        yield f"no {operation} is built of {implementation}"
    elif not latency.isdigit() or int(latency) > most:
        yield f"{operation} built of {implementation} takes 0 to {most} cycles, not {latency}"
    name, text = pragma.options.get("variable"), before.text if isinstance(before, Statement) else ""
    declared = re.match(rf"(?:const )?([\w:]+|[\w:]+<\d+>) ?\b{name}=", text)
    if not declared:
        yield f"'{name}' is not declared in the statement before"
    elif not is_only(operation, before.tokens[[t.text for t in before.tokens].index("=") + 1 :], declared[1]):
        yield f"'{name}' is not the result of one {operation}"


def is_only(operation: str, tokens: list[Token], kind: str) -> bool:
    """Is the value of a variable of type `kind` one such operation on operands in brackets?"""
    is_float = operation[:1] in FLOATS and operation != "mul"
    if is_float != (kind.rsplit("::", 1)[-1] in FLOATS.values()):
        return False
    if is_float and kind.rsplit("::", 1)[-1] != FLOATS[operation[0]]:
        return False
    word = operation[1:] if is_float else operation
    head = without_conversion(tokens, kind)
    if word not in SIGNS:
        return head[0].text in (f"st::{word}", f"hls::{word}") and closing(head, 1) == len(head) - 1
    return outer_signs(head) == [SIGNS[word]]


def without_conversion(tokens: list[Token], kind: str) -> list[Token]:
    """The operation that is rounded to the type of its variable."""
    start = next((index for index, token in enumerate(tokens) if token.text == "("), len(tokens))
    if join(tokens[:start]) == kind and closing(tokens, start) == len(tokens) - 1:
        return tokens[start + 1 : -1]
    return tokens


def closing(tokens: list[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text in ("(", "[")) - (tokens[index].text in (")", "]"))
        if depth == 0:
            return index
    return -1


def outer_signs(tokens: list[Token]) -> list[str]:
    """The signs between operands outside of all brackets; one in front of an operand belongs to it."""
    found, depth, is_operand = [], 0, False
    for token in tokens:
        depth -= token.text in (")", "]")
        # A comparison is no operand without brackets: `<` and `>` are those of `st::bit_cast<float>`.
        if depth == 0 and token.kind == "sign" and token.text not in ("(", ")", "[", "]", ".", "<", ">", ","):
            if is_operand:
                found.append(token.text)
            is_operand = False
        else:
            is_operand = True
        depth += token.text in ("(", "[")
    return found


def check_index_divisions(source: Source) -> Iterator[Finding]:
    """No index is divided by a constant that is no power of two: what the data divide goes through `st::divide`, and
    lanes are constants. Synthesis builds a divider for it (UG1399, operators: urem and srem), which nobody counted."""
    for function in source.functions:
        for node, around in function.walk():
            if isinstance(node, Pragma):
                continue
            lanes = {outer.variable for outer in around if isinstance(outer, Loop) and outer.unrolled}
            tokens = getattr(node, "tokens", None) or getattr(node, "condition", None) or getattr(node, "header", [])
            for position, (sign, divisor) in enumerate(itertools.pairwise(tokens)):
                if sign.text not in ("%", "/") or not is_no_power_of_two(divisor.text):
                    continue
                operand = operand_before(tokens, position)
                # Of a sum of counters or digits: a number of few bits, docs/rationale/hlscpp.md, "Known limits".
                is_of_digits = any(token.text in ("st::wrap", "%") for token in operand)
                if not names_before(tokens, position) <= lanes and not is_of_digits:
                    yield Finding(
                        sign.line,
                        "index-division",
                        f"'{join(operand)}' is divided by {divisor.text}; "
                        "count the quotient or the remainder beside the index",
                    )


def is_no_power_of_two(text: str) -> bool:
    return text.isdigit() and int(text).bit_count() != 1


def operand_before(tokens: list[Token], end: int) -> list[Token]:
    """A name, a number, or what stands in brackets with the name in front of them."""
    depth, start = 0, end
    while start > 0:
        start -= 1
        depth += (tokens[start].text in (")", "]")) - (tokens[start].text in ("(", "["))
        is_call = start > 0 and tokens[start].text in ("(", "[") and tokens[start - 1].kind == "name"
        if depth == 0 and not is_call:
            break
    return tokens[start:end]


# --- locks and loops ------------------------------------------------------------------------------------------------


def check_locks(source: Source) -> Iterator[Finding]:
    """A lock is a local variable, outside of pipelines; a scope and what it encloses hold one (UG1399 2022.1 to 2024.1,
    "Limitations" of streams of blocks: no multiple nested acquire and release statements)."""
    for function in source.functions:
        held: list[tuple[str, tuple]] = []
        for node, around in function.walk():
            if not isinstance(node, Statement) or "_lock<" not in node.text:
                continue
            match = re.fullmatch(r"hls::(read_lock|write_lock)<.*>(\w+)\((\w+)\)", node.text)
            if not match:
                yield Finding(node.line, "lock-scope", f"'{node.text}' must declare a local lock of one channel")
                continue
            channel, scope = match.group(3), tuple(id(outer) for outer in around)
            held = [(name, outer) for name, outer in held if scope[: len(outer)] == outer]
            for name, _ in held:
                yield Finding(
                    node.line,
                    "nested-locks",
                    f"'{channel}' is locked while '{name}' is; a scope holds one lock",
                )
            held.append((channel, scope))
            if any(isinstance(outer, Loop) and is_pipelined(outer) for outer in around):
                yield Finding(
                    node.line, "lock-scope", f"'{channel}' is locked inside a pipelined loop; lock outside of it"
                )


def is_pipelined(loop: Loop) -> bool:
    return any(pragma.name == "pipeline" and "off" not in pragma.options for pragma in loop.pragmas)


def check_flattening(source: Source) -> Iterator[Finding]:
    """One pipeline per nest, and `loop_flatten` only where the loop around holds nothing else and all loops within the
    outermost count to a constant (UG1399, `pragma HLS loop_flatten`: only the outermost bound may be a variable)."""
    for function in source.functions:
        for node, around in function.walk():
            if not isinstance(node, Loop):
                continue
            if is_pipelined(node) and any(
                isinstance(outer, Loop) and (is_pipelined(outer) or outer.unrolled) for outer in around
            ):
                yield Finding(
                    node.line, "nested-pipeline", "a pipeline inside a pipelined or unrolled loop is dissolved"
                )
            if is_pipelined(node) and any(
                pragma.name == "loop_flatten" and "off" not in pragma.options for pragma in node.pragmas
            ):
                nest = list(flattened(node, around))
                if len(nest) == 1:
                    yield Finding(node.line, "flatten", "loop_flatten needs a loop around it that holds nothing else")
                if any(inner.trips is None for inner in nest[:-1] or nest):
                    yield Finding(node.line, "flatten", "loop_flatten needs constant bounds inside the outermost")


def flattened(loop: Loop, around: tuple) -> Iterator[Loop]:
    """The loops that become one, innermost first: as far as each around holds nothing else."""
    yield loop
    for outer in reversed(around):
        is_apart = any(pragma.name == "loop_flatten" and "off" in pragma.options for pragma in loop.pragmas)
        holds_more = not isinstance(outer, Loop) or any(n is not loop and not isinstance(n, Pragma) for n in outer.body)
        if is_apart or holds_more:
            return
        loop = outer
        yield loop


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="hls.lint", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    failed = False
    for path in options.files:
        try:
            findings = lint(path.read_text())
        except (OSError, ValueError) as error:
            print(f"{path}: error: {error}", file=sys.stderr)
            failed = True
            continue
        for finding in findings:
            print(f"{path}:{finding.line}: {finding.rule}: {finding.message}")
        failed |= bool(findings)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
