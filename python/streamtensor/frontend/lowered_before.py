# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that this process has lowered, so that a model that is compiled with other options is traced only.

Lowering takes three times as long as the trace, and a program of equal digest becomes the same text (trace_digest.py)
if it is given the same names and scalars and the same of its quantised parameters are 0.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from streamtensor.frontend import flat_state
from streamtensor.frontend.linalg_module import PARAMETER, LinalgModule

_MOST = 32  # A text has a few hundred kilobytes.
_kept: dict[str, LinalgModule] = {}  # what was used last comes last


def key_of(traced: str, module: torch.nn.Module, *given: object) -> str:
    """Of what lowering reads beside the trace: what the module says of its arguments, which integers are 0, `given`."""
    zeros = [n for n, t in flat_state.named_tensors(module) if not t.is_floating_point() and not bool(t.any())]
    said = [getattr(module, name, None) for name in ("row_major", "next_launch")]
    return repr((traced, zeros, said, given))


def recall(key: str, module: torch.nn.Module, prefix: str) -> LinalgModule | None:
    """What was kept, with the parameters of `module`."""
    found = _kept.pop(key, None)
    if found is None:
        return None
    _kept[key] = found
    tensors = {flat_state.strip(name, prefix): tensor for name, tensor in flat_state.named_tensors(module)}
    names = [argument.name for argument in found.arguments if argument.kind == PARAMETER]
    return _copy(found, {name: tensors[name].detach() for name in names})


def keep(key: str, lowered: LinalgModule) -> None:
    _kept[key] = _copy(lowered, {})
    if len(_kept) > _MOST:
        del _kept[next(iter(_kept))]


def _copy(lowered: LinalgModule, parameters: dict[str, torch.Tensor]) -> LinalgModule:
    return replace(lowered, arguments=[*lowered.arguments], results=[*lowered.results], parameters=parameters)
