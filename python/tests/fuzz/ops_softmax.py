# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg.softmax: one operation that becomes two reductions and two element-wise ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzz.elements import Data, Type, Unfit
from fuzz.ops_reduce import summed
from fuzz.program import Operation, Writer


@dataclass(frozen=True, eq=False)
class Softmax(Operation):
    dim: int

    def infer(self, types: Sequence[Type]) -> Type:
        if self.dim >= types[0].rank or not types[0].element.is_float:
            raise Unfit
        return types[0]

    def evaluate(self, operands: Sequence[Data], types: Sequence[Type], result: Type) -> Data:
        data, element = operands[0], result.element
        powers = element.round(np.exp(self._shifted(data.narrow)))
        wide = np.exp(self._shifted(data.wide))
        total = wide.sum(axis=self.dim, keepdims=True)
        sums = summed(powers.sum(axis=self.dim, keepdims=True), total, total, False, element)
        return Data(element.round(powers / sums.narrow), wide / total, False)

    def _shifted(self, array: np.ndarray) -> np.ndarray:
        return array - array.max(axis=self.dim, keepdims=True)

    def emit(self, writer: Writer, operands: Sequence[str], types: Sequence[Type], result: Type) -> str:
        listed = f"ins({operands[0]} : {result}) outs({writer.empty(result)} : {result})"
        return f"linalg.softmax dimension({self.dim}) {listed} -> {result}"
