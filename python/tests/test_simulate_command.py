# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`streamtensor simulate` and the other commands that answer at once: what they import, print and write."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios

import pytest
from streamtensor import cli
from streamtensor.version import describe

_HEAVY = ("torch", "transformers", "torch_mlir", "numpy")
_RUN = f"""
import sys
from streamtensor import cli
code = cli.run(sys.argv[1:])
print(*(name for name in {_HEAVY} if name in sys.modules), file=sys.stderr)
sys.exit(code)
"""
# Its product is computed from one block buffer into another: no token passes the task itself.
SOURCE = """func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    directory = tmp_path_factory.mktemp("simulated")
    (directory / "product.mlir").write_text(SOURCE)
    command = ["compile", str(directory / "product.mlir"), "-o", str(directory / "out"), "--tile-size", "4"]
    assert cli.run([*command, "--unroll", "4", "--time-limit", "77"]) == 0
    return directory / "out"


def test_the_time_limit_is_an_option(design):
    """What the message of a program that ran over its time advises."""
    assert json.loads((design / "design.json").read_text())["options"]["time_limit"] == 77


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate"],
        ["simulate", "--json"],
        ["report"],
        ["devices"],
        ["doctor"],
        ["--help"],
        ["--version"],
        ["compile", "--help"],
    ],
    ids=" ".join,
)
def test_quick_commands_load_no_heavy_package(arguments, design):
    target = [str(design)] if arguments[0] in ("simulate", "report") else []
    run = subprocess.run([sys.executable, "-c", _RUN, *arguments, *target], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stderr.splitlines()[-1].split() == []


def test_the_package_loads_pytorch_only_when_it_is_used(tmp_path):
    (tmp_path / "product.mlir").write_text(SOURCE)
    code = """
import sys, streamtensor as st
design = st.compile("product.mlir", options=st.Options(compare=False))
print("torch" in sys.modules)
design.interface
print("torch" in sys.modules)
"""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert run.stdout == "False\nTrue\n"


def _on_terminal(command: list[str], columns: int) -> str:
    """What `command` prints on a terminal of so many columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    run = subprocess.Popen(command, stdout=child, stderr=subprocess.DEVNULL, env={**environment, "TERM": "dumb"})
    os.close(child)
    printed = b""
    try:
        while part := os.read(parent, 65536):
            printed += part
    except OSError:  # how Linux says that the other side was closed
        pass
    os.close(parent)
    assert run.wait(timeout=120) == 0
    return printed.decode().replace("\r\n", "\n")


def test_tables_fit_a_terminal_of_80_columns_and_cut_nothing(design):
    printed = _on_terminal([sys.executable, "-m", "streamtensor", "simulate", str(design)], 80)
    assert max(map(len, printed.splitlines())) <= 80
    assert "…" not in printed
    names = [row["name"] for row in json.loads((design / "simulation.json").read_text())["tasks"]]
    first_column = [line.split()[0] for line in printed.splitlines() if line.strip()]
    for name in names:
        assert name in first_column


def test_long_names_are_folded(capsys, monkeypatch):
    from streamtensor.cli import tables

    monkeypatch.setenv("COLUMNS", "80")
    name = "decoder_" * 12
    tables.console().print(tables.table("FIFOs", tables.FIFO_COLUMNS, [{"name": name, "bits": 8, "critical": True}]))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "".join(line.split()[0] for line in lines[3:] if line.strip()) == name


def test_json_has_what_the_tables_leave_out(design, capfd):
    assert cli.run(["simulate", "--json", str(design)]) == 0
    data = json.loads(capfd.readouterr().out)
    assert {"start", "iterations", "depth", "design"} <= data["tasks"][0].keys()
    assert {"writer", "reader", "lp_depth", "unbounded_high_water"} <= data["fifos"][0].keys()


def test_launches_of_the_host_stand_beside_the_cycles(design, tmp_path, capfd):
    """They cost what the device file says, and no cycle."""
    other = tmp_path / "design"
    shutil.copytree(design, other)
    device = json.loads((other / "device.json").read_text())
    device["host_launch_us"]["value"] = 60
    (other / "device.json").write_text(json.dumps(device))
    for directory, us in ((design, 75), (other, 60)):
        assert cli.run(["simulate", str(directory)]) == 0
        first, second, *_ = capfd.readouterr().out.splitlines()
        assert second == f"beside them 1 start by the host, {us} us each"
        assert cli.run(["simulate", str(directory), "--json"]) == 0
        data = json.loads(capfd.readouterr().out)
        assert data["host_launches"] == {"count": 1, "us_each": us}
        assert first.startswith(f"{data['cycles']} cycles, ")
        assert data["seconds"] == pytest.approx(data["cycles"] / 250e6)


def test_the_timeline_is_in_real_time(design, tmp_path, capfd):
    """Microseconds of the card's 250 MHz clock: 0.004 a cycle, written without rounding noise."""
    trace = tmp_path / "trace.json"
    assert cli.run(["simulate", "--json", str(design), "--timeline", str(trace)]) == 0
    data = json.loads(capfd.readouterr().out)
    events = json.loads(trace.read_text())["traceEvents"]
    spans = {event["name"]: event for event in events if event["ph"] == "X" and not event["name"].startswith("wait")}
    for task in data["tasks"]:
        span = spans[task["name"]]
        assert span["ts"] == pytest.approx(task["start"] * 0.004, abs=1e-9)
        assert span["dur"] == pytest.approx((task["end"] - task["start"]) * 0.004, abs=1e-9)
    assert max(e["ts"] + e["dur"] for e in spans.values()) == pytest.approx(data["seconds"] * 1e6, abs=1e-6)
    assert "000000" not in trace.read_text()


def test_other_clocks_are_rounded_to_nanoseconds(design, tmp_path):
    """At 300 MHz a cycle is 3.333 ns: ends are rounded, so that neighbours meet."""
    import harness

    trace = tmp_path / "trace.json"
    options = ["--clock-mhz", "300", "--timeline", str(trace), "--json"]
    found = json.loads(harness.simulate(design / "ir" / "sized.mlir", *options).succeed().stdout)
    task = next(task for task in found["tasks"] if task["end"] % 3 == 1)
    events = json.loads(trace.read_text())["traceEvents"]
    span = next(event for event in events if event["ph"] == "X" and event["name"] == task["name"])
    assert round((span["ts"] + span["dur"]) * 1000, 6) == round(task["end"] * 1000 / 300)


def test_tasks_that_touch_no_token_have_a_beginning(design):
    tasks = json.loads((design / "simulation.json").read_text())["tasks"]
    assert all(0 <= task["start"] <= task["end"] for task in tasks)


def test_the_version_names_commit_and_mlir(capfd):
    assert cli.run(["--version"]) == 0
    printed = capfd.readouterr().out
    assert printed == describe() + "\n"
    version, rest = printed.removeprefix("streamtensor ").split(" ", 1)
    assert version.count(".") == 2
    assert "(commit " in rest  # the tests run in a checkout
    assert ", MLIR 22." in rest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "--frobnicate", "out"], "No such option: --frobnicate"),
        (["compile", "x.mlir", "--unrol", "4"], "--unroll"),
        (["compile", "x.mlir", "--unroll", "many"], "Invalid value for '--unroll'"),
        (["simulat", "out"], "No such command 'simulat'"),
        ([], "Usage: streamtensor"),
    ],
)
def test_what_cannot_be_parsed_ends_with_two_and_names_it(arguments, said, capfd):
    assert cli.run(arguments) == 2
    printed = capfd.readouterr()
    assert said in printed.err + printed.out
    assert "Traceback" not in printed.err
