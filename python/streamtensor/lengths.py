# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a text fits the context of a compiled language model."""

from __future__ import annotations

from streamtensor.errors import RunError


def check_length(prompt_tokens: int, new_tokens: int, max_context: int, most_positions: int | None = None) -> None:
    """Every token but the last new one takes a position. `most_positions`: that the model has, if they are known."""
    if prompt_tokens == 0:
        raise RunError("The prompt is empty: give at least one word.")
    if not isinstance(new_tokens, int) or new_tokens < 1:
        raise RunError(f"max_new_tokens is {new_tokens!r}: it must be a whole number of at least 1.")
    needed = prompt_tokens + new_tokens - 1
    if needed > max_context:
        raise RunError(
            f"A prompt of {prompt_tokens} tokens with {new_tokens} new ones needs {needed} positions, but the design "
            f"has {max_context}. Shorten the prompt{_advise(needed, max_context, most_positions)}"
        )


def _advise(needed: int, max_context: int, most: int | None) -> str:
    if most is None or needed <= most:
        return f", ask for fewer tokens, or compile with --max-context {needed}."
    if max_context >= most:
        return f" or ask for fewer tokens: the model has no more than {most} positions."
    return (
        f" or ask for fewer tokens: the model has no more than {most} positions, which a design compiled with "
        f"--max-context {most} has."
    )
