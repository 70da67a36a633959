# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random pairs of itensor types over the same data, as kernels around one converter.

The kernel streams a tensor in the source's order, converts, and a task writes every token it receives, in the order of
arrival, to a tensor [tokens, element...]. What arrives is compared with the definition of the type, enumerated here.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np

EXTENTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16)
MAX_TOKENS = 200
MAX_ELEMENTS = 2000


@dataclass(frozen=True)
class Loop:
    """`dim` is the data dimension that the loop moves along, None for a revisit."""

    trips: int
    step: int
    dim: int | None


@dataclass(frozen=True)
class Type:
    element: tuple[int, ...]
    loops: tuple[Loop, ...]
    stated: tuple[int, ...] | None = None  # the data shape of a reader that does not reach all of it

    def __str__(self) -> str:
        element = "".join(f"{extent}x" for extent in self.element) + "f32"
        trips = ", ".join(str(loop.trips) for loop in self.loops)
        steps = ", ".join(str(loop.step) for loop in self.loops)
        dims = ", ".join(f"d{i}" for i in range(len(self.loops)))
        results = [" + ".join(f"d{i}" for i in self.loops_of(d)) or "0" for d in range(len(self.element))]
        return (
            f"!itensor.itensor<{element}, iter_space: [{trips}] * [{steps}], iter_map: ({dims}) -> "
            f"({', '.join(results)})" + (f", of: {list(self.stated)}>" if self.stated else ">")
        )

    def loops_of(self, dim: int) -> list[int]:
        return [index for index, loop in enumerate(self.loops) if loop.dim == dim]

    @property
    def tokens(self) -> int:
        return int(np.prod([loop.trips for loop in self.loops], dtype=np.int64))

    def shape(self) -> tuple[int, ...]:
        return self.stated or tuple(
            extent + sum((loop.trips - 1) * loop.step for loop in self.loops if loop.dim == dim)
            for dim, extent in enumerate(self.element)
        )

    def offsets(self) -> list[tuple[int, ...]]:
        """Where the tiles lie, in the order of tokens: the last loop is the fastest."""
        found = []
        for point in itertools.product(*(range(loop.trips) for loop in self.loops)):
            offset = [0] * len(self.element)
            for index, loop in zip(point, self.loops, strict=True):
                if loop.dim is not None:
                    offset[loop.dim] += index * loop.step
            found.append(tuple(offset))
        return found

    def stream(self, data: np.ndarray) -> np.ndarray:
        """All tokens of `data`: [tokens, element...]."""
        tiles = [
            data[tuple(slice(low, low + extent) for low, extent in zip(offset, self.element, strict=True))]
            for offset in self.offsets()
        ]
        return np.stack(tiles)


def shared_loops(source: Type, result: Type) -> int:
    """Outer loops that visit the same sets of elements, counted over a common refinement of both nests.

    A prefix of k trips of one nest matches one of the other when cutting both token sequences into equally many runs
    gives the same sets of elements, run by run.
    """
    runs_source, runs_result = _runs(source), _runs(result)
    common = sorted(set(runs_source) & set(runs_result))
    return sum(1 for count in common if count > 1 and runs_source[count] == runs_result[count])


def _runs(kind: Type) -> dict[int, list[frozenset]]:
    """For every number of equal runs that loops (or divisors of their trips) delimit: the elements of each run."""
    cells = [
        frozenset(itertools.product(*(range(o, o + e) for o, e in zip(offset, kind.element, strict=True))))
        for offset in kind.offsets()
    ]
    found, outer = {}, 1
    for loop in kind.loops:
        for part in range(2, loop.trips + 1):
            if loop.trips % part == 0:
                count = outer * part
                size = len(cells) // count
                found[count] = [frozenset().union(*cells[i * size : (i + 1) * size]) for i in range(count)]
        outer *= loop.trips
    return found


@dataclass(frozen=True)
class Pair:
    source: Type
    result: Type
    lanes: int = 1  # elements that the reader takes at a time

    @property
    def shares_some(self) -> bool:
        """Some outer loops are shared, and the orders differ inside."""
        return shared_loops(self.source, self.result) > 0


def _divisor(rng: random.Random, extent: int) -> int:
    return rng.choice([d for d in range(1, extent + 1) if extent % d == 0])


def _split(rng: random.Random, dim: int, extent: int, tile: int) -> list[Loop]:
    """Loops over one data dimension, outermost first: none, one, or two levels."""
    trips = extent // tile
    if trips == 1:
        return []
    inner = _divisor(rng, trips) if rng.random() < 0.4 else 1
    loops = [Loop(trips // inner, tile * inner, dim), Loop(inner, tile, dim)]
    return [loop for loop in loops if loop.trips > 1]


def _interleave(rng: random.Random, groups: list[list[Loop]]) -> list[Loop]:
    """A random merge; the levels of one dimension may change places, which is another legal order."""
    groups = [list(group) for group in groups if group]
    merged = []
    while groups:
        group = rng.choice(groups)
        merged.append(group.pop(0))
        groups = [g for g in groups if g]
    return merged


def _writer(rng: random.Random, shape: tuple[int, ...]) -> Type:
    tiles = tuple(_divisor(rng, extent) for extent in shape)
    groups = [_split(rng, d, extent, tile) for d, (extent, tile) in enumerate(zip(shape, tiles, strict=True))]
    return Type(tiles, tuple(_interleave(rng, groups)))


def _reader(rng: random.Random, shape: tuple[int, ...]) -> Type:
    """Like a writer, with revisits, or with tiles that overlap."""
    base = _writer(rng, shape)
    loops, element = list(base.loops), list(base.element)
    if rng.random() < 0.35 and loops:
        loops.insert(rng.randrange(len(loops)), Loop(rng.choice((2, 3)), 1, None))
    single = [d for d in range(len(shape)) if len(base.loops_of(d)) == 1]
    if rng.random() < 0.2 and single:
        dim = rng.choice(single)
        index = next(i for i, loop in enumerate(loops) if loop.dim == dim)
        loop = loops[index]
        if loop.trips > 2:
            loops[index] = Loop(loop.trips - 1, loop.step, dim)
            element[dim] += loop.step
    return Type(tuple(element), tuple(loops))


def _sharing(rng: random.Random, shape: tuple[int, ...]) -> tuple[Type, Type]:
    """Types that go over one dimension in the same blocks and differ within a block."""
    dims = [d for d, extent in enumerate(shape) if extent > 1]
    dim = rng.choice(dims)
    block = rng.choice([d for d in range(1, shape[dim]) if shape[dim] % d == 0])
    inner = (*shape[:dim], block, *shape[dim + 1 :])
    outer = Loop(shape[dim] // block, block, dim)
    source, result = _writer(rng, inner), _reader(rng, inner)
    return Type(source.element, (outer, *source.loops)), Type(result.element, (outer, *result.loops))


def generate(seed: int, sharing: bool) -> Pair:
    """A pair whose orders differ; `sharing` asks for shared outer loops."""
    rng = random.Random(seed)
    while True:
        shape = tuple(rng.choice(EXTENTS) for _ in range(rng.choice((1, 2, 2, 2, 3))))
        if np.prod(shape) > MAX_ELEMENTS or max(shape) == 1:
            continue
        source, result = _sharing(rng, shape) if sharing else (_writer(rng, shape), _reader(rng, shape))
        if max(source.tokens, result.tokens) > MAX_TOKENS or result.shape() != source.shape():
            continue
        if (source.element, source.offsets()) == (result.element, result.offsets()):
            continue
        return Pair(source, result)


def windows(seed: int) -> Pair:
    """Rows that come in slabs, read by windows that overlap: a line buffer."""
    rng = random.Random(seed)
    while True:
        slab, step, trips = rng.choice((1, 1, 2)), rng.choice((1, 1, 2, 3)), rng.randint(3, 6)
        window, unread = step + rng.randint(1, 4), rng.randint(0, step - 1)
        rows, columns = (trips - 1) * step + window + unread, rng.choice((2, 4, 6))
        if rows % slab or rows * columns > MAX_ELEMENTS:
            continue
        wide, read = (rng.choice([d for d in range(1, columns + 1) if columns % d == 0]) for _ in range(2))
        source = (Loop(rows // slab, slab, 0), Loop(columns // wide, wide, 1))
        inner = [Loop(columns // read, read, 1), *([Loop(2, 1, None)] if rng.random() < 0.3 else [])]
        rng.shuffle(inner)
        reader = Type((window, read), (Loop(trips, step, 0), *inner), (rows, columns) if unread else None)
        return Pair(Type((slab, wide), source), reader, rng.choice((1, read)))


def repeats(seed: int) -> Pair:
    """Tokens in their order, some sent again: a repeat buffer."""
    rng = random.Random(seed)
    while True:
        shape = tuple(rng.choice(EXTENTS) for _ in range(rng.choice((1, 2, 3))))
        source = _writer(rng, shape)
        if np.prod(shape) > MAX_ELEMENTS or not source.loops:
            continue
        loops = list(source.loops)
        for _ in range(rng.choice((1, 1, 2))):
            loops.insert(rng.randrange(len(loops)), Loop(rng.randint(2, 4), 1, None))
        result = Type(source.element, tuple(loops))
        if result.tokens <= MAX_TOKENS and any(loop.trips > 1 for loop in source.loops):
            return Pair(source, result, rng.choice((1, source.element[-1])))


def kernel(index: int, pair: Pair) -> str:
    """The kernel of one pair, on %a<index>."""
    data, name = tensor(pair.source.shape()), f"pair{index}"
    target = collector(pair.result)
    tokens = tensor(target.shape())
    return (
        f'  %r{index} = dataflow.kernel "{name}"(%a{index}) : ({data}) -> {tokens} {{\n'
        f"  ^bb0(%t: {data}):\n"
        f"    %s = itensor.from_tensor %t : {data} -> {pair.source}\n"
        f"    %c = itensor.converter %s : {pair.source} to {pair.result}\n"
        f"{collect(name, pair.result, target, pair.lanes)}"
        f"    %x = itensor.to_tensor %w : {target} -> {tokens}\n"
        f"    dataflow.yield %x : {tokens}\n  }}\n"
    )


def collector(kind: Type) -> Type:
    """The order in which every token of `kind` is written to a tensor [trips..., element...]."""
    count = len(kind.loops)
    loops = tuple(Loop(loop.trips, 1, dim) for dim, loop in enumerate(kind.loops))
    return Type((1,) * count + kind.element, loops)


def collect(name: str, source: Type, target: Type, lanes: int) -> str:
    """A task that reads %c over all its loops and writes %w, `lanes` elements at a time."""
    count, rank = len(source.loops), len(source.loops) + len(source.element)
    token, cell = tensor(source.element), tensor(target.element)
    lines = [f"    %i = itensor.instance : {target}"]
    lines.append(f'    %w = dataflow.task "{name}_collect" outs(%i : {target}) -> {target} {{')
    lines += [f"    ^bb0(%o0: {target}):", "      %c0 = arith.constant 0 : index"]
    lines.append("      %c1 = arith.constant 1 : index")
    for level, loop in enumerate(source.loops):
        lines.append(f"      %n{level} = arith.constant {loop.trips} : index")
        lines.append(
            f"      %l{level} = scf.for %j{level} = %c0 to %n{level} step %c1 iter_args(%o{level + 1} = %o{level}) "
            f"-> ({target}) {{"
        )
    indices = ", ".join(f"%j{level}" for level in range(count))
    unroll = ", ".join(["1"] * (rank - 1) + [str(lanes)])
    dims = ", ".join(f"d{d}" for d in range(rank))
    inner = ", ".join(f"d{d}" for d in range(count, rank))
    kinds = ", ".join('"parallel"' for _ in range(rank))
    lines += [
        f"      %v = itensor.read %c[{indices}] : {source} -> {token}",
        f"      %e = tensor.empty() : {cell}",
        f"      %g = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({inner})>, "
        f"affine_map<({dims}) -> ({dims})>], iterator_types = [{kinds}]}} ins(%v : {token}) outs(%e : {cell}) "
        f"attrs = {{dataflow.tiling = #dataflow.tiling<tile = {list(target.element)}, order = {list(range(rank))}, "
        f"unroll = [{unroll}]>}} {{",
        "      ^bb1(%p: f32, %q: f32):",
        "        linalg.yield %p : f32",
        f"      }} -> {cell}",
        f"      %u{count} = itensor.write %g into %o{count}[{indices}] : {cell}, {target}",
    ]
    for level in reversed(range(count)):
        value = f"%u{count}" if level == count - 1 else f"%l{level + 1}"
        lines += [f"      scf.yield {value} : {target}", "      }"]
    last = "%l0" if count else "%u0"
    lines += [f"      dataflow.yield {last} : {target}", "    }", ""]
    return "\n".join(lines)


def tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}f32>"


def module(pairs: list[Pair]) -> str:
    """One function with a kernel per pair."""
    arguments = ", ".join(f"%a{i}: {tensor(pair.source.shape())}" for i, pair in enumerate(pairs))
    types = ", ".join(tensor(collector(pair.result).shape()) for pair in pairs)
    results = ", ".join(f"%r{i}" for i in range(len(pairs)))
    body = "".join(kernel(i, pair) for i, pair in enumerate(pairs))
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}  return {results} : {types}\n}}\n"
