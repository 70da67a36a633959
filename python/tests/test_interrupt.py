# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C, termination and a full disk in the middle of a compilation leave the previous output as it was.

The command line runs as a process of its own; the tools are stand-ins that wait, or the real ones on a small disk.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import test_command_line

PACKAGE = Path(__file__).resolve().parents[1]


@pytest.fixture
def workplace(tmp_path):
    """A source, a previous output, and a folder for tools that stand in for slow or failing ones."""
    (tmp_path / "model.mlir").write_text("module {}\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "design.json").write_text("previous")
    (tmp_path / "bin").mkdir()
    return tmp_path


def start(workplace: Path, tool: str, model: str = "model.mlir") -> subprocess.Popen:
    path = workplace / "bin" / "streamtensor-opt"
    # The compiler is first asked about the device, with an empty module.
    path.write_text(f'#!/bin/sh\n[ "$1" = {os.devnull} ] && exit 0\n{tool}\n')
    path.chmod(0o755)
    search = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "STREAMTENSOR_BIN": str(workplace / "bin"), "PYTHONPATH": search}
    command = [sys.executable, "-m", "streamtensor", "compile", model, "-o", "out"]
    return subprocess.Popen(
        command, cwd=workplace, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )


def heed_interrupts() -> None:
    """As on a terminal: what a shell starts in the background ignores Ctrl-C, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(path: Path, child: subprocess.Popen) -> int:
    """The number that the stand-in wrote when it started: its process."""
    while not (path.exists() and path.read_text().strip()):
        assert child.poll() is None, child.stderr.read()
        time.sleep(0.05)
    return int(path.read_text())


def assert_unchanged(workplace: Path) -> None:
    assert (workplace / "out" / "design.json").read_text() == "previous"
    assert {path.name for path in workplace.iterdir()} <= {"model.mlir", "out", "bin", "started", "__pycache__"}


def is_running(process: int) -> bool:
    """Not so when it has ended, even if nobody has asked how yet."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_tools_and_leave_nothing_behind(workplace, number, code):
    child = start(workplace, "echo $$ > started; exec sleep 600")
    tool = wait_for(workplace / "started", child)
    child.send_signal(number)
    assert child.wait(120) == code
    message = child.stderr.read()
    assert "Traceback" not in message
    assert ("streamtensor: interrupted; nothing was changed." in message) == (number == signal.SIGINT)
    assert not is_running(tool)
    assert_unchanged(workplace)


def test_a_tool_does_not_outlive_a_process_that_is_killed(workplace):
    child = start(workplace, "echo $$ > started; exec sleep 600")
    tool = wait_for(workplace / "started", child)
    child.kill()
    child.wait(120)
    deadline = time.monotonic() + 60
    while is_running(tool) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(tool)
    assert (workplace / "out" / "design.json").read_text() == "previous"


def test_ctrl_c_that_a_library_turns_into_its_own_error(workplace):
    wait = "open('started', 'w').write('1'); import time; time.sleep(600)"
    source = f"try:\n    {wait}\nfinally:\n    raise AttributeError\n"
    (workplace / "slow.py").write_text(source)
    child = start(workplace, "exit 1", "slow:factory")
    wait_for(workplace / "started", child)
    child.send_signal(signal.SIGINT)
    assert child.wait(120) == 130
    assert child.stderr.read().strip().endswith("streamtensor: interrupted; nothing was changed.")
    (workplace / "slow.py").unlink()
    assert_unchanged(workplace)


def test_a_full_disk_is_named_with_the_way_out(workplace):
    child = start(workplace, "echo 'error: cannot write x.mlir: No space left on device' >&2; exit 1")
    assert child.wait(120) == 1
    message = child.stderr.read()
    assert f"No space left on the disk that holds {workplace}:" in message
    assert "Free some space, or choose another output directory with -o" in message
    assert_unchanged(workplace)


SMALL_DISK = """
set -e
mkdir disk && mount -t tmpfs -o size=1m tmpfs disk
"$0" -m streamtensor compile good.mlir -o disk/out
before=$(cd disk/out && find . -type f | sort | xargs sha256sum)
dd if=/dev/zero of=disk/filler bs=1k count=1100 2>/dev/null || true
code=0; "$0" -m streamtensor compile good.mlir -o disk/out 2>message --tile-size 4 || code=$?
test "$before" = "$(cd disk/out && find . -type f | sort | xargs sha256sum)"
test "$(ls -A disk)" = "$(printf 'filler\nout')"
cat message; exit $code
"""


def test_a_disk_that_is_really_full(tmp_path):
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this machine gives no mount namespace")
    (tmp_path / "good.mlir").write_text(test_command_line.MATMUL)
    search = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    command = ["unshare", "-rm", "sh", "-c", SMALL_DISK, sys.executable]
    environment = {**os.environ, "PYTHONPATH": search}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    assert f"No space left on the disk that holds {tmp_path}/disk: nothing was changed there." in done.stdout
    assert "Traceback" not in done.stdout
