# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixed designs are what they were: see docs/golden.md."""

from __future__ import annotations

import difflib

import pytest
from golden.designs import DESIGNS
from golden.record import RESULTS, record


@pytest.mark.parametrize("name", DESIGNS)
def test_a_design_is_what_it_was(name: str, tmp_path) -> None:
    for file, text in record(DESIGNS[name], tmp_path).items():
        kept = (RESULTS / file).read_text().splitlines()
        difference = list(difflib.unified_diff(kept, text.splitlines(), "kept", "found", lineterm="", n=1))
        assert not difference, "\n".join([f"{file}: if this is meant, `make golden` keeps it.", *difference[:60]])


def test_every_result_is_of_a_design() -> None:
    assert {path.stem for path in RESULTS.iterdir()} == set(DESIGNS)
