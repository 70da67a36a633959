# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native libraries: headers are precompiled once, and a precompiled file that serves no more is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamtensor as st
import torch
from streamtensor import headers, native, process
from streamtensor.interface import Interface


@pytest.fixture(scope="module")
def design(tmp_path_factory) -> st.Design:
    options = st.Options(tile_size=4, compare=False)
    return st.compile(torch.nn.Tanh().eval(), (torch.randn(4, 8),), options, tmp_path_factory.mktemp("native") / "out")


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty one."""
    monkeypatch.setenv("STREAMTENSOR_AP_TYPES", str(headers.ap_types_directory()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "streamtensor" / "native"


@pytest.fixture
def commands(monkeypatch) -> list[list[str]]:
    """Those that the compiler is started with to make something."""
    found, run = [], process.run

    def note(command, *arguments, **keywords):
        if "-o" in command:
            found.append([str(word) for word in command])
        return run(command, *arguments, **keywords)

    monkeypatch.setattr(process, "run", note)
    return found


def build(design: st.Design) -> Path:
    return Interface(design.directory, 120).build()


def names(cache: Path, kind: str) -> list[Path]:
    return sorted(cache.glob(f"*{kind}"))


def test_headers_are_precompiled_once(design, cache, commands):
    library = build(design)
    (common,) = names(cache, ".pch")
    assert len(commands) == 2
    library.unlink()
    assert build(design) == library
    assert len(commands) == 3
    assert all(command[command.index("-include-pch") + 1] == str(common) for command in commands[1:])
    assert sorted(cache.iterdir()) == sorted([common, library])
    assert native.load(library)


def test_precompiled_headers_that_serve_no_more_are_made_anew(design, cache, commands):
    build(design).unlink()
    (common,) = names(cache, ".pch")
    common.write_bytes(common.read_bytes()[:1000])
    library = build(design)
    assert native.load(library)
    assert not common.exists()
    assert "-include-pch" not in commands[-1]
    library.unlink()
    build(design)
    assert common.exists()


def test_what_the_compiler_refuses_is_told_without_precompiled_headers(design, cache, tmp_path):
    """So that the command of the error needs no file of the cache."""
    (tmp_path / "wrong.cpp").write_text('#include "hls_stream.h"\nint wrong = nothing;\n')
    with pytest.raises(native.RefusedError, match="undeclared identifier 'nothing'") as caught:
        native.build(tmp_path, ["wrong.cpp"], 120)
    assert "-include-pch" not in str(caught.value)
    assert len(names(cache, ".pch")) == 1
    assert names(cache, ".so") == []
