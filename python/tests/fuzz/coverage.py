# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a campaign has reached: in how many programs each operation, type, dimension and pass appears.

Every group has a list of what it should hold, so that what never appears is counted as well, with zero.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from streamtensor import paths

from fuzz import elements, ops_map, ops_reduce, ops_window, scalars
from fuzz.compiler import Compiled
from fuzz.ops_move import Pad
from fuzz.program import Program, reconverges
from fuzz.values import LONG

# What appears in fewer programs is said to be rare.
FLOOR = 0.01
_NAME = re.compile(r"(?:arith|math|linalg|tensor)\.[a-z]\w*|(?<=cmpf )\w+|(?<=cmpi )\w+")
_TENSOR = ("collapse_shape", "concat", "empty", "expand_shape", "extract", "extract_slice", "insert_slice", "pad")
_LINALG = ("broadcast", "contract", "fill", "generic", "index", "map", "reduce", "softmax", "transpose")
_DIMENSIONS = ("1", "even", "odd", "prime", "long")
_PROGRAMS = (
    "an argument is a result",
    "a constant is a result",
    "a result twice",
    "an argument that nothing reads",
    "no operation",
    "several results",
    "two results from one operation",
    "an operand twice",
    "a value with several readers",
    "paths that meet again",
)
_FORMS = (
    *("constant", "filled constant", "index", "broadcast operand", "permuted operand", "tensors form", "named form"),
    *("map form", "two maps", "two reductions", "place of the largest", "place of the smallest", "start value"),
    *("start tensor", "reduce of map", "batched contract", "lookup", "flip", "slice that drops dimensions"),
    *("strided slice", "concat by inserts", "strided window", "dilated window", "padded window", "full convolution"),
    *("window with one place", "depthwise convolution", "grouped convolution"),
)
# Operations that no phase makes of Linalg: they are for those who write kernels by hand, and have tests of their own.
BY_HAND = {
    *(
        "itensor.empty",
        "itensor.join",
        "itensor.unjoin",
        "dataflow.tuple",
        "dataflow.member",
        "dataflow.extern",
        "dataflow.extern_task",
        "dataflow.extern_step",
    ),
    *("dataflow.itensor_to_stream", "dataflow.stream_to_itensor", "dataflow.stream_cast"),
}


def names_in(text: str) -> set[str]:
    """Operations named in MLIR text; a comparison with its predicate."""
    text = re.sub(r"\b(cmp[fi]) (\w+)", r"\1_\2", text)
    return set(_NAME.findall(text))


def _functions() -> list[scalars.Function]:
    kinds = (elements.F32, elements.I32, elements.I1)
    tables = [scalars.functions(element, arity) for element in kinds for arity in (1, 2, 3)]
    tables += [scalars.FLOAT_COMPARE, scalars.INT_COMPARE, [scalars.SELECT], map(scalars.cast, scalars.CASTS)]
    return [function for table in tables for function in table]


def _operations() -> set[str]:
    named = {f"linalg.{name}" for name in (*_LINALG, *ops_window.CONVOLUTIONS, *ops_window.POOLINGS)}
    named |= set(ops_map.NAMED.values()) | set(ops_reduce.NAMED.values()) | {f"tensor.{name}" for name in _TENSOR}
    casts = {"arith.index_cast", "arith.index_castui"}
    return named.union(casts, *(names_in(function.lines) for function in _functions()))


def _combiners() -> set[str]:
    return {f"{kind} {c.name}" for kind, table in _COMBINERS.items() for c in table}


_COMBINERS = {
    "float": ops_reduce.FLOAT_COMBINERS,
    "integer": ops_reduce.INT_COMBINERS,
    "boolean": ops_reduce.BOOL_COMBINERS,
}


@cache
def _dialect_operations() -> set[str]:
    """The operations of the project's dialects, as their definitions name them."""
    found = set()
    for path in (paths.CHECKOUT / "include/streamtensor/Dialect").rglob("*.td"):
        prefix = "itensor" if "ITensor" in path.name else "dataflow"
        found |= {f"{prefix}.{name}" for name in re.findall(r"^def \w+ : \w+_Op<\"(\w+)\"", path.read_text(), re.M)}
    return (found | {"scf.for", "scf.if"}) - BY_HAND  # an if: a reduction that carries several tiles


def _dimensions(program: Program) -> set[str]:
    found = set()
    for node in program.nodes:
        found.add(f"rank {node.type.rank}")
        for extent in node.type.shape:
            found.add("1" if extent == 1 else "odd" if extent % 2 else "even")
            found |= {"prime"} if extent > 2 and all(extent % d for d in range(2, extent)) else set()
            found |= {"long"} if extent >= min(LONG) else set()
    return found


def _window_forms(program: Program) -> set[str]:
    found = set()
    for node in program.nodes:
        if not isinstance(node.operation, ops_window.Window):
            continue
        found |= {"window with one place"} if 1 in node.operation.places(node) else set()
        found |= {"padded window"} if isinstance(node.operands[0].operation, Pad) else set()
    return found


def _shapes(program: Program) -> set[str]:
    readers = Counter(operand for node in program.nodes for operand in set(node.operands))
    results = program.results
    marks = {
        "an argument is a result": any(node.is_argument for node in results),
        "a constant is a result": any(node.is_leaf and not node.is_argument for node in results),
        "a result twice": len(set(results)) < len(results),
        "an argument that nothing reads": any(not readers[n] and n not in results for n in program.arguments),
        "no operation": not program.operations,
        "several results": len(results) > 1,
        "two results from one operation": any(node.operation.has_second for node in program.nodes),
        "an operand twice": any(len(set(node.operands)) < len(node.operands) for node in program.nodes),
        "a value with several readers": any(readers[node] > 1 for node in program.operations),
        "paths that meet again": reconverges(program),
    }
    return {name for name, holds in marks.items() if holds}


@dataclass
class Coverage:
    """Programs counted in groups. Passes and the project's own operations are those that the compiler reports."""

    programs: int = 0
    watched: int = 0
    groups: dict[str, Counter] = field(default_factory=dict)
    refusals: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        expected = {
            "operations": _operations(),
            "functions": {function.name for function in _functions()},
            "forms": set(_FORMS),
            "combiners": _combiners(),
            "element types": {element.name for element in elements.ELEMENTS},
            "dimensions": {*_DIMENSIONS, *(f"rank {rank}" for rank in range(6))},
            "programs": set(_PROGRAMS),
            "passes": set(),
            "dialect operations": set(_dialect_operations()),
        }
        self.groups = {group: Counter(dict.fromkeys(names, 0)) for group, names in expected.items()}

    def add(self, entry: Compiled) -> None:
        self.add_program(entry.program)
        if entry.activity is None:
            return
        self.watched += 1
        passes = self.groups["passes"]
        for name, counts in entry.activity["passes"].items():
            passes[name] += counts["changes"] > 0 or counts["failures"] > 0
            self.refusals[name] += counts["failures"]
        known = set(self.groups["dialect operations"])
        self.groups["dialect operations"].update(known & set(entry.activity["operations"]))

    def merge(self, other: Coverage) -> None:
        self.programs += other.programs
        self.watched += other.watched
        self.refusals.update(other.refusals)
        for group, names in other.groups.items():
            self.groups[group].update(names)

    def add_program(self, program: Program) -> None:
        self.programs += 1
        labels = program.labels()
        seen = {
            "operations": names_in(program.text()),
            "functions": labels,
            "forms": labels | _window_forms(program),
            "combiners": labels,
            "element types": {node.type.element.name for node in program.nodes},
            "dimensions": _dimensions(program),
            "programs": _shapes(program),
        }
        for group, names in seen.items():
            known = self.groups[group]
            known.update(name for name in names if name in known)

    def share(self, group: str, name: str) -> float:
        programs = self.watched if group in ("passes", "dialect operations") else self.programs
        return self.groups[group][name] / programs if programs else 0.0

    def rare(self) -> list[tuple[str, str, float]]:
        """What appears in too few programs, rarest first."""
        found = [(group, name, self.share(group, name)) for group, names in self.groups.items() for name in names]
        if not self.watched:
            found = [entry for entry in found if entry[0] not in ("passes", "dialect operations")]
        return sorted((entry for entry in found if entry[2] < FLOOR), key=lambda entry: entry[2])

    def lines(self) -> list[str]:
        lines = []
        for group, names in self.groups.items():
            listed = (f"{name} {self.share(group, name):.1%}" for name, _ in names.most_common())
            lines.append(f"{group:<19} {', '.join(listed)}")
        refused = ", ".join(f"{name} {number}" for name, number in self.refusals.most_common() if number)
        rare = ", ".join(f"{name} ({group}) {share:.2%}" for group, name, share in self.rare())
        return [*lines, f"refused by          {refused or 'none'}", f"in under {FLOOR:.0%}         {rare or 'none'}"]

    def write(self, path: Path) -> None:
        shares = {group: {name: self.share(group, name) for name in names} for group, names in self.groups.items()}
        rare = [{"group": group, "name": name, "share": share} for group, name, share in self.rare()]
        report = {"programs": self.programs, "watched": self.watched, "floor": FLOOR, "shares": shares, "rare": rare}
        path.write_text(json.dumps(report | {"refused_by": dict(self.refusals)}, indent=2, sort_keys=True) + "\n")
