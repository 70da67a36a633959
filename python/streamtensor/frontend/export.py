# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a PyTorch module to an exported program: checks, torch.export, decompositions."""

from __future__ import annotations

import contextlib
import inspect
import io
import keyword
import logging
from collections.abc import Callable, Iterator, Sequence

import torch
from torch.export import ExportedProgram

from streamtensor import dtypes, structure
from streamtensor.errors import CompileError, Error, UnsupportedOpError, first_line
from streamtensor.frontend import (
    causal_attention,
    complex_numbers,
    constants,
    flat_state,
    group_norm,
    half_sums,
    inference,
    interpolation,
    joins,
    locations,
    narrow_integers,
    not_a_number,
    ordering,
    pads,
    placements,
    plain_forms,
    pools,
    quantised,
    quotients,
    reciprocals,
    scalar_indices,
    scans,
    unsigned_integers,
)
from streamtensor.quantise import is_quantised


def trace(module: torch.nn.Module, example_inputs: Sequence[torch.Tensor]) -> ExportedProgram:
    """What PyTorch exports of `module` at the shapes of `example_inputs`, if a design can compute it."""
    check_module(module)
    check_inputs(example_inputs)
    _check_names(module)
    check_weights(module)
    _check_buffers(module)
    _register_results(module, example_inputs)
    # Each is an input of its own: PyTorch takes one object at two places, or a parameter, for one tensor.
    program = _export(module, tuple(value.detach() for value in example_inputs))
    inference.check(program, module)
    _check_static(program)
    return program


def decompose(program: ExportedProgram) -> tuple[ExportedProgram, quantised.Facts]:
    """`program` in the ops that torch-mlir lowers."""
    facts = quantised.Facts()
    if quantised.is_quantised(program):
        program, facts = quantised.raise_linears(program)
    unsigned_integers.widen(program)
    scalar_indices.look_up(program)
    try:
        with _quiet():
            program = complex_numbers.split(program)
            _allow_copies(program.graph)
            program = program.run_decompositions(_decompositions() | causal_attention.decompositions(program))
    except torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode as error:
        raise UnsupportedOpError(scalar_indices.REFUSED.format(locations.user_frame(error))) from error
    except (TypeError, RuntimeError, ValueError) as error:
        raise UnsupportedOpError(
            f"PyTorch cannot take the program apart{locations.user_frame(error)}: {first_line(error)} Write that part "
            "with other operations, or keep it on the host."
        ) from error
    _initialise(program.graph)
    constants.settle_comparisons(program)
    constants.slice_known_indices(program)
    return program, facts


def _allow_copies(graph: torch.fx.Graph) -> None:
    """What PyTorch traces as a view may lie in another order behind a decomposition, as an attention does."""
    for node in graph.nodes:
        if node.target is torch.ops.aten.view.default:
            node.target = torch.ops.aten.reshape.default


def _initialise(graph: torch.fx.Graph) -> None:
    """What a program makes without initial values, to assign parts of it, begins with zeros."""
    aten = torch.ops.aten
    made = {
        aten.empty,
        aten.empty_like,
        aten.empty_permuted,
        aten.empty_strided,
        aten.new_empty,
        aten.new_empty_strided,
    }
    for node in graph.nodes:
        if getattr(node.target, "overloadpacket", None) in made:
            value = node.meta["val"]
            node.target, node.args = aten.full.default, (list(value.shape), 0)
            node.kwargs = {"dtype": value.dtype, "device": value.device, "pin_memory": False}


def check_module(module: object) -> None:
    if isinstance(module, torch.nn.Module):
        return
    kind = module.__name__ if inspect.isclass(module) else type(module).__name__
    hint = "call it to make an instance" if inspect.isclass(module) else "wrap a function in a torch.nn.Module"
    raise CompileError(
        f"Not a PyTorch module: expected an instance of torch.nn.Module, got {kind!r}. To compile it, {hint}."
    )


_FOREIGN = (torch.uint16, torch.uint32, torch.uint64)
_REMEDY_OF_TYPE = (
    "Take signed integers that hold unsigned ones of more than 8 bits, value.to(torch.int64) say, and pairs of numbers "
    "for complex ones, torch.view_as_real(value)."
)


def check_inputs(example_inputs: Sequence[object]) -> None:
    if isinstance(example_inputs, torch.Tensor):
        raise CompileError("The example inputs are one tensor: pass a tuple with one tensor per argument of forward().")
    for index, value in enumerate(example_inputs):
        if not isinstance(value, torch.Tensor):
            raise CompileError(
                f"Example input {index} is of type {type(value).__name__}: a design's inputs are tensors. Bind other "
                "arguments in the module, or pass a tensor."
            )
        if value.dtype.is_complex or value.dtype in _FOREIGN:
            raise CompileError(
                f"Example input {index} has elements of type {dtypes.name_of(value.dtype)}, which designs do not "
                f"compute with. {_REMEDY_OF_TYPE}"
            )
        if value.layout != torch.strided:
            raise CompileError(
                f"Example input {index} is a tensor of layout '{value.layout}': a design reads all elements of its "
                "inputs. Pass value.to_dense()."
            )
        if value.is_meta:
            raise CompileError(
                f"Example input {index} is on the device 'meta', which has shapes and no values: the finished design "
                "is compared with PyTorch on it. Pass a tensor with values, torch.randn_like(value, device='cpu') say."
            )


def _check_names(module: torch.nn.Module) -> None:
    """PyTorch writes the names of modules and parameters between quotes into Python text."""
    for name, _ in [*module.named_modules(), *module.named_parameters(), *module.named_buffers()]:
        if words := [word for word in name.split(".") if keyword.iskeyword(word)]:
            raise CompileError(
                f"PyTorch cannot export a module with the name {name!r}: '{words[0]}' is a word of Python. Give that "
                "part of the module another name."
            )
        if set(name) & set('"\\\n'):
            raise CompileError(
                f"PyTorch cannot export a module with the name {name!r}: it holds a quotation mark, a backslash or a "
                "line break. Give that part of the module another name."
            )


def check_weights(module: torch.nn.Module) -> None:
    """Refuses parameters that hold NaN or infinity: every result of the design would silently be wrong."""
    for name, tensor in flat_state.named_parameters(module):
        if not tensor.is_floating_point():
            continue
        if _is_finite(tensor):
            continue
        bad = torch.nonzero(~torch.isfinite(tensor))
        value = tensor[tuple(bad[0].tolist())].item()
        raise CompileError(
            f"Parameter '{name}' of {type(module).__name__} holds {len(bad)} value(s) that are NaN or infinite, the "
            f"first ({value}) at index {bad[0].tolist()}. Load a checkpoint whose weights are finite, or repair them "
            "before compiling."
        )


def _check_buffers(module: torch.nn.Module) -> None:
    for name, buffer in module.named_buffers():
        if buffer.dtype in _FOREIGN:
            raise CompileError(
                f"Buffer '{name}' of {type(module).__name__} has elements of type {dtypes.name_of(buffer.dtype)}, "
                f"which designs do not compute with. {_REMEDY_OF_TYPE}"
            )


def _is_finite(tensor: torch.Tensor) -> bool:
    """A sum is finite only if all its terms are, and takes no memory; one of large terms may overflow."""
    return bool(torch.isfinite(tensor.sum())) or bool(torch.isfinite(tensor).all())


def _register_results(module: torch.nn.Module, example_inputs: Sequence[torch.Tensor]) -> None:
    try:
        with torch.no_grad():
            results = module(*example_inputs)
    except Exception:  # The export fails too, and says why and where.
        return
    structure.register_results(results)


def _export(module: torch.nn.Module, example_inputs: tuple[torch.Tensor, ...]) -> ExportedProgram:
    try:
        with torch.no_grad(), _quiet():
            return torch.export.export(module, example_inputs, strict=False)
    except torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode as error:
        raise _data_dependent(module, error) from error
    except Error:
        raise
    except Exception as error:  # Whatever the module's own code raises.
        raise _export_failure(module, error) from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """PyTorch logs what it raises as well: the user reads it once, in our words."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(before)


def _data_dependent(module: torch.nn.Module, error: BaseException) -> CompileError:
    return UnsupportedOpError(
        f"{type(module).__name__} decides on the values of a tensor{locations.user_frame(error)}: a design's control "
        "flow is fixed when it is compiled. Replace the branch or loop by torch.where or a constant trip count, or "
        "keep this part on the host."
    )


def _export_failure(module: torch.nn.Module, error: BaseException) -> CompileError:
    if "data-dependent" in str(error) or "DataDependent" in type(error).__name__:
        return _data_dependent(module, error)
    if isinstance(error, NotImplementedError) and is_quantised(module):
        return UnsupportedOpError(
            f"{type(module).__name__} reads a quantised weight as floats{locations.user_frame(error)}: a design "
            "multiplies it by the integers of its activations, in the nn.Linear that it belongs to. Call that linear, "
            "or leave it float."
        )
    if isinstance(error, AttributeError) and "PackedParams" in str(error):
        return UnsupportedOpError(
            f"{type(module).__name__} holds quantised weights in PyTorch's packed form, which cannot be traced. "
            "Compile the float module with quantise='w8a8', or quantise it with torchao."
        )
    said = f"KeyError: {error}." if isinstance(error, KeyError) else first_line(error)
    return CompileError(
        f"PyTorch cannot trace {type(module).__name__}{locations.user_frame(error)}: {said} Check that "
        "forward(*example_inputs) runs on its own and uses tensors only."
    )


def _check_static(program: ExportedProgram) -> None:
    for node in program.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and any(not isinstance(size, int) for size in value.shape):
            raise UnsupportedOpError(
                f"'{node.target}'{locations.describe(node)} has a shape that depends on data ({list(value.shape)}): "
                "every shape of a design is fixed when it is compiled. Pad to a constant size, or keep this part on "
                "the host."
            )


_OWN = (
    narrow_integers,
    quotients,
    half_sums,
    group_norm,
    interpolation,
    joins,
    ordering,
    scans,
    placements,
    plain_forms,
    pools,
    pads,
    not_a_number,
    reciprocals,
    quantised,
)


def _decompositions() -> dict:
    """torch-mlir's table without native_layer_norm, whose decomposition computes variances in f64, and with GELU, whose
    tanh form torch-mlir lowers with sqrt(2 / pi) off in the fourth digit, and ELU, which it lowers without expm1."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    dropped = torch.ops.aten.native_layer_norm
    table = {op: rule for op, rule in get_decomposition_table().items() if op._overloadpacket is not dropped}
    table |= torch._decomp.get_decompositions([torch.ops.aten.gelu, torch.ops.aten.elu])
    ours: dict = {}
    for own in _OWN:
        for op, rule in own.decompositions().items():
            ours[op] = _either(ours[op], rule) if op in ours else rule
    return table | ours


def _either(first: Callable, second: Callable) -> Callable:
    """`first`, or `second` where that does not apply."""

    def rule(*arguments: object, **named: object) -> object:
        result = first(*arguments, **named)
        return second(*arguments, **named) if result is NotImplemented else result

    return rule
