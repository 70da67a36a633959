# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of a launch that makes several tokens: layers, place and head in turn, by the programs of each.

Its text is MLIR that names the files of the three, which the pass `dataflow-join-programs` puts in their place. A turn
is a pass over all layers; behind the passes of a prompt but the last, the head is left out (`heads` is 0).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamtensor.errors import CompileError

LAYERS = "layers"  # a design, and the scalar that says how many it goes through
TURNS, HEADS = "turns", "heads"  # scalars: passes of a launch, and whether the head follows each of them
ROW, LOG = "row", "log"
# Scalars of streamtensor.frontend.cached_decoder that grow with each pass.
_MOVING = ("context", "position")
_TYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "float64": "f64", "bool": "i1"}


@dataclass(frozen=True)
class Part:
    """The program of one of the designs, from its output directory."""

    name: str
    directory: Path
    main: dict

    @classmethod
    def read(cls, name: str, directory: Path) -> Part:
        return cls(name, directory, json.loads((directory / "interface.json").read_text())["main"])

    def types(self, numbers: Iterable[int]) -> list[str]:
        return [_type(self.main["values"][number]) for number in numbers]

    @property
    def arguments(self) -> list[tuple[str, str, str]]:
        """Name, kind and type of each; parameters are called as the joined program calls them."""
        types = self.types(entry["value"] for entry in self.main["arguments"])
        return [
            (self.named(entry["name"]) if entry["kind"] == "parameter" else entry["name"], entry["kind"], type_)
            for entry, type_ in zip(self.main["arguments"], types, strict=True)
        ]

    def named(self, parameter: str) -> str:
        return f"{self.name}.{parameter}"

    @property
    def results(self) -> list[str]:
        return self.types(self.main["results"])

    def declaration(self, place: Path) -> str:
        """In a file in the directory `place`."""
        path = json.dumps(os.path.relpath(self.directory / "ir" / "sized.mlir", place))
        return (
            f"func.func private @{self.name}({', '.join(self._given)}) -> ({', '.join(self.results)})\n"
            f"    attributes {{streamtensor.program = {path}}}"
        )

    @property
    def _given(self) -> list[str]:
        """The types of all operands."""
        return [type_ for *_, type_ in self.arguments] + ["index"] * len(self.main["scalars"])

    def call(self, operands: Sequence[str]) -> str:
        types = f"({', '.join(self._given)}) -> ({', '.join(self.results)})"
        return f"func.call @{self.name}({', '.join(operands)}) : {types}"


def check_cache(layers: Part, names: Sequence[str]) -> None:
    """Refuses layers that leave it to the host to write rows of the cache, or to go through them."""
    written = {layers.main["arguments"][update["argument"]]["name"] for update in layers.main["updates"]}
    left = [name for name in names if name not in written]
    if left or "layers" not in layers.main:
        what = f"does not write the rows of {', '.join(left)} itself" if left else "does not go through all layers"
        raise CompileError(
            f"Several tokens in one launch need a design that leaves nothing to the host between them, but this one "
            f"{what} (a warning of the compilation says why): leave tokens_per_launch (--tokens-per-launch) out."
        )


def request_program(layers: Part, next_place: Part, head: Part, turns: int, place: Path) -> str:
    """The text of the program for launches of up to `turns` tokens, for a file in the directory `place`."""
    declared = [part.declaration(place) for part in (layers, next_place, head)]
    return "\n".join([*declared, *_Request(layers, next_place, head, turns).main(), ""])


class _Request:
    def __init__(self, layers: Part, next_place: Part, head: Part, turns: int):
        self._layers, self._next_place, self._head, self._turns = layers, next_place, head, turns
        inputs = [(name, type_) for name, kind, type_ in layers.arguments if kind == "input"]
        hidden, *rest = inputs
        caches = {layers.main["arguments"][update["argument"]]["name"] for update in layers.main["updates"]}
        self._caches = [pair for pair in rest if pair[0] in caches]
        place, *tables = [pair for pair in rest if pair[0] not in caches]
        states, *_ = layers.results
        log, logit = head.results[2:4]
        # What the head makes, in the order of its results; what it reads, and what the turns hand on beside them.
        self._made = [hidden, place, (LOG, log), ("logit", logit), *tables]
        self._ahead = [("place_ahead", place[1]), ("log_ahead", log)]
        self._states = ("states", states)
        self._given = [hidden, place, (LOG, log), *tables, *self._caches]

    def main(self) -> list[str]:
        layers, head = self._layers, self._head
        row = next((name, type_) for name, _, type_ in head.arguments if name == ROW)
        parameters = [
            (name, type_) for part in (layers, head) for name, kind, type_ in part.arguments if kind != "input"
        ]
        self._names = {name: f"%arg{number}" for number, (name, _) in enumerate([*self._given, row, *parameters])}
        tensors = [
            f'{self._names[name]}: {type_} {{streamtensor.name = {json.dumps(name)}, streamtensor.kind = "{kind}"}}'
            for kind, group in (("input", [*self._given, row]), ("parameter", parameters))
            for name, type_ in group
        ]
        asked = [s["name"] for s in layers.main["scalars"] if s["name"] != LAYERS]
        numbers = [f'%{name}: index {{streamtensor.name = "{name}"}}' for name in asked]
        numbers += [
            f'%{name}: index {{streamtensor.name = "{name}", streamtensor.turns = array<i64: {least}, {most}>}}'
            for name, least, most in ((TURNS, 1, self._turns), (HEADS, 0, 1))
        ]
        results = [self._states, *self._caches, (LOG, dict(self._made)[LOG]), ("logit", dict(self._made)["logit"])]
        updates = {layers.main["arguments"][u["argument"]]["name"]: u for u in layers.main["updates"]}
        declared = [self._declared(pair, updates.get(pair[0])) for pair in results]
        carried = [*self._made, *self._ahead, self._states, *self._caches]
        places = {name: f"%all#{number}" for number, (name, _) in enumerate(carried)}
        return [
            f"func.func @main({', '.join(tensors + numbers)})\n    -> ({', '.join(declared)}) {{",
            "  %none = arith.constant 0 : index",
            "  %one = arith.constant 1 : index",
            f"  %count = arith.constant {layers.main['layers']} : index",
            *(f"  %empty_{n} = tensor.empty() : {t}" for n, t in carried if n not in self._names),
            f"  %all:{len(carried)} = scf.for %turn = %none to %{TURNS} step %one",
            f"      iter_args({', '.join(f'%{n} = {self._first(n)}' for n, _ in carried)})",
            f"      -> ({_types(carried)}) {{",
            *self._turn(carried),
            "  }",
            f"  return {', '.join(places[n] for n, _ in results)} : {_types(results)}",
            "}",
        ]

    def _first(self, name: str) -> str:
        return self._names.get(name, f"%empty_{name}")

    def _declared(self, pair: tuple[str, str], update: dict | None) -> str:
        name, type_ = pair
        if update is None:
            return type_
        return (
            f'{type_} {{streamtensor.into = {json.dumps(name)}, streamtensor.at = "{update["scalar"]}", '
            f"streamtensor.along = {update['dim']}}}"
        )

    def _turn(self, carried: list[tuple[str, str]]) -> list[str]:
        layers, made = self._layers, [*self._made, *self._ahead]
        scalars = [self._scalar(scalar["name"]) for scalar in layers.main["scalars"]]
        given = [f"%{name}" if kind == "input" else self._names[name] for name, kind, _ in layers.arguments]
        found = {"states": "%found#0"}
        for update in layers.main["updates"]:
            found[layers.main["arguments"][update["argument"]]["name"]] = f"%found#{update['result']}"
        next_pass = {name: f"%next#{number}" for number, (name, _) in enumerate(made)}
        return [
            *(
                f"    %{s['name']}_at = arith.addi %{s['name']}, %turn : index"
                for s in layers.main["scalars"]
                if s["name"] in _MOVING
            ),
            f"    %found:{len(layers.results)} = {layers.call(given + scalars)}",
            f"    %next:{len(made)} = scf.for %head = %none to %{HEADS} step %one",
            f"        iter_args({', '.join(f'%{n}_before = %{n}' for n, _ in made)}) -> ({_types(made)}) {{",
            f"      %ahead:2 = {self._next_place.call(['%place_before', '%log_before'])}",
            f"      %chosen:{len(self._head.results)} = {self._head.call(self._head_operands())}",
            f"      scf.yield {', '.join(self._after(made))} : {_types(made)}",
            "    }",
            f"    scf.yield {', '.join((found | next_pass)[n] for n, _ in carried)} : {_types(carried)}",
        ]

    def _head_operands(self) -> list[str]:
        known = {"states": "%found#0", ROW: self._names[ROW], "place": "%ahead#0", LOG: "%ahead#1"}
        return [known[name] if kind == "input" else self._names[name] for name, kind, _ in self._head.arguments]

    def _after(self, made: list[tuple[str, str]]) -> list[str]:
        return [f"%chosen#{number}" for number in range(len(self._made))] + ["%ahead#0", "%ahead#1"]

    @staticmethod
    def _scalar(name: str) -> str:
        if name == LAYERS:
            return "%count"
        return f"%{name}_at" if name in _MOVING else f"%{name}"


def _type(value: dict) -> str:
    dtype = value["dtype"]
    element = _TYPES.get(dtype) or f"i{dtype.removeprefix('u').removeprefix('int')}"
    return f"tensor<{''.join(f'{extent}x' for extent in value['shape'])}{element}>"


def _types(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(type_ for _, type_ in pairs)
