# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Properties whose outcome nobody reads are found."""

from __future__ import annotations

import lint_properties
import pytest


@pytest.mark.parametrize(
    ("line", "is_fault"),
    [
        ("  rc::check([] {", True),
        ("  (void)rc::check([] {", True),
        ("  EXPECT_TRUE(rc::check([] {", False),
        ("  bool holds = rc::check([] {", False),
    ],
)
def test_the_outcome_is_read(tmp_path, line, is_fault):
    path = tmp_path / "Test.cpp"
    path.write_text(f"TEST(A, B) {{\n{line}\n  }});\n}}\n")
    assert bool(lint_properties.faults_in(path)) == is_fault
    assert lint_properties.main([str(tmp_path)]) == is_fault
