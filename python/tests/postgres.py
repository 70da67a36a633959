# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A PostgreSQL server of its own for a test, started and stopped as one likes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

_LIMIT = 60  # seconds, of each step
_USER = "postgres"


def _find(program: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}")) or [shutil.which(program)]
    assert found[-1], f"{program} is missing: the package postgresql is in utils/debian-packages.txt"
    return str(found[-1])


class Server:
    """The server refuses to run as root: then it runs as the user that its package made."""

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="streamtensor-postgres-"))
        self._user = _USER if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self.directory, self._user)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._run("initdb", "-U", _USER, "--auth=trust", "--no-sync", "-D", self.directory / "data")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg2://{_USER}@127.0.0.1:{self.port}/{_USER}"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.directory} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = self.directory / "log"
        self._run("pg_ctl", "-w", "-D", self.directory / "data", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "immediate", "-D", self.directory / "data", "stop")

    def _run(self, program: str, *words: object) -> None:
        command = [_find(program), *map(str, words)]
        # What the server inherits as its output would keep a pipe open.
        with (self.directory / f"{program}.out").open("w") as said:
            done = subprocess.run(
                command, user=self._user, cwd=self.directory, stdout=said, stderr=said, timeout=_LIMIT, check=False
            )
        assert done.returncode == 0, (self.directory / f"{program}.out").read_text()

    def remove(self) -> None:
        if (self.directory / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.directory)
