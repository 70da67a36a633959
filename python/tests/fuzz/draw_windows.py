# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings over a known image or a new one, padded at times."""

from __future__ import annotations

from dataclasses import replace

from fuzz.elements import I8
from fuzz.ops_move import Pad
from fuzz.ops_window import CONVOLUTIONS, POOLINGS, Convolve, Pool, moving
from fuzz.program import Node
from fuzz.values import ACCUMULATORS, Values

_SPATIAL = (4, 5, 7, 8, 9, 12)


class WindowSteps(Values):
    def convolve(self, name: str = "") -> Node:
        rng = self.rng
        name = name or rng.choice(list(CONVOLUTIONS))
        layout, kernel, _ = CONVOLUTIONS[name]
        image = self._image(layout)
        extents = dict(zip(layout, image.type.shape, strict=True))
        sizes = {dim: extents.get(dim, rng.choice((1, 2, 3, 4))) for dim in kernel}
        sizes |= {dim: rng.choice((1, 2, 3)) for dim in moving(layout)}
        element = image.type.element
        target = ACCUMULATORS.get(element, element)
        weights = self.operand(tuple(sizes[dim] for dim in kernel), element)
        operation = Convolve(name, *self._steps(layout), target)
        if rng.random() < 0.8:
            return self.add(operation, image, weights)
        start = self.operand(operation.infer([image.type, weights.type]).shape, target)
        return self.add(replace(operation, has_tensor=True), image, weights, start)

    def pool(self, name: str = "") -> Node:
        name = name or self.rng.choice(list(POOLINGS))
        layout = POOLINGS[name][0]
        image = self._image(layout)
        window = tuple(self.rng.choice((1, 2, 2, 3, 3)) for _ in moving(layout))
        return self.add(Pool(name, *self._steps(layout), image.type.element, window), image)

    def _steps(self, layout: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Strides and dilations."""
        strides = tuple(self.rng.choice((1, 1, 2, 2, 3)) for _ in moving(layout))
        return strides, tuple(self.rng.choice((1, 1, 1, 2)) for _ in moving(layout))

    def _image(self, layout: str) -> Node:
        rng = self.rng
        known = [n for n in self.nodes if n.type.rank == len(layout) and not n.type.element.is_bool]
        if known and rng.random() < 0.6:
            image = self.likely(known)
        else:
            sizes = {"n": rng.choice((1, 1, 2)), "c": rng.choice((1, 2, 3, 4)), "g": rng.choice((1, 2, 3))}
            shape = tuple(sizes.get(dim) or rng.choice(_SPATIAL) for dim in layout)
            image = self.leaf(shape, rng.choice([e for e in self.family if not e.is_bool] or [I8]))
        return self._padded(layout, image) if rng.random() < 0.25 else image

    def _padded(self, layout: str, image: Node) -> Node:
        """With a border of zeros, as a network would have it."""
        border = tuple(self.rng.choice((1, 1, 2)) if dim in moving(layout) else 0 for dim in layout)
        return self.add(Pad(border, border, 0), image)
