"""Host programs of emitted designs, built against XRT and run on a stand-in of its library: for tests."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hls_native import ROOT, Native, compiler, translate

HEADERS = "/usr/include/xrt"
STAND_IN = ROOT / "python/tests/xrt_stand_in.cpp"


def build_stand_in(directory: Path) -> Path:
    """A directory with the stand-in under the name of XRT's library."""
    library = "libxrt_coreutil.so.2"
    flags = ["-std=c++17", "-O1", "-fPIC", "-shared", f"-I{HEADERS}", f"-Wl,-soname,{library}"]
    subprocess.run([compiler(), *flags, STAND_IN, "-o", directory / library, "-luuid"], check=True)
    return directory


@dataclass
class Done:
    code: int
    error: str
    log: list[str]

    def moved(self, way: str) -> list[int]:
        return [int(line.split()[1]) for line in self.log if line.startswith(way)]


class Card:
    """An emitted program, its host program and "binaries" for the stand-in."""

    def __init__(self, directory: Path, stand_in: Path):
        self.out, self.xclbins, self.stand_in = directory / "out", directory / "xclbins", stand_in
        self.native = Native(self.out)
        make = ["make", "-C", self.out / "host", f"CXX={compiler()}", f"RUNTIME={ROOT / 'runtime'}"]
        subprocess.run(make, check=True, capture_output=True)
        self.xclbins.mkdir()
        for design in self.native.interface["designs"]:
            self.write_binary(design)

    @staticmethod
    def of(source: str, directory: Path, stand_in: Path, passes: tuple = ()) -> Card:
        """Of a design written by hand."""
        done = translate(source, directory, passes=passes)
        assert done.returncode == 0, done.stderr
        return Card(directory, stand_in)

    def write_binary(self, design: dict) -> None:
        memories = {p: m for port in design["ports"] for p, m in zip(port["positions"], port["memories"], strict=True)}
        first = design["argument_count"] - len(design["scalars"])
        lines = [f"design {self.out / 'native.so'} {design['call']} {design['argument_count']}"]
        for kernel in design["kernels"]:
            lines.append(f"kernel {kernel['function']}")
            lines += [f"arg {memories[position]} {position}" for position in kernel["arguments"]]
            lines += [f"arg - {first + scalar}" for scalar in kernel["scalars"]]
        (self.xclbins / f"{design['function']}.xclbin").write_text("\n".join(lines) + "\n")

    def run(self, *words: object) -> Done:
        log = self.xclbins / "log"
        log.write_text("")
        environment = os.environ | {"LD_LIBRARY_PATH": str(self.stand_in), "XRT_STAND_IN_LOG": str(log)}
        command = [self.out / "host/host", "--root", self.out, "--xclbins", self.xclbins, *map(str, words)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        return Done(done.returncode, done.stderr, log.read_text().splitlines())


def write_data(directory: Path, arguments: list[np.ndarray]) -> Path:
    directory.mkdir(parents=True)
    for number, argument in enumerate(arguments):
        argument.tofile(directory / f"arg{number}.bin")
    return directory
