# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why a FILE.mlir is no module at all: it is cut short, of another version, or holds operations of other dialects."""

from __future__ import annotations

import re
from pathlib import Path

from streamtensor import diagnostics, paths, process
from streamtensor.errors import SourceError, UnsupportedOpError

_UNKNOWN = re.compile(r"custom op '(?P<op>[^']+)'.*unknown|not found for custom op '(?P<missing>[^']+)'")
_UNREGISTERED = "unregistered dialect"
_OPERATION = re.compile(r'(?:^|=)\s*"?([a-z_]\w*\.[\w.$]+)')


def check_parses(source: Path, name: str, time_limit: float) -> None:
    """Raises the error of the parser or verifier of MLIR on `source`, if there is one; the user knows it as `name`."""
    outcome = process.run([paths.find_tool("streamtensor-opt"), source, "-o", "/dev/null"], time_limit)
    found = diagnostics.parse(outcome.stderr)
    if outcome.code == 0 or not found or not found[0].line:
        return
    first = found[0]
    where = first.line.replace(str(source), name)
    operation = _unknown_operation(first, source)
    if operation:
        raise UnsupportedOpError(
            f"Unsupported operation '{operation}' ({where}): a source holds linalg, tensor, arith and math operations "
            "on tensors. Lower it to those, or keep this part on the host."
        )
    raise SourceError(
        f"The file is no valid MLIR module ({where}): {first.text}. It may be cut short or come from another version: "
        "write it again as text of MLIR 22, for example with torch-mlir's output type linalg-on-tensors."
    )


def _unknown_operation(diagnostic: diagnostics.Diagnostic, source: Path) -> str | None:
    named = _UNKNOWN.search(diagnostic.text)
    if named:
        return named["op"] or named["missing"]
    if _UNREGISTERED not in diagnostic.text:
        return None
    number = diagnostic.line.rpartition(":")[2]
    lines = source.read_text().splitlines()
    line = lines[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(lines) else ""
    operation = _OPERATION.search(line)
    return operation.group(1) if operation else None
