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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from streamtensor.errors import CompileError
from streamtensor.frontend.cached_decoder import CONTEXT, LAYERS, POSITION
from streamtensor.frontend.linalg_module import INPUT, PARAMETER

TURNS, HEADS = "turns", "heads"  # scalars: passes of a launch, and whether the head follows each of them
ROW, LOG, STATES, LOGIT = "row", "log", "states", "logit"
_MOVING = (CONTEXT, POSITION)  # scalars that grow with each pass
_TYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "float64": "f64", "bool": "i1"}


@dataclass(frozen=True)
class Argument:
    """A tensor that a program takes; parameters are called as the joined program calls them."""

    name: str
    kind: str
    type: str


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

    @cached_property
    def arguments(self) -> list[Argument]:
        types = self.types(entry["value"] for entry in self.main["arguments"])
        return [
            Argument(entry["name"] if entry["kind"] == INPUT else self.named(entry["name"]), entry["kind"], type_)
            for entry, type_ in zip(self.main["arguments"], types, strict=True)
        ]

    @cached_property
    def updates(self) -> dict[str, dict]:
        """By the name of each argument that a launch updates, what interface.json says of it."""
        return {self.main["arguments"][update["argument"]]["name"]: update for update in self.main["updates"]}

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
        return [argument.type for argument in self.arguments] + ["index"] * len(self.main["scalars"])

    def call(self, operands: Sequence[str]) -> str:
        types = f"({', '.join(self._given)}) -> ({', '.join(self.results)})"
        return f"func.call @{self.name}({', '.join(operands)}) : {types}"


def check_layers(layers: Part, caches: Sequence[str]) -> None:
    """Refuses layers that leave it to the host to write rows of their `caches`, or to go through them."""
    left = [name for name in caches if name not in layers.updates]
    if not left and "layers" in layers.main:
        return
    what = f"does not write the rows of {', '.join(left)} itself" if left else "does not go through all layers"
    raise CompileError(
        f"Several tokens in one launch need a design that leaves nothing to the host between them, but this one {what} "
        "(a warning of the compilation says why): leave tokens_per_launch (--tokens-per-launch) out."
    )


def request_program(layers: Part, next_place: Part, head: Part, turns: int, place: Path) -> str:
    """The text of the program for launches of up to `turns` tokens, for a file in the directory `place`."""
    types = {argument.name: argument.type for argument in (*layers.arguments, *head.arguments)}
    types |= {STATES: layers.results[0], LOGIT: head.results[3]}
    inputs = [argument.name for argument in layers.arguments if argument.kind == INPUT]
    hidden, *rest = (name for name in inputs if name not in layers.updates)
    # In the order of the results of the head: hidden states and place of the next pass, log, logit, rotary tables.
    made = [hidden, rest[0], LOG, LOGIT, *rest[1:]]
    ahead = [f"{rest[0]}_ahead", f"{LOG}_ahead"]
    types |= dict(zip(ahead, next_place.results, strict=True))
    carried = [*made, *ahead, STATES, *layers.updates]
    given = [*(name for name in carried if name in inputs or name == LOG), ROW]
    parameters = [a.name for part in (layers, head) for a in part.arguments if a.kind == PARAMETER]
    kinds = dict.fromkeys(given, INPUT) | dict.fromkeys(parameters, PARAMETER)
    places = {name: f"%arg{number}" for number, name in enumerate(kinds)}

    numbers = [scalar["name"] for scalar in layers.main["scalars"]]
    moving = [name for name in numbers if name in _MOVING]
    values = {LAYERS: "%count"} | {name: f"%{name}_at" for name in moving}
    arguments = [
        f'{places[name]}: {types[name]} {{streamtensor.name = {json.dumps(name)}, streamtensor.kind = "{kind}"}}'
        for name, kind in kinds.items()
    ]
    arguments += [f'%{name}: index {{streamtensor.name = "{name}"}}' for name in numbers if name != LAYERS]
    arguments += [
        f'%{name}: index {{streamtensor.name = "{name}", streamtensor.turns = array<i64: {least}, {most}>}}'
        for name, least, most in ((TURNS, 1, turns), (HEADS, 0, 1))
    ]
    results = [STATES, *layers.updates, LOG, LOGIT]

    def operands(part: Part, **found: str) -> list[str]:
        return [found.get(a.name, f"%{a.name}") if a.kind == INPUT else places[a.name] for a in part.arguments]

    def each(names: Iterable[str], spell: Callable[[str], str]) -> str:
        return ", ".join(map(spell, names))

    def types_of(names: Iterable[str]) -> str:
        return each(names, types.__getitem__)

    def declared(name: str) -> str:
        update = layers.updates.get(name)
        if update is None:
            return types[name]
        into = f'streamtensor.into = {json.dumps(name)}, streamtensor.at = "{update["scalar"]}"'
        return f"{types[name]} {{{into}, streamtensor.along = {update['dim']}}}"

    known = {STATES: "%found#0"} | {name: f"%found#{update['result']}" for name, update in layers.updates.items()}
    known |= {name: f"%next#{number}" for number, name in enumerate([*made, *ahead])}
    empty = [name for name in carried if name not in places]
    by_layers = layers.call([*operands(layers), *(values.get(name, f"%{name}") for name in numbers)])
    by_place = next_place.call([f"%{rest[0]}_before", f"%{LOG}_before"])
    by_head = head.call(operands(head, **{STATES: "%found#0", ROW: places[ROW], rest[0]: "%ahead#0", LOG: "%ahead#1"}))
    after = [*(f"%chosen#{number}" for number in range(len(made))), "%ahead#0", "%ahead#1"]
    return f"""\
{chr(10).join(part.declaration(place) for part in (layers, next_place, head))}
func.func @main({", ".join(arguments)})
    -> ({each(results, declared)}) {{
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant {layers.main["layers"]} : index
  {_lines(f"%empty_{name} = tensor.empty() : {types[name]}" for name in empty)}
  %all:{len(carried)} = scf.for %turn = %none to %{TURNS} step %one
      iter_args({each(carried, lambda name: f"%{name} = {places.get(name, f'%empty_{name}')}")})
      -> ({types_of(carried)}) {{
    {_lines((f"%{name}_at = arith.addi %{name}, %turn : index" for name in moving), 4)}
    %found:{len(layers.results)} = {by_layers}
    %next:{len(made) + 2} = scf.for %once = %none to %{HEADS} step %one
        iter_args({each([*made, *ahead], lambda name: f"%{name}_before = %{name}")})
        -> ({types_of([*made, *ahead])}) {{
      %ahead:2 = {by_place}
      %chosen:{len(head.results)} = {by_head}
      scf.yield {", ".join(after)} : {types_of([*made, *ahead])}
    }}
    scf.yield {each(carried, known.__getitem__)} : {types_of(carried)}
  }}
  return {each(results, lambda name: f"%all#{carried.index(name)}")} : {types_of(results)}
}}
"""


def _lines(lines: Iterable[str], indent: int = 2) -> str:
    return ("\n" + " " * indent).join(lines)


def _type(value: dict) -> str:
    dtype = value["dtype"]
    element = _TYPES.get(dtype) or f"i{dtype.removeprefix('u').removeprefix('int')}"
    return f"tensor<{''.join(f'{extent}x' for extent in value['shape'])}{element}>"
