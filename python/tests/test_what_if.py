# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`simulate --what-if` and `--advise`: questions to a design that is not compiled again."""

from __future__ import annotations

import json
import re

import harness
import pytest
from streamtensor import cli
from streamtensor.errors import Error
from streamtensor.stored import StoredDesign

# Two products, one after the other.
SOURCE = """func.func @main(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>, %c: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x32xf32>)
         outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %g = tensor.empty() : tensor<32x16xf32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<32x16xf32>) -> tensor<32x16xf32>
  %s = linalg.matmul ins(%r, %c : tensor<32x32xf32>, tensor<32x16xf32>)
         outs(%h : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %s : tensor<32x16xf32>
}
"""


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    directory = tmp_path_factory.mktemp("asked")
    (directory / "products.mlir").write_text(SOURCE)
    command = ["compile", str(directory / "products.mlir"), "-o", str(directory / "out"), "--tile-size", "8"]
    assert cli.run([*command, "--unroll", "64", "--decision", "rules", "--no-compare"]) == 0
    return StoredDesign(directory / "out")


def _with_depth(text: str, name: str, depth: int) -> str:
    """Size-phase IR whose FIFO `name` has this depth and what it is then made of, edited by hand."""
    lines = []
    for line in text.splitlines():
        if re.search(rf"%{name}\b", line):
            bits = 32 * int((re.search(r"<vector<(\d+)xf32>, \d+>", line) or ["", 1])[1])
            line = re.sub(r"<(vector<\d+xf32>|f32), \d+>", rf"<\1, {depth}>", line)
            memory, latency = ("srl", 1) if depth <= 2 or depth * bits <= 1024 else ("bram", 2)
            line = re.sub(r"latency = \d+", f"latency = {latency}", line)
            line = re.sub(r"memory<\w+>", f"memory<{memory}>", line)
        lines.append(line)
    return "\n".join(lines)


def test_a_depth_that_is_asked_for_has_the_cycles_of_that_depth(design, tmp_path):
    """The same depth written into the IR by hand gives the same cycles, or deadlocks as well."""
    sized = (design.directory / "ir" / "sized.mlir").read_text()
    before = design.simulate()
    found = set()
    for fifo in before.fifos:
        for depth in (2, 5, 300):
            edited = tmp_path / f"{fifo['name']}-{depth}.mlir"
            edited.write_text(_with_depth(sized, fifo["name"], depth))
            real = harness.simulate(edited)
            question = f"fifo {fifo['name']} depth={depth}"
            if real.code != 0:
                assert "deadlocks" in real.stderr, real.stderr
                with pytest.raises(Error, match="deadlocks, if it is as was asked; there are no cycles"):
                    design.simulate(what_if=[question])
                found.add("deadlock")
                continue
            asked = design.simulate(what_if=[question])
            assert asked.cycles == json.loads(real.stdout)["cycles"], question
            assert asked.data["what_if"]["cycles_before"] == before.cycles
            found.add("slower" if asked.cycles > before.cycles else "as fast")
    assert {"slower", "as fast"} <= found


def test_lanes_take_the_iterations_that_they_divide(design):
    (task,) = [task for task in design.simulate().tasks if task["name"] == "op"]
    asked = design.simulate(what_if=["task op lanes=x2"])
    (then,) = [task for task in asked.tasks if task["name"] == "op"]
    assert then["iterations"] * 2 == task["iterations"]
    assert then["busy"] * 2 == task["busy"]
    assert asked.data["what_if"]["questions"] == ["task op lanes=x2"]


def test_the_order_of_questions_does_not_matter(design):
    questions = ["fifo op_fifo depth=40", "task op lanes=x2", "port arg0 bits=x2"]
    one, other = (design.simulate(what_if=asked) for asked in (questions, questions[::-1]))
    assert one.cycles == other.cycles
    assert next(fifo["depth"] for fifo in one.fifos if fifo["name"] == "op_fifo") == 40


def test_advice_says_what_the_same_question_says(design):
    found = design.simulate(advise=True)
    trials = found.data["advice"]["trials"]
    assert trials == design.simulate(advise=True).data["advice"]["trials"]
    cycles = [trial["cycles"] for trial in trials if trial["cycles"] is not None]
    assert cycles == sorted(cycles)
    assert cycles[0] < found.cycles
    for trial in trials:
        assert design.simulate(what_if=trial["what_if"]).cycles == trial["cycles"]
    lanes = next(trial for trial in trials if trial["what_if"] == ["task op lanes=x2"])
    task = next(task for task in found.tasks if task["name"] == "op")
    assert lanes["resources"]["dsp"] == task["resources"]["dsp"]  # as many again


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("fifo op_fif depth=8", "there is no fifo 'op_fif'; near: 'op_fifo'"),
        ("task op_fifo lanes=x2", "there is no task 'op_fifo'; near: 'op'"),
        ("fifo op_fifo depth=0", "a FIFO has at least 2 slots"),
        ("task op lanes=x7", "which 7 does not divide: a factor of 2, 4, 5 or 8 does"),
        ("op lanes=x2", 'ask "fifo NAME depth=N"'),
    ],
)
def test_a_question_without_answer_ends_with_one(design, question, said, capfd):
    assert cli.run(["simulate", str(design.directory), "--what-if", question]) == 1
    printed = capfd.readouterr()
    assert said in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    "words",
    [["--advise"], ["--what-if", "task op lanes=x2"], ["--clock-mhz", "200"], ["--timeline", "trace.json"]],
    ids=lambda words: words[0],
)
def test_questions_are_about_one_pass(design, words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    command = ["simulate", str(design.directory), "--prompt-tokens", "8", "--new-tokens", "8", *words]
    assert cli.run(command) == 1
    assert "--what-if, --advise, --clock-mhz and --timeline are about one pass" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_command_compares_before_and_after(design, capfd):
    before, asked = design.simulate().cycles, design.simulate(what_if=["task op lanes=x2"])
    assert cli.run(["simulate", str(design.directory), "--what-if", "task op lanes=x2"]) == 0
    printed = capfd.readouterr().out
    change = asked.data["what_if"]["change_percent"]
    assert f"if task op lanes=x2: {asked.cycles} cycles, {before} before: {change:+.2f} %" in printed
    assert "then critical: FIFOs " in printed
    assert change == pytest.approx(100 * (asked.cycles - before) / before)
    assert cli.run(["simulate", str(design.directory), "--advise"]) == 0
    printed = capfd.readouterr().out
    assert "What to widen next" in printed
    assert "gain nothing" in printed
    assert cli.run(["simulate", str(design.directory), "--advise", "--json", "--what-if", "task op lanes=x2"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["what_if"]["cycles"] == data["cycles"] == asked.cycles
    assert all(trial["what_if"] != ["task op lanes=x2"] for trial in data["advice"]["trials"])
