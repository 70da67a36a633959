# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the printed C++ of a design says about time, read as C++ and by visiting every iteration of every loop."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from hls.text import Branch, Function, Loop, Pragma, Source, Statement, Token, join, read

# Iterations times lanes that are visited for distances; beyond, a nest is too large for a test of random programs.
MOST_VISITS = 1 << 20
_LOCK = re.compile(r"hls::(read|write)_lock<.*>(\w+)\((\w+)\)")
_ARRAY = re.compile(r"(?:[\w:]+(?:<[^=()]*>)?) ?(local(?:_\d+)?)((?:\[\d+\])*)")
# What the runtime headers call the arithmetic of affine maps.
_FUNCTIONS = {
    "floor_div": lambda a, b: a // b,
    "floor_mod": lambda a, b: a % b,
    "ceil_div": lambda a, b: -(-a // b),
    "wrap": lambda a, b: np.where(a >= b, a - b, a),
}


@dataclass(frozen=True)
class Memory:
    """An array: its extents, the cyclic factor of each dimension, how many elements a word has and what it is built
    of."""

    shape: tuple[int, ...]
    partition: tuple[int, ...]
    word: int
    storage: str
    distance: int | None = None


@dataclass
class Access:
    """An expression with indices, the branches and conditions under which it is met, and its unrolled copies."""

    indices: list[str]
    conditions: list[str]
    lanes: list[Loop] = field(default_factory=list)


class Region:
    """The iterations of one pipeline of a leaf: of its straight-line body, of one of several nests, or of nests that
    run together, which count their loops themselves."""

    def __init__(
        self, function: Function, loops: list[Loop], per_drain: int, within: Loop | None, without: tuple[Loop, ...] = ()
    ):
        self.function = function
        self.name = function.name
        self.loops = loops
        self.per_drain = per_drain  # iterations from one drain of the pipeline to the next
        self._within = within
        self._without = without
        pragmas = [node for node, _ in self._walk() if isinstance(node, Pragma) and node.name == "pipeline"]
        self.is_pipelined = bool(pragmas)
        self.ii = int(pragmas[0].options["II"]) if pragmas else 1
        self.style = pragmas[0].options["style"] if pragmas else "flp"

    def _walk(self) -> Iterator[tuple]:
        for node, around in self.function.walk():
            is_other = any(outer is other for outer in around for other in self._without)
            if not is_other and (self._within is None or any(outer is self._within for outer in around)):
                yield node, around

    @cached_property
    def counts_indices(self) -> bool:
        """Is the innermost loop's own variable nothing but a count of iterations?"""
        variable = self.loops[-1].variable if self.loops else None
        statements = (node for node, _ in self._walk() if isinstance(node, Statement))
        used = any(token.text == variable for statement in statements for token in statement.tokens)
        counted = any(re.fullmatch(r"\+\+\w+", node.text) for node, _ in self._walk() if isinstance(node, Statement))
        return bool(self.loops) and counted and not used

    @cached_property
    def trips(self) -> list[int]:
        assert all(loop.trips for loop in self.loops), f"{self.name}: a loop without a constant number of trips"
        return [loop.trips for loop in self.loops]

    @property
    def iterations(self) -> int:
        return math.prod(self.trips)

    @cached_property
    def indices(self) -> dict[str, np.ndarray]:
        """The value of each index, and of each counter, in every iteration."""
        if not self.loops:
            return {}
        grids = np.indices(self.trips, dtype=np.int64).reshape(len(self.trips), -1)
        values = {loop.variable: grid for loop, grid in zip(self.loops, grids, strict=True)}
        return values | self._counters()

    @cached_property
    def counter_names(self) -> list[str]:
        """Variables that are declared at 0 around the pipeline and counted in it."""
        declared = []
        for node, _ in self.function.walk():
            if isinstance(node, Statement) and re.fullmatch(r"int \w+=0(,\w+=0)*", node.text):
                declared += re.findall(r"(\w+)=0", node.text)
        return declared

    def _counters(self) -> dict[str, np.ndarray]:
        """Runs what counts, as the C++ does: the values at the beginning of each iteration. They start at 0 in every
        trip of the loops around."""
        names = self.counter_names
        if not names:
            return {}
        lines = [f"def run(trips):\n {' = '.join(names)} = 0", " for _ in range(trips):"]
        lines.append(f"  yield {', '.join(names)},")
        lines += _counting(self.loops[-1].body, set(names), "  ")
        scope: dict = {}
        exec("\n".join(lines), scope)
        table = np.array(list(scope["run"](self.per_drain)), np.int64).T
        drains = self.iterations // self.per_drain
        return {name: np.tile(column, drains) for name, column in zip(names, table, strict=True)}

    def value(self, text: str, lanes: dict[str, int]) -> np.ndarray:
        """An expression over indices in every iteration, where the unrolled ones have the values `lanes`."""
        parts = [f"({part})" for part in text.replace("st::", "").replace("/", "//").split("&&")]
        names = self.indices | lanes | _FUNCTIONS
        return np.broadcast_to(eval(" & ".join(parts), {"__builtins__": {}}, names), self.iterations)

    def _conditions(self, around: tuple) -> list[str]:
        conditions = [self._spelled(join(outer.condition)) for outer in around if isinstance(outer, Branch)]
        return [text for text in conditions if self.is_affine(text)]

    def _spelled(self, condition: str) -> str:
        """What a condition stands for that several statements share by name."""
        return self._shared_conditions.get(condition, condition)

    @cached_property
    def _shared_conditions(self) -> dict[str, str]:
        texts = (node.text for node, _ in self._walk() if isinstance(node, Statement))
        found = (re.fullmatch(r"const bool (\w+)=(.*)", text) for text in texts)
        return {match[1]: match[2] for match in found if match}

    def is_affine(self, text: str) -> bool:
        """Whether it speaks of nothing but loop indices."""
        names = set(re.findall(r"[A-Za-z_]\w*", text)) - {"st", *_FUNCTIONS}
        return bool(names) and names <= self._all_indices

    @cached_property
    def _all_indices(self) -> set[str]:
        loops = {node.variable for node, _ in self.function.walk() if isinstance(node, Loop)}
        return loops | set(self.counter_names)

    def holds(self, conditions: list[str], lanes: dict[str, int]) -> np.ndarray:
        found = np.ones(self.iterations, bool)
        for text in conditions:
            found &= self.value(text, lanes).astype(bool)
        return found

    def count_tokens(self) -> dict[tuple[str, str], int]:
        """Of each FIFO that the task reads or writes: tokens in one activation."""
        counts: dict[tuple[str, str], int] = {}
        for node, around in self._walk():
            if not isinstance(node, Statement):
                continue
            for fifo, way in re.findall(r"(\w+)\.(read|write)\(", node.text):
                copies = math.prod(o.trips for o in around if isinstance(o, Loop) and o.unrolled)
                count = copies * int(self.holds(self._conditions(around), {}).sum())
                counts[fifo, way] = counts.get((fifo, way), 0) + count
        return counts

    # --- private memories -------------------------------------------------------------------------------------------

    def distance(self, name: str, shape: tuple[int, ...]) -> int | None:
        """Fewest iterations from a write of a place to a read of it in one run of the pipeline; none if there is no
        such pair, or if there are too many places to visit."""
        times, places, kinds = [], [], []
        for access, is_write in [*((a, False) for a in self._reads(name)), *((a, True) for a in self._writes(name))]:
            copies = math.prod(loop.trips for loop in access.lanes)
            if copies * self.iterations > MOST_VISITS:
                return None
            for lane in range(copies):
                lanes = dict(zip([loop.variable for loop in access.lanes], _digits(lane, access.lanes), strict=True))
                met = np.flatnonzero(self.holds(access.conditions, lanes))
                place = np.zeros(len(met), np.int64)
                for text, extent in zip(access.indices, shape, strict=True):
                    place = place * extent + self.value(text, lanes)[met]
                times.append(met)
                places.append(place)
                kinds.append(np.full(len(met), is_write))
        if not times:
            return None
        return self._nearest(np.concatenate(times), np.concatenate(places), np.concatenate(kinds))

    def _nearest(self, times: np.ndarray, places: np.ndarray, writes: np.ndarray) -> int | None:
        """Reads of an iteration come before its writes: a value that it makes is handed on by wires."""
        order = np.lexsort((writes, times, places))
        times, places, writes = times[order], places[order], writes[order]
        last = np.maximum.accumulate(np.where(writes, np.arange(len(order)), 0))
        drains = times // self.per_drain
        met = ~writes & writes[last] & (places[last] == places) & (drains[last] == drains)
        gaps = (times - times[last])[met]
        return int(gaps.min()) if len(gaps) else None

    def _writes(self, name: str) -> Iterator[Access]:
        for statement, around in self._statements():
            target = join(statement.tokens[: _equals(statement)])
            if target.partition("[")[0] == name:
                yield Access(_places(target), self._conditions(around), _lanes(around))

    def _reads(self, name: str) -> Iterator[Access]:
        for statement, around in self._statements():
            value = statement.tokens[_equals(statement) + 1 :]
            for indices, conditions in self._uses(value, name):
                needed = self._where_needed(statement, value)
                for where in needed if needed is not None else [[]]:
                    yield Access(indices, [*self._conditions(around), *conditions, *where], _lanes(around))

    def _where_needed(self, statement: Statement, value: list[Token]) -> list[list[str]] | None:
        """Of a plain copy into a wire: the conditions of each use of the wire; none of another statement."""
        target = statement.tokens[_equals(statement) - 1]
        while target.text == "]":
            return self._needed_of(statement.tokens[0].text, statement)
        is_copy = all(token.text not in "?+-" or token.kind != "sign" for token in _outside(value))
        return self._needed_of(target.text, statement) if is_copy else None

    def _needed_of(self, wire: str, made: Statement) -> list[list[str]] | None:
        found = []
        for statement, _ in self._statements(all_of_them=True):
            if statement is made:
                continue
            start = _equals(statement) + 1 if _has_equals(statement) else 0
            found += [conditions for _, conditions in self._uses(statement.tokens[start:], wire)]
        return found or None

    def _statements(self, all_of_them: bool = False) -> Iterator[tuple[Statement, tuple]]:
        for node, around in self._walk():
            if isinstance(node, Statement) and (all_of_them or _has_equals(node)):
                yield node, around

    def _uses(self, tokens: list[Token], name: str) -> Iterator[tuple[list[str], list[str]]]:
        """Every `name[…]…` in an expression with the conditions of the choices around it, as far as indices decide."""
        question = _at_depth(tokens, "?")
        if question is not None:
            colon = _matching_colon(tokens, question)
            condition, then, other = tokens[:question], tokens[question + 1 : colon], tokens[colon + 1 :]
            text = self._spelled(_stripped(join(condition)))
            decides = self.is_affine(text)
            yield from self._uses(condition, name)
            for indices, conditions in self._uses(then, name):
                yield indices, [*conditions, *([text] if decides else [])]
            for indices, conditions in self._uses(other, name):
                yield indices, [*conditions, *([f"~(({') & ('.join(text.split('&&'))}))"] if decides else [])]
            return
        at = 0
        while at < len(tokens):
            if tokens[at].text == name:
                end, indices = _indices_after(tokens, at + 1)
                yield indices, []
                at = end
            elif tokens[at].text in "([" and tokens[at].kind == "sign":
                end = _closing(tokens, at)
                yield from self._uses(tokens[at + 1 : end], name)
                at = end + 1
            else:
                at += 1


class Task:
    """One leaf's function: a nest of loops around a pipeline, or several such nests inside shared loops."""

    def __init__(self, function: Function):
        self.function = function
        self.name = function.name
        around_of = {id(node): around for node, around in function.walk() if isinstance(node, Loop)}
        loops = [node for node, _ in function.walk() if isinstance(node, Loop) and not node.unrolled]
        pipelined = [loop for loop in loops if any(pragma.name == "pipeline" for pragma in loop.pragmas)]
        # Nests with lag count steps and the turns of each; one nest counts its indices, each declared by itself.
        steps = re.compile(r"(int|long long) \w+=0,")
        counts = any(isinstance(node, Statement) and steps.match(node.text) for node, _ in function.walk())
        # A nest of one iteration has no loop of its own.
        outside = [around for node, around in function.walk() if _moves(node) and not _is_within(around, pipelined)]
        self.has_nests = counts or len(pipelined) > 1 or bool(pipelined and outside)
        if not self.has_nests:
            per_drain = math.prod(loop.trips or 1 for loop in loops) // self.serial_trips
            self.regions = [Region(function, loops, per_drain, None)]
            return
        self.regions = []
        for inner in pipelined:
            outer = [node for node in around_of[id(inner)] if isinstance(node, Loop)]
            own = [loop for loop in outer if sum(_is_within(around_of[id(other)], [loop]) for other in pipelined) == 1]
            own = [loop for loop in own if not any(_is_within(around, [loop]) for around in outside)]
            own = own if len(pipelined) > 1 or outside else []
            per_drain = math.prod(loop.trips for loop in [*own, inner])
            self.regions.append(Region(function, [*outer, inner], per_drain, inner))
        if outside:
            shared = [node for node in outside[0] if isinstance(node, Loop)]
            self.regions.append(Region(function, shared, 1, None, tuple(pipelined)))

    @property
    def iterations(self) -> int:
        return sum(region.iterations for region in self.regions)

    @cached_property
    def locks(self) -> list[tuple[str, str, int]]:
        """Of each lock: read or write, the channel, and how often it is taken."""
        found = []
        for node, around in self.function.walk():
            if isinstance(node, Statement) and (match := _LOCK.fullmatch(node.text)):
                taken = math.prod(outer.trips for outer in around if isinstance(outer, Loop))
                found.append((match.group(1), match.group(3), taken))
        return found

    @property
    def serial_trips(self) -> int:
        return max((taken for *_, taken in self.locks), default=1)

    def count_tokens(self) -> dict[tuple[str, str], int]:
        """Of each FIFO that the task reads or writes: tokens in one activation."""
        counts: dict[tuple[str, str], int] = {}
        for region in self.regions:
            for end, count in region.count_tokens().items():
                counts[end] = counts.get(end, 0) + count
        return counts

    @cached_property
    def operators(self) -> Counter[tuple[str, str, int]]:
        """The operations that are bound: kind, implementation and latency of each."""
        bound = (pragma.options for pragma in self.function.pragmas("bind_op"))
        return Counter((options["op"], options["impl"], int(options["latency"])) for options in bound)

    def count_acting(self) -> list[int]:
        """Of nests that run together: the iterations in which each of them acts."""
        (region,) = self.regions
        branches = [node for node in region.loops[-1].body if isinstance(node, Branch)]
        return [int(region.holds([join(branch.condition)], {}).sum()) for branch in branches[:-2]]

    @cached_property
    def memories(self) -> dict[str, Memory]:
        """Arrays that outlive an iteration, in the order of their declaration; registers of one value are none."""
        found = {}
        for node, around in self.function.walk():
            if not isinstance(node, Statement) or any(isinstance(outer, Loop) for outer in around):
                continue
            match = _ARRAY.fullmatch(node.text)
            if match:
                shape = tuple(map(int, re.findall(r"\d+", match.group(2))))
                found[match.group(1)] = memory_of(self.function, match.group(1), shape)
        return found

    def distance(self, name: str) -> int | None:
        """Fewest iterations after which one of its pipelines meets a place again; none if none does."""
        found = [region.distance(name, self.memories[name].shape) for region in self.regions]
        return min((distance for distance in found if distance), default=None)


def _moves(node: object) -> bool:
    """A FIFO or a private memory?"""
    return isinstance(node, Statement) and bool(re.search(r"\.(read|write)\(|\blocal(_\d+)?\[.*=", node.text))


def _is_within(around: tuple, loops: list[Loop]) -> bool:
    return any(outer is loop for outer in around for loop in loops)


def _counting(nodes: list, names: set[str], indent: str) -> list[str]:
    """The part of a body that counts, as Python; an `else` is a branch without condition behind another."""
    lines: list[str] = []
    is_left_out = False  # the branch in front, which decides by something else
    for node in nodes:
        if isinstance(node, Branch) and node.is_block:
            lines += _counting(node.body, names, indent)
        elif isinstance(node, Branch):
            condition = join(node.condition)
            if condition:
                is_left_out = not set(re.findall(r"[A-Za-z_]\w*", condition)) <= names
            if is_left_out:
                continue
            if match := re.fullmatch(r"\+\+(\w+)==(\d+)", condition):
                lines.append(f"{indent}{match.group(1)} += 1")
                condition = f"{match.group(1)} == {match.group(2)}"
            text = condition.replace("&&", " and ").replace("||", " or ")
            inner = _counting(node.body, names, indent + " ")
            lines += [f"{indent}if {text}:" if text else f"{indent}else:", *(inner or [f"{indent} pass"])]
        elif isinstance(node, Statement) and (match := re.fullmatch(r"\+\+(\w+)|(\w+)=0", node.text)):
            name = match.group(1) or match.group(2)
            if name in names:
                lines.append(f"{indent}{name} += 1" if match.group(1) else f"{indent}{name} = 0")
        elif isinstance(node, Statement) and (match := re.fullmatch(r"(\w+)=st::wrap\(\1\+(\d+),(\d+)\)", node.text)):
            name, step, modulus = match.groups()
            lines.append(f"{indent}{name} = ({name} + {step}) % {modulus}")
    return lines


def _digits(number: int, loops: list[Loop]) -> list[int]:
    digits = []
    for loop in reversed(loops):
        digits.append(number % loop.trips)
        number //= loop.trips
    return digits[::-1]


def _lanes(around: tuple) -> list[Loop]:
    return [outer for outer in around if isinstance(outer, Loop) and outer.unrolled]


def _has_equals(statement: Statement) -> bool:
    return any(token.text == "=" for token in statement.tokens)


def _equals(statement: Statement) -> int:
    return next(index for index, token in enumerate(statement.tokens) if token.text == "=")


def _places(text: str) -> list[str]:
    return re.findall(r"\[([^\[\]]*)\]", text)


def _outside(tokens: list[Token]) -> list[Token]:
    """Tokens outside of all brackets."""
    kept, depth = [], 0
    for token in tokens:
        depth -= token.text in (")", "]")
        if depth == 0:
            kept.append(token)
        depth += token.text in ("(", "[")
    return kept


def _at_depth(tokens: list[Token], text: str) -> int | None:
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth == 0 and token.text == text:
            return index
    return None


def _matching_colon(tokens: list[Token], question: int) -> int:
    depth = choices = 0
    for index in range(question + 1, len(tokens)):
        text = tokens[index].text
        depth += (text in ("(", "[")) - (text in (")", "]"))
        choices += depth == 0 and text == "?"
        if depth == 0 and text == ":":
            if choices == 0:
                return index
            choices -= 1
    raise ValueError(f"a choice without its second value: {join(tokens)}")


def _closing(tokens: list[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text in ("(", "[")) - (tokens[index].text in (")", "]"))
        if depth == 0:
            return index
    raise ValueError(f"an open bracket: {join(tokens)}")


def _indices_after(tokens: list[Token], at: int) -> tuple[int, list[str]]:
    indices = []
    while at < len(tokens) and tokens[at].text == "[":
        end = _closing(tokens, at)
        indices.append(join(tokens[at + 1 : end]))
        at = end + 1
    return at, indices


def _stripped(text: str) -> str:
    while text.startswith("(") and text.endswith(")") and _is_one_group(text):
        text = text[1:-1]
    return text


def _is_one_group(text: str) -> bool:
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and index < len(text) - 1:
            return False
    return True


def memory_of(function: Function, name: str, shape: tuple[int, ...]) -> Memory:
    """What the pragmas of `function` say about an array."""

    def about(kind: str) -> list[dict[str, str]]:
        return [pragma.options for pragma in function.pragmas(kind) if pragma.options.get("variable") == name]

    def factors(kind: str) -> list[int]:
        found = [1] * len(shape)
        for options in about(kind):
            if options["dim"] == "0":
                found = list(shape)
            else:
                dim = int(options["dim"]) - 1
                found[dim] = shape[dim] if options["type"] == "complete" else int(options["factor"])
        return found

    apart, together = factors("array_partition"), factors("array_reshape")
    partition = [a * b for a, b in zip(apart, together, strict=True)]
    storage = next((options["impl"] for options in about("bind_storage")), "")
    distance = next((int(o["distance"]) for o in about("dependence") if "distance" in o), None)
    return Memory(shape, tuple(partition), math.prod(together), storage, distance)


@dataclass
class Design:
    """The top function and the tasks that it calls, by name."""

    source: Source

    @cached_property
    def top(self) -> Function:
        return next(function for function in self.source.functions if function.exported)

    @cached_property
    def tasks(self) -> dict[str, Task]:
        return {function.name: Task(function) for function in self.source.functions if not function.exported}

    @cached_property
    def calls(self) -> list[str]:
        """The tasks in the order of their calls."""
        statements = [node.text for node, _ in self.top.walk() if isinstance(node, Statement)]
        found = [re.match(r"\w+::(\w+)\(", text) for text in statements if not text.startswith("hls::")]
        return [match.group(1) for match in found if match]

    def block(self, name: str) -> tuple[int, Memory]:
        """Of a buffer: its number of blocks, and one block."""
        (text,) = (n.text for n, _ in self.top.walk() if isinstance(n, Statement) and re.search(rf">{name}$", n.text))
        alias, count = re.match(r"hls::stream_of_blocks<(\w+),(\d+)>", text).groups()
        shape = tuple(map(int, re.findall(r"\[(\d+)\]", self.source.aliases[alias])))
        return int(count), memory_of(self.top, name, shape)


def read_design(text: str) -> Design:
    return Design(read(_hardware(text)))


def _hardware(text: str) -> str:
    """What synthesis sees, where native runs take the tasks turn by turn: they have functions of the same names."""
    before, found, rest = text.partition("\n#ifdef __SYNTHESIS__\n")
    return before + "\n" + rest.partition("\n#else\n")[0] + "\n" if found else text
