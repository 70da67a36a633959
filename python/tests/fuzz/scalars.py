# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalar functions: what a body may compute, in MLIR and in numpy.

Float functions are evaluated on float64 arrays and rounded by the caller. A *discrete* function jumps where its
operands change a little: its operands must be exact. A *faithful* function of exact operands may be exact itself; the
caller compares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzz.elements import Element, Unfit


@dataclass(frozen=True)
class Function:
    """`lines` are MLIR, separated by ';', over %a %b %c, the temporaries %x %y %z and the result %r; T is the operands'
    type, U the result's, I the integers as wide as T. `evaluate` is given (operands, T, U)."""

    name: str
    arity: int
    lines: str
    evaluate: Callable
    faithful: bool = False
    discrete: bool = False


def _float(name: str, arity: int, lines: str, function: Callable, **flags: bool) -> Function:
    return Function(name, arity, lines, lambda args, t, u: function(*args), **flags)


def _round_away(a: np.ndarray) -> np.ndarray:
    return np.copysign(np.floor(np.abs(a) + 0.5), a)


_erf = np.vectorize(math.erf, otypes=[float])
_ABS = "%x = math.absf %a : T; "
_ONE = "%one = arith.constant 1.0 : T; "
# Logarithms stay away from 1, near which the rounding of the sum would be all that is left.
_MORE = "%m = arith.constant 1.5 : T; %y = arith.addf %x, %m : T; "

ABSOLUTE = _float("absolute", 1, "%r = math.absf %a : T", np.abs, faithful=True)
FLOAT_UNARY = [
    _float(
        "relu",
        1,
        "%z = arith.constant 0.0 : T; %r = arith.maximumf %a, %z : T",
        lambda a: np.maximum(a, 0),
        faithful=True,
    ),
    _float("negate", 1, "%r = arith.negf %a : T", np.negative, faithful=True),
    ABSOLUTE,
    _float("square", 1, "%r = arith.mulf %a, %a : T", np.square, faithful=True),
    _float("halve", 1, "%x = arith.constant 0.5 : T; %r = arith.mulf %a, %x : T", lambda a: a * 0.5, faithful=True),
    _float("offset", 1, "%x = arith.constant -1.25 : T; %r = arith.addf %x, %a : T", lambda a: a - 1.25, faithful=True),
    _float("tanh", 1, "%r = math.tanh %a : T", np.tanh),
    _float("erf", 1, "%r = math.erf %a : T", _erf),
    _float("sin", 1, "%r = math.sin %a : T", np.sin),
    _float("cos", 1, "%r = math.cos %a : T", np.cos),
    _float("decay", 1, _ABS + "%y = arith.negf %x : T; %r = math.exp %y : T", lambda a: np.exp(-np.abs(a))),
    _float("decay2", 1, _ABS + "%y = arith.negf %x : T; %r = math.exp2 %y : T", lambda a: np.exp2(-np.abs(a))),
    _float("expm1", 1, _ABS + "%y = arith.negf %x : T; %r = math.expm1 %y : T", lambda a: np.expm1(-np.abs(a))),
    _float("log1p", 1, _ABS + "%r = math.log1p %x : T", lambda a: np.log1p(np.abs(a))),
    _float("log", 1, _ABS + _MORE + "%r = math.log %y : T", lambda a: np.log(np.abs(a) + 1.5)),
    _float("log2", 1, _ABS + _MORE + "%r = math.log2 %y : T", lambda a: np.log2(abs(a) + 1.5)),
    _float("log10", 1, _ABS + _MORE + "%r = math.log10 %y : T", lambda a: np.log10(abs(a) + 1.5)),
    _float("atan", 1, "%r = math.atan %a : T", np.arctan),
    _float("cube", 1, "%x = arith.constant 3 : i32; %r = math.fpowi %a, %x : T, i32", lambda a: a * a * a),
    _float(
        "own_power",
        1,
        "%w = arith.fptosi %a : T to i32; %x = arith.constant 3 : i32; %y = arith.andi %w, %x : i32; "
        "%r = math.fpowi %a, %y : T, i32",
        lambda a: a ** (np.trunc(a).astype(np.int64) & 3),
        discrete=True,
    ),
    _float("exponential", 1, "%x = math.sin %a : T; %r = math.exp %x : T", lambda a: np.exp(np.sin(a))),
    _float("sqrt", 1, _ABS + "%r = math.sqrt %x : T", lambda a: np.sqrt(np.abs(a))),
    _float(
        "power",
        1,
        _ABS + _ONE + "%y = arith.addf %x, %one : T; %z = arith.constant -1.5 : T; %r = math.powf %y, %z : T",
        lambda a: (np.abs(a) + 1) ** -1.5,
    ),
    _float(
        "logistic",
        1,
        "%x = arith.negf %a : T; %y = math.exp %x : T; "
        + _ONE
        + "%z = arith.addf %y, %one : T; %r = arith.divf %one, %z : T",
        lambda a: 1 / (1 + np.exp(-a)),
    ),
    _float(
        "inverse_root",
        1,
        "%x = arith.mulf %a, %a : T; " + _ONE + "%y = arith.addf %x, %one : T; %r = math.rsqrt %y : T",
        lambda a: 1 / np.sqrt(a * a + 1),
    ),
    _float(
        "clear_sign",
        1,
        "%x = arith.bitcast %a : T to I; %one = arith.constant 1 : I; %y = arith.shli %x, %one : I; "
        "%z = arith.shrui %y, %one : I; %r = arith.bitcast %z : I to T",
        np.abs,
        faithful=True,
    ),
    _float("floor", 1, "%r = math.floor %a : T", np.floor, faithful=True, discrete=True),
    _float("ceil", 1, "%r = math.ceil %a : T", np.ceil, faithful=True, discrete=True),
    _float("trunc", 1, "%r = math.trunc %a : T", np.trunc, faithful=True, discrete=True),
    _float("round", 1, "%r = math.round %a : T", _round_away, faithful=True, discrete=True),
    _float("roundeven", 1, "%r = math.roundeven %a : T", np.rint, faithful=True, discrete=True),
]
FLOAT_BINARY = [
    _float("add", 2, "%r = arith.addf %a, %b : T", np.add, faithful=True),
    _float("subtract", 2, "%r = arith.subf %a, %b : T", np.subtract, faithful=True),
    _float("multiply", 2, "%r = arith.mulf %a, %b : T", np.multiply, faithful=True),
    _float("maximum", 2, "%r = arith.maximumf %a, %b : T", np.maximum, faithful=True),
    _float("minimum", 2, "%r = arith.minimumf %a, %b : T", np.minimum, faithful=True),
    _float("maxnum", 2, "%r = arith.maxnumf %a, %b : T", np.maximum, faithful=True),
    _float("minnum", 2, "%r = arith.minnumf %a, %b : T", np.minimum, faithful=True),
    _float(
        "smaller", 2, "%x = arith.cmpf olt, %a, %b : T; %r = arith.select %x, %a, %b : T", np.minimum, faithful=True
    ),
    _float(
        "divide",
        2,
        "%x = math.absf %b : T; " + _ONE + "%y = arith.addf %x, %one : T; %r = arith.divf %a, %y : T",
        lambda a, b: a / (np.abs(b) + 1),
    ),
    _float(
        "float_remainder",
        2,
        "%x = math.absf %b : T; " + _ONE + "%y = arith.addf %x, %one : T; %r = arith.remf %a, %y : T",
        lambda a, b: np.fmod(a, np.abs(b) + 1),
        faithful=True,
        discrete=True,
    ),
    _float(
        "atan2",
        2,
        "%x = math.absf %b : T; " + _ONE + "%y = arith.addf %x, %one : T; %r = math.atan2 %a, %y : T",
        lambda a, b: np.arctan2(a, np.abs(b) + 1),
    ),
    _float("copysign", 2, "%r = math.copysign %a, %b : T", np.copysign, faithful=True, discrete=True),
]
FLOAT_TERNARY = [_float("fma", 3, "%r = math.fma %a, %b, %c : T", lambda a, b, c: a * b + c, faithful=True)]


def _int(name: str, arity: int, lines: str, function: Callable) -> Function:
    """`function` on int64 arrays; the result wraps."""
    return Function(name, arity, lines, lambda args, t, u: u.wrap(function(*(a.astype(np.int64) for a in args))))


def _unsigned(name: str, lines: str, function: Callable) -> Function:
    return Function(name, 2, lines, lambda args, t, u: u.wrap(function(*map(t.unsigned, args)).astype(np.int64)))


# A divisor from 1 to 4, and a distance from 0 to 3.
_DIVISOR = (
    "%x = arith.constant 3 : T; %y = arith.andi %b, %x : T; %z = arith.constant 1 : T; %d = arith.addi %y, %z : T; "
)
_DISTANCE = "%x = arith.constant 3 : T; %d = arith.andi %b, %x : T; "


def _divisor(b):
    return (b & b.dtype.type(3)) + b.dtype.type(1)


def _power(a, b):
    """Wraps after every product."""
    product = np.ones_like(a)
    with np.errstate(over="ignore"):
        for step in range(3):
            product = np.where(b > step, product * a, product)
    return product


def _quotient(a, b):
    """Rounded towards zero."""
    b = _divisor(b)
    return np.sign(a) * (np.abs(a) // b)


INT_UNARY = [
    _int("negate", 1, "%x = arith.constant 0 : T; %r = arith.subi %x, %a : T", np.negative),
    _int("complement", 1, "%x = arith.constant -1 : T; %r = arith.xori %a, %x : T", np.invert),
    _int("absolute", 1, "%r = math.absi %a : T", np.abs),
    _int("square", 1, "%r = arith.muli %a, %a : T", np.square),
    _int("offset", 1, "%x = arith.constant 3 : T; %r = arith.addi %a, %x : T", lambda a: a + 3),
]
INT_BINARY = [
    _int("add", 2, "%r = arith.addi %a, %b : T", np.add),
    _int("subtract", 2, "%r = arith.subi %a, %b : T", np.subtract),
    _int("multiply", 2, "%r = arith.muli %a, %b : T", np.multiply),
    _int("maximum", 2, "%r = arith.maxsi %a, %b : T", np.maximum),
    _int("minimum", 2, "%r = arith.minsi %a, %b : T", np.minimum),
    _int("and", 2, "%r = arith.andi %a, %b : T", np.bitwise_and),
    _int("or", 2, "%r = arith.ori %a, %b : T", np.bitwise_or),
    _int("xor", 2, "%r = arith.xori %a, %b : T", np.bitwise_xor),
    _int("int_power", 2, _DISTANCE + "%r = math.ipowi %a, %d : T", lambda a, b: _power(a, b & 3)),
    _int("divide", 2, _DIVISOR + "%r = arith.divsi %a, %d : T", _quotient),
    _int("remainder", 2, _DIVISOR + "%r = arith.remsi %a, %d : T", lambda a, b: np.fmod(a, _divisor(b))),
    _int("floordiv", 2, _DIVISOR + "%r = arith.floordivsi %a, %d : T", lambda a, b: a // _divisor(b)),
    _int("ceildiv", 2, _DIVISOR + "%r = arith.ceildivsi %a, %d : T", lambda a, b: -(-a // _divisor(b))),
    _int("shift_left", 2, _DISTANCE + "%r = arith.shli %a, %d : T", lambda a, b: np.left_shift(a, b & 3)),
    _int("shift_right", 2, _DISTANCE + "%r = arith.shrsi %a, %d : T", lambda a, b: np.right_shift(a, b & 3)),
    _unsigned(
        "shift_right_zero", _DISTANCE + "%r = arith.shrui %a, %d : T", lambda a, b: np.right_shift(a, b & np.uint64(3))
    ),
    _unsigned("maximum_unsigned", "%r = arith.maxui %a, %b : T", np.maximum),
    _unsigned("minimum_unsigned", "%r = arith.minui %a, %b : T", np.minimum),
    _unsigned("divide_unsigned", _DIVISOR + "%r = arith.divui %a, %d : T", lambda a, b: a // _divisor(b)),
    _unsigned("remainder_unsigned", _DIVISOR + "%r = arith.remui %a, %d : T", lambda a, b: a % _divisor(b)),
]
INT_TERNARY = [
    _int("multiply_add", 3, "%x = arith.muli %a, %b : T; %r = arith.addi %x, %c : T", lambda a, b, c: a * b + c)
]
BOOL_UNARY = [_int("not", 1, "%x = arith.constant true; %r = arith.xori %a, %x : T", lambda a: a ^ 1)]
# As a signed number, a bit is 0 or -1.
BOOL_BINARY = [
    _int("add_bits", 2, "%r = arith.addi %a, %b : T", np.bitwise_xor),
    _int("subtract_bits", 2, "%r = arith.subi %a, %b : T", np.bitwise_xor),
    _int("multiply_bits", 2, "%r = arith.muli %a, %b : T", np.bitwise_and),
    _int("maximum_bits", 2, "%r = arith.maxsi %a, %b : T", np.bitwise_and),
    _int("minimum_bits", 2, "%r = arith.minsi %a, %b : T", np.bitwise_or),
    _int("maximum_unsigned_bits", 2, "%r = arith.maxui %a, %b : T", np.bitwise_or),
    _int("minimum_unsigned_bits", 2, "%r = arith.minui %a, %b : T", np.bitwise_and),
    _int("compare_slt", 2, "%r = arith.cmpi slt, %a, %b : T", np.greater),
    _int("compare_sge", 2, "%r = arith.cmpi sge, %a, %b : T", np.less_equal),
    _int("compare_ult_int", 2, "%r = arith.cmpi ult, %a, %b : T", np.less),
    _int("compare_eq", 2, "%r = arith.cmpi eq, %a, %b : T", np.equal),
    _int("and", 2, "%r = arith.andi %a, %b : T", np.bitwise_and),
    _int("or", 2, "%r = arith.ori %a, %b : T", np.bitwise_or),
    _int("xor", 2, "%r = arith.xori %a, %b : T", np.bitwise_xor),
]
BOOL_TERNARY = [
    _int(
        "majority",
        3,
        "%x = arith.andi %a, %b : T; %y = arith.xori %a, %b : T; %z = arith.andi %y, %c : T; %r = arith.ori %x, %z : T",
        lambda a, b, c: (a & b) | ((a ^ b) & c),
    )
]

_COMPARE = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}


def _comparisons() -> tuple[list[Function], list[Function]]:
    """Values are numbers, so that ordered and unordered comparisons of them agree."""
    floats, integers = [], []
    for name, function in _COMPARE.items():
        for order in "ou":
            word = order + name
            floats.append(_float(f"compare_{word}", 2, f"%r = arith.cmpf {word}, %a, %b : T", function, discrete=True))
        signed = name if name in ("eq", "ne") else "s" + name
        integers.append(_int(f"compare_{signed}", 2, f"%r = arith.cmpi {signed}, %a, %b : T", function))
        if signed != name:
            integers.append(_unsigned(f"compare_u{name}_int", f"%r = arith.cmpi u{name}, %a, %b : T", function))
    for word, value in (("ord", True), ("uno", False)):
        both = lambda a, b, value=value: np.full(a.shape, value)  # noqa: E731
        floats.append(_float(f"compare_{word}", 2, f"%r = arith.cmpf {word}, %a, %b : T", both))
    return floats, integers


FLOAT_COMPARE, INT_COMPARE = _comparisons()
# %a is the condition.
SELECT = Function("select", 3, "%r = arith.select %a, %b, %c : U", lambda args, t, u: np.where(*args), faithful=True)


def functions(element: Element, arity: int) -> list[Function]:
    """Functions of `arity` operands of one type that give the same type."""
    if element.is_float:
        return (FLOAT_UNARY, FLOAT_BINARY, FLOAT_TERNARY)[arity - 1]
    if element.is_bool:
        return (BOOL_UNARY, BOOL_BINARY, BOOL_TERNARY)[arity - 1]
    return (INT_UNARY, INT_BINARY, INT_TERNARY)[arity - 1]


def comparisons(element: Element) -> list[Function]:
    return FLOAT_COMPARE if element.is_float else INT_COMPARE if element.is_int else []


CASTS = ("extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui")


def casts_from(source: Element) -> tuple[str, ...]:
    """The conversions that operands of this type have."""
    if source.is_float:
        return ("extf", "truncf", "fptosi", "fptoui")
    return ("extsi", "extui", "sitofp", "uitofp", *(["trunci"] if source.is_int else []))


def suits(word: str, target: Element, source: Element) -> bool:
    """Whether the conversion `word` leads from one type to the other."""
    if word not in casts_from(source):
        return False
    if word in ("extf", "truncf", "sitofp", "uitofp"):
        is_kind = target.is_float
    else:
        is_kind = not target.is_float and not (target.is_bool and word != "trunci")
    order = {"ext": target.width > source.width, "tru": target.width < source.width}
    return is_kind and order.get(word[:3], True)


def cast(word: str) -> Function:
    """A conversion between two types; integers are read as signed or unsigned."""
    lines = f"%r = arith.{word} %a : T to U"
    if word in ("extf", "truncf"):
        return Function(word, 1, lines, lambda args, t, u: args[0], faithful=True)
    if word in ("sitofp", "uitofp"):
        return Function(word, 1, lines, lambda args, t, u: _as_float(args[0], t, word == "sitofp"), faithful=True)
    if word in ("fptosi", "fptoui"):
        return Function(word, 1, lines, lambda args, t, u: _whole(args[0], u, word == "fptosi"), discrete=True)
    return Function(word, 1, lines, lambda args, t, u: u.wrap(_as_int(args[0], t, word != "extui")))


def _as_int(values: np.ndarray, element: Element, signed: bool) -> np.ndarray:
    if not signed:
        return element.unsigned(values).astype(np.int64)
    return -values.astype(np.int64) if element.is_bool else values.astype(np.int64)


def _as_float(values: np.ndarray, element: Element, signed: bool) -> np.ndarray:
    if not signed:
        return element.unsigned(values).astype(np.float64)
    return _as_int(values, element, signed).astype(np.float64)


def _whole(values: np.ndarray, target: Element, signed: bool) -> np.ndarray:
    low, high = (target.lowest, target.highest) if signed else (0, 2 * target.highest + 1)
    whole = np.trunc(values)
    if whole.size and (whole.min() < low or whole.max() > high):
        raise Unfit
    return target.wrap(whole.astype(np.int64))
