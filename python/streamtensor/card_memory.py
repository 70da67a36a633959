# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the tensors of a design fit the memory beside the chip, channel by channel.

They lie as the host allocates them (runtime/host/st_runner.h): a buffer for each tensor of a launch and each of its
stripes, in whole pages. A design that another takes the place of gives its buffers back.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path

from streamtensor.errors import MemoryCapacityError

_PAGE = 4096
_SHARED = "HP"  # ports of a processor, all of them to its one memory
_TABLE = re.compile(r"(.*\.)?(embedding|positions|tables)\.\w+")
_LARGEST = 3  # of what is named
_CACHE, _WEIGHTS = "cache", "weights"
# By the kind of an argument; all else is a result of a launch.
_KINDS = {"parameter": _WEIGHTS, "input": "inputs", "constant": "constants", None: "results"}
_INT4_OF_FLOAT = (4 + 32 / 32) / 32  # with a scale for each 32 weights, the smallest group


def is_table(parameter: str) -> bool:
    """Whether a head reads a row of this parameter for a token. Tables are floats in every scheme."""
    return _TABLE.fullmatch(parameter) is not None


@dataclass(frozen=True)
class Held:
    """What a channel holds of a tensor: `name`, `kind`, rows and elements of a row are those of the argument that it
    is made of."""

    name: str
    kind: str
    memory: str
    bytes: int
    rows: int = 0
    row: int = 0
    is_float: bool = False


@dataclass(frozen=True)
class Context:
    """Of a language model, what the sizes of its tensors follow from."""

    cache_arguments: tuple[str, ...]
    max_context: int
    tile: int  # caches have a multiple of so many rows
    least: int  # the shortest context that the other sizes allow
    has_float_cache: bool
    is_quantised: bool
    layers: int
    beside: tuple[OnCard, ...] = ()  # programs of a head, whose tensors lie in memory as well


@dataclass(frozen=True)
class OnCard:
    """A program, as interface.json says it. `times`: its weights and caches lie in memory so often, once for each
    layer where it computes one."""

    interface: Mapping
    times: int = 1

    @staticmethod
    def read(directory: Path, context: Context | None = None) -> OnCard:
        """The program of a directory; with `context`, that of the layers, which computes one or loops over all."""
        interface = json.loads((directory / "interface.json").read_text())
        return OnCard(interface, 1 if context is None or "layers" in interface["main"] else context.layers)

    def held(self, context: Context | None) -> Iterator[list[Held]]:
        """What lies in memory for launches of one design that follow each other."""
        designs = {design["name"]: design for design in self.interface["designs"]}
        last, held = None, {}
        for step in self.interface["main"]["steps"]:
            if step["op"] != "launch":
                continue
            if last not in (None, step["design"]):
                yield list(held.values())
                held = {}
            last = step["design"]
            held |= self._held_by(designs[last]["ports"], step, context)
        if held:
            yield list(held.values())

    def _held_by(self, ports: Sequence[Mapping], step: Mapping, context: Context | None) -> dict[tuple, Held]:
        inputs, outputs = iter(step["inputs"]), iter(step["outputs"])
        found = {}
        for port in ports:
            source = next(inputs) if port["direction"] != "out" else None
            number = next(outputs) if port["direction"] != "in" else source
            argument = _argument_of(self.interface["main"], number if source is None else source)
            stripes = dict(zip(port["stripes"], port["memories"], strict=True))
            for stripe, memory in stripes.items():
                size = math.ceil(math.prod(port["shape"]) * port["bits"] / 8 / len(stripes))
                found[number, stripe, len(stripes)] = self._describe(argument, port["name"], memory, size, context)
        return found

    def _describe(self, argument: Mapping, port: str, memory: str, size: int, context: Context | None) -> Held:
        name, kind = argument.get("name", port), _KINDS[argument.get("kind")]
        is_float = argument.get("dtype") == "float32"
        times = self.times if kind == _WEIGHTS else 1
        if context is not None and name in context.cache_arguments:
            rows, row = argument["shape"][-2:]
            return Held(name, _CACHE, memory, self.times * _in_pages(size), rows, row, is_float)
        return Held(name, kind, memory, times * _in_pages(size), is_float=is_float)


def check_memory(
    model: str, card: str, device: Path, programs: Sequence[OnCard], context: Context | None = None
) -> None:
    """Raises MemoryCapacityError if a channel of the card in the file `device` is too small for what `programs` have
    there together."""
    memory = json.loads(device.read_text())["external_memory"]
    is_shared = memory["kind"] == _SHARED
    room = memory["gib"] * 2**30 // (1 if is_shared else memory["channels"])
    at_once = product(*(list(program.held(context)) or [[]] for program in programs))
    for held in map(list, map(chain.from_iterable, at_once)):
        if is_shared:
            held = [replace(each, memory=f"the memory behind all {_SHARED}") for each in held]
        taken = _by_channel(held)
        over = {name: size for name, size in taken.most_common() if size > room}
        if over:
            full = [each for each in held if each.memory in over]
            raise MemoryCapacityError(
                f"The design of {model} does not fit the memory of {card}: {_spell_channels(over, room)}. "
                f"{_spell_largest(full)} {_advise(held, room, over, context)}"
            )


def _in_pages(size: int) -> int:
    return -(-size // _PAGE) * _PAGE


def _by_channel(held: Sequence[Held], share_of: Mapping[Held, float] | None = None) -> Counter[str]:
    taken: Counter[str] = Counter()
    for each in held:
        taken[each.memory] += _in_pages(math.ceil(each.bytes * (share_of or {}).get(each, 1)))
    return taken


def _argument_of(main: Mapping, number: int) -> Mapping:
    """The argument or constant that a value is another layout of; nothing of a result."""
    made = {step["output"]: step["input"] for step in main["steps"] if step["op"] != "launch"}
    while number in made:
        number = made[number]
    for argument in main["arguments"]:
        if argument["value"] == number:
            return argument
    return next(({"kind": "constant"} for each in main["constants"] if each["value"] == number), {})


def _spell_channels(over: Mapping[str, int], room: int) -> str:
    name, taken = next(iter(over.items()))
    more = f", and {len(over) - 1} more hold too much" if len(over) > 1 else ""
    return f"{name} would hold {taken:,} of {room:,} bytes{more}"


def _spell_largest(held: Sequence[Held]) -> str:
    kinds, names = Counter(), Counter()
    for each in held:
        kinds[each.kind] += each.bytes
        names[each.name, each.kind] += each.bytes
    shares = ", ".join(f"{kind} take {_spell(size)}" for kind, size in kinds.most_common())
    largest = ", ".join(f"'{name}' ({kind}) {_spell(size)}" for (name, kind), size in names.most_common(_LARGEST))
    return f"There {shares}; most of it {largest}."


def _advise(held: Sequence[Held], room: int, over: Mapping[str, int], context: Context | None) -> str:
    """What is smaller with other options, where each channel then has room."""
    ways = [] if context is None else [*_shorten(held, room, context), *_narrow(held, room, context)]
    needs = f"choose a device with {max(over.values()):,} bytes there"
    if not ways:
        return f"{needs[0].upper()}{needs[1:]}."
    return f"On the same channels there is room with {' or with '.join(ways)}; or {needs}."


def _fits(held: Sequence[Held], room: int, share_of: Mapping[Held, float]) -> bool:
    return max(_by_channel(held, share_of).values()) <= room


def _shorten(held: Sequence[Held], room: int, context: Context) -> Iterator[str]:
    """The longest context that fits. Its cache has as many rows fewer as it has positions."""
    cache = [each for each in held if each.kind == _CACHE]
    if not cache:
        return
    rows = cache[0].rows
    for fewer in range(rows - rows % context.tile, 0, -context.tile):
        positions = context.max_context - (rows - fewer)
        if positions >= context.least and _fits(held, room, dict.fromkeys(cache, fewer / rows)):
            yield f"max_context={positions} (--max-context {positions})"
            return


def _narrow(held: Sequence[Held], room: int, context: Context) -> Iterator[str]:
    cache = {e: (e.row + 4) / (4 * e.row) for e in held if e.kind == _CACHE and e.is_float}
    if cache and context.has_float_cache and _fits(held, room, cache):
        yield "cache='int8' (--cache int8)"
    weights = {e: _INT4_OF_FLOAT for e in held if e.kind == _WEIGHTS and e.is_float and not is_table(e.name)}
    if weights and not context.is_quantised and _fits(held, room, weights):
        yield "quantise='w4a8' (--quantise w4a8)"


def _spell(size: int) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:,} bytes"
