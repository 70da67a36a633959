# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Linalg programs and what they compute, in numpy.

Every step adds a line of MLIR and evaluates it at once in float64 with numpy, so a program carries its own reference
and the generator can keep values in a range where float32 answers are meaningful.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

# One, even, odd and prime extents; `LONG` at most once per program.
EXTENTS = (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16, 17, 24, 31)
LONG = (61, 96, 97, 128, 257)
MAX_ELEMENTS = 6000
MAX_WORK = 300_000
MAX_VALUE = 1e3


@dataclass(eq=False)
class Value:
    """A tensor of the program, with what it holds."""

    name: str
    data: np.ndarray
    ancestors: frozenset[str]
    uses: int = 0
    is_argument: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def type(self) -> str:
        return tensor_type(self.shape)


@dataclass
class Program:
    """Linalg text, the arguments' values and the expected results."""

    text: str
    inputs: list[np.ndarray]
    results: list[np.ndarray]
    steps: list[str] = field(default_factory=list)


class Unfit(Exception):
    """A step that does not apply here: take another."""


def tensor_type(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}f32>"


def affine_map(rank: int, dims: list[int]) -> str:
    return f"affine_map<({', '.join(f'd{i}' for i in range(rank))}) -> ({', '.join(f'd{d}' for d in dims)})>"


# A scalar expression: lines of MLIR over operand names, and the same in numpy.
UNARY = {
    "relu": ("%r = arith.maximumf %a, %zero : f32", lambda a: np.maximum(a, 0)),
    "negate": ("%r = arith.negf %a : f32", lambda a: -a),
    "absolute": ("%r = math.absf %a : f32", np.abs),
    "tanh": ("%r = math.tanh %a : f32", np.tanh),
    "square": ("%r = arith.mulf %a, %a : f32", np.square),
    "halve": ("%r = arith.mulf %a, %half : f32", lambda a: a * 0.5),
    "decay": (
        "%x = math.absf %a : f32; %y = arith.negf %x : f32; %r = math.exp %y : f32",
        lambda a: np.exp(-np.abs(a)),
    ),
    "logistic": (
        "%x = arith.negf %a : f32; %y = math.exp %x : f32; %z = arith.addf %y, %one : f32; "
        "%r = arith.divf %one, %z : f32",
        lambda a: 1 / (1 + np.exp(-a)),
    ),
    "inverse_root": (
        "%x = arith.mulf %a, %a : f32; %y = arith.addf %x, %one : f32; %r = math.rsqrt %y : f32",
        lambda a: 1 / np.sqrt(a * a + 1),
    ),
    "error_function": ("%r = math.erf %a : f32", lambda a: np.vectorize(_erf, otypes=[float])(a)),
}
BINARY = {
    "add": ("%r = arith.addf %a, %b : f32", np.add),
    "subtract": ("%r = arith.subf %a, %b : f32", np.subtract),
    "multiply": ("%r = arith.mulf %a, %b : f32", np.multiply),
    "maximum": ("%r = arith.maximumf %a, %b : f32", np.maximum),
    "minimum": ("%r = arith.minimumf %a, %b : f32", np.minimum),
    "divide": (
        "%x = math.absf %b : f32; %y = arith.addf %x, %one : f32; %r = arith.divf %a, %y : f32",
        lambda a, b: a / (np.abs(b) + 1),
    ),
    "select": (
        "%x = arith.cmpf olt, %a, %b : f32; %r = arith.select %x, %a, %b : f32",
        np.minimum,
    ),
}
# Combiner, neutral element, numpy.
REDUCTIONS = {
    "sum": ("arith.addf", "0.0", np.sum),
    "maximum": ("arith.maximumf", "0xFF800000", np.max),
    "minimum": ("arith.minimumf", "0x7F800000", np.min),
    "product": ("arith.mulf", "1.0", np.prod),
}


def _erf(value: float) -> float:
    import math

    return math.erf(value)


class Builder:
    """A program under construction."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.numbers = np.random.default_rng(rng.getrandbits(32))
        self.lines: list[str] = []
        self.arguments: list[Value] = []
        self.values: list[Value] = []
        self.steps: list[str] = []
        self.counter = 0
        self.extents = rng.sample(EXTENTS, 3)
        if rng.random() < 0.25:
            self.extents.append(rng.choice(LONG))

    # Values

    def fresh(self) -> str:
        self.counter += 1
        return f"%v{self.counter}"

    def argument(self, shape: tuple[int, ...]) -> Value:
        _check_size(shape)
        data = self.numbers.uniform(-1, 1, shape).astype(np.float32).astype(np.float64)
        value = Value(f"%arg{len(self.arguments)}", data, frozenset(), is_argument=True)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def constant(self, shape: tuple[int, ...]) -> Value:
        """A splat, or a vector written out."""
        name = self.fresh()
        if len(shape) == 1 and self.rng.random() < 0.5:
            data = self.numbers.integers(-8, 9, shape) / 8.0
            text = "[" + ", ".join(f"{x:.3f}" for x in data) + "]"
        else:
            data = np.full(shape, 0.75)
            text = "0.75"
        self.lines.append(f"{name} = arith.constant dense<{text}> : {tensor_type(shape)}")
        return Value(name, np.asarray(data, dtype=np.float64), frozenset())

    def operand(self, shape: tuple[int, ...]) -> Value:
        return self.constant(shape) if self.rng.random() < 0.15 else self.argument(shape)

    def extent(self) -> int:
        return self.rng.choice(self.extents)

    def pick(self, accept=lambda value: True) -> Value:
        """Recent results are likelier than arguments."""
        fitting = [value for value in self.values if accept(value)]
        if not fitting:
            raise Unfit
        weights = [(1 if value.is_argument else 4) * (1 + index) for index, value in enumerate(fitting)]
        return self.rng.choices(fitting, weights)[0]

    def define(self, operation: str, operands: list[Value], data: np.ndarray, step: str) -> Value:
        data = np.asarray(data, dtype=np.float64)
        _check_size(data.shape)
        if not np.all(np.isfinite(data)) or (data.size and np.abs(data).max() > MAX_VALUE):
            raise Unfit
        name = self.fresh()
        self.lines.append(f"{name} = {operation}")
        ancestors = frozenset().union(*(operand.ancestors | {operand.name} for operand in operands))
        value = Value(name, data, ancestors)
        for operand in operands:
            operand.uses += 1
        self.values.append(value)
        self.steps.append(step)
        return value

    # Operations

    def generic(self, operands, maps, iterators, init, out_map, shape, body, yielded, data, step) -> Value:
        rank = len(iterators)
        block = [*(f"%i{i}: f32" for i in range(len(operands))), "%o: f32"]
        indexing = ", ".join(affine_map(rank, dims) for dims in [*maps, out_map])
        kinds = ", ".join(f'"{kind}"' for kind in iterators)
        inputs = ""
        if operands:
            names, types = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
            inputs = f"ins({names} : {types}) "
        text = (
            f"linalg.generic {{indexing_maps = [{indexing}], iterator_types = [{kinds}]}} {inputs}"
            f"outs({init} : {tensor_type(shape)}) {{\n    ^bb0({', '.join(block)}):\n      "
            + "\n      ".join([*body, f"linalg.yield {yielded} : f32"])
            + f"\n    }} -> {tensor_type(shape)}"
        )
        return self.define(text, operands, data, step)

    def empty(self, shape: tuple[int, ...]) -> str:
        name = self.fresh()
        self.lines.append(f"{name} = tensor.empty() : {tensor_type(shape)}")
        return name

    def filled(self, shape: tuple[int, ...], scalar: str) -> str:
        empty, constant, name = self.empty(shape), self.fresh(), self.fresh()
        kind = tensor_type(shape)
        self.lines.append(f"{constant} = arith.constant {scalar} : f32")
        self.lines.append(f"{name} = linalg.fill ins({constant} : f32) outs({empty} : {kind}) -> {kind}")
        return name

    def elementwise(self, operands: list[Value], maps: list[list[int]], shape: tuple[int, ...], step="") -> Value:
        """A body of one or two unary functions, then binary ones over the operands."""
        body, results, data = list(CONSTANTS), [], []
        for index, (operand, dims) in enumerate(zip(operands, maps, strict=True)):
            name, array = f"%i{index}", _spread(operand.data, dims, len(shape))
            for _ in range(self.rng.choice((0, 0, 1, 1, 2)) if len(operands) > 1 else self.rng.choice((1, 1, 2))):
                function = self.rng.choice(sorted(UNARY))
                name, array = _apply(body, UNARY[function], [name], [array])
                step += f" {function}"
            results.append(name)
            data.append(array)
        while len(results) > 1:
            function = self.rng.choice(sorted(BINARY))
            name, array = _apply(body, BINARY[function], results[:2], data[:2])
            results[:2], data[:2] = [name], [array]
            step += f" {function}"
        whole = np.broadcast_to(data[0], shape)
        iterators = ["parallel"] * len(shape)
        init, out_map = self.empty(shape), list(range(len(shape)))
        return self.generic(operands, maps, iterators, init, out_map, shape, body, results[0], whole, "map" + step)

    def unary(self, value: Value | None = None) -> Value:
        value = value or self.pick()
        dims = list(range(len(value.shape)))
        if self.rng.random() < 0.25:
            self.rng.shuffle(dims)
        shape = [0] * len(dims)
        for position, dim in enumerate(dims):
            shape[dim] = value.shape[position]
        return self.elementwise([value], [dims], tuple(shape))

    def binary(self, left: Value | None = None, right: Value | None = None) -> Value:
        """`right` may be of lower rank (broadcast), permuted, or a new operand."""
        left = left or self.pick(lambda v: len(v.shape) > 0)
        shape, rank = left.shape, len(left.shape)
        if right is None:
            fitting = [v for v in self.values if v is not left and _assign(v.shape, shape, self.rng) is not None]
            related = [v for v in fitting if v.ancestors & (left.ancestors | {left.name})]
            if fitting and self.rng.random() < 0.7:
                right = self.rng.choice(related if related and self.rng.random() < 0.7 else fitting)
            else:
                dims = sorted(self.rng.sample(range(rank), self.rng.randint(1, rank)))
                self.rng.random() < 0.3 and self.rng.shuffle(dims)
                right = self.operand(tuple(shape[d] for d in dims))
                return self.elementwise([left, right], [list(range(rank)), dims], shape)
        dims = _assign(right.shape, shape, self.rng)
        if dims is None:
            raise Unfit
        return self.elementwise([left, right], [list(range(rank)), dims], shape)

    def broadcast(self) -> Value:
        """Two operands whose dimensions only together make the result: an outer combination."""
        left = self.pick(lambda v: 1 <= len(v.shape) <= 2)
        extra = self.extent()
        shape = list(left.shape)
        position = self.rng.randint(0, len(shape))
        shape.insert(position, extra)
        dims = [d for d in range(len(shape)) if d != position]
        right = self.operand((extra,))
        return self.elementwise([left, right], [dims, [position]], tuple(shape))

    def reduce(self, value: Value | None = None, kind: str | None = None, dims: list[int] | None = None) -> Value:
        value = value or self.pick(lambda v: len(v.shape) > 0)
        rank = len(value.shape)
        kind = kind or self.rng.choices(sorted(REDUCTIONS), [3, 1, 1, 4])[0]
        combiner, neutral, function = REDUCTIONS[kind]
        if dims is None:
            dims = sorted(self.rng.sample(range(rank), self.rng.randint(1, min(2, rank))))
        kept = [d for d in range(rank) if d not in dims]
        if len(kept) > 1 and self.rng.random() < 0.2:
            self.rng.shuffle(kept)
        shape = tuple(value.shape[d] for d in kept)
        data = function(value.data, axis=tuple(dims))
        rest = [d for d in range(rank) if d not in dims]
        data = np.transpose(data, [rest.index(d) for d in kept])
        init, data = self.initial(kind, neutral, shape, data)
        iterators = ["reduction" if d in dims else "parallel" for d in range(rank)]
        body = [f"%r = {combiner} %i0, %o : f32"]
        return self.generic([value], [list(range(rank))], iterators, init, kept, shape, body, "%r", data, f"{kind}")

    def initial(self, kind: str, neutral: str, shape: tuple[int, ...], data: np.ndarray) -> tuple[str, np.ndarray]:
        """Where a reduction starts: at its neutral element, at another scalar, or at a tensor."""
        choice = self.rng.random()
        if choice < 0.8:
            return self.filled(shape, neutral), data
        combine = {"sum": np.add, "maximum": np.maximum, "minimum": np.minimum, "product": np.multiply}[kind]
        if choice < 0.9:
            return self.filled(shape, "0.25"), combine(data, 0.25)
        start = self.argument(shape)
        start.uses += 1
        return start.name, combine(data, start.data)

    def contract(self, left: Value | None = None, right: Value | None = None) -> Value:
        """A contraction: every dimension of the left operand is a batch, a kept or a reduced one."""
        left = left or self.pick(lambda v: 1 <= len(v.shape) <= 3)
        labels = list("bmk"[: len(left.shape)]) if len(left.shape) == 3 else ["m", "k"][-len(left.shape) :]
        self.rng.shuffle(labels)
        sizes = dict(zip(labels, left.shape, strict=True))
        if right is None:
            other = [label for label in labels if label != "m"] + (["n"] if self.rng.random() < 0.8 else [])
            if "b" in other and self.rng.random() < 0.2:
                other.remove("b")
            self.rng.shuffle(other)
            sizes.setdefault("n", self.extent())
            wanted = tuple(sizes[label] for label in other)
            same = [v for v in self.values if v.shape == wanted and v is not left]
            right = self.rng.choice(same) if same and self.rng.random() < 0.5 else self.operand(wanted)
        else:
            other = self._labels_of(right, sizes)
        result = [label for label in "bmn" if label in labels + other]
        if self.rng.random() < 0.2:
            self.rng.shuffle(result)
        return self.einsum(left, labels, right, other, result, sizes)

    def _labels_of(self, right: Value, sizes: dict[str, int]) -> list[str]:
        """Labels for an operand that must share the reduced dimension."""
        fitting = [d for d, extent in enumerate(right.shape) if extent == sizes["k"]]
        if not fitting or len(right.shape) > 2:
            raise Unfit
        chosen = self.rng.choice(fitting)
        labels = ["k" if d == chosen else "n" for d in range(len(right.shape))]
        sizes.update(zip(labels, right.shape, strict=True))
        return labels

    def einsum(self, left, labels, right, other, result, sizes) -> Value:
        loops = [label for label in "bmnk" if label in labels + other]
        if self.rng.random() < 0.25:
            self.rng.shuffle(loops)
        if np.prod([sizes[label] for label in loops]) > MAX_WORK:
            raise Unfit
        subscripts = f"{''.join(labels)},{''.join(other)}->{''.join(result)}"
        data = np.einsum(subscripts, left.data, right.data)
        shape = tuple(sizes[label] for label in result)
        maps = [[loops.index(label) for label in group] for group in (labels, other, result)]
        iterators = ["parallel" if label in result else "reduction" for label in loops]
        init, data = self.initial("sum", "0.0", shape, data)
        body = ["%p = arith.mulf %i0, %i1 : f32", "%r = arith.addf %o, %p : f32"]
        step = f"contract {subscripts}"
        return self.generic([left, right], maps[:2], iterators, init, maps[2], shape, body, "%r", data, step)

    def transpose(self) -> Value:
        value = self.pick(lambda v: len(v.shape) > 1)
        order = list(range(len(value.shape)))
        self.rng.shuffle(order)
        shape = tuple(value.shape[d] for d in order)
        empty = self.empty(shape)
        text = (
            f"linalg.transpose ins({value.name} : {value.type}) outs({empty} : {tensor_type(shape)}) "
            f"permutation = {order}"
        )
        return self.define(text, [value], np.transpose(value.data, order), "transpose")

    def expand(self) -> Value:
        value = self.pick(lambda v: 1 <= len(v.shape) <= 3)
        dim = self.rng.randrange(len(value.shape))
        extent = value.shape[dim]
        factor = self.rng.choice([f for f in range(1, extent + 1) if extent % f == 0])
        shape = (*value.shape[:dim], factor, extent // factor, *value.shape[dim + 1 :])
        groups = _groups(len(shape), dim)
        text = (
            f"tensor.expand_shape {value.name} {groups} output_shape {list(shape)} : "
            f"{value.type} into {tensor_type(shape)}"
        )
        return self.define(text, [value], value.data.reshape(shape), "expand")

    def collapse(self) -> Value:
        value = self.pick(lambda v: len(v.shape) > 1)
        dim = self.rng.randrange(len(value.shape) - 1)
        shape = (*value.shape[:dim], value.shape[dim] * value.shape[dim + 1], *value.shape[dim + 2 :])
        groups = _groups(len(value.shape), dim)
        text = f"tensor.collapse_shape {value.name} {groups} : {value.type} into {tensor_type(shape)}"
        return self.define(text, [value], value.data.reshape(shape), "collapse")

    def slice(self, value: Value | None = None, box: list[tuple[int, int]] | None = None) -> Value:
        value = value or self.pick(lambda v: any(extent > 1 for extent in v.shape))
        if box is None:
            dims = [d for d, extent in enumerate(value.shape) if extent > 1]
            cut = set(self.rng.sample(dims, self.rng.randint(1, min(2, len(dims)))))
            box = [self._range(extent) if d in cut else (0, extent) for d, extent in enumerate(value.shape)]
        offsets, sizes = [low for low, _ in box], [size for _, size in box]
        text = (
            f"tensor.extract_slice {value.name}{offsets} {sizes} {[1] * len(sizes)} : "
            f"{value.type} to {tensor_type(tuple(sizes))}"
        )
        window = tuple(slice(low, low + size) for low, size in box)
        return self.define(text, [value], value.data[window], "slice")

    def _range(self, extent: int) -> tuple[int, int]:
        size = self.rng.choice((1, extent // 2, self.rng.randint(1, extent - 1)))
        return self.rng.randint(0, extent - size), size

    def concat(self, parts: list[Value] | None = None, dim: int | None = None) -> Value:
        if parts is None:
            first = self.pick(lambda v: len(v.shape) > 0)
            dim = self.rng.randrange(len(first.shape))
            fitting = [
                v
                for v in self.values
                if len(v.shape) == len(first.shape)
                and all(a == b for d, (a, b) in enumerate(zip(v.shape, first.shape, strict=True)) if d != dim)
            ]
            others = [v for v in fitting if v is not first]
            if others and self.rng.random() < 0.7:
                second = self.rng.choice(others)
            else:
                second = self.argument((*first.shape[:dim], self.extent(), *first.shape[dim + 1 :]))
            parts = [first, second]
            self.rng.shuffle(parts)
        data = np.concatenate([part.data for part in parts], axis=dim)
        names, types = ", ".join(p.name for p in parts), ", ".join(p.type for p in parts)
        text = f"tensor.concat dim({dim}) {names} : ({types}) -> {tensor_type(data.shape)}"
        return self.define(text, parts, data, "concat")

    def pad(self) -> Value:
        value = self.pick(lambda v: 1 <= len(v.shape) <= 3)
        low = [self.rng.choice((0, 0, 1, 2, 4)) for _ in value.shape]
        high = [self.rng.choice((0, 0, 1, 3, 4)) for _ in value.shape]
        if not any(low + high):
            high[-1] = 1
        data = np.pad(value.data, list(zip(low, high, strict=True)), constant_values=0.5)
        constant = self.fresh()
        self.lines.append(f"{constant} = arith.constant 0.5 : f32")
        indices = ", ".join(f"%p{i}: index" for i in range(len(low)))
        text = (
            f"tensor.pad {value.name} low{low} high{high} {{\n    ^bb0({indices}):\n      "
            f"tensor.yield {constant} : f32\n    }} : {value.type} to {tensor_type(data.shape)}"
        )
        return self.define(text, [value], data, "pad")

    # Steering: what makes branches meet again, and what makes orders differ

    def residual(self) -> Value:
        value = self.pick(lambda v: len(v.shape) > 0 and not v.is_argument)
        branch = value
        for _ in range(self.rng.randint(1, 2)):
            dims = [list(range(len(branch.shape)))]
            branch = self.elementwise([branch], dims, branch.shape)
        return self.elementwise([value, branch], [list(range(len(value.shape)))] * 2, value.shape, " residual")

    def normalise(self) -> Value:
        value = self.pick(lambda v: len(v.shape) > 0 and not v.is_argument)
        dims = [self.rng.randrange(len(value.shape))]
        kept = [d for d in range(len(value.shape)) if d not in dims]
        reduced = self.elementwise_of_reduction(value, dims)
        maps = [list(range(len(value.shape))), kept]
        return self.elementwise([value, reduced], maps, value.shape, " normalise")

    def elementwise_of_reduction(self, value: Value, dims: list[int]) -> Value:
        rank = len(value.shape)
        kept = [d for d in range(rank) if d not in dims]
        kind = self.rng.choice(("sum", "maximum"))
        combiner, neutral, function = REDUCTIONS[kind]
        shape = tuple(value.shape[d] for d in kept)
        iterators = ["reduction" if d in dims else "parallel" for d in range(rank)]
        body = [f"%r = {combiner} %i0, %o : f32"]
        init, data = self.filled(shape, neutral), function(value.data, axis=tuple(dims))
        return self.generic([value], [list(range(rank))], iterators, init, kept, shape, body, "%r", data, kind)

    def rotate(self) -> Value:
        """The halves of a dimension change places and meet the whole again."""
        value = self.pick(lambda v: any(e % 2 == 0 for e in v.shape) and not v.is_argument)
        dim = self.rng.choice([d for d, e in enumerate(value.shape) if e % 2 == 0])
        half = value.shape[dim] // 2
        boxes = [[(0, e) for e in value.shape] for _ in range(2)]
        boxes[0][dim], boxes[1][dim] = (0, half), (half, half)
        first, second = (self.slice(value, box) for box in boxes)
        whole = self.concat([second, first], dim)
        return self.elementwise([value, whole], [list(range(len(value.shape)))] * 2, value.shape, " rotate")

    def self_contract(self) -> Value:
        value = self.pick(lambda v: len(v.shape) == 2 and not v.is_argument)
        return self.contract(value, value)


CONSTANTS = (
    "%zero = arith.constant 0.0 : f32",
    "%one = arith.constant 1.0 : f32",
    "%half = arith.constant 0.5 : f32",
)
STEPS = {
    "unary": 4,
    "binary": 5,
    "broadcast": 1,
    "reduce": 4,
    "contract": 5,
    "transpose": 2,
    "expand": 1,
    "collapse": 1,
    "slice": 2,
    "concat": 2,
    "pad": 1,
}
RECONVERGENT = {"residual": 2, "normalise": 4, "rotate": 2, "self_contract": 2}
REORDERING = {"contract": 4, "reduce": 1, "transpose": 1, "self_contract": 1}


def _check_size(shape: tuple[int, ...]) -> None:
    if np.prod(shape, dtype=np.int64) > MAX_ELEMENTS or len(shape) > 4:
        raise Unfit


def _spread(data: np.ndarray, dims: list[int], rank: int) -> np.ndarray:
    """`data`, whose dimension i is dimension dims[i] of a result of `rank`."""
    order = np.argsort(dims) if dims else []
    ordered = np.transpose(data, order)
    shape = [1] * rank
    for position, dim in enumerate(dims):
        shape[dim] = data.shape[position]
    return ordered.reshape(shape)


def _assign(shape: tuple[int, ...], target: tuple[int, ...], rng: random.Random) -> list[int] | None:
    """Distinct dimensions of `target` of the same extents; the identity where it fits."""
    if shape == target:
        return list(range(len(shape)))
    free, dims = list(range(len(target))), []
    for extent in shape:
        fitting = [d for d in free if target[d] == extent]
        if not fitting:
            return None
        dims.append(rng.choice(fitting))
        free.remove(dims[-1])
    return dims


def _groups(rank: int, dim: int) -> list[list[int]]:
    """Reassociation that joins dimensions dim and dim + 1 of `rank`."""
    return [[d, d + 1] if d == dim else [d] for d in range(rank) if d != dim + 1]


def _apply(body: list[str], function, names: list[str], data: list[np.ndarray]) -> tuple[str, np.ndarray]:
    """Adds a function's lines under names of their own."""
    text, evaluate = function
    prefix = f"%t{len(body)}"
    bindings = dict(zip(("%a", "%b"), names, strict=False))
    for line in text.split("; "):
        words = []
        for word in line.replace(",", " ,").split():
            if word in bindings:
                word = bindings[word]
            elif word in ("%x", "%y", "%z", "%r"):
                word = prefix + word[1:]
            words.append(word)
        body.append(" ".join(words).replace(" ,", ","))
    return prefix + "r", evaluate(*data)


def _try(builder: Builder, table: dict[str, int]) -> bool:
    """One step of the table; what a failed step left behind is taken back."""
    lines, arguments, values, steps = (
        len(x) for x in (builder.lines, builder.arguments, builder.values, builder.steps)
    )
    uses = [value.uses for value in builder.values]
    name = builder.rng.choices(sorted(table), [table[key] for key in sorted(table)])[0]
    try:
        getattr(builder, name)()
    except Unfit:
        del builder.lines[lines:], builder.arguments[arguments:], builder.values[values:], builder.steps[steps:]
        for value, count in zip(builder.values, uses, strict=True):
            value.uses = count
        return False
    return True


def _add(builder: Builder, table: dict[str, int], count: int) -> None:
    for _ in range(count):
        for _ in range(20):
            if _try(builder, table):
                break


def generate(seed: int, reorder: bool, reconverge: bool) -> Program:
    """A program of three to eight steps; `reorder` asks for converters, `reconverge` for rejoining paths."""
    rng = random.Random(seed)
    builder = Builder(rng)
    shape = tuple(builder.extent() for _ in range(rng.choice((1, 2, 2, 2, 3))))
    while np.prod(shape) > MAX_ELEMENTS:
        shape = shape[1:]
    builder.argument(shape)
    _add(builder, STEPS, rng.randint(1, 2))
    if reorder:
        _add(builder, REORDERING, 2)
    if reconverge:
        _add(builder, {"contract": 2, "unary": 1}, 1)
        _add(builder, RECONVERGENT, rng.randint(1, 2))
    _add(builder, STEPS, rng.randint(0, 2))
    if not any(step.split()[0] in ("map", "contract", *REDUCTIONS) for step in builder.steps):
        builder.unary(builder.argument((builder.extent(),)))
    return _finish(builder)


def _finish(builder: Builder) -> Program:
    computed = [value for value in builder.values if not value.is_argument]
    results = [value for value in computed if value.uses == 0]
    inner = [value for value in computed if value.uses and value.data.ndim]
    if inner and builder.rng.random() < 0.15:
        results.append(builder.rng.choice(inner))
    arguments = ", ".join(f"{value.name}: {value.type}" for value in builder.arguments)
    types = ", ".join(value.type for value in results)
    lines = "\n    ".join(builder.lines)
    text = (
        f"func.func @main({arguments}) -> ({types}) {{\n    {lines}\n"
        f"    return {', '.join(value.name for value in results)} : {types}\n}}\n"
    )
    inputs = [value.data.astype(np.float32) for value in builder.arguments]
    return Program(text, inputs, [value.data for value in results], builder.steps)
