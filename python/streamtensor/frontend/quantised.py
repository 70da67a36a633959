# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear layers that torchao quantised, raised to integer arithmetic.

torchao exports a quantised linear as a float one between two dequantisations:

    linear(dequantize(q, s, z), dequantize(w, t, u), b)       q: int8 [.., K], one scale and zero point a token
                                                              w: int4 or int8 [N, K], one scale a group of K

which is the same number as

    y[m, n] = s[m] * sum over groups g of  t[n, g] * (sum over k in g of (q[m, k] - z[m]) * (w[n, k] - u[n, g]))  + b[n]

Zero points of a weight may be floats, as those of a GGUF file are: they multiply the sum of q - z over a group, which
is subtracted. Activations may have a scale for each of the weight's groups instead: s[m, g], which multiplies the sum
of the group.

The inner sum is exact in 32-bit integers, and this is what the graph holds afterwards: no float copy of a weight. What
reads a dequantised weight in any other way is an error; other dequantisations are what torchao says they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch
from torch.export import ExportedProgram
from torch.fx import Graph, Node

from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import locations
from streamtensor.frontend.calls import call_in_place_of

_ATEN = torch.ops.aten
_NAMES = ("choose_qparams_affine", "quantize_affine", "dequantize_affine")
_LARGEST_SUM = 2**31


def is_quantised(program: ExportedProgram) -> bool:
    return any(_is_torchao(node) for node in program.graph.nodes)


def _is_torchao(node: Node) -> bool:
    return node.op == "call_function" and getattr(node.target, "namespace", None) == "torchao"


def decompositions() -> dict:
    """torchao's own, which it registers for Inductor; a program holds its operations only where it is loaded."""
    if not hasattr(torch.ops.torchao, _NAMES[0]):
        return {}
    from torch._inductor.decomposition import decompositions as registered

    return {operation: registered[operation] for operation in (getattr(torch.ops.torchao, n).default for n in _NAMES)}


@dataclass
class Facts:
    """What holds of quantised parameters beside their types, by the names in the program's signature.

    `bits` of integers that need fewer than their type has; `zeros`: zero points that are 0 everywhere, which the
    program does not read. Whoever puts other parameters in their place sees to it that this holds of them too.
    """

    bits: dict[str, int] = field(default_factory=dict)
    zeros: set[str] = field(default_factory=set)


def raise_linears(program: ExportedProgram) -> tuple[ExportedProgram, Facts]:
    """`program`, its quantised parameters as tensors of their own, its quantised linears in integer arithmetic."""
    program = program.run_decompositions({})
    graph, parameters, facts = program.graph, _Parameters(program), Facts()
    for node in list(graph.nodes):
        linear = _match(node, parameters, facts)
        if linear is not None:
            _check_sum(linear)
            _replace(graph, linear)
            parameters.note_bits(linear.weight, facts)
    graph.eliminate_dead_code()
    for node in graph.nodes:
        _check_unused(node, parameters)
    return program, facts


class _Parameters:
    """Names and values of the parameters that placeholders stand for."""

    def __init__(self, program: ExportedProgram):
        signature = program.graph_signature
        self._names = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
        self._state = program.state_dict

    def name(self, node: Node) -> str | None:
        return self._names.get(node.name) if node.op == "placeholder" else None

    def is_zero(self, node: Node) -> bool:
        value = self._state.get(self.name(node) or "")
        return value is not None and not bool(value.any())

    def note_bits(self, weight: _Dequantised, facts: Facts) -> None:
        """Where quantised values have a range smaller than their type's."""
        name = self.name(weight.values)
        bits = max(int(bound).bit_length() for bound in (weight.highest, -1 - weight.lowest)) + 1
        if name is not None and bits < torch.iinfo(weight.values.meta["val"].dtype).bits:
            facts.bits[name] = bits


@dataclass(frozen=True)
class _Dequantised:
    """Arguments of dequantize_affine: integers, the elements that share a scale, scales, zero points, bounds."""

    values: Node
    block: tuple[int, ...]
    scale: Node
    zero_point: Node | None
    lowest: int
    highest: int

    def without_zeros(self, parameters: _Parameters, facts: Facts) -> _Dequantised:
        """The same without a parameter of zero points that is 0."""
        if self.zero_point is None or not _has_integer_zero(self) or not parameters.is_zero(self.zero_point):
            return self
        facts.zeros.add(parameters.name(self.zero_point))
        return replace(self, zero_point=None)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.values.meta["val"].shape)


@dataclass(frozen=True)
class _Linear:
    node: Node
    activation: _Dequantised
    weight: _Dequantised
    bias: Node | None

    @property
    def group(self) -> int:
        """Elements of the reduction that share a scale of the weight."""
        return self.weight.block[1]

    @property
    def is_per_token(self) -> bool:
        """Whether a token has one scale, and not one for each group."""
        return self.activation.block[-1] == self.activation.shape[-1]


def _dequantised(node: object) -> _Dequantised | None:
    if not isinstance(node, Node) or node.target is not torch.ops.torchao.dequantize_affine.default:
        return None
    names = [argument.name for argument in node.target._schema.arguments]
    given = {a.name: a.default_value for a in node.target._schema.arguments if a.has_default_value()}
    given |= dict(zip(names, node.args, strict=False)) | node.kwargs
    lowest, highest = given["quant_min"], given["quant_max"]
    limits = torch.iinfo(given["input_dtype"])
    return _Dequantised(
        given["input"],
        tuple(given["block_size"]),
        given["scale"],
        given["zero_point"],
        limits.min if lowest is None else lowest,
        limits.max if highest is None else highest,
    )


def _match(node: Node, parameters: _Parameters, facts: Facts) -> _Linear | None:
    """A linear whose weight has a scale for each row or group of it, and whose tokens have one, or one a group."""
    if node.target is not _ATEN.linear.default:
        return None
    activation, weight = _dequantised(node.args[0]), _dequantised(node.args[1])
    if activation is None or weight is None or not _has_integer_zero(activation):
        return None
    if len(weight.block) != 2 or weight.block[0] != 1:
        return None
    is_row = not any(size != 1 for size in activation.block[:-1])
    if not is_row or activation.block[-1] not in (activation.shape[-1], weight.block[1]):
        return None
    weight = weight.without_zeros(parameters, facts)
    return _Linear(node, activation, weight, node.args[2] if len(node.args) > 2 else None)


def _has_integer_zero(operand: _Dequantised) -> bool:
    return operand.zero_point is None or not operand.zero_point.meta["val"].is_floating_point()


def _check_sum(linear: _Linear) -> None:
    """The sum of a group stays exact: each difference is at most the distance of the bounds."""
    widest = [operand.highest - operand.lowest for operand in (linear.activation, linear.weight)]
    if linear.group * widest[0] * widest[1] >= _LARGEST_SUM:
        raise UnsupportedOpError(
            f"The quantised linear{locations.describe(linear.node)} sums {linear.group} products of up to "
            f"{widest[0]} x {widest[1]}, more than 32 bits hold. Quantise with smaller groups."
        )


def _replace(graph: Graph, linear: _Linear) -> None:
    with graph.inserting_before(linear.node):
        result = _Builder(graph, linear.node).integer_linear(linear)
    linear.node.replace_all_uses_with(result)
    graph.erase_node(linear.node)


class _Builder:
    """Calls of aten in the place of a node: of its module and its line."""

    def __init__(self, graph: Graph, origin: Node):
        self._graph = graph
        self._origin = origin

    def call(self, target: Callable, *arguments: object, **keywords: object) -> Node:
        return call_in_place_of(self._graph, self._origin, target, *arguments, **keywords)

    def integer_linear(self, linear: _Linear) -> Node:
        """[.., K] tokens by [N, K] weights; groups are the batch of the integer product, outputs that of the float one.

        A factor that every group of a token has, its scale, is taken out of the sum.
        """
        outputs, inputs = linear.weight.shape
        groups = inputs // linear.group
        tokens = self._differences(linear.activation, (-1, inputs))
        weight = linear.weight if _has_integer_zero(linear.weight) else replace(linear.weight, zero_point=None)
        weights = self._differences(weight, (outputs, groups, linear.group))
        tokens = self.call(_ATEN.view.default, tokens, [-1, groups, linear.group])
        tokens = self.call(_ATEN.permute.default, tokens, [1, 0, 2])
        weights = self.call(_ATEN.permute.default, weights, [1, 2, 0])
        sums = self.call(_ATEN.bmm.default, tokens, weights)  # [groups, tokens, outputs], int32
        sums = self.call(_ATEN._to_copy.default, sums, dtype=torch.float32)
        if not _has_integer_zero(linear.weight):
            sums = self._subtract_float_zeros(sums, tokens, linear.weight.zero_point)
        if not linear.is_per_token:
            scales = self.call(_ATEN.view.default, linear.activation.scale, [-1, groups, 1])
            sums = self.call(_ATEN.mul.Tensor, sums, self.call(_ATEN.permute.default, scales, [1, 0, 2]))
        return self._scale(linear, sums)

    def _subtract_float_zeros(self, sums: Node, tokens: Node, zeros: Node) -> Node:
        """`sums` minus zero points [N, G] times the sums of tokens [G, tokens, inputs of a group], which are exact."""
        whole = self.call(_ATEN.sum.dim_IntList, tokens, [2], True, dtype=torch.int32)
        whole = self.call(_ATEN._to_copy.default, whole, dtype=torch.float32)
        zeros = self.call(_ATEN.permute.default, zeros, [1, 0])
        zeros = self.call(_ATEN.unsqueeze.default, zeros, 1)
        return self.call(_ATEN.sub.Tensor, sums, self.call(_ATEN.mul.Tensor, whole, zeros))

    def _differences(self, operand: _Dequantised, shape: tuple[int, ...]) -> Node:
        """Integers minus zero points, int32, the blocks in the last dimension of `shape`."""
        values = self.call(_ATEN.view.default, operand.values, list(shape))
        values = self.call(_ATEN._to_copy.default, values, dtype=torch.int32)
        if operand.zero_point is None:
            return values
        zeros = self.call(_ATEN.view.default, operand.zero_point, [*shape[:-1], 1])
        zeros = self.call(_ATEN._to_copy.default, zeros, dtype=torch.int32)
        return self.call(_ATEN.sub.Tensor, values, zeros)

    def _scale(self, linear: _Linear, sums: Node) -> Node:
        outputs, inputs = linear.weight.shape
        scales = self.call(_ATEN.view.default, linear.weight.scale, [outputs, inputs // linear.group, 1])
        sums = self.call(_ATEN.permute.default, sums, [2, 1, 0])
        rows = self.call(_ATEN.bmm.default, sums, scales)  # [outputs, tokens, 1]
        result = self.call(_ATEN.permute.default, self.call(_ATEN.squeeze.dim, rows, 2), [1, 0])
        if linear.is_per_token:
            token_scales = self.call(_ATEN.view.default, linear.activation.scale, [-1, 1])
            result = self.call(_ATEN.mul.Tensor, result, token_scales)
        if linear.bias is not None:
            result = self.call(_ATEN.add.Tensor, result, linear.bias)
        return self.call(_ATEN.view.default, result, list(linear.node.meta["val"].shape))


def _check_unused(node: Node, parameters: _Parameters) -> None:
    """No weight becomes floats: what is left dequantised comes from the activations."""
    operand = _dequantised(node)
    name = parameters.name(operand.values) if operand else None
    if name is None:
        return
    reader = next(iter(node.users))
    raise UnsupportedOpError(
        f"'{reader.target}'{locations.describe(reader)} reads the quantised weight '{name}' as floats: a design "
        "multiplies it by int8 activations with one scale a token, in an nn.Linear whose weight has one scale for each "
        "row or each group of a row. Quantise this layer with Int8DynamicActivationIntxWeightConfig, or leave it float."
    )
