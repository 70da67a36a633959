# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lint finds directives that FileCheck would pass over in silence."""

import pytest
from lint_filecheck import faults_in

RUN = "// RUN: streamtensor-opt %s | FileCheck %s --check-prefixes=CHECK,FLAT\n"


def _faults(tmp_path, directive: str) -> list[str]:
    path = tmp_path / "x.mlir"
    path.write_text(RUN + "// CHECK: module\n" + directive + "\n")
    return [fault.removeprefix(f"{path}:3: ") for fault in faults_in(path)]


@pytest.mark.parametrize(
    ("directive", "fault"),
    [
        ("// CHECK-NEXT func.func", "the directive 'CHECK-NEXT' has no colon"),
        ("// CHECK func.func", "the directive 'CHECK' has no colon"),
        ("// CHECK-NXT: func.func", "the directive 'CHECK-NXT' ends in 'NXT', which FileCheck lacks"),
        ("// DEEP-CHECK: func.func", "the directive 'DEEP-CHECK' is no prefix of a RUN line"),
        (
            "// CHECK: depth = {{[0-9]+}} : i64",
            "the directive 'CHECK' takes any number: write the number, or bind it to a name that is used again",
        ),
        ("// RUN streamtensor-opt %s", "the directive 'RUN' has no colon"),
    ],
)
def test_finds_a_dead_directive(tmp_path, directive, fault):
    assert _faults(tmp_path, directive) == [fault]


@pytest.mark.parametrize(
    "directive",
    [
        "// CHECK-NEXT: func.func",
        "// CHECK-COUNT-3: arith.addf",
        "// CHECK{LITERAL}: [[1, 2]]",
        "// FLAT-DAG: dataflow.leaf",
        "// CHECK: depth = [[DEPTH:[0-9]+]] : i64",
        "// The loop runs backwards.",
    ],
)
def test_passes_a_living_directive(tmp_path, directive):
    assert _faults(tmp_path, directive) == []


def test_finds_a_file_without_directives(tmp_path):
    path = tmp_path / "x.mlir"
    path.write_text(RUN)
    assert faults_in(path) == [f"{path}: FileCheck runs without any directive"]
