# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the sources with a build of its own."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mutation.nearest import GOLDEN, MODEL

LIT = "/usr/lib/llvm-22/bin/lit"
# Seconds after which a mutant hangs; the suites of lit take less than one minute.
BUILD_LIMIT, QUICK_LIMIT, TEST_LIMIT = 1800, 300, 1200
# Bytes of one process: a mutant that prints without end dies of it.
MEMORY_LIMIT = 8 << 30
TOOLS = [f"streamtensor-{name}" for name in ("opt", "translate", "sim", "test-sim")]
MORE_TOOLS = [f"streamtensor-{name}" for name in ("run", "reduce", "test-opt")]


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))


class NotBuilt(Exception):
    """What does not compile is no mutant."""


@dataclass
class Checkout:
    """Sources at `root`, their build in `root`/build."""

    root: Path
    jobs: int

    @staticmethod
    def of(root: Path, source: Path, jobs: int) -> Checkout:
        """A copy at `root` of what git knows of `source` as it lies there, configured."""
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, capture_output=True, check=True).stdout
        for name in filter(None, listed.decode().split("\0")):
            given, wanted = source / name, root / name
            if given.is_file() and not (wanted.is_file() and wanted.read_bytes() == given.read_bytes()):
                wanted.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(given, wanted)
                shutil.copymode(given, wanted)
        if not (root / "build" / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "default", "-B", "build"], cwd=root, check=True, capture_output=True)
        return Checkout(root, jobs)

    def build(self, tests: tuple[str, ...]) -> None:
        """The tools and the unit tests that `tests` name."""
        units = [name.removeprefix("unit:") for name in tests if name.startswith("unit:")]
        # The reducer, the interpreter and the driver with faults are asked only by some.
        few = all(name.startswith(("unit:", "lit:Si")) or name in (MODEL, GOLDEN) for name in tests)
        more = [] if few else MORE_TOOLS
        command = ["cmake", "--build", "build", "--parallel", str(self.jobs), "--target", *TOOLS, *more, *units]
        done = self._run(command, BUILD_LIMIT)
        if done is None or done.returncode != 0:
            raise NotBuilt(done.stdout[-3000:] if done else "the build hangs")

    def passes(self, test: str) -> bool:
        """Whether a test passes; one that hangs does not."""
        done = self._run(self._command(test), QUICK_LIMIT if test.startswith(("lit:", "unit:")) else TEST_LIMIT)
        return done is not None and done.returncode == 0

    def _command(self, test: str) -> list[str]:
        kind, what = test.split(":", 1)
        if kind == "lit":
            return [LIT, "-q", "build/test", "--filter", what]
        if kind == "unit":
            # With the number of random cases that the build gives the test.
            return ["ctest", "--test-dir", "build", "--no-tests=error", "--tests-regex", f"^{what}$"]
        if kind == "pytest":
            return [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *what.split()]
        if kind == "fuzz":
            count = ["--count", what, "--native", what, "--shrink-limit", "0", "--jobs", str(self.jobs)]
            count += ["--patience", "5"]  # a busy machine kills no mutant
            return [sys.executable, "-m", "fuzz", *count, "--failures", tempfile.mkdtemp(prefix="mutation-")]
        raise ValueError(f"no such kind of test: {test}")

    def _run(self, command: list[str], limit: int) -> subprocess.CompletedProcess | None:
        environment = dict(os.environ)
        environment["PYTHONPATH"] = f"{self.root / 'python'}:{self.root / 'python/tests'}"
        environment["STREAMTENSOR_BIN"] = str(self.root / "build/bin")
        environment["PATH"] = f"{self.root / 'build/bin'}:{environment['PATH']}"
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=_limit_memory,
        )
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
        return subprocess.CompletedProcess(command, process.returncode, output)
