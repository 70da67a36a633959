# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lint of includes finds files that build upon rooms above their own."""

import lint_includes
import pytest


def faults(root, name: str, text: str) -> list[str]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return lint_includes.faults_in(root, path)


@pytest.mark.parametrize(
    "name", ["lib/Sim/Machine.cpp", "include/streamtensor/Sim/Machine.h", "include/streamtensor/Sim/Passes.td"]
)
def test_a_room_may_use_itself_and_those_below(tmp_path, name):
    word = "include" if name.endswith(".td") else "#include"
    text = f'{word} "streamtensor/Sim/A.h"\n{word} "streamtensor/Device/B.h"\n{word} "mlir/IR/C.h"\n{word} "Own.h"\n'
    assert faults(tmp_path, name, text) == []


@pytest.mark.parametrize(
    ("name", "upwards"),
    [
        ("lib/Dialect/ITensor/IR/T.cpp", "streamtensor/Conversion/Passes.h"),
        ("lib/Sim/Machine.cpp", "streamtensor/Schedule/LeafSchedule.h"),
        ("include/streamtensor/Dialect/Dataflow/Transforms/Passes.td", "streamtensor/Transforms/Tile/Passes.td"),
        ("lib/Support/Naming.cpp", "streamtensor/Nowhere/A.h"),
        ("lib/Target/HLSCpp/Body.cpp", "streamtensor/Target/Host/MainSchedule.h"),
        ("lib/Target/Host/Testbench.cpp", "../HLSCpp/LeafBody.h"),
    ],
)
def test_a_room_may_not_use_what_lies_above(tmp_path, name, upwards):
    word = "include" if name.endswith(".td") else "#include"
    (fault,) = faults(tmp_path, name, f'{word} "{upwards}"\n')
    assert fault.startswith(f"{name} includes {upwards}")


def test_every_folder_is_a_room(tmp_path):
    (fault,) = faults(tmp_path, "lib/Attic/A.cpp", "")
    assert "lies in no room" in fault
