# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed package stands alone: it brings its tools, device files and headers."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _run(*command: object, **options) -> str:
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheel", ROOT)
    (wheel,) = (folder / "wheel").glob("streamtensor-*.whl")
    _run(*pip, "install", "--no-deps", "--target", folder / "site", wheel)
    return folder / "site"


def _python(installed: Path, code: str) -> str:
    """Runs `code` on the installed package; -S keeps the source tree's editable install out of the way."""
    environment = {key: value for key, value in os.environ.items() if key != "STREAMTENSOR_BIN"}
    environment["PYTHONPATH"] = os.pathsep.join([str(installed), sysconfig.get_path("purelib")])
    return _run(sys.executable, "-S", "-c", code, cwd=installed, env=environment)


def test_finds_its_own_tools(installed):
    code = "from streamtensor import paths; print(*(paths.find_tool(name) for name in paths.TOOLS), sep='\\n')"
    tools = _python(installed, code).split()
    assert len(tools) == 5
    assert {Path(tool).parent for tool in tools} == {installed / "streamtensor/bin"}
    assert "dataflow" in _run(tools[0], "--show-dialects")


def test_finds_its_own_devices_and_headers(installed):
    code = (
        "from streamtensor import headers, paths; print(paths.devices_directory()); print(headers.runtime_directory())"
    )
    devices, runtime = map(Path, _python(installed, code).split())
    assert devices == installed / "streamtensor/devices"
    assert runtime == installed / "streamtensor/runtime"
    assert (devices / "u55c.json").read_bytes() == (ROOT / "devices/u55c.json").read_bytes()
    for header in (ROOT / "runtime").rglob("*.h"):
        assert (runtime / header.relative_to(ROOT / "runtime")).read_bytes() == header.read_bytes()


def test_its_command_line_lists_the_devices(installed):
    assert "u55c" in _python(installed, "from streamtensor.cli import main; main(['devices'])")


def test_its_version_names_the_commit_that_it_was_built_from(installed):
    commit = _run("git", "describe", "--always", "--dirty", "--exclude=*", cwd=ROOT).strip()
    assert f"(commit {commit}), MLIR 22." in _python(
        installed, "from streamtensor.version import describe; print(describe())"
    )
