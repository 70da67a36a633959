# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interface.json: what the emitter says about a program's values, launches and designs; and its execution.

A program is a list of steps over numbered values. Arguments and constants are given, a reshape is the same data in
another shape (row-major), a pack or an unpack moves elements between the row-major and another order, a launch runs one
design on tensors in external memory. Format: runtime/README.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from streamtensor import dtypes, launches, native, process, shared_bytes
from streamtensor import lazy_torch as torch
from streamtensor.errors import RunError
from streamtensor.launches import Launch, Ports
from streamtensor.memory import Layout, PackedTensor, Resident, RowBuffer, as_tensor, merge, split
from streamtensor.stored import read_json

_ALIGNMENT = 64


@dataclass(frozen=True)
class Tensor:
    """A tensor in external memory."""

    value: int
    dtype: torch.dtype
    shape: tuple[int, ...]
    name: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Update:
    """A result that is an argument with new elements: `count` of them along `dim`, from the value of `scalar` on."""

    result: int
    argument: int
    dim: int
    scalar: str
    count: int

    def take(self, whole: torch.Tensor, scalars: Mapping[str, int]) -> torch.Tensor:
        """The new elements."""
        return whole.narrow(self.dim, scalars[self.scalar], self.count)


@dataclass(frozen=True)
class Reading:
    """Launches read of a parameter the value `number`, which `steps` (reshapes and packs) make of it: `name` is the
    parameter's, followed by @ and the number if there are any."""

    name: str
    number: int
    steps: list[dict]


class Interface:
    """The program of one output directory, executable on the host."""

    def __init__(self, directory: Path, time_limit: float = process.TIME_LIMIT):
        self.directory = directory
        self._time_limit = time_limit  # seconds, of the C++ compiler
        data = read_json(directory / "interface.json")
        main = data["main"]
        self.values = [_tensor(number, entry) for number, entry in enumerate(main["values"])]
        self.arguments = [_tensor(entry["value"], entry) for entry in main["arguments"]]
        self.scalars = main["scalars"]
        self.results = [self.values[number] for number in main["results"]]
        self.updates = [Update(**entry) for entry in main["updates"]]
        self.layers: int = main.get("layers", 0)  # that a launch goes through at most; 0 where it runs one
        self.designs = {entry["name"]: entry for entry in data["designs"]}
        self._steps = main["steps"]
        ways = _ways(self._steps, self.designs, frozenset(main["results"]))
        self._shared, self._striped = _shared_values(ways), _striped_values(ways)
        self._laid = (
            torch.utils.weak.WeakTensorKeyDictionary()
        )  # of parameters: a version, and what launches read of it
        self._built: tuple[list, Path] | None = None  # with what the sources looked like then
        self._constants = {entry["value"]: self._constant(entry) for entry in main["constants"]}

    def declare(self, arguments: Sequence[dict], results: Sequence[dict]) -> None:
        """Takes the types over that the source declared: in the program integers have no sign."""
        self.arguments = [_declared(*pair) for pair in zip(self.arguments, arguments, strict=True)]
        self.results = [_declared(*pair) for pair in zip(self.results, results, strict=True)]

    def build(self) -> Path | None:
        """Compiles the designs natively and gives the library; none where the program computes nothing."""
        sources = [source for design in self.designs.values() for source in design["sources"]]
        if not sources:
            return None
        stamps = _stamps(self.directory / "hls")
        if self._built is None or self._built[0] != stamps:
            self._built = stamps, native.build(self.directory, sources, self._time_limit)
        return self._built[1]

    def pack_parameters(self, values: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """What launches read of the parameters, by the names of readings."""
        return {
            reading.name: self._lay(reading, values[argument.name])
            for argument in self._parameters()
            for reading in self._readings[argument.value]
        }

    def read_parameters(self, read: dict[str, torch.Tensor]) -> dict[str, torch.Tensor | PackedTensor]:
        """The inverse, as far as launches are concerned: parameters that `execute` takes."""
        found = {}
        for argument in self._parameters():
            readings = self._readings[argument.value]
            laid = {r.number: self._cut(r.number, read[r.name]) for r in readings}
            packed = PackedTensor(laid, argument.shape, argument.dtype)
            found[argument.name] = packed if self._is_packed(readings) else laid[argument.value]
        return found

    def _parameters(self) -> list[Tensor]:
        return [argument for argument in self.arguments if argument.kind == "parameter"]

    @cached_property
    def _readings(self) -> dict[int, list[Reading]]:
        """By the value of each parameter what lies in memory of it; one that is asked for as it is lies so."""
        results = {result.value for result in self.results}
        launched = {number for step in self._steps if step["op"] == "launch" for number in step["inputs"]}
        found = {}
        for argument in self._parameters():
            made = [Reading(argument.name, argument.value, [])]
            for path in _paths(argument.value, self._steps):
                number = path[-1]["output"]
                made.append(Reading(f"{argument.name}@{number}", number, path))
            is_asked = any(r.number in results or (r.steps and r.steps[-1]["op"] == "unpack") for r in made)
            read = [] if is_asked else [r for r in made if r.number in launched]
            found[argument.value] = read or made[:1]
        return found

    def _is_packed(self, readings: Sequence[Reading]) -> bool:
        """Whether launches read something else than the parameter as it is."""
        return any(r.steps or r.number in self._shared or r.number in self._striped for r in readings)

    def _lay(self, reading: Reading, tensor: torch.Tensor) -> torch.Tensor:
        """What launches read of a parameter as it lies in the memory of the card: narrow integers share bytes if all
        read them so."""
        for step in reading.steps:
            tensor = self._make(step, tensor)
        bits = self._shared.get(reading.number)
        return shared_bytes.share(tensor.contiguous(), bits) if bits else tensor.contiguous()

    def _cut(self, number: int, tensor: torch.Tensor) -> torch.Tensor | tuple[torch.Tensor, ...]:
        """A value as it lies in several memories, if all launches read it so."""
        stripes, row = self._striped.get(number, (1, 0))
        return tuple(_aligned(part) for part in split(tensor, stripes, row)) if stripes > 1 else _aligned(tensor)

    def _laid_of(self, argument: Tensor, tensor: torch.Tensor) -> dict[int, torch.Tensor | tuple[torch.Tensor, ...]]:
        """What launches read of a parameter, by the numbers of values; made once and kept while its tensor lives."""
        readings = self._readings[argument.value]
        if not self._is_packed(readings):
            return {argument.value: _aligned(tensor)}
        version, laid = self._laid.get(tensor, (None, {}))
        if version != tensor._version:
            given = tensor.detach()  # what is kept must not hold its own key
            laid = {r.number: self._cut(r.number, self._lay(r, given)) for r in readings}
            self._laid[tensor] = tensor._version, laid
        return laid

    def row_buffer(self, argument: Tensor) -> RowBuffer:
        """A tensor for `argument`, [..., rows, width], that grows by rows between launches."""
        packs = self._packs_only(argument.value) or []
        layouts = {step["output"]: _layout(step, self.values[step["output"]].shape) for step in packs}
        return RowBuffer(argument.shape, argument.dtype, layouts)

    def row_buffers(self) -> tuple[RowBuffer, ...]:
        """An empty cache of one layer of a language model, or of all in one: keys, values and, where those are int8,
        their scales."""
        from streamtensor.frontend.cached_decoder import CACHE_ARGUMENTS

        return tuple(self.row_buffer(argument) for argument in self.arguments if argument.name in CACHE_ARGUMENTS)

    def _packs_only(self, number: int) -> list[dict] | None:
        """The packs that read a value, if nothing else does."""
        readers = [step for step in self._steps if number in (step.get("input"), *step.get("inputs", ()))]
        is_returned = number in (tensor.value for tensor in self.results)
        return readers if not is_returned and all(step["op"] == "pack" for step in readers) else None

    def execute(
        self,
        values: Sequence[torch.Tensor | Resident | PackedTensor],
        scalars: Mapping[str, int] | None = None,
        launch: Launch = launches.here,
        in_place: bool = False,
    ) -> list[torch.Tensor | Resident | None]:
        """Runs the program on `values`, which match `arguments` in order, dtype and shape.

        `scalars` gives the numbers of its launches by name. Results that a design packed stay as they lie;
        `memory.as_tensor` unpacks them. What a design with scalars, or a loop over launches, does not write of
        a result is 0. `launch` runs one design. `in_place`: arguments that the program updates change where they lie,
        and the results that they are stay None; they must lie as launches read them (`row_buffer`), each in one place
        of a launch.
        """
        numbers = self._numbers(scalars or {})
        library = self.build()
        known = dict(self._constants)
        for argument, value in zip(self.arguments, values, strict=True):
            if isinstance(value, PackedTensor):
                known |= value.packed
            elif isinstance(value, Resident):
                known[argument.value] = value
            else:
                is_lasting = argument.kind == "parameter"
                known |= self._laid_of(argument, value) if is_lasting else {argument.value: _aligned(value)}
        updated = self._updated(known, values) if in_place else {}
        unread = self._unread() if in_place else frozenset()
        for step in self._steps:
            if step["op"] == "launch":
                self._launch(launch, library, step, known, numbers, updated)
            # Else there is nothing to do for a parameter that lies as launches read it.
            elif step["input"] in known and step["output"] not in known and step["output"] not in unread:
                known[step["output"]] = self._make(step, known[step["input"]])
        kept = {update.result for update in self.updates} if in_place else set()
        return [
            None if number in kept else _result(known[tensor.value], tensor.dtype)
            for number, tensor in enumerate(self.results)
        ]

    def _updated(self, known: dict[int, torch.Tensor], values: Sequence) -> dict[int, Tensor]:
        """Values that lie where the arguments do which the program updates, with these."""
        numbers = {}
        for argument in (self.arguments[update.argument] for update in self.updates):
            numbers[argument.value] = argument
            given, held = values[self.arguments.index(argument)], known.get(argument.value)
            if isinstance(given, torch.Tensor) and (given is not held or self._packs_only(argument.value)):
                raise RunError(
                    f"'{argument.name}' does not lie as the design reads it, so it cannot be updated in place: make it "
                    "with row_buffer()."
                )
        for step in self._steps:
            if step["op"] in ("reshape", "pack") and step["input"] in numbers:
                numbers[step["output"]] = numbers[step["input"]]
        return numbers

    def _unread(self) -> frozenset[int]:
        """Values that are there for results that are updates."""
        numbers = {self.results[update.result].value for update in self.updates}
        for step in reversed(self._steps):
            if step["op"] in ("reshape", "unpack") and step["output"] in numbers:
                numbers.add(step["input"])
        made = {step["output"] for step in self._steps if step["op"] in ("reshape", "unpack")}
        return frozenset(numbers & made)

    def new_elements(self, results: Sequence[torch.Tensor], scalars: Mapping[str, int]) -> list[torch.Tensor]:
        """`results`, the new elements alone of those that are updates."""
        found = list(results)
        for update in self.updates:
            found[update.result] = update.take(found[update.result], scalars)
        return found

    def _make(self, step: dict, source: torch.Tensor | Resident) -> torch.Tensor | Resident:
        """What a reshape, a pack or an unpack makes of `source`."""
        value = self.values[step["output"]]
        if step["op"] == "reshape":
            return as_tensor(source).reshape(value.shape)
        if step["op"] == "unpack":
            layout = _layout(step, self.values[step["input"]].shape)
            return Resident(as_tensor(source), layout, value.shape, value.dtype)
        layout = _layout(step, value.shape)
        if isinstance(source, Resident) and source.layout.is_same_as(layout):
            return source.packed
        return _aligned(layout.pack(as_tensor(source)))

    def fill(self, given: Mapping[str, int]) -> dict[str, int]:
        """A value for each scalar of the program: the given one, else the largest. Others of `given` are dropped."""
        return {scalar["name"]: given.get(scalar["name"], scalar["high"]) for scalar in self.scalars}

    def _numbers(self, given: Mapping[str, int]) -> list[int]:
        """The values of the program's scalars, in order."""
        names = [scalar["name"] for scalar in self.scalars]
        unknown, missing = sorted(set(given) - set(names)), [name for name in names if name not in given]
        if unknown or missing:
            takes = ", ".join(f"{s['name']} from {s['low']} to {s['high']}" for s in self.scalars) or "none"
            what = f"there is no scalar '{unknown[0]}'" if unknown else f"scalar '{missing[0]}' has no value"
            raise RunError(f"The program takes these scalars: {takes}; {what}.")
        for scalar in self.scalars:
            value = given[scalar["name"]]
            if not scalar["low"] <= value <= scalar["high"]:
                raise RunError(
                    f"Scalar '{scalar['name']}' is {value}; it must lie between {scalar['low']} and {scalar['high']}."
                )
        return [given[name] for name in names]

    def _launch(
        self,
        launch: Launch,
        library: Path,
        step: dict,
        known: dict[int, torch.Tensor],
        numbers: list[int],
        updated: Mapping[int, Tensor],
    ) -> None:
        design = self.designs[step["design"]]
        values = [numbers[s["scalar"]] if "scalar" in s else s["value"] for s in step["scalars"]]
        scalars = [torch.tensor(number, dtype=torch.int32) for number in values]
        bound = self._bind(design, step, known, updated)
        given, taken, places = [], [], ([], [])
        for port, number in bound:
            lying = _to_port(known[number], port)
            parts = lying if isinstance(lying, tuple) else split(lying, _stripes(port), _row(port))
            is_written = port["direction"] != "in"
            (taken if is_written else given).append((port, number, lying, parts))
            arguments = list(zip(port["positions"], port["stripes"], strict=True))
            places[is_written].extend([p for p, own in arguments if own == k] for k in range(len(parts)))
        positions = [*places[0], *([scalar["position"]] for scalar in design["scalars"]), *places[1]]
        inputs, outputs = ([part for *_, parts in each for part in parts] for each in (given, taken))
        reason = launch(library, design["call"], Ports([*inputs, *scalars], outputs, positions))
        if reason:
            raise RunError(f"The design '{design['name']}' stopped before its end: {reason}")
        for port, number, lying, parts in taken:
            merge(parts, lying, _row(port))
            known[number] = _from_port(lying, known[number], port)

    def _bind(
        self, design: dict, step: dict, known: dict[int, torch.Tensor], updated: Mapping[int, Tensor]
    ) -> list[tuple[dict, int]]:
        """The value of each port; results come into being. An `inout` tensor is worked on in place, in a copy if it is
        not one of `updated`."""
        inputs, outputs = iter(step["inputs"]), iter(step["outputs"])
        bound = []
        for port in design["ports"]:
            source = next(inputs) if port["direction"] != "out" else None
            result = next(outputs) if port["direction"] != "in" else source
            if source is not None:
                known[source] = as_tensor(known[source])
            if port["direction"] == "out":
                allocate = torch.zeros if design["cleared"] else torch.empty
                known[result] = allocate(self.values[result].shape, dtype=self.values[result].dtype)
            elif port["direction"] == "inout":
                if source in updated and [updated.get(n) for n in step["inputs"]].count(updated[source]) > 1:
                    raise RunError(
                        f"'{updated[source].name}' goes to '{design['name']}' in several places, so it cannot be "
                        "updated in place: give it in one, or run the program without in_place."
                    )
                known[result] = known[source] if source in updated else known[source].clone()
            bound.append((port, result))
        return bound

    def _constant(self, entry: dict) -> torch.Tensor:
        data = np.fromfile(self.directory / entry["file"], dtype=np.uint8)
        return torch.from_numpy(data).view(dtypes.from_name(entry["dtype"])).reshape(entry["shape"])


def _stamps(directory: Path) -> list[tuple[str, int, int]]:
    """Changes when a file of `directory` is written; reading them for each launch would take longer than small ones."""
    entries = [entry for entry in os.scandir(directory) if entry.is_file()]
    return sorted((entry.name, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in entries)


def _ways(
    steps: Sequence[dict], designs: dict[str, dict], returned: frozenset[int]
) -> dict[int, set[tuple[int, int, int]]]:
    """How each value is read: bits of an element, stripes, elements of a row. Who is no launch reads whole bytes."""
    other = (8, 1, 0)
    ways = {number: {other} for number in returned}
    for step in steps:
        if step["op"] == "launch":
            for number, port in zip(step["inputs"], designs[step["design"]]["ports"], strict=False):
                way = (port["bits"], _stripes(port), _row(port)) if port["direction"] == "in" else other
                ways.setdefault(number, set()).add(way)
        else:
            ways.setdefault(step["input"], set()).add(other)
    return ways


def _shared_values(ways: dict[int, set[tuple[int, int, int]]]) -> dict[int, int]:
    """The bits of each value that nothing but launches reads, all through ports whose elements share bytes."""
    widths = {number: {bits for bits, _, _ in each} for number, each in ways.items()}
    return {number: next(iter(bits)) for number, bits in widths.items() if len(bits) == 1 and max(bits) < 8}


def _striped_values(ways: dict[int, set[tuple[int, int, int]]]) -> dict[int, tuple[int, int]]:
    """Of each value that nothing but launches reads, all in the same stripes: how many, and the elements of a row."""
    stripes = {number: {(count, row) for _, count, row in each} for number, each in ways.items()}
    return {number: next(iter(each)) for number, each in stripes.items() if len(each) == 1 and max(each)[0] > 1}


def _paths(number: int, steps: Sequence[dict]) -> list[list[dict]]:
    """The steps to each value that others than launches make of one."""
    further = [step for step in steps if step["op"] != "launch" and step["input"] == number]
    return [[step, *path] for step in further for path in [[], *_paths(step["output"], steps)]]


def _to_port(tensor: torch.Tensor | tuple[torch.Tensor, ...], port: dict) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """What lies in the memory of the card; a tensor of bytes lies there already, and one in parts."""
    if isinstance(tensor, tuple) or port["bits"] >= 8 or tensor.dtype is torch.uint8:
        return tensor
    if port["direction"] != "out":
        return shared_bytes.share(tensor, port["bits"])
    return torch.zeros(tensor.numel() * port["bits"] // 8, dtype=torch.uint8)


def _stripes(port: dict) -> int:
    return max(port["stripes"]) + 1


def _row(port: dict) -> int:
    """Elements of a row as they lie in the memory of the card: bytes where they share these."""
    row = port["shape"][-1] if port["shape"] else 1
    return row * port["bits"] // 8 if port["bits"] < 8 else row


def _from_port(taken: torch.Tensor, tensor: torch.Tensor, port: dict) -> torch.Tensor:
    return tensor if taken is tensor else shared_bytes.own(taken, port["bits"], tuple(tensor.shape))


def _layout(step: dict, packed_shape: tuple[int, ...]) -> Layout:
    return Layout(packed_shape, tuple(step["strides"]), step.get("offset", 0), step["lanes"])


def _result(value: torch.Tensor | Resident, dtype: torch.dtype) -> torch.Tensor | Resident:
    return replace(value, dtype=dtype) if isinstance(value, Resident) else value.clone().view(dtype)


def _aligned(value: torch.Tensor) -> torch.Tensor:
    """A dense tensor at an address that vectors may be read from, with what PyTorch has put off applied to it."""
    value = value.resolve_conj().resolve_neg().contiguous()
    return value if value.data_ptr() % _ALIGNMENT == 0 else value.clone()


def _declared(tensor: Tensor, declaration: dict) -> Tensor:
    return replace(tensor, dtype=dtypes.from_name(declaration["type"]))


def _tensor(number: int, entry: dict) -> Tensor:
    dtype = dtypes.from_name(entry["dtype"])
    return Tensor(number, dtype, tuple(entry["shape"]), entry.get("name", ""), entry.get("kind", ""))
