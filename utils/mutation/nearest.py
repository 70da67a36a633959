# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests see a part of the compiler first: `lit:FILTER`, `unit:PROGRAM`, `pytest:FILE` and `fuzz:PROGRAMS`."""

from __future__ import annotations

MODEL = "pytest:python/tests/test_model_check.py"
# What fixed designs were before.
GOLDEN = "pytest:python/tests/test_golden.py"
# By the folder of the file that was changed, the cheap ones first.
NEAREST = {
    "lib/Sim": ("unit:SimTest", "lit:Sim/|Sizing/", MODEL),
    "lib/Schedule": ("unit:ScheduleTest", "lit:Sizing/|Sim/|Dialect/Dataflow", "unit:DataflowTests", MODEL),
    "lib/Sizing": ("lit:Sizing/|Sim/", "unit:SizingTest", MODEL),
    "lib/Target/HLSCpp": ("unit:TargetTest", "lit:Target/|Pipelines/", MODEL),
    "lib/Conversion/ITensorToStream": ("lit:Conversion/|Sim/|Sizing/", MODEL),
}
WHAT_IF = "pytest:python/tests/test_what_if.py"
# By how a file's name begins: what only programs with such parts, or such questions, ask for.
OF_A_FILE = {
    "lib/Target/HLSCpp/HandWritten": "pytest:python/tests/test_hand_written.py",
    "lib/Sim/WhatIf": WHAT_IF,
    "lib/Sim/EditMachine": WHAT_IF,
    "lib/Sizing/Advice": WHAT_IF,
    "lib/Sizing/QuestionReport": WHAT_IF,
    "lib/Sizing/S": "pytest:python/tests/test_fifo_sizing.py",
}


def nearest_tests(file: str, programs: int) -> tuple[str, ...]:
    """Fixed designs and so many random programs, executed at every level and natively, close every list."""
    for folder, tests in NEAREST.items():
        if file.startswith(folder + "/"):
            few = (test for start, test in OF_A_FILE.items() if file.startswith(start))
            return (*tests, *few, GOLDEN, f"fuzz:{programs}")
    raise ValueError(f"{file}: no tests are named for this folder")
