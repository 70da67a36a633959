# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sixty-four modules as users bring them, small, from transformers and by hand.

The list was fixed before any of them was compiled. A module that turns out to be hard stays in it as it is.
"""

from __future__ import annotations

from corpus import (
    attention,
    convolutions,
    integers,
    losses,
    networks,
    shapes,
    transformers_decoders,
    transformers_encoders,
    transformers_vision,
)
from corpus.sample import Make

PARTS = (
    transformers_encoders,
    transformers_decoders,
    transformers_vision,
    attention,
    convolutions,
    networks,
    integers,
    losses,
    shapes,
)
MODULES: dict[str, Make] = {name: make for part in PARTS for name, make in part.MODULES.items()}
