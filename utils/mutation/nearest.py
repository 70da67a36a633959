# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests see a part of the compiler first: `lit:FILTER`, `unit:PROGRAM`, `pytest:FILE` and `fuzz:PROGRAMS`."""

from __future__ import annotations

# By the folder of the file that was changed, the cheap ones first.
NEAREST = {
    "lib/Sim": ("unit:SimTest", "lit:Sim/|Sizing/", "pytest:python/tests/test_model_check.py"),
    "lib/Schedule": (
        "lit:Sizing/|Sim/|Dialect/Dataflow",
        "unit:DataflowTests",
        "pytest:python/tests/test_model_check.py",
    ),
    "lib/Sizing": ("lit:Sizing/|Sim/", "unit:SizingTest", "pytest:python/tests/test_model_check.py"),
    "lib/Target/HLSCpp": ("unit:TargetTest", "lit:Target/|Pipelines/", "pytest:python/tests/test_model_check.py"),
    "lib/Conversion/ITensorToStream": ("lit:Conversion/|Sim/|Sizing/", "pytest:python/tests/test_model_check.py"),
}


def nearest_tests(file: str, programs: int) -> tuple[str, ...]:
    """So many random programs, executed at every level and natively, close every list."""
    for folder, tests in NEAREST.items():
        if file.startswith(folder + "/"):
            return (*tests, f"fuzz:{programs}")
    raise ValueError(f"{file}: no tests are named for this folder")
