# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings: a window moves over the last dimensions of an image [n, c, h, w] or a row [n, c, w]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzz.elements import Data, Element, Type, Unfit, grain, sums_exactly
from fuzz.ops_reduce import MAX_WORK, summed
from fuzz.program import Operation, Writer


@dataclass(frozen=True, eq=False)
class _Window(Operation):
    """Steps of the window and of the points within it, one per moving dimension."""

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    element: Element

    def _moved(self, shape: Sequence[int], window: Sequence[int]) -> tuple[int, ...]:
        """The extents of the places that the window takes."""
        if len(shape) != len(self.strides) + 2 or len(window) != len(self.strides):
            raise Unfit
        sums = zip(shape[2:], window, self.strides, self.dilations, strict=True)
        moved = tuple((extent - 1 - (size - 1) * dilation) // stride + 1 for extent, size, stride, dilation in sums)
        # A window with one place only must fill the image: what it leaves over is not cut off yet.
        fills = all(
            places > 1 or (size - 1) * dilation + 1 == extent
            for extent, size, dilation, places in zip(shape[2:], window, self.dilations, moved, strict=True)
        )
        if min(moved) < 1 or not fills or np.prod([*shape[:2], *moved, *window], dtype=np.int64) > MAX_WORK:
            raise Unfit
        return moved

    def _points(self, array: np.ndarray, window: Sequence[int]) -> np.ndarray:
        """[n, c, places..., points...]."""
        reach = tuple((size - 1) * dilation + 1 for size, dilation in zip(window, self.dilations, strict=True))
        axes = tuple(range(2, array.ndim))
        views = np.lib.stride_tricks.sliding_window_view(array, reach, axes)
        steps = [slice(None, None, step) for step in (*self.strides, *self.dilations)]
        return views[(slice(None), slice(None), *steps)]

    def _attributes(self) -> str:
        count = len(self.strides)
        dilations, strides = (f"dense<{list(steps)}> : tensor<{count}xi64>" for steps in (self.dilations, self.strides))
        return f"{{dilations = {dilations}, strides = {strides}}}"

    @property
    def labels(self) -> list[str]:
        strided = ["strided window"] if max(self.strides) > 1 else []
        return [type(self).__name__.lower(), *strided, *(["dilated window"] if max(self.dilations) > 1 else [])]


class Convolve(_Window):
    """An image and a kernel [f, c, window...]."""

    def infer(self, types: Sequence[Type]) -> Type:
        image, kernel = types[0].shape, types[1].shape
        if len(kernel) != len(image) or image[1] != kernel[1]:
            raise Unfit
        moved = self._moved(image, kernel[2:])
        if np.prod([*image[:2], kernel[0], *moved, *kernel[2:]], dtype=np.int64) > MAX_WORK:
            raise Unfit
        return Type((image[0], kernel[0], *moved), self.element)

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        left, right = operands
        narrow = self._product(left.narrow, right.narrow)
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        magnitude = self._product(np.abs(left.wide), np.abs(right.wide))
        places = grain(left.wide) + grain(right.wide)
        exact = left.exact and right.exact and sums_exactly(float(magnitude.max()), places, self.element)
        return summed(narrow, self._product(left.wide, right.wide), magnitude, exact, self.element)

    def _product(self, image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        wide = np.float64 if self.element.is_float else np.int64
        points = self._points(image.astype(wide), kernel.shape[2:])
        subscripts = "ncxk,fck->nfx" if image.ndim == 3 else "ncxykl,fckl->nfxy"
        return np.einsum(subscripts, points, kernel.astype(wide))

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        init = writer.filled(result, 0)
        name = "conv_1d_ncw_fcw" if result.rank == 3 else "conv_2d_nchw_fchw"
        listed = f"ins({', '.join(operands)} : {', '.join(map(str, types))})"
        return f"linalg.{name} {self._attributes()} {listed} outs({init} : {result}) -> {result}"


@dataclass(frozen=True, eq=False)
class Pool(_Window):
    """The sum or the maximum of each window."""

    window: tuple[int, ...]
    takes_maximum: bool

    def infer(self, types: Sequence[Type]) -> Type:
        return Type((*types[0].shape[:2], *self._moved(types[0].shape, self.window)), self.element)

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        data, axes = operands[0], tuple(range(result.rank, result.rank + len(self.window)))
        if self.takes_maximum:
            return data.each(lambda array: self._points(array, self.window).max(axis=axes))
        wide = np.float64 if self.element.is_float else np.int64
        narrow, exact = (self._points(v.astype(wide), self.window).sum(axis=axes) for v in (data.narrow, data.wide))
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        magnitude = self._points(np.abs(data.wide), self.window).sum(axis=axes)
        is_exact = data.exact and sums_exactly(float(magnitude.max()), grain(data.wide), self.element)
        return summed(narrow, exact, magnitude, is_exact, self.element)

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        neutral = 0 if not self.takes_maximum else -np.inf if self.element.is_float else self.element.lowest
        init, shape = writer.filled(result, neutral), Type(self.window, self.element)
        window = writer.empty(shape)
        name = f"pooling_n{'cw' if result.rank == 3 else 'chw'}_{'max' if self.takes_maximum else 'sum'}"
        listed = f"ins({operands[0]}, {window} : {types[0]}, {shape})"
        return f"linalg.{name} {self._attributes()} {listed} outs({init} : {result}) -> {result}"
