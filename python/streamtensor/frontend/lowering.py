# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the torch dialect to Linalg, by torch-mlir's own compiler.

It runs as a process of its own: it ends with a signal on some programs, and ours must not end with it. Programs go
in and out as bytecode, so that the bytes of tensors are never spelt out.
"""

from __future__ import annotations

import re
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

from torch_mlir import _mlir_libs, ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.passmanager import PassManager

from streamtensor import diagnostics, process
from streamtensor.errors import TimeLimitError, ToolError

_PIPELINE = (
    "builtin.module(func.func(torch-match-quantized-custom-ops),"
    "torchdynamo-export-to-torch-backend-pipeline{extra-library=},"
    "torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true})"
)
_DIALECTS = ("builtin", "func", "linalg", "tensor", "arith", "math", "cf", "ml_program")
_OPERATION = re.compile(r'"torch\.operator".*?name = "torch\.([\w.]+)"|failed to legalize operation \'([\w.]+)\'')


@dataclass(eq=False)
class Refused(Exception):
    """torch-mlir does not lower an operation; what it does not tell is empty. `line` is FILE:LINE."""

    operation: str
    module: str
    line: str
    reason: str = "no lowering to Linalg"

    @property
    def is_unnamed(self) -> bool:
        """Is it a constant that is refused, which some operation without a lowering takes?"""
        return self.operation.startswith(("torch.constant.", "torch.vtensor.literal"))


@dataclass(eq=False)
class Ended(Exception):
    """torch-mlir ended without an answer: `how` it did so."""

    how: str


def lower(module: ir.Module, time_limit: float) -> ir.Module:
    """`module` as Linalg on tensors. Raises Refused, or Ended if torch-mlir died or needs over `time_limit` seconds."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-") as directory:
        result = Path(directory) / "linalg.mlirbc"
        outcome = _run(module, Path(directory) / "torch.mlirbc", result, time_limit)
        if outcome.code != 0:
            raise _refusal(outcome.stderr)
        lowered = ir.Module.parse(result.read_bytes(), _context())
    _check_dialects(lowered)
    return lowered


def _run(module: ir.Module, source: Path, result: Path, time_limit: float) -> process.Outcome:
    with source.open("wb") as file:
        module.operation.write_bytecode(file)
    command = [_program(), source, f"--pass-pipeline={_PIPELINE}", "--mlir-print-debuginfo", "--emit-bytecode"]
    try:
        outcome = process.run([*command, "-o", result], time_limit)
    except TimeLimitError as error:
        raise Ended(f"did not end within {time_limit:g} seconds and was stopped") from error
    if outcome.code < 0:
        raise Ended(f"crashed ({signal.Signals(-outcome.code).name})")
    return outcome


def _context() -> ir.Context:
    """Knows every dialect that the passes make: they load theirs as they start, here on an empty module."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    with context, ir.Location.unknown():
        PassManager.parse(_PIPELINE).run(ir.Module.create().operation)
    return context


def _program() -> Path:
    path = Path(_mlir_libs.__file__).parent / "torch-mlir-opt"
    if not path.is_file():
        raise ToolError(f"The program {path} was not found. Reinstall it with `pip install torch-mlir`.")
    return path


def _refusal(stderr: str) -> Refused:
    """The first error that names an operation, else the first error."""
    found = diagnostics.parse(stderr)
    for diagnostic in found:
        match = _OPERATION.search(diagnostic.text)
        if match:
            return Refused(match[1] or match[2], diagnostic.module, diagnostic.line)
    if found:
        return Refused("", found[0].module, found[0].line, found[0].text)
    return Refused("", "", "", "torch-mlir gave no reason")


def _check_dialects(module: ir.Module) -> None:
    """torch-mlir lowers some operations to dialects of its own: scans, sorts, scatters."""
    foreign: list[Refused] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if operation.name.split(".")[0] in _DIALECTS:
            return ir.WalkResult.ADVANCE
        foreign.append(Refused(operation.name, *_place(operation.location)))
        return ir.WalkResult.INTERRUPT

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    if foreign:
        raise foreign[0]


def _place(location: ir.Location) -> tuple[str, str]:
    """Module and line of a location that the importer made."""
    name, file = "", location
    if isinstance(location, ir.NameLoc):
        name, file = location.name_str, location.child_loc
    return name, f"{file.filename}:{file.start_line}" if isinstance(file, ir.FileLineColLoc) else ""
