# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A conversation with a language model: its chat template around each message, one cache for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from streamtensor.errors import RunError, first_line
from streamtensor.llm import LanguageModel
from streamtensor.sampling import Sampling


class Chat:
    """Messages so far. What the cache holds of them is not read again, as far as the template repeats it."""

    def __init__(self, llm: LanguageModel, system: str | None = None, sampling: Sampling | None = None):
        if not getattr(llm.tokenizer, "chat_template", None):
            raise RunError(
                "The model's tokenizer has no chat template: it was not made for conversations. Continue a text with "
                "`streamtensor generate`."
            )
        self.messages = [{"role": "system", "content": system}] if system else []
        self._llm, self._sampling, self._cache = llm, sampling, llm.new_cache()

    def answer(self, message: str, max_new_tokens: int | None = None) -> Iterator[str]:
        """The pieces of the answer. A message for which there is no room is refused and forgotten.

        Without `max_new_tokens`, an answer may fill the context.
        """
        messages = [*self.messages, {"role": "user", "content": message}]
        ids = self._encode(messages)
        room = self._llm.max_context - len(ids) + 1
        if room < 1:
            raise RunError(
                f"The conversation has {len(ids)} tokens with this message, but the design holds "
                f"{self._llm.max_context}. Start a new one{self._advise(len(ids))}"
            )
        pieces = []
        for piece in self._llm.stream(ids, min(max_new_tokens or room, room), self._sampling, self._cache):
            pieces.append(piece)
            yield piece
        self.messages = [*messages, {"role": "assistant", "content": "".join(pieces)}]

    def _advise(self, taken: int) -> str:
        """As many positions again for what follows, as far as the model has them."""
        most = self._llm.most_positions
        if most is None or taken <= most:
            return f", or compile with --max-context {min(2 * taken, most or 2 * taken)}."
        return f": the model has no more than {most} positions."

    def _encode(self, messages: list[dict[str, str]]) -> list[int]:
        try:
            text = self._llm.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        except Exception as error:  # Templates are programs of the model's makers, and refuse in their own words.
            raise RunError(f"The chat template of the model refuses the messages: {first_line(error)}") from error
        return list(self._llm.tokenizer(text, add_special_tokens=False)["input_ids"])
