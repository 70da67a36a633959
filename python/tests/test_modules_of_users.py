# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refusals of benchmarks/corpus, modules as users bring them; benchmarks/modules.py runs them all."""

from __future__ import annotations

import modules
import pytest
import streamtensor as st

REFUSED = ("longformer",)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_compiled_is_refused_clearly(name, tmp_path):
    verdict, reason = modules.compile_and_compare(name, tmp_path)
    assert verdict == modules.CLEAR, reason


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Unsupported operation 'aten.sort.default' (model.py:3): no lowering to Linalg.", modules.CLEAR),
        ("Module decides on values at model.py:3, 'if x.any():': replace it.", modules.CLEAR),
        ("Unsupported operation: no lowering to Linalg.", modules.CRASHED),
        ("Unsupported operation 'aten.sort.default': no lowering to Linalg.", modules.CRASHED),
        ("Unsupported operation 'aten.sort.default' (model.py:3)\nTraceback", modules.CRASHED),
    ],
)
def test_only_errors_that_say_what_and_where_are_clear(text, verdict):
    assert modules.judge(st.Error(text)) == (verdict, text)
