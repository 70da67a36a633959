# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an exported program to Linalg text, through torch-mlir.

Parameters and buffers become named arguments of `@main`, after the inputs, so that one design serves every layer of
a model; only tensors written in the source itself stay constants. Every operation carries the path of its module and
the user's source line as a name location.
"""

from __future__ import annotations

import operator
import re

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import ContextCache, FxImporter, RefTracker
from torch_mlir.passmanager import PassManager

from streamtensor.errors import CompileError, UnsupportedOpError, first_line
from streamtensor.frontend import locations
from streamtensor.frontend.linalg_module import INPUT, PARAMETER, Argument, LinalgModule

_PIPELINE = (
    "builtin.module(func.func(torch-match-quantized-custom-ops),"
    "torchdynamo-export-to-torch-backend-pipeline{extra-library=},"
    "torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true})"
)
_STATE = (InputKind.PARAMETER, InputKind.BUFFER)
_DIALECTS = ("builtin", "func", "linalg", "tensor", "arith", "math", "cf", "ml_program")


def import_program(program: ExportedProgram, module: torch.nn.Module, prefix: str = "") -> LinalgModule:
    """Lowers `program` to Linalg. `prefix` is dropped from names and paths: the wrapper's own attribute."""
    _check_pure(program)
    graph = program.graph_module.graph
    _inline_constants(program, graph)
    arguments, values = _order_arguments(program, module, graph, prefix)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    importer._cc = _NamedLocations(context, prefix)
    _import_graph(importer, graph, prefix)
    _lower(importer.module, context, graph, prefix)
    _check_dialects(importer.module, graph, prefix)
    _name_arguments(importer.module, arguments)
    text = importer.module.operation.get_asm(enable_debug_info=True)
    return LinalgModule(text, arguments, _results(graph), values)


class _NamedLocations(ContextCache):
    """Locations of the form `"self_attn.q_proj"("model.py":12:0)`."""

    __slots__ = ["_prefix"]

    def __init__(self, context: ir.Context, prefix: str):
        super().__init__(context, py_attr_tracker=RefTracker())
        self._prefix = prefix

    def get_node_location(self, node: torch.fx.Node) -> ir.Location | None:
        line = locations.source_line(node)
        inner = ir.Location.file(line[0], line[1], 0, context=self._c) if line else ir.Location.unknown(self._c)
        name = locations.module_path(node, self._prefix) or locations.operation_name(node)
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
    """Puts tensors that the source wrote as literals into the graph: the importer makes them constants."""
    constants = program.graph_signature.inputs_to_lifted_tensor_constants
    for node in list(graph.nodes):
        if node.op == "placeholder" and node.name in constants:
            node.replace_all_uses_with(program.constants[constants[node.name]])
            graph.erase_node(node)


def _order_arguments(program, module, graph, prefix) -> tuple[list[Argument], dict[str, torch.Tensor]]:
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
        name = _strip(targets[node.name], prefix)
        values[name] = _state_value(program, module, targets[node.name]).detach()
        arguments.append(_argument(node, name, PARAMETER))
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


def _strip(name: str, prefix: str) -> str:
    return name[len(prefix) + 1 :] if prefix and name.startswith(prefix + ".") else name


def _import_graph(importer: FxImporter, graph: torch.fx.Graph, prefix: str) -> None:
    try:
        importer.import_stateless_graph(graph, func_name="main")
    except (NotImplementedError, TypeError, ValueError, RuntimeError, KeyError, IndexError) as error:
        raise _import_failure(error, graph, prefix) from error


def _import_failure(error: Exception, graph: torch.fx.Graph, prefix: str) -> CompileError:
    """Names the node at fault: the first whose target, or whose kind of call, the importer does not know."""
    reason = first_line(error)
    for node in graph.nodes:
        if node.op == "call_function" and (str(node.target) in str(error) or not _is_aten(node)):
            return UnsupportedOpError(
                f"Unsupported operation '{node.target}'{locations.describe(node, prefix)}: {reason} Express it with "
                "operations of torch.aten, or keep this part on the host."
            )
    return UnsupportedOpError(f"The program cannot be imported: {reason}")


def _is_aten(node: torch.fx.Node) -> bool:
    return node.target is operator.getitem or getattr(node.target, "namespace", "") in ("aten", "prims")


def _lower(module: ir.Module, context: ir.Context, graph: torch.fx.Graph, prefix: str) -> None:
    diagnostics: list[tuple[str, str]] = []

    def collect(diagnostic) -> bool:
        text = " ".join([diagnostic.message, *(note.message for note in diagnostic.notes)])
        diagnostics.append((str(diagnostic.location), text))
        return True

    handler = context.attach_diagnostic_handler(collect)
    try:
        with context:
            PassManager.parse(_PIPELINE).run(module.operation)
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            collect(diagnostic)
        raise _lowering_failure(diagnostics, graph, prefix) from error
    finally:
        handler.detach()


def _check_dialects(module: ir.Module, graph: torch.fx.Graph, prefix: str) -> None:
    """torch-mlir lowers some operations to dialects of its own: scans, sorts, scatters."""
    foreign: list[tuple[str, str]] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if operation.name.split(".")[0] not in _DIALECTS:
            foreign.append((str(operation.location), operation.name))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    if foreign:
        raise _unsupported(*foreign[0], graph, prefix)


_ILLEGAL = re.compile(r"failed to legalize operation '([\w.]+)'")
_OPERATOR = re.compile(r'torch\.operator "torch\.([\w.]+)"')
_NAMED = re.compile(r'loc\("([^"]+)"\("([^"]+)":(\d+)')
_FILE = re.compile(r'loc\(?"([^"]+)":(\d+)')


def _lowering_failure(diagnostics: list[tuple[str, str]], graph: torch.fx.Graph, prefix: str) -> CompileError:
    for location, message in diagnostics:
        match = _OPERATOR.search(message) or _ILLEGAL.search(message)
        if match:
            return _unsupported(location, match.group(1), graph, prefix)
    location, message = diagnostics[0] if diagnostics else ("", "torch-mlir gave no reason")
    return _unsupported(location, "", graph, prefix, message)


def _unsupported(
    location: str, operation: str, graph: torch.fx.Graph, prefix: str, reason: str = "no lowering to Linalg"
) -> UnsupportedOpError:
    """Names the operations that the user wrote at `location`: the one at fault if it can be told, else all of them."""
    short = operation.removeprefix("torch.").removeprefix("aten.").removeprefix("tm_tensor.").strip("_")
    written = list(dict.fromkeys(str(node.target) for node in graph.nodes if _is_at(node, location, prefix)))
    named = [target for target in written if short and short in target] or written or [operation]
    plural = "s" if len(named) > 1 else ""
    quoted = ", ".join(f"'{name}'" for name in named)
    return UnsupportedOpError(
        f"Unsupported operation{plural} {quoted}{_where(location)}: {reason.strip('.')}. Express it with matrix "
        "products, element-wise operations and reductions, or keep this part on the host."
    )


def _is_at(node: torch.fx.Node, location: str, prefix: str) -> bool:
    line = locations.source_line(node)
    if node.op != "call_function" or not _is_aten(node) or node.target is operator.getitem or line is None:
        return False
    path = locations.module_path(node, prefix)
    return f'"{line[0]}":{line[1]}' in location and (not path or f'"{path}"' in location)


def _where(location: str) -> str:
    named = _NAMED.search(location)
    if named:
        return f" in module '{named.group(1)}' ({named.group(2)}:{named.group(3)})"
    plain = _FILE.search(location)
    return f" ({plain.group(1)}:{plain.group(2)})" if plain else ""


def _name_arguments(module: ir.Module, arguments: list[Argument]) -> None:
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    with module.context:
        attributes = [
            ir.DictAttr.get(
                {"streamtensor.name": ir.StringAttr.get(a.name), "streamtensor.kind": ir.StringAttr.get(a.kind)}
            )
            for a in arguments
        ]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def _results(graph: torch.fx.Graph) -> list[Argument]:
    output = next(node for node in graph.nodes if node.op == "output")
    values = list(output.args[0])
    return [_argument(value, f"result{index}", "output") for index, value in enumerate(values)]
