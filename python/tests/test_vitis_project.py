"""The project of `vitis/`, taken through its Makefile by stand-ins of v++ and vitis-run (vitis_stand_in.py)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hls_native import ROOT, compiler, translate
from host_program import write_data
from streamtensor.headers import ap_types_directory


class Project:
    def __init__(self, directory: Path):
        self.directory = directory / "out" / "vitis"
        tools = directory / "tools"
        tools.mkdir()
        for name in ("v++", "vitis-run"):
            script = tools / name
            script.write_text(f"#!{sys.executable}\n" + (ROOT / "python/tests/vitis_stand_in.py").read_text())
            script.chmod(0o755)
        # What is on Vitis' own include path; a native stream needs the channels of runtime/host.
        folders = [ROOT / "python/tests/vitis_headers", ROOT / "runtime/native", ROOT / "runtime/host"]
        headers = " ".join(f"-I{folder}" for folder in (*folders, ap_types_directory()))
        words = {"PATH": f"{tools}:{os.environ['PATH']}", "CXX": compiler(), "STAND_IN_HEADERS": headers}
        self.environment = os.environ | words

    def make(self, *words: str) -> subprocess.CompletedProcess:
        command = ["make", "-C", self.directory, f"RUNTIME={ROOT / 'runtime'}", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    directory = tmp_path_factory.mktemp("project")
    source = (ROOT / "test/Target/HLSCpp/matmul.mlir").read_text()
    assert translate(source, directory).returncode == 0
    x, w = (np.random.default_rng(1).standard_normal((n, 32), dtype=np.float32) for n in (16, 48))
    data = write_data(directory / "data", [x, w])
    (x @ w.T).tofile(data / "result0.bin")
    return Project(directory), data


def test_simulation_compiles_what_the_configuration_names(project):
    built, data = project
    done = built.make("csim", f"DATA={data}")
    assert "differs from the result at byte" in done.stderr  # numpy adds in another order
    assert done.returncode != 0
    done = built.make("cosim", f"DATA={data}")
    assert done.returncode == 0, done.stderr
    done = built.make("cosim", f"DATA={data}", "TOLERANCE=1e-9")
    assert "of its largest value" in done.stderr


def test_synthesis_and_link(project):
    built, _ = project
    done = built.make("xclbin")
    assert done.returncode == 0, done.stderr
    work = built.directory / "build"
    assert (work / "matmul/matmul.xo").read_text() == "matmul xcu55c-fsvh2892-2L-e 250MHz\n"
    assert (work / "hw/matmul.xclbin").read_text() == "matmul\n"
    assert "--kernel_frequency 250" in done.stdout
    assert "v++" not in built.make("xclbin").stdout  # nothing to do


@pytest.mark.parametrize("target", ["csynth", "xclbin", "csim", "cosim"])
def test_older_tools_are_refused(project, target):
    built, data = project
    older = Project.__new__(Project)
    older.directory, older.environment = built.directory, built.environment | {"STAND_IN_VERSION": "2023.1"}
    done = older.make(target, f"DATA={data}", "BUILD=older")
    assert done.returncode != 0
    assert "error: v++ is of Vitis 2023.1, and this design is for 2023.2 and later" in done.stderr
    older.environment["STAND_IN_VERSION"] = "2024.1.1"
    assert older.make("tools").returncode == 0


def test_what_is_missing_is_told(project):
    built, _ = project
    assert "name the directory of the tensors: DATA=DIR" in built.make("csim").stderr


def test_the_stand_in_refuses_what_vitis_refuses(project, tmp_path):
    """Else the tests above could not fail."""
    built, data = project
    changed = Project.__new__(Project)
    changed.environment = built.environment
    shutil.copytree(built.directory.parent, tmp_path / "out")
    changed.directory = tmp_path / "out" / "vitis"
    config = changed.directory / "matmul-hls.cfg"
    text = config.read_text()
    for good, bad, message in (
        ("syn.top=matmul", "syn.top=matmult", "top function 'matmult' not found"),
        ("clock=250MHz", "clocks=250MHz", "unknown option 'clocks'"),
        ("flow_target=vitis", "flow_target=@TARGET@", "is not filled in"),
    ):
        config.write_text(text.replace(good, bad))
        assert message in changed.make("csynth").stderr
    config.write_text(text.replace("hls/testbench.cpp", "hls/bench.cpp"))
    assert "no file" in changed.make("csim", f"DATA={data}").stderr
    config.write_text(text)
    link = changed.directory / "matmul.cfg"
    link.write_text(link.read_text().replace("nk=matmul:", "nk=other:"))
    assert "no kernel 'other'" in changed.make("xclbin").stderr
