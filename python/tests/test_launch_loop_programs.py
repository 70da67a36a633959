# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small loops of launches, each with one thing that a reader could take otherwise than another: the interpreter, native
C++ and the simulator agree on all of them. What is refused: test/Target/HLSCpp/launch-loop-laws-errors.mlir."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import harness
import numpy as np
import pytest
import torch
from hls_native import ROOT
from streamtensor.errors import RunError
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

_ERRORS = (ROOT / "test/Target/HLSCpp/launch-loop-laws-errors.mlir").read_text()
# copy and second: y = x; double: x *= 2; both: y = x, x *= 2; pos: y = x + p
DESIGNS = {
    re.match(r"dataflow.design @(\w+)", text)[1]: text
    for text in re.findall(r"^dataflow.design .*?^}\n", _ERRORS.split("//--- ")[1], re.DOTALL | re.MULTILINE)
}
DESIGNS["again"] = DESIGNS["double"].replace("@double", "@again")
# Writes the first element alone.
DESIGNS["part"] = DESIGNS["copy"].replace("@copy", "@part").replace("compute [4]", "compute [1]")
X = np.array([3, -1, 4, 1], dtype=np.int32)
T, SQUARE = "tensor<4xi32>", "tensor<2x2xi32>"
N = '%n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}'
M = '%m: index {streamtensor.name = "m"}'


def loop(body: str, inits: str = "%x, %e", turns: str = "%n", name: str = "%r") -> str:
    """The values that it carries are %a, %b and so on; `body` is lines, the last one says what is handed on."""
    names = [name.strip() for name in inits.split(",")]
    carried = ", ".join(f"%{letter} = {init}" for letter, init in zip("abc", names, strict=False))
    *lines, handed = body.strip().splitlines()
    types = ", ".join([T] * len(names))
    count = f":{len(names)}" if len(names) > 1 else ""
    return "\n".join(
        [
            f"{name}{count} = scf.for %i = %c0 to {turns} step %c1 iter_args({carried}) -> ({types}) {{",
            *lines,
            f"scf.yield {handed} : {types}",
            "}",
        ]
    )


def launch(result: str, design: str, operand: str, scalars: str = "") -> str:
    numbers = f" scalars({scalars})" if scalars else ""
    return f"{result} = dataflow.launch @{design}({operand}){numbers} : ({T}) -> {T}\n"


def expand(result: str, operand: str) -> str:
    return f"{result} = tensor.expand_shape {operand} [[0, 1]] output_shape [2, 2] : {T} into {SQUARE}\n"


def collapse(result: str, operand: str) -> str:
    return f"{result} = tensor.collapse_shape {operand} [[0, 1]] : {SQUARE} into {T}\n"


@dataclass
class Program:
    body: str
    expect: Callable[..., list[np.ndarray]]  # from the numbers
    numbers: dict[str, int] = field(default_factory=lambda: {"n": 3})
    arguments: str = f"%x: {T}, {N}"
    results: str = "%r#0, %r#1"
    names: dict[str, str] = field(default_factory=dict)  # of designs that are called otherwise
    launches: int = 6

    @property
    def text(self) -> str:
        types = ", ".join([T] * self.results.count("%"))
        constants = "".join(f"%c{value} = arith.constant {value} : index\n" for value in (0, 1, 3))
        main = (
            f"func.func @main({self.arguments}) -> ({types}) {{\n{constants}%e = tensor.empty() : {T}\n"
            f"{self.body}\nreturn {self.results} : {types}\n}}\n"
        )
        text = "".join(own for name, own in DESIGNS.items() if f"@{name}(" in main) + main
        return re.sub(r"@(\w+)", lambda found: "@" + self.names.get(found[1], found[1]), text)


def at_turn(n: int, m: int = 0) -> list[np.ndarray]:
    return [X << n, (X << (n - 1)) + m + n - 1]


def doubled(n: int = 3, **others: int) -> list[np.ndarray]:
    return [X << n, X << n]


POSITION = launch("%q", "pos", "%a", "{}") + launch("%s", "double", "%a") + "%s, %q"
ADDED = "%at = arith.addi {} : index\n" + POSITION.format("%at")
DOUBLE = launch("%s", "double", "%a") + launch("%q", "copy", "%s") + "%s, %q"
WITH_M = {"numbers": {"n": 3, "m": 2}, "arguments": f"%x: {T}, {M}, {N}"}


PROGRAMS = {
    "a bare turn": Program(loop(POSITION.format("%i")), at_turn),
    "an argument and a turn": Program(loop(ADDED.format("%m, %i")), at_turn, **WITH_M),
    "a turn and an argument": Program(loop(ADDED.format("%i, %m")), at_turn, **WITH_M),
    "a constant": Program(loop(POSITION.format("%c3")), lambda n: [X << n, (X << (n - 1)) + 3]),
    "one design": Program(
        loop(launch("%s", "double", "%a") + "%s", "%x"), lambda n: [X << n], results="%r", launches=3
    ),
    "a design called as the others together": Program(
        launch("%y", "second", "%x") + loop(DOUBLE, "%y, %e"),
        doubled,
        names={"double": "a", "copy": "b", "second": "a_b_loop"},
        launches=7,
    ),
    "designs called as functions of C": Program(loop(DOUBLE), doubled, names={"double": "advance", "copy": "step"}),
    "two loops": Program(
        loop(DOUBLE)
        + "\n"
        + loop(launch("%s", "again", "%a") + launch("%q", "second", "%s") + "%s, %q", "%r#0, %e", "%k", "%t"),
        lambda turns, turns_1: doubled(turns + turns_1),
        {"turns": 3, "turns_1": 2},
        re.sub(r'streamtensor.name = "n", ', "", f"%x: {T}, {N}, {N.replace('%n', '%k')}"),
        "%t#0, %t#1",
        launches=10,
    ),
    "names of C++": Program(
        loop(ADDED.format("%m, %i")),
        lambda n, turn_step: at_turn(n, turn_step),
        {"n": 3, "turn_step": 2},
        f"%x: {T}, " + M.replace('"m"', '"turn_step"') + f", {N}",
        names={"pos": "n", "double": "turn"},
    ),
    "constant turns and a part that is written": Program(
        loop(launch("%q", "part", "%a") + launch("%s", "double", "%a") + "%s, %q", turns="%c3"),
        lambda: [X << 3, np.array([12, 0, 0, 0], np.int32)],
        {},
        f"%x: {T}",
    ),
    "no turn": Program(loop(DOUBLE, turns="%c0"), lambda: [X, 0 * X], {}, f"%x: {T}", launches=0),
    "a tensor that is carried and read as it was before": Program(
        loop(launch("%s", "double", "%a") + launch("%q", "copy", "%x") + "%s, %q"), lambda n: [X << n, X]
    ),
    "a reshape that nobody reads": Program(
        loop(expand("%f", "%a") + launch("%q", "copy", "%a") + launch("%s", "double", "%a") + "%s, %q"),
        lambda n: [X << n, X << (n - 1)],
    ),
    "a reshape of what is read and handed on": Program(
        loop(expand("%f", "%a") + collapse("%g", "%f") + launch("%q", "copy", "%g") + "%a, %q"),
        lambda n: [X, X],
        launches=3,
    ),
    "a reshape of what is overwritten in part": Program(
        loop(expand("%f", "%b") + launch("%s", "double", "%a") + launch("%q", "part", "%s") + "%s, %q"),
        lambda n: [X << n, np.array([X[0] << n, 0, 0, 0], np.int32)],
    ),
    "a reshape of a tensor from outside": Program(
        expand("%w", "%x")
        + loop(collapse("%f", "%w") + launch("%q", "copy", "%f") + launch("%s", "double", "%a") + "%s, %q"),
        lambda n: [X << n, X],
    ),
    "a tensor from outside through an inner loop": Program(
        loop(
            f"%h:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%g = %x, %k = %b) -> ({T}, {T}) {{\n"
            + launch("%q", "copy", "%g")
            + f"scf.yield %g, %q : {T}, {T}\n}}\n"
            + launch("%s", "double", "%a")
            + "%s, %h#1"
        ),
        lambda n: [X << n, X],
        launches=12,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_readers_agree(name: str, tmp_path, monkeypatch) -> None:
    program = PROGRAMS[name]
    (tmp_path / "program.mlir").write_text(program.text)
    sized = tmp_path / "sized.mlir"
    harness.size(tmp_path / "program.mlir", sized).succeed(program.text)
    wanted = program.expect(**program.numbers)
    np.save(tmp_path / "x.npy", X)
    words = [f"--input={tmp_path / 'x.npy'}", *harness.settings(program.numbers)]
    for number, tensor in enumerate(wanted):
        np.save(tmp_path / f"{number}.npy", tensor)
        words.append(f"--compare={tmp_path / f'{number}.npy'}")
    harness.run_tool("streamtensor-run", sized, *words).succeed(program.text)
    if program.launches:
        done = harness.simulate(sized, *harness.settings(program.numbers)).succeed(program.text)
        assert json.loads(done.stdout)["launches"] == program.launches
    harness.translate(sized, tmp_path / "out").succeed(program.text)
    # Memory that nobody clears holds anything.
    monkeypatch.setattr(torch, "empty", lambda shape, **options: torch.full(shape, 77, **options))
    found = Interface(tmp_path / "out").execute([torch.from_numpy(X)], program.numbers)
    for tensor, own in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(as_tensor(tensor).numpy(), own)


def emit(text: str, directory) -> Interface:
    (directory / "program.mlir").write_text(text)
    harness.size(directory / "program.mlir", directory / "sized.mlir").succeed(text)
    harness.translate(directory / "sized.mlir", directory / "out").succeed(text)
    return Interface(directory / "out")


def test_hosts_clear_what_a_loop_with_constant_turns_writes(tmp_path) -> None:
    emit(PROGRAMS["constant turns and a part that is written"].text, tmp_path)
    text = (tmp_path / "out/host/program.h").read_text()
    assert re.search(r'"part_double_loop",.*?\n +\{\{"part_double_loop", .*\}\}, true\},\n', text, re.DOTALL)


def test_a_loop_that_never_turns_counts_as_one_for_synthesis(tmp_path) -> None:
    emit(PROGRAMS["no turn"].text, tmp_path)
    assert "loop_tripcount max=1\n" in (tmp_path / "out/hls/double_copy_loop.cpp").read_text()


def test_arithmetic_that_nobody_reads_gives_a_kernel_no_number(tmp_path) -> None:
    body = loop("%at = arith.addi %m, %i : index\n" + DOUBLE) + "\n" + launch("%y", "pos", "%x", "%m")
    interface = emit(Program(body, doubled, results="%r#0, %y", **WITH_M).text, tmp_path)
    assert [scalar["name"] for scalar in interface.designs["double_copy_loop"]["scalars"]] == ["n"]
    first, second = interface.execute([torch.from_numpy(X)], {"n": 3, "m": 2})
    np.testing.assert_array_equal(as_tensor(first).numpy(), X << 3)
    np.testing.assert_array_equal(as_tensor(second).numpy(), X + 2)


def bound(design: str, channel: int) -> str:
    """The master of 'x' on another channel."""
    name = re.search(r'"gmem_x" .* on (%\w+)', design)[1]
    return re.sub(rf'({name} = dataflow.channel "HBM"\[)\d+', rf"\g<1>{channel}", design)


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_master_serves_designs_on_its_channel(is_shared: bool, tmp_path) -> None:
    """They run in turn. On other channels masters of one name stay two."""
    program = Program(loop(DOUBLE), doubled, names={"double": "a", "copy": "b"})
    (tmp_path / "program.mlir").write_text(program.text)
    harness.size(tmp_path / "program.mlir", tmp_path / "sized.mlir").succeed()
    before, *designs = (tmp_path / "sized.mlir").read_text().split("dataflow.design @")
    designs = [bound(design, 7 if is_shared or design.startswith("a ") else 9) for design in designs]
    (tmp_path / "sized.mlir").write_text("dataflow.design @".join([before, *designs]))
    harness.translate(tmp_path / "sized.mlir", tmp_path / "out").succeed()
    source = (tmp_path / "out/hls/a_b_loop.cpp").read_text()
    bundles = dict(re.findall(r"mode=m_axi port=(\w+) bundle=(\w+)", source))
    assert (bundles["a_x_read"] == bundles["b_x"]) is is_shared


@pytest.mark.parametrize("setting", [{"n": 5}, {"n": 0}, {"n": 1, "m": 5}], ids=str)
def test_values_beyond_the_range_of_the_program_are_refused_by_all(setting: dict[str, int], tmp_path) -> None:
    """What C++ is made for: with four turns a position of 0 to 7 begins with 4 at most, whatever turns are given."""
    interface = emit(PROGRAMS["an argument and a turn"].text, tmp_path)
    name, value = list(setting.items())[-1]
    low = {"n": 1, "m": 0}[name]
    for tool in ("streamtensor-run", "streamtensor-sim"):
        done = harness.run_tool(tool, tmp_path / "sized.mlir", *harness.settings(setting))
        message = f"[launch.scalars] scalar '{name}' of the program is {value}; it must lie between {low} and 4"
        assert done.code == 1 and message in done.stderr
    with pytest.raises(RunError, match=f"Scalar '{name}' is {value}; it must lie between {low} and 4"):
        interface.execute([torch.from_numpy(X)], interface.fill(setting))


def test_an_argument_in_two_places_is_not_updated_in_place(tmp_path) -> None:
    body = ADDED.format("%m, %i").replace("%s, %q", launch("%k", "again", "%c") + "%s, %q, %k")
    program = Program(loop(body, "%x, %e, %x"), at_turn, results="%r#0, %r#2", **WITH_M)
    update = f'{T} {{streamtensor.into = "x", streamtensor.at = "m", streamtensor.along = 0 : i64}}'
    text = program.text.replace(f"%x: {T},", f'%x: {T} {{streamtensor.name = "x"}},')
    interface = emit(text.replace(f"-> ({T}, {T}) {{\n%c0", f"-> ({update}, {T}) {{\n%c0"), tmp_path)
    assert len(interface.updates) == 1
    x = torch.from_numpy(X.copy())
    for found in interface.execute([x], program.numbers):
        np.testing.assert_array_equal(as_tensor(found).numpy(), X << 3)
    message = "'x' goes to 'pos_double_again_loop' in several places, so it cannot be updated in place"
    with pytest.raises(RunError, match=message):
        interface.execute([x.clone()], program.numbers, in_place=True)
