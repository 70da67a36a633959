# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a campaign may cost: set once, before its processes start."""

from __future__ import annotations

import harness

_patience = 1.0


def set_effort(patience: float, optimisation: str) -> None:
    """`patience` multiplies every limit of time, for a machine that does other work beside; `optimisation` is the
    level (`O0` to `O3`) at which the generated C++ is compiled."""
    global _patience
    _patience = patience
    harness.FLAGS = (*(flag for flag in harness.FLAGS if not flag.startswith("-O")), f"-{optimisation}")


def limit(seconds: float) -> float:
    return seconds * _patience
