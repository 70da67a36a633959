# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics of the MLIR tools become one paragraph with module and source line."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
import streamtensor as st
import torch
from streamtensor import CompileError, ToolError, headers, paths, process
from streamtensor.diagnostics import check, parse, warnings
from streamtensor.errors import TimeLimitError
from streamtensor.interface import Interface

STDERR = """/home/me/model.py:134:0: error: 'linalg.conv_2d' op has an indexing map that is no projected permutation
/home/me/model.py:134:0: note: see current operation:
%5 = "linalg.conv_2d"(%arg0, %arg1) : (tensor<5x7xf32>) -> tensor<5x9xf32> loc("block.conv"("/home/me/model.py":134:0))
note: rewrite it as a matrix product
"""


def outcome(code, stderr):
    return process.Outcome(("/bin/streamtensor-opt", "in.mlir"), code, "", stderr)


def test_module_line_and_notes_are_found():
    (found,) = parse(STDERR)
    assert found.module == "block.conv"
    assert found.line == "/home/me/model.py:134"
    assert found.paragraph() == (
        "Error in module 'block.conv' (/home/me/model.py:134): 'linalg.conv_2d' op has an indexing map that is no "
        "projected permutation. rewrite it as a matrix product."
    )


def test_parse_errors_name_the_users_file():
    stderr = "/tmp/work/ir/00-source.mlir:20:186: error: expected operation name in quotes\n  %5 = linalg\n       ^\n"
    with pytest.raises(CompileError, match=r"\(broken\.mlir:20\): expected operation name in quotes"):
        check(outcome(1, stderr), Path("/tmp/work/ir/00-source.mlir"), "broken.mlir")


def test_warnings_are_found_wherever_they_stand():
    stderr = "<unknown>:0: warning: [counts.fallback] one\nmodule {\n^\nx.mlir:3:4: warning: two\n  note: more\n"
    assert warnings(stderr) == ["[counts.fallback] one", "two"]


def test_success_is_silent():
    check(outcome(0, "warning: something\n"), Path("in.mlir"), "in.mlir")


def test_a_crash_is_a_defect_of_ours_with_its_reproducer():
    with pytest.raises(ToolError, match=r"crashed \(signal 6\).*reproduce it with `/bin/streamtensor-opt in\.mlir`"):
        check(outcome(-6, "Assertion failed"), Path("in.mlir"), "in.mlir")


def test_programs_that_do_not_end_are_stopped():
    with pytest.raises(ToolError, match=r"sleep did not end within 0\.2 seconds .* time_limit \(--time-limit\)\."):
        process.run(["sleep", "30"], 0.2)


def test_programs_that_do_not_exist_are_named():
    with pytest.raises(ToolError, match="no-such-program cannot be started"):
        process.run(["no-such-program"], 1.0)


@pytest.mark.parametrize("tool", ["streamtensor-opt", "streamtensor-translate"])
def test_what_a_tool_crashed_on_is_kept_for_the_command_of_the_error(tool, tmp_path, monkeypatch):
    find = paths.find_tool
    crashing = tmp_path / "tool s" / tool
    crashing.parent.mkdir()
    crashing.write_text(
        '#!/bin/sh\nfor word; do case "$word" in *.mlir) test -e "$word" && kill -SEGV $$; esac; done\n'
    )
    crashing.chmod(0o755)
    monkeypatch.setattr(paths, "find_tool", lambda name: crashing if name == tool else find(name))
    with pytest.raises(ToolError, match=r"crashed.*This is a defect of StreamTensor; reproduce it with `") as caught:
        st.compile(torch.nn.Tanh().eval(), (torch.randn(4, 8),), st.Options(tile_size=4), tmp_path / "o ut")
    command = re.search("reproduce it with `(.*)`", str(caught.value))[1]
    assert subprocess.run(shlex.split(command), timeout=60).returncode == -signal.SIGSEGV
    assert not (tmp_path / "o ut").exists()
    assert (tmp_path / "o ut-crash" / "ir" / "00-source.mlir").exists()


def test_the_time_of_the_compiler_is_the_one_that_the_error_names(tmp_path, monkeypatch):
    design = st.compile(torch.nn.Tanh().eval(), (torch.randn(4, 8),), st.Options(tile_size=4), tmp_path / "out")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STREAMTENSOR_AP_TYPES", str(headers.native_include_directories()[-1]))
    with pytest.raises(TimeLimitError, match=r"did not end within 0.01 seconds .* more time with time_limit \(--time"):
        Interface(design.directory, 0.01).build()
