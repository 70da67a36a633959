# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics of the MLIR tools become one paragraph with module and source line."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamtensor import CompileError, ToolError, process
from streamtensor.diagnostics import check, parse

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
