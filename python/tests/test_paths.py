# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directories and files of any name: sources, devices, outputs, headers, the working directory, the installation."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import streamtensor as st
import torch
from hand_written_kernels import COLUMNS, ROWS, WIDTH, Kernel, write
from streamtensor import cli, headers, paths
from streamtensor.devices import find_device

NAMES = {
    "spaces": " two  words ",
    "quotes": 'it\'s a "test"',
    "separators": "a,b=c;d:e",
    "braces": "{x} [y] (z) <w>",
    "signs": "#1 %d $HOME `id` & | ~ \\ ! *",
    "unicode": "größe 模型",
    "dash": "-o -rf",
}


def inputs() -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.uniform(-1, 1, shape).astype(np.float32) for shape in ((ROWS, COLUMNS), (COLUMNS, WIDTH))]


def check_product(result: np.ndarray) -> None:
    x, w = inputs()
    np.testing.assert_allclose(result, (3 * np.exp(x) + 1) @ w, rtol=1e-5, atol=1e-4)


def furnish(directory: Path, name: str) -> None:
    """A source with a kernel written by hand, its headers, a device file and inputs, all called `name`."""
    directory.mkdir()
    write(directory, Kernel()).rename(directory / f"{name}.mlir")
    shutil.copy(find_device("u55c").path, directory / f"{name}.json")
    np.savez(directory / "in.npz", arg0=inputs()[0], arg1=inputs()[1])


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_command_works_in_directories_of_any_name(name, tmp_path, monkeypatch, capfd):
    """By relative paths, as a user in such a directory types them; a leading dash needs a `./`, as everywhere."""
    furnish(tmp_path / name, name)
    monkeypatch.chdir(tmp_path / name)
    out = f"./{name} out"
    command = ["compile", f"./{name}.mlir", "-o", out, "--device", f"./{name}.json", "--validate"]
    assert cli.run(command) == 0, capfd.readouterr().err
    for command in (
        ["run", out, "--inputs", "in.npz", "--outputs", f"./{name}.npz"],
        ["simulate", out, "--timeline", f"./{name}.trace"],
        ["report", out],
    ):
        assert cli.run(command) == 0, capfd.readouterr().err
    check_product(np.load(f"./{name}.npz")["result0"])
    assert Path(f"{name}.trace").stat().st_size > 0
    made = {f"{name} out", f"{name}.npz", f"{name}.trace"}
    given = {f"{name}.mlir", f"{name}.json", "in.npz", "affine.h", "helper.h"}
    assert set(os.listdir()) == made | given


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_errors_name_files_of_any_name(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.mlir").write_text(
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"
    )
    assert cli.run(["compile", f"./{name}.mlir"]) == 1
    message = capfd.readouterr().err
    assert f"{name}.mlir" in message
    assert "Traceback" not in message
    assert cli.run(["compile", f"./no {name}.mlir"]) == 1
    assert f"There is no file 'no {name}.mlir'" in capfd.readouterr().err


def test_the_generated_makefile_works_in_directories_of_any_name(tmp_path, monkeypatch):
    name = 'it\'s "odd", {a} #1 $HOME größe'
    furnish(tmp_path / name, name)
    monkeypatch.chdir(tmp_path / name)
    assert cli.run(["compile", f"{name}.mlir", "-o", "out"]) == 0
    runtime = shutil.copytree(headers.runtime_directory(), tmp_path / name / "runtime")
    words = {"RUNTIME": runtime, "AP_TYPES": headers.ap_types_directory(), "CXX": paths.find_compiler()}
    subprocess.run(["make", "-C", "out/hls", "native"], env=os.environ | words, check=True, timeout=300)
    assert (tmp_path / name / "out" / "hls" / "testbench").exists()


def test_a_design_stays_where_it_was_compiled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x = torch.arange(6.0)
    design = st.compile(torch.nn.ReLU(), (x - 3,), out="out")
    monkeypatch.chdir("/")
    assert design(x - 3).tolist() == [0, 0, 0, 0, 1, 2]
    assert design.simulate().cycles > 0


def test_an_installation_in_a_directory_of_any_name(tmp_path):
    """Package, tools, devices and headers lie where an installed wheel has them."""
    name = 'it\'s "odd", {a} #1 größe'
    package = tmp_path / name / "streamtensor"
    shutil.copytree(paths.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(paths.devices_directory(), package / "devices")
    shutil.copytree(headers.runtime_directory(), package / "runtime")
    (package / "bin").mkdir()
    for tool in paths.TOOLS:
        (package / "bin" / tool).symlink_to(paths.find_tool(tool))
    work = tmp_path / "work"
    furnish(work, "program")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("STREAMTENSOR")}
    environment |= {"PYTHONPATH": str(tmp_path / name), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for command in (
        ["compile", "program.mlir", "-o", "out"],
        ["run", "out", "--inputs", "in.npz", "--outputs", "out.npz"],
        ["simulate", "out"],
    ):
        words = [sys.executable, "-m", "streamtensor", *command]
        done = subprocess.run(words, cwd=work, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    check_product(np.load(work / "out.npz")["result0"])


def test_modules_of_any_name(tmp_path):
    """Names of modules become names of tasks and parameters."""
    torch.manual_seed(0)
    module = torch.nn.ModuleDict(
        {name: torch.nn.Linear(8, 8) for name in ("a b", "it's, {y} #1 %d", "größe", "-o", "a/b")}
    )
    module.forward = lambda x: functools.reduce(lambda value, layer: torch.tanh(layer(value)), module.values(), x)
    x = torch.randn(4, 8)
    design = st.compile(module.eval(), (x,), st.Options(tile_size=4, unroll=8), out=tmp_path / "out")
    torch.testing.assert_close(design(x), module.forward(x), rtol=1e-5, atol=1e-6)
    assert Path(design.report()).exists()
