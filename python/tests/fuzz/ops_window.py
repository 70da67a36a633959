# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings: a window moves over the dimensions h and w of an image.

A layout is a string of dimensions: n images, c channels, f filters, h rows, w columns (g groups).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzz.elements import Data, Element, Type, Unfit, grain, sums_exactly
from fuzz.ops_reduce import MAX_WORK, summed
from fuzz.program import Node, Operation, Writer

# Name: layouts of the image, of the kernel and of the result.
CONVOLUTIONS = {
    "conv_1d_ncw_fcw": ("ncw", "fcw", "nfw"),
    "conv_1d_nwc_wcf": ("nwc", "wcf", "nwf"),
    "conv_2d_nchw_fchw": ("nchw", "fchw", "nfhw"),
    "conv_2d_nhwc_hwcf": ("nhwc", "hwcf", "nhwf"),
    "conv_2d_nhwc_fhwc": ("nhwc", "fhwc", "nhwf"),
    "conv_2d_ngchw_gfchw": ("ngchw", "gfchw", "ngfhw"),
    "depthwise_conv_1d_ncw_cw": ("ncw", "cw", "ncw"),
    "depthwise_conv_1d_nwc_wc": ("nwc", "wc", "nwc"),
    "depthwise_conv_2d_nchw_chw": ("nchw", "chw", "nchw"),
    "depthwise_conv_2d_nhwc_hwc": ("nhwc", "hwc", "nhwc"),
}
POOLINGS = {
    f"pooling_{layout}_{function}": (layout, function)
    for layout in ("ncw", "nwc", "nchw", "nhwc")
    for function in ("sum", "max", "min")
    if function != "min" or layout.endswith("c")
}


def moving(layout: str) -> str:
    """The dimensions along which the window moves."""
    return "hw" if "h" in layout else "w"


@dataclass(frozen=True, eq=False)
class Window(Operation):
    """Steps of the window and of the points within it, one per moving dimension."""

    name: str
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    element: Element

    def _places(self, layout: str, shape: Sequence[int], window: Sequence[int]) -> tuple[int, ...]:
        """The image's shape, with the places that the window takes."""
        if len(shape) != len(layout) or len(window) != len(self.strides):
            raise Unfit
        found = dict(zip(layout, shape, strict=True))
        for dim, size, stride, dilation in zip(moving(layout), window, self.strides, self.dilations, strict=True):
            found[dim] = (found[dim] - 1 - (size - 1) * dilation) // stride + 1
        if min(found.values()) < 1 or np.prod([*found.values(), *window], dtype=np.int64) > MAX_WORK:
            raise Unfit
        return tuple(found.values())

    def _points(self, layout: str, array: np.ndarray, window: Sequence[int]) -> np.ndarray:
        """The places of the window in the image's layout, then the points of the window."""
        reach = tuple((size - 1) * dilation + 1 for size, dilation in zip(window, self.dilations, strict=True))
        axes = [layout.index(dim) for dim in moving(layout)]
        views = np.lib.stride_tricks.sliding_window_view(array, reach, axes)
        steps = [slice(None)] * len(layout)
        for axis, stride in zip(axes, self.strides, strict=True):
            steps[axis] = slice(None, None, stride)
        return views[(*steps, *(slice(None, None, dilation) for dilation in self.dilations))]

    def places(self, node: Node) -> list[int]:
        """How many places the window of `node`'s operation takes along each moving dimension."""
        layout = (CONVOLUTIONS.get(self.name) or POOLINGS[self.name])[0 if self.name in POOLINGS else 2]
        return [node.type.shape[layout.index(dim)] for dim in moving(layout)]

    def _attributes(self) -> str:
        count = len(self.strides)
        dilations, strides = (f"dense<{list(steps)}> : tensor<{count}xi64>" for steps in (self.dilations, self.strides))
        return f"{{dilations = {dilations}, strides = {strides}}}"

    @property
    def labels(self) -> list[str]:
        strided = ["strided window"] if max(self.strides) > 1 else []
        return [type(self).__name__.lower(), *strided, *(["dilated window"] if max(self.dilations) > 1 else [])]


@dataclass(frozen=True, eq=False)
class Convolve(Window):
    """An image, a kernel, and maybe a tensor to start from."""

    has_tensor: bool = False

    def infer(self, types: Sequence[Type]) -> Type:
        image, kernel, result = CONVOLUTIONS[self.name]
        if types[1].rank != len(kernel):
            raise Unfit
        weights = dict(zip(kernel, types[1].shape, strict=True))
        window = tuple(weights.pop(dim) for dim in moving(image))
        places = dict(zip(image, self._places(image, types[0].shape, window), strict=True))
        if any(places.get(dim, extent) != extent for dim, extent in weights.items()):
            raise Unfit
        sizes = weights | places
        made = Type(tuple(sizes[dim] for dim in result), self.element)
        work = np.prod([*sizes.values(), *window], dtype=np.int64)
        if work > MAX_WORK or (self.has_tensor and types[2] != made):
            raise Unfit
        return made

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        left, right = operands[:2]
        start = operands[2] if self.has_tensor else Data.of(np.zeros((), np.int64))
        narrow = self._product(left.narrow, right.narrow) + start.narrow
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        magnitude = self._product(np.abs(left.wide), np.abs(right.wide)) + np.abs(start.wide)
        places = max(grain(left.wide) + grain(right.wide), grain(start.wide))
        exact = left.exact and right.exact and start.exact
        exact = exact and sums_exactly(float(magnitude.max()), places, self.element)
        return summed(narrow, self._product(left.wide, right.wide) + start.wide, magnitude, exact, self.element)

    def _product(self, image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        wide = np.float64 if self.element.is_float else np.int64
        layout, weights, result = CONVOLUTIONS[self.name]
        window = [kernel.shape[weights.index(dim)] for dim in moving(layout)]
        points = self._points(layout, image.astype(wide), window)
        inner = str.maketrans("hw", "HW")
        subscripts = f"{layout}{moving(layout).translate(inner)},{weights.translate(inner)}->{result}"
        return np.einsum(subscripts, points, kernel.astype(wide))

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        init = operands[2] if self.has_tensor else writer.filled(result, 0)
        listed = f"ins({', '.join(operands[:2])} : {types[0]}, {types[1]})"
        return f"linalg.{self.name} {self._attributes()} {listed} outs({init} : {result}) -> {result}"

    @property
    def labels(self) -> list[str]:
        kind = "depthwise" if "depthwise" in self.name else "grouped" if "g" in self.name else "full"
        return [*super().labels, f"{kind} convolution", *(["start tensor"] if self.has_tensor else [])]


@dataclass(frozen=True, eq=False)
class Pool(Window):
    """The sum, the maximum or the minimum of each window."""

    window: tuple[int, ...]

    def infer(self, types: Sequence[Type]) -> Type:
        return Type(self._places(POOLINGS[self.name][0], types[0].shape, self.window), self.element)

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        data, axes = operands[0], tuple(range(result.rank, result.rank + len(self.window)))
        layout, function = POOLINGS[self.name]
        if function != "sum":
            extreme = np.max if function == "max" else np.min
            return data.each(lambda array: extreme(self._points(layout, array, self.window), axis=axes))
        wide = np.float64 if self.element.is_float else np.int64
        narrow, exact = (
            self._points(layout, v.astype(wide), self.window).sum(axis=axes) for v in (data.narrow, data.wide)
        )
        if not self.element.is_float:
            return Data.of(self.element.wrap(narrow))
        magnitude = self._points(layout, np.abs(data.wide), self.window).sum(axis=axes)
        is_exact = data.exact and sums_exactly(float(magnitude.max()), grain(data.wide), self.element)
        return summed(narrow, exact, magnitude, is_exact, self.element)

    def _neutral(self) -> float:
        function = POOLINGS[self.name][1]
        if function == "sum":
            return 0
        if self.element.is_float:
            return -np.inf if function == "max" else np.inf
        return self.element.lowest if function == "max" else self.element.highest

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        init, shape = writer.filled(result, self._neutral()), Type(self.window, self.element)
        listed = f"ins({operands[0]}, {writer.empty(shape)} : {types[0]}, {shape})"
        return f"linalg.{self.name} {self._attributes()} {listed} outs({init} : {result}) -> {result}"
