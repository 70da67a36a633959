# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: their MLIR names, the arrays that hold them, and how values are brought into them."""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np


class Unfit(Exception):
    """What was asked for has no meaning here, or its answer would mean nothing: take something else."""


@dataclass(frozen=True)
class Element:
    """`mantissa` is the number of bits that a float keeps, hidden bit included."""

    name: str
    dtype: np.dtype
    width: int
    mantissa: int = 0

    @property
    def is_float(self) -> bool:
        return self.mantissa > 0

    @property
    def is_bool(self) -> bool:
        return self.width == 1

    @property
    def is_int(self) -> bool:
        return not self.is_float and not self.is_bool

    @property
    def kind(self) -> str:
        return "float" if self.is_float else "boolean" if self.is_bool else "integer"

    @property
    def lowest(self) -> int:
        return -(1 << (self.width - 1))

    @property
    def highest(self) -> int:
        return (1 << (self.width - 1)) - 1

    def wrap(self, values: np.ndarray) -> np.ndarray:
        """Integers modulo 2^width, as signed ones; booleans modulo 2."""
        if self.is_bool:
            return (np.asarray(values).astype(np.int64) & 1).astype(np.bool_)
        wide = np.asarray(values).astype(np.int64)
        if self.width < 64:
            wide = ((wide - self.lowest) & ((1 << self.width) - 1)) + self.lowest
        return wide.astype(self.dtype)

    def unsigned(self, values: np.ndarray) -> np.ndarray:
        """The same bits read as an unsigned number, in uint64."""
        mask = np.uint64((1 << self.width) - 1)
        return np.asarray(values).astype(np.int64).astype(np.uint64) & mask

    def round(self, values: np.ndarray) -> np.ndarray:
        """Floats rounded to this type, in float64."""
        return np.asarray(values, np.float64).astype(self.dtype).astype(np.float64)

    def spell(self, value: float) -> str:
        """A literal of MLIR."""
        if self.is_bool:
            return "true" if value else "false"
        if self.is_int:
            return str(int(value))
        if np.isfinite(value):
            return repr(float(value)) if "e" not in repr(float(value)) else f"{value:.12e}"
        bits = np.asarray(value, np.float64).astype(self.dtype).view(f"u{self.dtype.itemsize}")
        return f"0x{int(bits):0{self.width // 4}X}"


F32 = Element("f32", np.dtype(np.float32), 32, 24)
F64 = Element("f64", np.dtype(np.float64), 64, 53)
F16 = Element("f16", np.dtype(np.float16), 16, 11)
BF16 = Element("bf16", np.dtype(ml_dtypes.bfloat16), 16, 8)
I1 = Element("i1", np.dtype(np.bool_), 1)
I4 = Element("i4", np.dtype(np.int8), 4)
I8 = Element("i8", np.dtype(np.int8), 8)
I16 = Element("i16", np.dtype(np.int16), 16)
I32 = Element("i32", np.dtype(np.int32), 32)
I64 = Element("i64", np.dtype(np.int64), 64)
FLOATS, INTEGERS = (F32, F64, F16, BF16), (I4, I8, I16, I32, I64)
ELEMENTS = (*FLOATS, I1, *INTEGERS)


@dataclass(frozen=True)
class Type:
    """A ranked tensor type."""

    shape: tuple[int, ...]
    element: Element

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{extent}x' for extent in self.shape)}{self.element.name}>"

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Data:
    """What a tensor holds, computed twice.

    `narrow` is rounded to the element type after every operation, `wide` never (float64): where they differ, the
    program is sensitive to rounding, and results are compared with that much tolerance. `exact` says that no
    operation on the way rounded, whatever the order of its sums: only then may a value be compared or cast, where an
    error of one bit would change everything. Integers are always exact and `wide` is `narrow`. `also` is the second
    result of an operation that has two.
    """

    narrow: np.ndarray
    wide: np.ndarray
    exact: bool = True
    also: Data | None = None

    @staticmethod
    def of(values: np.ndarray) -> Data:
        return Data(values, values)

    def each(self, function) -> Data:
        """The same rearrangement of both."""
        if self.wide is self.narrow:
            return Data.of(function(self.narrow))
        return Data(function(self.narrow), function(self.wide), self.exact)


def is_short(values: np.ndarray, element: Element) -> bool:
    """Whether float64 could show that a value of this type was rounded: of f64 itself it cannot, unless few of the
    places are used."""
    return element.width < 64 or grain(values) <= 40


def grain(values: np.ndarray) -> int:
    """The fewest binary places after the point that hold all values; 64 if there are more than 40."""
    for places in range(41):
        scaled = values * 2.0**places
        if np.array_equal(scaled, np.rint(scaled)):
            return places
    return 64


def sums_exactly(terms_total: float, places: int, element: Element) -> bool:
    """Whether any order of adding terms with `places` binary places, of that total magnitude, is exact."""
    return terms_total * 2.0**places <= 2.0**element.mantissa
