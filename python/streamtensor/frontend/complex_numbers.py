# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers as pairs of real ones, which are what streams carry.

What each operation does to the parts is said in complex_rules.py. A complex parameter or buffer is an argument with a
last dimension of two, the parts of each number. Fourier transforms are products with matrices of roots of unity
(fourier.py).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.complex_tensor import ComplexTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, InputSpec, TensorArgument
from torch.fx import Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree

from streamtensor.errors import UnsupportedOpError, first_line
from streamtensor.frontend import complex_rules, flat_state, fourier, locations
from streamtensor.frontend.calls import call_in_place_of

_ATEN = torch.ops.aten
_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def split(program: ExportedProgram) -> ExportedProgram:
    """`program` on real and imaginary parts, if it computes with complex numbers or transforms."""
    if not any(_is_complex(node) or _is_transform(node) for node in program.graph.nodes):
        return program
    program = program.run_decompositions(fourier.decompositions())
    _Split(program).run()
    return program


def _is_complex(node: Node) -> bool:
    leaves = pytree.tree_leaves(node.meta.get("val"))
    return any(isinstance(leaf, torch.Tensor) and leaf.is_complex() for leaf in leaves)


def _is_transform(node: Node) -> bool:
    """Of real numbers by way of complex ones too."""
    return isinstance(node.target, torch._ops.OpOverload) and node.target._opname in fourier.NAMES


class _Split:
    """Puts nodes of parts in the place of each complex one."""

    def __init__(self, program: ExportedProgram):
        self._program = program
        self._graph = program.graph
        self._mode = detect_fake_mode([node.meta.get("val") for node in self._graph.nodes])
        self._parts: dict[Node, object] = {}  # what stands for a complex result: a pair of nodes for each tensor in it
        self._interleaved: dict[Node, tuple[Node, Node]] = {}

    def run(self) -> None:
        for node in list(self._graph.nodes):
            if node.op == "output":
                self._check_results(node)
            elif node.op == "placeholder":
                if _is_complex(node):
                    self._split_state(node)
            elif _is_complex(node) or any(each in self._parts for each in node.all_input_nodes):
                self._split_call(node)
            elif node.target is _ATEN.select.int and node.args[0] in self._interleaved:
                self._select_part(node)
        for node in reversed(list(self._graph.nodes)):
            if node.op == "call_function" and (node in self._parts or node in self._interleaved) and not node.users:
                self._graph.erase_node(node)
        self._program.graph_module.recompile()

    def _check_results(self, output: Node) -> None:
        for node in output.all_input_nodes:
            if node in self._parts:
                raise UnsupportedOpError(
                    f"A result is complex{locations.describe(node)}: the results of a design are real. Return pairs "
                    "of numbers, torch.view_as_real(result)."
                )

    def _split_state(self, node: Node) -> None:
        """A tensor of pairs takes the place of a parameter, a buffer or a constant."""
        target = next(spec.target for spec in self._program.graph_signature.input_specs if spec.arg.name == node.name)
        known = self._program.state_dict if target in self._program.state_dict else self._program.constants
        pairs = flat_state.pairs_of(known[target].detach()).clone()  # PyTorch exports a view as what it views
        known[target] = torch.nn.Parameter(pairs, False) if isinstance(known[target], torch.nn.Parameter) else pairs
        node.meta = locations.origin_of(node) | {"val": flat_state.pairs_of(node.meta["val"])}
        with self._graph.inserting_before(self._first_call()):
            self._parts[node] = tuple(
                call_in_place_of(self._graph, node, _ATEN.select.int, node, -1, i) for i in (0, 1)
            )

    def _first_call(self) -> Node:
        return next(node for node in self._graph.nodes if node.op != "placeholder")

    def _split_call(self, node: Node) -> None:
        is_taken = node.target is operator.getitem
        result = self._parts[node.args[0]][node.args[1]] if is_taken else self._trace(node)
        if _is_complex(node):
            self._parts[node] = result
            return
        if node.target is _ATEN.view_as_real.default:
            self._interleaved[result] = self._parts[node.args[0]]
        node.replace_all_uses_with(result)
        self._graph.erase_node(node)

    def _select_part(self, node: Node) -> None:
        source, dim, index = node.args
        if dim % source.meta["val"].dim() == source.meta["val"].dim() - 1:
            node.replace_all_uses_with(self._interleaved[source][index])
            self._graph.erase_node(node)

    def _trace(self, node: Node) -> object:
        """Puts the nodes of the parts of the result of `node` in front of it."""
        keywords = {**node.kwargs, **self._tables(node)}
        operands: list[Node] = []
        map_arg((node.args, keywords), operands.append)
        operands = list(dict.fromkeys(operands))
        pairs = [self._parts.get(operand, (operand,)) for operand in operands]
        spec = None

        def compute(flat: list[torch.Tensor]) -> list[torch.Tensor]:
            nonlocal spec
            given = iter(flat)
            values = {
                operand: ComplexTensor(next(given), next(given)) if operand in self._parts else next(given)
                for operand in operands
            }
            result = complex_rules.evaluate(node.target, *map_arg((node.args, keywords), values.__getitem__))
            leaves, spec = pytree.tree_flatten(pytree.tree_map_only(ComplexTensor, lambda x: (x.re, x.im), result))
            return leaves

        flat = [part for pair in pairs for part in pair]
        try:
            with self._mode:
                traced = make_fx(compute)([part.meta["val"] for part in flat])
        except _FAILURES as error:
            raise _refusal(node, first_line(error)) from error
        traced.graph.eliminate_dead_code()
        if any(each.op == "get_attr" or _is_complex(each) for each in traced.graph.nodes):
            raise _refusal(node, "it takes a number for a tensor.")
        return pytree.tree_unflatten(self._copy(traced, flat, node), spec)

    def _tables(self, node: Node) -> dict[str, object]:
        """What a Fourier transform multiplies by."""
        if node.target not in fourier.RULES:
            return {}
        try:
            tables = fourier.tables_of(node.target, node.args[0].meta["val"], **node.kwargs)
        except fourier.TooLarge as error:
            raise UnsupportedOpError(f"{error}{locations.describe(node)}. Transform parts, or on the host.") from error
        return {"tables": [tuple(map(self._add_constant, table)) for table in tables]}

    def _copy(self, traced: torch.fx.GraphModule, operands: Sequence[Node], origin: Node) -> list[Node]:
        given, made = iter(operands), {}
        with self._graph.inserting_before(origin):
            for node in traced.graph.nodes:
                if node.op == "placeholder":
                    made[node] = next(given)
                elif node.target in (_ATEN.alias.default, _ATEN.clone.default):
                    made[node] = made[node.args[0]]
                elif node.op == "call_function":
                    made[node] = self._graph.node_copy(node, made.__getitem__)
                    made[node].meta = locations.origin_of(origin) | {"val": node.meta["val"]}
        return [made[node] for node in next(iter(reversed(traced.graph.nodes))).args[0]]

    def _add_constant(self, value: torch.Tensor) -> Node:
        specs, name = self._program.graph_signature.input_specs, f"roots_{len(self._program.constants)}"
        number = next(i for i, spec in enumerate(specs) if spec.kind == InputKind.USER_INPUT)
        first = [node for node in self._graph.nodes if node.op == "placeholder"][number]
        with self._graph.inserting_before(first):
            node = self._graph.placeholder(name)
        node.meta["val"] = self._mode.from_tensor(value, static_shapes=True)
        specs.insert(number, InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(node.name), name))
        self._program.constants[name] = value
        return node


def _refusal(node: Node, reason: str) -> UnsupportedOpError:
    return UnsupportedOpError(
        f"Unsupported operation '{node.target}' on complex numbers{locations.describe(node)}: {reason} Write it with "
        "real and imaginary parts, torch.view_as_real(x), or keep this part on the host."
    )
