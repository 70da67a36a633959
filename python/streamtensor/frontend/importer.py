# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an exported program to Linalg text, through torch-mlir.

Parameters and buffers become named arguments of `@main`, after the inputs, so that one design serves every layer of
a model; only tensors written in the source itself stay constants. Every operation carries the path of its module and
the user's source line as a name location.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import ContextCache, FxImporter, RefTracker

from streamtensor import process
from streamtensor.errors import CompileError, UnsupportedOpError, first_line
from streamtensor.frontend import (
    calls,
    culprit,
    flat_state,
    locations,
    lowering,
    narrow_arguments,
    not_a_number,
    quantised,
    refusals,
)
from streamtensor.frontend.linalg_module import INPUT, PARAMETER, Argument, Layers, LinalgModule
from streamtensor.structure import Structure

_STATE = (InputKind.PARAMETER, InputKind.BUFFER)


def import_program(
    program: ExportedProgram,
    module: torch.nn.Module,
    facts: quantised.Facts,
    prefix: str = "",
    time_limit: float = process.TIME_LIMIT,
    extents: Mapping[str, Sequence[str]] | None = None,
    updates: Mapping[int, tuple[str, str]] | None = None,
    layers: Layers | None = None,
) -> LinalgModule:
    """Lowers `program` to Linalg. `prefix` is dropped from names and paths: the wrapper's own attribute.

    `time_limit`, in seconds, is that of torch-mlir; `extents`, `updates` and `layers` are those of `export_module`.
    """
    _check_pure(program)
    graph = program.graph_module.graph
    _inline_constants(program, graph)
    structure = _take_structure(program, graph)
    arguments, values = _order_arguments(program, module, facts, graph, prefix)
    lowered = _lower(graph, prefix, time_limit)
    not_a_number.mend_indices(lowered)
    row_major = getattr(module, "row_major", frozenset())
    _name_arguments(lowered, arguments, extents or {}, getattr(module, "next_launch", {}), row_major)
    _name_results(lowered, updates or {}, row_major, len(_output(graph).args[0]))
    if layers:
        _name_layers(lowered, arguments, layers, getattr(module, "next_launch", {}))
    narrow_arguments.apply(lowered, arguments)
    text = lowered.operation.get_asm(enable_debug_info=True)
    zeros = frozenset(_name_of(target, module, prefix) for target in facts.zeros)
    return LinalgModule(text, arguments, _results(graph), values, structure, zeros)


def _lower(graph: torch.fx.Graph, prefix: str, time_limit: float) -> ir.Module:
    def to_module(part: torch.fx.Graph) -> ir.Module:
        return _import_graph(part, prefix)

    try:
        return lowering.lower(to_module(graph), time_limit)
    except lowering.Refused as refused:
        if refused.is_unnamed:
            raise culprit.describe_unnamed(refused, graph, prefix, to_module) from refused
        raise refusals.describe(refused, graph, prefix) from refused
    except lowering.Ended as ended:
        raise culprit.describe(ended, graph, prefix, to_module) from ended


class _NamedLocations(ContextCache):
    """Locations of the form `"self_attn.q_proj"("model.py":12:0)`."""

    __slots__ = ["_prefix"]

    def __init__(self, context: ir.Context, prefix: str):
        super().__init__(context, py_attr_tracker=RefTracker())
        self._prefix = prefix

    def get_node_location(self, node: torch.fx.Node) -> ir.Location | None:
        line = locations.source_line(node)
        inner = ir.Location.file(line[0], line[1], 0, context=self._c) if line else ir.Location.unknown(self._c)
        name = locations.name_of(node, self._prefix)
        return ir.Location.name(name, inner, context=self._c) if name else inner


def _check_pure(program: ExportedProgram) -> None:
    mutated = list(program.graph_signature.buffers_to_mutate.values())
    mutated += list(program.graph_signature.user_inputs_to_mutate.values())
    if mutated:
        raise UnsupportedOpError(
            f"The module changes '{mutated[0]}' in place while it runs: a design only reads its inputs and parameters. "
            "Return the new value as a result instead."
        )


def _inline_constants(program: ExportedProgram, graph: torch.fx.Graph) -> None:
    """Puts tensors that the source wrote as literals into the graph: the importer makes them constants.

    It knows none in lists, as of what is joined: there they are copied.
    """
    literals = program.graph_signature.inputs_to_lifted_tensor_constants
    for node in list(graph.nodes):
        if node.op != "placeholder" or node.name not in literals:
            continue
        for user in list(node.users):
            if any(isinstance(argument, (list, tuple)) and node in argument for argument in user.args):
                with graph.inserting_before(user):
                    copy = calls.call_in_place_of(graph, user, torch.ops.aten.clone.default, node)
                user.replace_input_with(node, copy)
        node.replace_all_uses_with(program.constants[literals[node.name]])
        graph.erase_node(node)


def _order_arguments(program, module, facts, graph, prefix) -> tuple[list[Argument], dict[str, torch.Tensor]]:
    """Sorts the placeholders, inputs first, and drops parameters that nothing reads."""
    targets = {s.arg.name: s.target for s in program.graph_signature.input_specs if s.kind in _STATE}
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    inputs = [node for node in placeholders if node.name not in targets]
    state = [node for node in placeholders if node.name in targets and node.users]
    for node in placeholders:
        if node.name in targets and not node.users:
            graph.erase_node(node)
    for node in reversed(inputs + state):
        graph._root.append(node)
    values = {}
    arguments = [_argument(node, node.name, INPUT) for node in inputs]
    for node in state:
        target = targets[node.name]
        name = _name_of(target, module, prefix)
        values[name] = _state_value(program, module, target).detach()
        arguments.append(replace(_argument(node, name, PARAMETER), bits=facts.bits.get(target)))
    return arguments, values


def _argument(node: torch.fx.Node, name: str, kind: str) -> Argument:
    value = node.meta["val"]
    if not isinstance(value, torch.Tensor):
        raise CompileError(f"Argument '{name}' is a {type(value).__name__}: a design's inputs are tensors.")
    return Argument(name, kind, value.dtype, tuple(value.shape))


def _state_value(program: ExportedProgram, module: torch.nn.Module, target: str) -> torch.Tensor:
    """Non-persistent buffers are not in the state dict: they are read from the module itself."""
    if target in program.state_dict:
        return program.state_dict[target]
    if target in program.constants:
        return program.constants[target]
    return module.get_buffer(target)


def _name_of(target: str, module: torch.nn.Module, prefix: str) -> str:
    return flat_state.strip(flat_state.name_of_exported(target, module), prefix)


def _import_graph(graph: torch.fx.Graph, prefix: str) -> ir.Module:
    """`graph` as a function of the torch dialect."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    importer._cc = _NamedLocations(context, prefix)
    try:
        importer.import_stateless_graph(graph, func_name="main")
        return importer.module
    except (NotImplementedError, TypeError, ValueError, RuntimeError, KeyError, IndexError) as error:
        raise _import_failure(error, graph, prefix) from error


def _import_failure(error: Exception, graph: torch.fx.Graph, prefix: str) -> CompileError:
    """Names the node at fault: the first whose target, or whose kind of call, the importer does not know."""
    is_told = not isinstance(error, KeyError) and "with_effects" not in str(error)
    reason = f": {first_line(error)}" if is_told else "."
    for node in graph.nodes:
        if node.op == "call_function" and (str(node.target) in str(error) or not locations.is_aten(node)):
            # What has effects is called by another operation.
            called = node.args[1] if str(node.target) == "with_effects" else node.target
            return UnsupportedOpError(
                f"Unsupported operation '{called}'{locations.describe(node, prefix)}{reason} Express it with "
                "operations of torch.aten, or keep this part on the host."
            )
    return UnsupportedOpError(f"The program cannot be imported{reason}")


def _name_arguments(
    module: ir.Module,
    arguments: list[Argument],
    extents: Mapping[str, Sequence[str]],
    next_launch: Mapping[str, int],
    row_major: Collection[str | int],
) -> None:
    """`next_launch`: arguments that are a result of the launch before, by its number. `row_major`: the names of
    arguments, and the numbers of results, that no design may lay out as it likes."""
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    with module.context:
        described = [
            _describe(a, extents.get(a.name), next_launch.get(a.name)) | _row_major(a.name in row_major)
            for a in arguments
        ]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in described])


def _row_major(is_fixed: bool) -> dict[str, ir.Attribute]:
    return {"streamtensor.row_major": ir.UnitAttr.get()} if is_fixed else {}


def _name_layers(module: ir.Module, arguments: list[Argument], layers: Layers, next_launch: Mapping[str, int]) -> None:
    """How many layers there are, and what each of them has for itself."""
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    shared = layers.shared | frozenset(next_launch)
    with module.context:
        function.attributes["streamtensor.layers"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), layers.count)
        own = [{} if a.name in shared else {"streamtensor.stacked": ir.UnitAttr.get()} for a in arguments]
        known = [{each.name: each.attr for each in ir.DictAttr(given)} for given in function.attributes["arg_attrs"]]
        pairs = zip(known, own, strict=True)
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a | b) for a, b in pairs])


def _name_results(
    module: ir.Module, updates: Mapping[int, tuple[str, str]], row_major: Collection[str | int], results: int
) -> None:
    if not updates and not row_major:
        return
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    with module.context:
        text = ir.StringAttr.get
        named = {
            number: {"streamtensor.into": text(into), "streamtensor.at": text(at)}
            for number, (into, at) in updates.items()
        }
        attributes = [named.get(number, {}) | _row_major(number in row_major) for number in range(results)]
        function.attributes["res_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in attributes])


def _describe(argument: Argument, extents: Sequence[str] | None, next_result: int | None) -> dict[str, ir.Attribute]:
    text = ir.StringAttr.get
    found = {"streamtensor.name": text(argument.name), "streamtensor.kind": text(argument.kind)}
    if extents:
        found["streamtensor.extents"] = ir.ArrayAttr.get([text(name) for name in extents])
    if next_result is not None:
        found["streamtensor.next"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), next_result)
    return found


def _output(graph: torch.fx.Graph) -> torch.fx.Node:
    return next(node for node in graph.nodes if node.op == "output")


def _take_structure(program: ExportedProgram, graph: torch.fx.Graph) -> Structure:
    """Leaves tensors alone as results; what lay between and beside them is the structure."""
    output = _output(graph)
    leaves = output.args[0]
    output.args = (tuple(leaf for leaf in leaves if isinstance(leaf, torch.fx.Node)),)
    return Structure.of(program.call_spec.out_spec, leaves)


def _results(graph: torch.fx.Graph) -> list[Argument]:
    return [_argument(value, f"result{index}", "output") for index, value in enumerate(_output(graph).args[0])]
