# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tokenizer that tests can read."""


class Words:
    """A tokenizer of numbers."""

    def __call__(self, text):
        return {"input_ids": [int(word) for word in text.split()]}

    def decode(self, tokens):
        return " ".join(map(str, tokens))

    def save_pretrained(self, directory) -> None:
        """Nothing to save."""
