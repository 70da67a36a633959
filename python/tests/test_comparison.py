# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every design is compared with PyTorch before it is released: ten wrong rewrites of the front end, each refused."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import streamtensor as st
import test_command_line
import torch
from module_batch import Function
from safetensors.torch import load_file
from streamtensor import cli, comparison, launch_worker, native, oracle, wide
from streamtensor.frontend import export, lowered_before
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor
from torch.nn import functional

Rewrite = Callable[[torch.fx.Graph], None]
aten, prims = torch.ops.aten, torch.ops.prims
OPTIONS = st.Options(tile_size=4)


def last(graph: torch.fx.Graph, target) -> torch.fx.Node:
    return [node for node in graph.nodes if node.target == target][-1]


def bypass(target) -> Rewrite:
    """Puts the input in the place of an operation's result."""

    def rewrite(graph: torch.fx.Graph) -> None:
        first = next(node for node in graph.nodes if node.op == "placeholder")
        last(graph, target).replace_all_uses_with(first)
        graph.eliminate_dead_code()

    return rewrite


def change(target, *arguments: object, becomes=None) -> Rewrite:
    """Changes what an operation is given beside its input, or its kind."""

    def rewrite(graph: torch.fx.Graph) -> None:
        node = last(graph, target)
        node.args = (node.args[0], *arguments)
        node.target = becomes or target

    return rewrite


def swap(graph: torch.fx.Graph) -> None:
    node = last(graph, aten.sub.Tensor)
    node.args = (node.args[1], node.args[0])


def time_shift(x):
    return functional.pad(x, (0, 0, 1, 0))[:, :-1]


def local(x):
    place = torch.arange(8)
    near = (place[:, None] - place[None, :]).abs() < 3
    return torch.softmax(x.masked_fill(~near, -1e9), -1)


class Halved(torch.nn.Module):
    """Drops half of its input while it is trained, as stochastic depth does."""

    def forward(self, x):
        return x * 0.5 if self.training else x * 2


@dataclass(frozen=True)
class Fault:
    module: Callable | torch.nn.Module
    rewrite: Rewrite | None  # None: the module is traced as in training
    inputs: tuple[torch.Tensor, ...]


def normal(*shape: int) -> tuple[torch.Tensor]:
    return (torch.randn(shape, generator=torch.Generator().manual_seed(1)),)


CAUSAL = torch.full((8, 8), float("-inf")).triu(1)
FAULTS = {
    "dropped pad": Fault(time_shift, bypass(aten.slice.Tensor), normal(1, 8, 4)),
    "swapped operands": Fault(lambda x: torch.relu(x) - x.tanh(), swap, normal(4, 8)),
    "wrong axis": Fault(lambda x: torch.softmax(x, -1), change(aten._softmax.default, 0, False), normal(8, 8)),
    "wrong constant": Fault(lambda x: x * 0.79788, change(aten.mul.Tensor, 0.79781), normal(4, 8)),
    "ignored mask": Fault(lambda x, m: torch.softmax(x + m, -1), bypass(aten.add.Tensor), (*normal(8, 8), CAUSAL)),
    "lost cast": Fault(lambda x: x.half().float() + x, bypass(prims.convert_element_type.default), normal(4, 8)),
    "wrong slice": Fault(lambda x: x[:, 2:6].tanh(), change(aten.slice.Tensor, 1, 1, 5), normal(4, 8)),
    "identity": Fault(torch.relu, bypass(aten.relu.default), normal(4, 8)),
    "off-by-one window": Fault(local, change(aten.lt.Scalar, 3, becomes=aten.le.Scalar), normal(8, 8)),
    "train for eval": Fault(Halved().eval(), None, normal(4, 8)),
}


def module_of(fault: Fault) -> torch.nn.Module:
    return fault.module if isinstance(fault.module, torch.nn.Module) else Function(fault.module).eval()


def inject(fault: Fault, monkeypatch) -> None:
    """Makes the front end rewrite the exported program, or trace the module in training."""
    monkeypatch.setattr(lowered_before, "_kept", {})
    trace, decompose = export.trace, export.decompose

    def trace_in_training(module, example_inputs):
        module.train()
        traced = trace(module, example_inputs)
        module.eval()
        return traced

    def decompose_wrongly(traced):
        program, facts = decompose(traced)
        fault.rewrite(program.graph_module.graph)
        return program, facts

    if fault.rewrite is None:
        monkeypatch.setattr(export, "trace", trace_in_training)
    else:
        monkeypatch.setattr(export, "decompose", decompose_wrongly)


def contents(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def previous(tmp_path_factory) -> Path:
    design = st.compile(torch.nn.ReLU().eval(), normal(4, 8), OPTIONS, tmp_path_factory.mktemp("previous") / "out")
    assert design.manifest["comparison"]["draws"] == ["the example inputs", "floats and integers of seed 0"]
    return design.directory


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_rewrite_is_refused_and_keeps_the_previous_output(name, previous, tmp_path, monkeypatch):
    fault, out = FAULTS[name], tmp_path / "out"
    shutil.copytree(previous, out)
    before = contents(out)
    inject(fault, monkeypatch)
    with pytest.raises(st.DifferenceError, match="The design does not compute what its source says") as caught:
        st.compile(module_of(fault), fault.inputs, OPTIONS, out)
    message = str(caught.value)
    assert re.search(r"on the example inputs, element \[\d.*\] of result 0 is \S+ instead of \S+ \(tolerance", message)
    assert "Expected is what PyTorch gives" in message
    assert f"`python -m streamtensor.reproducer {tmp_path}/out-compare` repeats the run" in message
    assert contents(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out-compare"]


@pytest.fixture(scope="module")
def refused(tmp_path_factory) -> Path:
    """The reproducer of a fault."""
    directory = tmp_path_factory.mktemp("refused")
    fault = FAULTS["identity"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        inject(fault, monkeypatch)
        with pytest.raises(st.CompileError):
            st.compile(module_of(fault), fault.inputs, OPTIONS, directory / "out")
    return directory / "out-compare"


def test_the_reproducer_repeats_the_run(refused):
    done = subprocess.run(
        [sys.executable, "-m", "streamtensor.reproducer", refused], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1
    assert re.match(r"The results differ: element \[0, \d\] of result 0 is -\S+ instead of 0 ", done.stdout)
    assert "does not compute what its source says" in (refused / "README.txt").read_text()
    assert not refused.with_name("out").exists()


def test_the_reproducer_holds_source_inputs_and_both_results(refused):
    assert "func.func @main" in (refused / "design" / "ir" / "00-source.mlir").read_text()
    values = load_file(refused / "values.safetensors")
    (x,) = FAULTS["identity"].inputs
    torch.testing.assert_close(values, {"arg0": x, "expected0": torch.relu(x), "found0": x}, rtol=0, atol=0)


CRASHES = {
    "segfault": ("*(volatile int *)8 = 1;", "was ended by SIGSEGV."),
    "abort": ('fputs("a list is broken\\n", stderr); abort();', r"was ended by SIGABRT \(a list is broken\)."),
    "exit": ("_exit(0);", "ended with code 0."),
    "exception": ('throw std::runtime_error("no such row");', r"The design 'accelerator' stopped .*: no such row"),
    "hang": ("for (volatile int i = 0;;) i = i;", r"did not end within 20 seconds .*--time-limit.*--no-compare\)\."),
}


def run_instead(statement: str, monkeypatch) -> None:
    """Puts a statement in the place of the call of the generated design."""
    right = native.build

    def build(directory: Path, sources: Sequence[str], time_limit: float) -> Path:
        (path,) = (directory / "hls").glob("*_native.cpp")
        head, _, tail = path.read_text().partition("    accelerator(")
        includes = "#include <cstdio>\n#include <cstdlib>\n#include <stdexcept>\n#include <unistd.h>\n"
        path.write_text(f"{includes}{head}{statement}{tail[tail.index(';') + 1 :]}")
        return right(directory, sources, time_limit)

    monkeypatch.setattr(native, "build", build)


@pytest.mark.parametrize("name", CRASHES)
def test_the_crash_of_a_design_is_an_error_that_keeps_the_previous_output(name, previous, tmp_path, monkeypatch):
    statement, words = CRASHES[name]
    out = tmp_path / "out"
    shutil.copytree(previous, out)
    before = contents(out)
    run_instead(statement, monkeypatch)
    options = st.Options(tile_size=4, time_limit=20.0 if name == "hang" else 600.0)
    with pytest.raises(st.CrashError, match=f"^On the example inputs: .*{words}") as caught:
        st.compile(torch.nn.Tanh().eval(), normal(4, 8), options, out)
    assert f"`python -m streamtensor.reproducer {tmp_path}/out-compare` repeats the run" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert contents(out) == before
    values = load_file(tmp_path / "out-compare" / "values.safetensors")
    assert sorted(values) == ["arg0", "expected0"]


def test_the_reproducer_of_a_crash_crashes_alone(tmp_path, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(st.CrashError):
        run_instead(CRASHES["segfault"][0], patch)
        st.compile(torch.nn.Tanh().eval(), normal(4, 8), OPTIONS, tmp_path / "out")
    done = subprocess.run(
        [sys.executable, "-m", "streamtensor.reproducer", tmp_path / "out-compare"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "The native run of the design was ended by SIGSEGV.\n"


def test_the_advice_of_a_crash_can_be_typed(tmp_path, monkeypatch):
    out = tmp_path / "it's an output"
    with monkeypatch.context() as patch, pytest.raises(st.CrashError) as caught:
        run_instead(CRASHES["exit"][0], patch)
        st.compile(torch.nn.Tanh().eval(), normal(4, 8), OPTIONS, out)
    command = re.search("`(python .*)` repeats the run", str(caught.value))[1]
    command = command.replace("python", shlex.quote(sys.executable), 1)
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300)
    assert done.stdout == "The native run of the design ended with code 0.\n"


def test_the_child_of_a_native_run_loads_no_library(tmp_path):
    """It starts in milliseconds, and what crashes it is the design."""
    heavy = "('torch', 'numpy', 'streamtensor')"
    program = f"import runpy, sys; runpy.run_path({launch_worker.__file__!r}); "
    program += f"print([name for name in sys.modules if name.partition('.')[0] in {heavy}])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "[]\n", done.stderr


def test_without_the_comparison_everything_says_so(tmp_path, monkeypatch, capsys):
    fault = FAULTS["identity"]
    inject(fault, monkeypatch)
    design = st.compile(module_of(fault), fault.inputs, st.Options(compare=False), tmp_path / "out")
    assert design.manifest["comparison"] is None
    assert ">not compared<" in design.report().read_text()
    assert json.loads((tmp_path / "out" / "report.json").read_text())["compared_with"] == "not compared"
    source = str(tmp_path / "out" / "ir" / "00-source.mlir")
    assert cli.run(["compile", source, "-o", str(tmp_path / "file"), "--no-compare"]) == 0
    assert "\nnot compared\n" in capsys.readouterr().out


def test_a_file_of_linalg_is_compared_with_the_interpreter(tmp_path, capsys, monkeypatch):
    (tmp_path / "good.mlir").write_text(test_command_line.MATMUL)
    command = ["compile", str(tmp_path / "good.mlir"), "-o", str(tmp_path / "out"), "--tile-size", "4"]
    assert cli.run(command) == 0
    assert "compared with the interpreter's run of the source, on random values of seed 0" in capsys.readouterr().out
    before = contents(tmp_path / "out")
    execute = Interface.execute
    monkeypatch.setattr(
        Interface, "execute", lambda *each, **named: [as_tensor(value) * 1.001 for value in execute(*each, **named)]
    )
    assert cli.run(command) == 1
    message = capsys.readouterr().err
    assert "on random values of seed 0, element [0, 0] of result 0 is" in message
    assert contents(tmp_path / "out") == before


def test_the_time_of_the_comparison_is_told_apart(tmp_path):
    design = st.compile(torch.nn.Linear(4, 3).eval(), normal(2, 4), st.Options(), tmp_path / "out")
    stages = design.manifest["stages_seconds"]
    assert design.manifest["compare_seconds"] == stages["compare"] > 0
    others = sum(seconds for name, seconds in stages.items() if name != "compare")
    assert design.manifest["compile_seconds"] == pytest.approx(others, abs=0.01)
    assert f"{stages['compare']:.1f} s of comparison" in design.report().read_text()


def test_without_a_compiler_the_switch_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAMTENSOR_CXX", "no-such-compiler")
    with pytest.raises(st.ToolError, match=r"No C\+\+ compiler.*STREAMTENSOR_CXX.*--no-compare \(compare=False\)"):
        st.compile(torch.nn.Linear(4, 3).eval(), normal(2, 4), st.Options(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


class Counter(torch.nn.Module):
    """Counts its calls outside of the graph."""

    calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


def test_a_module_that_keeps_a_state_is_told_from_a_wrong_design(tmp_path):
    with pytest.raises(st.CompileError, match="PyTorch gives other results on the example inputs when it runs again"):
        st.compile(Counter().eval(), normal(4, 4), st.Options(), tmp_path / "out")


def logarithm(x):
    return torch.log(x - 1)


def unstable(x):
    """What is left of large sums: PyTorch's own f32 is wrong in the third digit."""
    return (x + 4096).sum(-1, keepdim=True) - 4096 * x.shape[-1]


def unstable_by_type(x):
    """The same, where the code names the type."""
    return (x.float() + torch.full((1,), 4096, dtype=torch.float32)).sum(-1) - 4096 * x.shape[-1]


def undecided(x, y):
    """Sums that are equal but for roundings."""
    return (x @ y).sum(-1) > x @ y.sum(-1)


RIGHT = {
    "not a number": (logarithm, normal(8, 8)),
    "badly conditioned": (unstable, normal(8, 200)),
    "badly conditioned by type": (unstable_by_type, normal(8, 2000)),
    "undecided": (undecided, (*normal(8, 16), *normal(16, 16))),
    "infinite": (lambda x: torch.where(x > 0, float("inf"), x), normal(8, 8)),
    "half": (lambda x: torch.softmax(x @ x, -1), tuple(value.half() for value in normal(32, 32))),
    "half within": (lambda x: (x.half() @ x.half()).float(), normal(32, 32)),
    "bfloat16": (lambda x: torch.softmax(x @ x, -1), tuple(value.bfloat16() for value in normal(32, 32))),
    "wide": (lambda x: (x @ x).exp(), tuple(value.double() for value in normal(8, 8))),
    "lookup": (torch.nn.Embedding(10, 8).eval(), (torch.tensor([[0, 9, 3], [4, 4, 1]]),)),
    "empty mask rows": (lambda x, m: torch.softmax(x + m, -1), (*normal(8, 8), torch.full((8, 8), float("-inf")))),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_designs_are_never_refused(name, tmp_path):
    function, inputs = RIGHT[name]
    module = function if isinstance(function, torch.nn.Module) else Function(function).eval()
    design = st.compile(module, inputs, OPTIONS, tmp_path / "out")
    assert len(design.manifest["comparison"]["draws"]) == 2


class Rounding(torch.nn.Module):
    """Integers of each row times weights, as behind a quantiser."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weights", torch.randn(8, 16, generator=torch.Generator().manual_seed(0)))

    def forward(self, x):
        return torch.round(x) @ self.weights


@pytest.mark.parametrize("row, value, may", [(0, 2.5 - 2**-11, True), (0, 2.5 - 2**-8, False), (1, 2.3, False)])
def test_roundings_may_turn_near_a_boundary_and_nowhere_else(row, value, may):
    given = torch.arange(16.0).reshape(2, 8) + 0.3
    given[0, 2] = 2.5 - 2**-11  # the only one near a boundary, but for the case in which nothing is
    given[row, 2] = value
    turned = given.clone()
    turned[row, 2] = 3.0
    module = Rounding()
    judge = oracle.Module("these inputs", module, [given], {})
    difference = comparison.check_draw(judge, [module(turned)], "", 0, comparison.Finding(judge.name))
    assert (difference is None) == may
    assert comparison.check_draw(judge, [module(given)], "", 0, comparison.Finding(judge.name)) is None


def test_the_wide_run_takes_no_rounding_of_another_type_away():
    def rounds(x):
        y = torch.zeros(3).add_(x.float())
        return y + 1e-8, (x.half() + 1e-3).float(), x.to(torch.float32).dtype is torch.float32

    with wide.Widened():
        found, half, _ = rounds(torch.ones(3, dtype=torch.float64))
    assert found.dtype is half.dtype is torch.float64
    assert (found == 1 + 1e-8).all() and (half == torch.tensor(1.001).half().double()).all()


SUM = """#row = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8x2000xf32>) -> tensor<8xf32> {{
  %big = arith.constant 4096.0 : f32
  %all = arith.constant {all} : f32
  %zero = arith.constant 0x00000000 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}}
      ins(%x : tensor<8x2000xf32>) outs(%f : tensor<8xf32>) {{
    ^bb0(%a: f32, %o: f32):
      %b = arith.addf %a, %big : f32
      %c = arith.addf %b, %o : f32
      linalg.yield %c : f32
    }} -> tensor<8xf32>
  %r = linalg.generic {{indexing_maps = [#row, #row], iterator_types = ["parallel"]}}
      ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) {{
    ^bb0(%a: f32, %o: f32):
      %b = arith.subf %a, %all : f32
      linalg.yield %b : f32
    }} -> tensor<8xf32>
  return %r : tensor<8xf32>
}}
"""


def test_a_badly_conditioned_file_is_not_refused(tmp_path):
    """Every value loses what it is to 4096, of which no small move of it shows anything."""
    (tmp_path / "sum.mlir").write_text(SUM.format(all="8192000.0"))
    design = st.compile(tmp_path / "sum.mlir", None, OPTIONS, tmp_path / "out")
    assert design.manifest["comparison"]["badly_conditioned"] > 0


def test_a_wrong_constant_of_a_badly_conditioned_file_is_seen(tmp_path, monkeypatch):
    """The design is made from one file, what is expected from another."""
    (tmp_path / "sum.mlir").write_text(SUM.format(all="8192000.0"))
    other = tmp_path / "other.mlir"
    other.write_text(SUM.format(all="8190000.0"))
    of_file = oracle.of_file
    monkeypatch.setattr(oracle, "of_file", lambda source, *others: of_file(other, *others))
    with pytest.raises(st.DifferenceError, match="on random values of seed 0, element"):
        st.compile(tmp_path / "sum.mlir", None, OPTIONS, tmp_path / "out")
