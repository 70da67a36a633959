# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values of the tokens that a language model has read, buffers of each layer, or of all in one."""

from __future__ import annotations

import torch

from streamtensor.errors import RunError
from streamtensor.memory import PackedTensor, RowBuffer


class KeyValueCache:
    """The rows of one text; a design reads those before the position of its pass and sees nothing of the others.

    Made by `LanguageModel.new_cache`. `tokens` are those whose rows every layer has.
    """

    def __init__(self, owner: object, layers: list[tuple[RowBuffer, ...]]):
        self.tokens: list[int] = []
        self._owner = owner
        self._layers = layers

    def check_owner(self, owner: object) -> None:
        if owner is not self._owner:
            raise RunError(
                "The cache holds keys and values of another model, which mean nothing to this one: make a cache with "
                "new_cache() of the model that reads it."
            )

    def read(self, layer: int) -> tuple[torch.Tensor | PackedTensor, ...]:
        """Keys, values and scales of `layer` as a launch takes them, rows that are not there yet among them.

        Where a launch goes through all layers, they are those of layer 0.
        """
        return tuple(buffer.value for buffer in self._layers[layer])

    def write(self, layer: int, *rows: torch.Tensor | None) -> None:
        """The rows [..., heads, count, width] of the tokens that follow; they count when `extend` names those.

        None where a launch has written them itself.
        """
        for buffer, added in zip(self._layers[layer], rows, strict=True):
            if added is not None:
                buffer.write(len(self.tokens), added)

    def extend(self, tokens: list[int]) -> None:
        self.tokens += tokens

    def keep(self, count: int) -> None:
        """Forgets all but the first `count` tokens. Without any, their rows are cleared: nothing finds a way back."""
        del self.tokens[count:]
        if count == 0:
            for buffer in (buffer for layer in self._layers for buffer in layer):
                buffer.clear()

    def keep_common(self, tokens: list[int]) -> list[int]:
        """Keeps what is a beginning of `tokens` too and gives the rest, at least the last, whose logits are wanted."""
        pairs = zip(self.tokens, tokens[:-1], strict=False)
        same = next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(self.tokens), len(tokens) - 1))
        self.keep(same)
        return tokens[same:]
