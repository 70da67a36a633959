# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules to Linalg on tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from streamtensor import process
from streamtensor.frontend.linalg_module import INPUT, PARAMETER, Argument, Layers, LinalgModule

__all__ = ["INPUT", "PARAMETER", "Argument", "LinalgModule", "digest_module", "export_module"]


def export_module(
    module: torch.nn.Module,
    example_inputs: Sequence[torch.Tensor],
    prefix: str = "",
    time_limit: float = process.TIME_LIMIT,
    extents: Mapping[str, Sequence[str]] | None = None,
    updates: Mapping[int, tuple[str, str]] | None = None,
    layers: Layers | None = None,
) -> LinalgModule:
    """Exports any module at the shapes of `example_inputs`; its parameters become named arguments.

    `extents`: by input, for each of its dimensions the scalar of a launch that says how many elements count, "" where
    all do. The module masks the others: where it sums them they are 0, where it takes a maximum they are the lowest.
    `updates`: by the number of a result, the input that a design writes it into, and the scalar of a launch that says
    from where on, along the one dimension in which the two have different extents; elements in front stay if the launch
    reads as far, those that share a word of memory behind the new ones may become 0. `layers`: of what model the module
    is one layer, if one launch shall go through them all.
    """
    from streamtensor.frontend import lowered_before
    from streamtensor.frontend.export import decompose, trace
    from streamtensor.frontend.importer import import_program
    from streamtensor.frontend.trace_digest import digest_of

    traced = trace(module, example_inputs)
    digest = digest_of(traced)
    key = lowered_before.key_of(digest, module, prefix, extents, updates, layers)
    found = lowered_before.recall(key, module, prefix)
    if found is None:
        program, facts = decompose(traced)
        found = import_program(program, module, facts, prefix, time_limit, extents or {}, updates or {}, layers)
        found.traced = digest
        lowered_before.keep(key, found)
    return found


def digest_module(module: torch.nn.Module, example_inputs: Sequence[torch.Tensor]) -> str:
    """`traced` of what `export_module` gives, at a fraction of its time."""
    from streamtensor.frontend.export import trace
    from streamtensor.frontend.trace_digest import digest_of

    return digest_of(trace(module, example_inputs))
