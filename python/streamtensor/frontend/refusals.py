# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations of the user's program torch-mlir refused, in the user's words."""

from __future__ import annotations

import operator

import torch

from streamtensor.errors import UnsupportedOpError
from streamtensor.frontend import locations
from streamtensor.frontend.lowering import Refused

REMEDY = "Express it with matrix products, element-wise operations and reductions, or keep this part on the host."


def describe(refused: Refused, graph: torch.fx.Graph, prefix: str) -> UnsupportedOpError:
    """Names the operations that the user wrote there: the one at fault if it can be told, else all of them."""
    written = [node for node in graph.nodes if _is_at(node, refused, prefix)]
    short = refused.operation.removeprefix("torch.").removeprefix("aten.").removeprefix("tm_tensor.").strip("_")
    return tell(refused, [node for node in written if short and short in str(node.target)] or written, prefix)


def tell(refused: Refused, named: list[torch.fx.Node], prefix: str) -> UnsupportedOpError:
    """Of the operations `named`, if it is known which they are."""
    names = list(dict.fromkeys(str(node.target) for node in named)) or [refused.operation]
    plural = "s" if len(names) > 1 else ""
    quoted = ", ".join(f"'{name}'" for name in names)
    where = locations.describe(named[0], prefix) if named else _where(refused)
    return UnsupportedOpError(f"Unsupported operation{plural} {quoted}{where}: {refused.reason.strip('.')}. {REMEDY}")


def _is_at(node: torch.fx.Node, refused: Refused, prefix: str) -> bool:
    line = locations.source_line(node)
    if node.op != "call_function" or not locations.is_aten(node) or node.target is operator.getitem or line is None:
        return False
    return locations.name_of(node, prefix) == refused.module and f"{line[0]}:{line[1]}" == refused.line


def _where(refused: Refused) -> str:
    text = f" in module '{refused.module}'" if refused.module else ""
    return text + (f" ({refused.line})" if refused.line else "")
