# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants: those with names fit the source, those at random repeat, and the source is as before in the end."""

from pathlib import Path

import pytest
from mutation import drawn
from mutation.__main__ import arguments, chosen
from mutation.mutant import Edit, Moved, Mutant
from mutation.named import NAMED

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", NAMED, ids=lambda mutant: mutant.name)
def test_a_named_mutant_fits_the_source(mutant):
    for edit in mutant.edits:
        text = (ROOT / edit.file).read_text()
        assert edit.applied(text) != text


@pytest.mark.parametrize("mutant", NAMED, ids=lambda mutant: mutant.name)
def test_the_test_that_must_see_it_exists(mutant):
    (test,) = mutant.tests
    kind, what = test.split(":", 1)
    if kind == "lit":
        for part in what.split("|"):
            assert list((ROOT / "test").glob(f"{part}*")), test
    elif kind == "pytest":
        assert (ROOT / what).is_file()
    else:
        assert f"streamtensor_add_unittest({what}\n" in "".join(
            path.read_text() for path in (ROOT / "unittests").rglob("CMakeLists.txt")
        )


@pytest.mark.parametrize("text", ["int a;\n", "int b;\nint b;\n"])
def test_a_moved_source_is_an_error(text):
    with pytest.raises(Moved):
        Edit("x.cpp", "int b;", "int c;").applied(text)


def test_the_source_is_restored_whatever_happens(tmp_path):
    path = tmp_path / "x.cpp"
    path.write_text("int a = 1;\n")
    mutant = Mutant("one", (Edit("x.cpp", "= 1", "= 2"), Edit("x.cpp", "int a", "int b")), ())
    with pytest.raises(KeyboardInterrupt), mutant.applied(tmp_path):
        assert path.read_text() == "int b = 2;\n"
        raise KeyboardInterrupt
    assert path.read_text() == "int a = 1;\n"


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("  if (a < b && c)", {"  if (a <= b && c)", "  if (a < b || c)"}),
        ("  x = std::max(x, 2);", {"  x = std::min(x, 2);", "  x = std::max(x, 3);", "  x = std::max(x, 1);", ""}),
        ("  return llvm::divideCeil(a, f(b));", {"  return (a) / (f(b));"}),
        ('  llvm_unreachable("the last round returns");', set()),
        ('  error("a < 1"); // b < 2', {""}),
        ("// a < b", set()),
        ("  int64_t count;", set()),
        ("  writer.blank();", set()),
    ],
)
def test_what_a_line_may_become(line, changes):
    assert set(drawn.changes_of(line)) == changes


def test_a_seed_draws_the_same_mutants():
    first, again, other = (drawn.draw(ROOT, seed, 20) for seed in (1, 1, 2))
    assert first == again != other
    for mutant in first:
        for edit in mutant.edits:
            assert edit.applied((ROOT / edit.file).read_text())


def test_a_campaign_is_chosen_by_its_options():
    assert chosen(arguments([]), ROOT) == list(NAMED)
    assert [mutant.name for mutant in chosen(arguments(["--named", "16 slots"]), ROOT)] == [
        "16 slots always a shift register"
    ]
    mutants = chosen(arguments(["--named", "-", "--random", "5", "--programs", "9"]), ROOT)
    assert len(mutants) == 10
    assert all(mutant.tests[-1] == "fuzz:9" for mutant in mutants)
