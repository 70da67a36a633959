# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixed designs are what they were, and Vitis would take their C++: see docs/golden.md."""

from __future__ import annotations

import difflib

import pytest
from golden.designs import DESIGNS
from golden.record import RESULTS, record
from vitis_compile import faults

# Leaves written by hand that hold two blocks at once, of which the compiler warns.
NESTED_LOCKS = ("hlscpp-matmul", "hlscpp-nested-locks", "sizing-memories")


@pytest.mark.parametrize("name", DESIGNS)
def test_a_design_is_what_it_was(name: str, tmp_path) -> None:
    for file, text in record(DESIGNS[name], tmp_path).items():
        kept = (RESULTS / file).read_text().splitlines()
        difference = list(difflib.unified_diff(kept, text.splitlines(), "kept", "found", lineterm="", n=1))
        assert not difference, "\n".join([f"{file}: if this is meant, `make golden` keeps it.", *difference[:60]])
    refused = faults(tmp_path / "emitted")
    assert [fault for fault in refused if "nested-locks" not in fault or name not in NESTED_LOCKS] == []
    assert bool(refused) == (name in NESTED_LOCKS)


def test_every_result_is_of_a_design() -> None:
    assert {path.stem for path in RESULTS.iterdir()} == set(DESIGNS)
