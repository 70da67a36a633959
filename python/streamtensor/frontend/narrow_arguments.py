# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of integers that PyTorch has no type for: it holds int4 weights in int8."""

from __future__ import annotations

from collections.abc import Sequence

from torch_mlir import ir
from torch_mlir.dialects import arith

from streamtensor.frontend.linalg_module import Argument


def apply(module: ir.Module, arguments: Sequence[Argument]) -> None:
    """Gives each argument of `@main` the bits that it has; the program extends it to the type that it works on."""
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    entry = function.operation.regions[0].blocks[0]
    with function.location, ir.InsertionPoint.at_block_begin(entry):
        for value, argument in zip(entry.arguments, arguments, strict=True):
            if argument.bits is not None:
                _narrow(value, argument.bits)
        types = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        narrowed = ir.FunctionType.get([value.type for value in entry.arguments], types.results)
        function.attributes["function_type"] = ir.TypeAttr.get(narrowed)


def _narrow(value: ir.BlockArgument, bits: int) -> None:
    wide = ir.RankedTensorType(value.type)
    value.set_type(ir.RankedTensorType.get(wide.shape, ir.IntegerType.get_signless(bits)))
    extended = arith.ExtSIOp(wide, value, loc=value.location)
    value.replace_all_uses_except(extended.result, extended.operation)
