# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files, read once.

transformers parses a file's vocabulary three times to load a model and its tokenizer, through a class of arrays that
costs twice as much per string as a plain one, and builds the table of tensor names anew for every module. On
SmolLM2-135M that is two thirds of the time to load; none of it changes what is loaded. Who takes the integers of a
model that has just been loaded needs no second parsing either.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gguf
import numpy as np


class _PlainReader(gguf.GGUFReader):
    """A reader over a plain array: slices of a memory map carry the map's bookkeeping along."""

    def _get(self, *arguments, **options):
        if isinstance(self.data, np.memmap):
            self.data = np.asarray(self.data)
        return super()._get(*arguments, **options)


_loaded: dict[tuple[str, int], gguf.GGUFReader] = {}  # of the last block of read_once, until it is taken


@contextmanager
def read_once() -> Iterator[None]:
    """Within the block every GGUF file is parsed once, and every table of tensor names is built once."""
    reader, names = gguf.GGUFReader, gguf.get_tensor_name_map
    gguf.GGUFReader = _parsed
    gguf.get_tensor_name_map = functools.cache(names)
    _loaded.clear()
    try:
        yield
    finally:
        gguf.GGUFReader, gguf.get_tensor_name_map = reader, names


def _parsed(path: str | Path, mode: str = "r") -> gguf.GGUFReader:
    version = _version(path)
    if version not in _loaded:
        _loaded[version] = _PlainReader(str(path), mode)
    return _loaded[version]


def take(path: Path) -> gguf.GGUFReader:
    """A reader of `path`: that of the block which has just read the file, or a new one."""
    return _loaded.pop(_version(path), None) or _PlainReader(str(path))


def _version(path: str | Path) -> tuple[str, int]:
    return os.path.realpath(path), os.stat(path).st_mtime_ns
