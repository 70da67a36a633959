# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lints find laws that are not explained, enforced and tested, and examples that no test runs."""

import lint_examples
import lint_laws
import pytest

PLACES = {
    "docs/rationale/d.md": "| `[d.law]` | text |\n",
    "lib/D.cpp": 'return op.emitError("[d.law] is broken");\n',
    "test/d-errors.mlir": "// expected-error {{[d.law] is broken}}\n",
}


def _write(root, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_accepts_a_law_that_all_three_know(tmp_path):
    _write(tmp_path, PLACES)
    assert lint_laws.faults(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("docs/rationale/d.md", "the rationale"),
        ("lib/D.cpp", "a diagnostic"),
        ("test/d-errors.mlir", "a test of errors"),
    ],
)
def test_finds_a_law_that_one_does_not_know(tmp_path, file, place):
    _write(tmp_path, PLACES | {file: "[d.law] outside of its place\n" if file.endswith(".cpp") else "\n"})
    (fault,) = lint_laws.faults(tmp_path)
    assert fault.endswith(f"[d.law] is missing in {place}")


ITENSOR = "include/streamtensor/Dialect/ITensor/IR/ITensor.td"
OPERATION = 'def ITensor_NopOp : ITensor_Op<"nop"> {{\n  let description = [{{\n{}\n  }}];\n}}\n'
BLOCK = "    ```mlir\n    %0 = itensor.nop %a\n    %1 = itensor.nop %0\n    ```"
TEST = """func.func @f(%a: !a) {
  // CHECK: itensor.nop
  %0 = itensor.nop %a
  // CHECK: itensor.nop
  %1 = itensor.nop %0
"""


def test_accepts_an_example_that_stands_in_a_test(tmp_path):
    _write(tmp_path, {ITENSOR: OPERATION.format(BLOCK), "test/ops.mlir": TEST})
    assert lint_examples.faults(tmp_path) == []


def test_finds_an_example_that_no_test_has(tmp_path):
    _write(tmp_path, {ITENSOR: OPERATION.format(BLOCK), "test/ops.mlir": TEST.replace("%0 = ", "%2 = ")})
    (fault,) = lint_examples.faults(tmp_path)
    assert "no test has this example" in fault


def test_finds_an_operation_without_an_example(tmp_path):
    _write(tmp_path, {ITENSOR: OPERATION.format("words"), "test/ops.mlir": TEST})
    assert lint_examples.faults(tmp_path) == ["itensor.nop has no example in its description"]
