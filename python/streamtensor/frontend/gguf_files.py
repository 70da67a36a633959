# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files, read once.

transformers parses a file's vocabulary three times to load a model and its tokenizer, through a class of arrays that
costs twice as much per string as a plain one, and builds the table of tensor names anew for every module. On
SmolLM2-135M that is two thirds of the time to load; none of it changes what is loaded.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager

import gguf
import numpy as np


class _PlainReader(gguf.GGUFReader):
    """A reader over a plain array: slices of a memory map carry the map's bookkeeping along."""

    def _get(self, *arguments, **options):
        if isinstance(self.data, np.memmap):
            self.data = np.asarray(self.data)
        return super()._get(*arguments, **options)


@contextmanager
def read_once() -> Iterator[None]:
    """Within the block every GGUF file is parsed once, and every table of tensor names is built once."""
    reader, names = gguf.GGUFReader, gguf.get_tensor_name_map
    gguf.GGUFReader = functools.cache(_PlainReader)
    gguf.get_tensor_name_map = functools.cache(names)
    try:
        yield
    finally:
        gguf.GGUFReader, gguf.get_tensor_name_map = reader, names
