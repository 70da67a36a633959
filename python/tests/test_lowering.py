# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch-mlir runs as a process of its own: its death or its silence names the operation, and ours goes on."""

from __future__ import annotations

import sys
import time

import pytest
import torch
from streamtensor import UnsupportedOpError
from streamtensor.frontend import export_module, lowered_before, lowering


class Calls(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, x):
        x = torch.tanh(x) * 2
        return torch.exp(self.function(x) + 1)


ROWS = 40_000  # Each place would be compared with every position.
PLACES = torch.arange(ROWS)


def refusal(module: torch.nn.Module, time_limit: float = 60.0) -> str:
    with pytest.raises(UnsupportedOpError) as caught:
        export_module(module, (torch.randn(4, 6),), time_limit=time_limit)
    return str(caught.value)


def line_of(method, offset: int) -> str:
    return f"test_lowering.py:{method.__code__.co_firstlineno + offset})"


@pytest.mark.parametrize(
    ("function", "operation"),
    [
        (lambda x: torch.zeros(ROWS).scatter(0, PLACES, x[0, :1].expand(ROWS)), "aten.scatter.src"),
        (lambda x: torch.zeros(ROWS).scatter_add(0, PLACES, x[0, :1].expand(ROWS)), "aten.scatter_add.default"),
        (lambda x: torch.zeros(ROWS).index_put((PLACES,), x[0, :1].expand(ROWS)), "aten.index_put.default"),
    ],
    ids=["scatter", "scatter_add", "index_put"],
)
def test_operations_of_dialects_of_torch_mlir_are_refused_by_name(function, operation):
    message = refusal(Calls(function))
    assert f"'{operation}'" in message
    assert "test_lowering.py:" in message


def compiler_that(tmp_path, monkeypatch, action: str, operation: bytes) -> None:
    """A torch-mlir-opt that does `action` if the program holds `operation`, and else what the real one does."""
    program = tmp_path / "torch-mlir-opt"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys, time\nif {operation!r} in open(sys.argv[1], 'rb').read(): {action}\n"
        f"os.execv({str(lowering._program())!r}, sys.argv)\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(lowering, "_program", lambda: program)
    monkeypatch.setattr(lowered_before, "_kept", {})


def test_death_names_the_operation(tmp_path, monkeypatch):
    compiler_that(tmp_path, monkeypatch, "os.kill(os.getpid(), 9)", b"aten.exp")
    message = refusal(Calls(lambda x: x - 3))
    assert "crashed (SIGKILL) at operation 'aten.exp.default'" in message
    assert line_of(Calls.forward, 2) in message


def test_silence_ends_at_the_limit_and_names_the_operation(tmp_path, monkeypatch):
    compiler_that(tmp_path, monkeypatch, "time.sleep(600)", b"aten.tanh")
    started = time.monotonic()
    message = refusal(Calls(lambda x: x - 3), time_limit=1.0)
    assert "did not end within 1 seconds and was stopped at operation 'aten.tanh.default'" in message
    assert line_of(Calls.forward, 1) in message
    assert time.monotonic() - started < 30


def test_what_only_the_end_of_a_long_program_kills_is_named(tmp_path, monkeypatch):
    compiler_that(tmp_path, monkeypatch, "os.abort()", b"aten.log")

    def many(x):
        for _ in range(40):
            x = x * 2 + 1
        return torch.log(x)

    assert "crashed (SIGABRT) at operation 'aten.log.default'" in refusal(Calls(many))


def test_results_that_nothing_else_reads_are_searched_too(tmp_path, monkeypatch):
    """The fault lies in a branch that no later operation reads."""
    compiler_that(tmp_path, monkeypatch, "os.abort()", b"aten.log")

    class Branches(torch.nn.Module):
        def forward(self, x):
            first = torch.log(x)
            second = torch.tanh(x)
            return first, torch.exp(second)

    message = refusal(Branches())
    assert "'aten.log.default'" in message
