# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user's mistake gives on the command line: code 1, one paragraph, and a previous output as it was."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor import cli, fitting
from streamtensor.devices import find_device

MATMUL = """func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""
FACTORIES = """
import torch
def number(): return 3, (torch.ones(2),)
def broken(): raise FileNotFoundError("weights.bin")
class Gamma(torch.nn.Module):
    def forward(self, x): return torch.lgamma(x)
def gamma(): return Gamma(), (torch.ones(2, 4),)
def nan():
    module = torch.nn.Linear(4, 4)
    module.weight.data[1, 2] = float("nan")
    return module, (torch.ones(2, 4),)
def wide(): return torch.nn.Linear(512, 512), (torch.ones(64, 512),)
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A design of the matrix product, compiled by the command line."""
    directory = tmp_path_factory.mktemp("good")
    (directory / "good.mlir").write_text(MATMUL)
    assert cli.run(["compile", str(directory / "good.mlir"), "-o", str(directory / "out"), "--tile-size", "4"]) == 0
    return directory / "out"


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A directory with sources good and bad and a previous output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "users_factories.py").write_text(FACTORIES)
    (tmp_path / "good.mlir").write_text(MATMUL)
    (tmp_path / "cut.mlir").write_text(MATMUL[:350])
    (tmp_path / "odd.mlir").write_text(MATMUL.replace("linalg.matmul ", "linalg.matmull "))
    (tmp_path / "other.mlir").write_text(MATMUL.replace("= linalg.matmul ", '= "tm_tensor.sort"(%a) // '))
    (tmp_path / "binary.mlir").write_bytes(b"ML\xefR\x01\xfe")
    (tmp_path / "empty.mlir").write_text("")
    (tmp_path / "model.txt").write_text("")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "design.json").write_text("previous")
    small = json.loads(find_device("u55c").path.read_text())
    [die, *_] = small["dies"]["list"]
    small["dies"]["list"] = [die | {"lut": 50_000, "uram": 0}]
    small["placement"]["share"] = 1
    (tmp_path / "small.json").write_text(json.dumps(small))
    return tmp_path


BAD_SOURCES = {
    "missing file": ("nothing.mlir", ["There is no file 'nothing.mlir'", "Check the path"]),
    "not a source": ("model.txt", ["'model.txt' is not a source", "give FILE.mlir"]),
    "cut short": ("cut.mlir", ["no valid MLIR module (cut.mlir:5)", "It may be cut short", "write it again"]),
    "empty": ("empty.mlir", ["no public func.func", "export the PyTorch module"]),
    "not text": ("binary.mlir", ["'binary.mlir' cannot be read"]),
    "unknown operation": ("odd.mlir", ["'linalg.matmull' (odd.mlir:5)", "keep this part on the host"]),
    "unknown dialect": ("other.mlir", ["'tm_tensor.sort' (other.mlir:5)", "keep this part on the host"]),
    "unsupported module": ("users_factories:gamma", ["'aten.lgamma.default' (", "users_factories.py:6)"]),
    "not a model": ("users_factories:number", ["Not a PyTorch module", "got 'int'", "wrap a function"]),
    "NaN": ("users_factories:nan", ["'weight' of Linear holds 1 value", "(nan) at index [1, 2]", "repair them"]),
    "broken factory": (
        "users_factories:broken",
        ["'users_factories:broken' failed: FileNotFoundError: weights.bin", "users_factories.py:4)", "no arguments"],
    ),
    "no factory": ("users_factories:none", ["has no function 'none'", "must return (module, example_inputs)"]),
    "no package": ("absent_package:make", ["No module named 'absent_package'", "Check its name"]),
}


def assert_refused(arguments: list[str], fragments: list[str], capfd) -> None:
    assert cli.run(arguments) == 1
    message = capfd.readouterr().err
    (paragraph,) = (line for line in message.splitlines() if line.startswith("streamtensor: "))
    assert message.rstrip().endswith(paragraph), "something follows the message"
    assert "Traceback" not in message
    for fragment in fragments:
        assert fragment in paragraph


@pytest.mark.parametrize("case", BAD_SOURCES)
def test_bad_sources_are_refused_and_change_nothing(case, workplace, capfd):
    source, fragments = BAD_SOURCES[case]
    before = sorted(path.name for path in workplace.iterdir())
    assert_refused(["compile", source, "-o", "out"], fragments, capfd)
    assert (workplace / "out" / "design.json").read_text() == "previous"
    assert sorted(path.name for path in workplace.iterdir() if path.name != "__pycache__") == before


def test_unknown_devices_are_refused(workplace, capfd):
    fragments = ["Unknown device 'u9000': the devices are", "u55c", "Choose one of them"]
    assert_refused(["compile", "good.mlir", "-o", "out", "--device", "u9000"], fragments, capfd)
    assert (workplace / "out" / "design.json").read_text() == "previous"


def test_designs_over_the_device_say_by_how_much_and_where(workplace, capfd, monkeypatch):
    monkeypatch.setattr(fitting, "LIMIT_SECONDS", 0.0)  # test_fitting.py tries the advice
    fragments = ["does not fit Alveo U55C", "of 50,000", "too many", "What takes most lut: ", "users_factories.py:12)"]
    wide = ["compile", "users_factories:wide", "-o", "out", "--device", "small.json", "--decision", "rules"]
    assert_refused(wide, fragments, capfd)
    assert (workplace / "out" / "design.json").read_text() == "previous"


WRONG_INPUTS = {
    "shape": ({"arg0": np.zeros((3, 8), np.float32)}, ["Input 0", "shape [3, 8]", "for [8, 8]", "pad or cut"]),
    "dtype": ({"arg0": np.zeros((8, 8))}, ["array arg0", "float64", "for float32", "arg0.astype(numpy.float32)"]),
    "name": ({"x": np.zeros((8, 8), np.float32)}, ["lacks arg0", "arg0 to arg1"]),
    "number": ({"arg2": np.zeros(1, np.float32), "arg0": np.zeros((8, 8), np.float32)}, ["holds arg2", "2 input(s)"]),
}


@pytest.mark.parametrize("case", WRONG_INPUTS)
def test_wrong_inputs_are_refused_at_run_time(case, good, tmp_path, capfd):
    arrays, fragments = WRONG_INPUTS[case]
    arrays = {"arg1": np.zeros((8, 8), np.float32), **arrays}
    np.savez(tmp_path / "in.npz", **arrays)
    (tmp_path / "out.npz").write_text("previous")
    command = ["run", str(good), "--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / "out.npz")]
    assert_refused(command, fragments, capfd)
    assert (tmp_path / "out.npz").read_text() == "previous"


def test_without_a_compiler_the_way_to_one_is_named(good, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("STREAMTENSOR_CXX", raising=False)
    ones = np.ones((8, 8), np.float32)
    np.savez(tmp_path / "in.npz", arg0=ones, arg1=ones)
    command = ["run", str(good), "--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / "out.npz")]
    assert_refused(command, ["No C++ compiler was found", "apt-get install clang-22", "STREAMTENSOR_CXX"], capfd)
    assert not (tmp_path / "out.npz").exists()


def test_a_right_input_gives_the_product(good, tmp_path):
    a, b = np.random.default_rng(0).uniform(-1, 1, (2, 8, 8)).astype(np.float32)
    np.savez(tmp_path / "in.npz", arg0=a, arg1=b)
    assert cli.run(["run", str(good), "--inputs", f"{tmp_path}/in.npz", "--outputs", f"{tmp_path}/out.npz"]) == 0
    np.testing.assert_allclose(np.load(tmp_path / "out.npz")["result0"], a @ b, rtol=1e-5, atol=1e-6)


def test_a_library_that_catches_the_end_does_not_change_the_code(monkeypatch):
    def import_that_fails(app):
        with contextlib.suppress(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)
        raise AttributeError("module 'torch._dynamo' has no attribute 'exc'")

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("typer.main.get_command", import_that_fails)
    try:
        assert cli.run(["devices"]) == 128 + signal.SIGTERM
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_directory_is_not_taken_for_a_report(good, tmp_path, capfd):
    shutil.copytree(good, tmp_path / "out")
    (tmp_path / "out" / "report.html").unlink(missing_ok=True)
    (tmp_path / "out" / "report.html").mkdir()
    assert_refused(["report", str(tmp_path / "out")], ["report.html cannot be written: it is a directory"], capfd)


def test_what_is_no_file_is_not_written_over(good, tmp_path, capfd):
    ones = np.ones((8, 8), np.float32)
    np.savez(tmp_path / "in.npz", arg0=ones, arg1=ones)
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        command = ["run", str(good), "--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / name)]
        assert_refused(command, ["cannot be written: it is no regular file"], capfd)
    assert (tmp_path / "pipe").is_fifo()


def test_a_link_is_followed(good, tmp_path):
    ones = np.ones((8, 8), np.float32)
    np.savez(tmp_path / "in.npz", arg0=ones, arg1=ones)
    (tmp_path / "real.npz").write_text("previous")
    (tmp_path / "link.npz").symlink_to("real.npz")
    assert cli.run(["run", str(good), "--inputs", f"{tmp_path}/in.npz", "--outputs", f"{tmp_path}/link.npz"]) == 0
    assert (tmp_path / "link.npz").is_symlink()
    np.testing.assert_array_equal(np.load(tmp_path / "real.npz")["result0"], ones @ ones)


def test_damaged_archives_are_refused(good, tmp_path, capfd):
    ones = np.ones((8, 8), np.float32)
    np.savez_compressed(tmp_path / "whole.npz", arg0=ones, arg1=ones)
    damaged = bytearray((tmp_path / "whole.npz").read_bytes())
    for place in range(150, 170):
        damaged[place] ^= 0xFF
    (tmp_path / "damaged.npz").write_bytes(damaged)
    (tmp_path / "empty.npz").write_bytes(b"")
    for name in ("damaged", "empty"):
        command = ["run", str(good), "--inputs", f"{tmp_path}/{name}.npz", "--outputs", f"{tmp_path}/out.npz"]
        assert_refused(command, [f"{name}.npz is not an archive of arrays"], capfd)


def test_archives_say_what_is_wrong_with_them(good, tmp_path, capfd):
    ones = np.ones((8, 8), np.float32)
    command = ["run", str(good), "--inputs", f"{tmp_path}/in.npz", "--outputs", f"{tmp_path}/out.npz"]
    np.savez(tmp_path / "in.npz", x=ones, arg1=ones)
    assert_refused(command, ["lacks arg0 and holds x"], capfd)
    np.save(tmp_path / "in.npy", ones)
    (tmp_path / "in.npy").rename(tmp_path / "in.npz")
    assert_refused(command, ["holds one array", "numpy.savez(path, arg0="], capfd)
    np.savez(tmp_path / "in.npz", arg0=ones.astype(">f4"), arg1=ones)
    assert cli.run(command) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["result0"], ones @ ones)


def test_a_design_without_its_parameters_is_refused(tmp_path, capfd):
    design = st.compile(torch.nn.Linear(4, 4), (torch.ones(2, 4),), out=tmp_path / "design")
    (design.directory / "params" / "parameters.safetensors").unlink()
    np.savez(tmp_path / "in.npz", arg0=np.ones((2, 4), np.float32))
    command = ["run", str(design.directory), "--inputs", f"{tmp_path}/in.npz", "--outputs", f"{tmp_path}/out.npz"]
    assert_refused(command, ["parameters.safetensors", "is missing", "compile the design again"], capfd)


def test_archives_give_single_numbers_and_bfloat16(tmp_path):
    (tmp_path / "scaled.py").write_text(
        "import torch\n"
        "class Scaled(torch.nn.Module):\n"
        "    def forward(self, x, by): return x * by\n"
        "def make(): return Scaled(), (torch.randn(4).bfloat16(), torch.tensor(2.0))\n"
    )
    command = [sys.executable, "-m", "streamtensor", "compile", "scaled:make", "-o", "out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    np.savez(tmp_path / "in.npz", arg0=np.float32([1, 2, 3, 0.5]), arg1=np.float32(3))
    run = ["run", f"{tmp_path}/out", "--inputs", f"{tmp_path}/in.npz", "--outputs", f"{tmp_path}/out.npz"]
    assert cli.run(run) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["result0"], np.float32([3, 6, 9, 1.5]))


def test_directories_that_hold_no_design_are_refused(tmp_path, capfd):
    for command in (["simulate"], ["report"], ["generate", "--prompt", "x"]):
        assert_refused([*command, str(tmp_path)], ["holds no design", "streamtensor compile"], capfd)


def test_usage_errors_end_with_two(capfd):
    assert cli.run(["compile"]) == 2
    assert cli.run(["compile", "x.mlir", "--tile-size", "0"]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_outputs_without_a_directory_are_refused_before_the_run(good, tmp_path, capfd):
    assert_refused(
        ["run", str(good), "--inputs", "in.npz", "--outputs", str(tmp_path / "none" / "out.npz")],
        ["out.npz cannot be written: there is no directory", "Make it first"],
        capfd,
    )
