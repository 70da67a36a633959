# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs appear whole or not at all."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest
from safetensors import SafetensorError
from streamtensor import CompileError, Error, native, ownership, process, simulation
from streamtensor.output import MANIFEST, check, replacing, write_file


def make_output(path, text):
    with replacing(path) as work:
        (work / MANIFEST).write_text(text)


def listing(path):
    return sorted(entry.name for entry in path.iterdir() if entry.name != ownership.LIST)


def test_a_finished_output_takes_the_place_of_the_old_one(tmp_path):
    make_output(tmp_path / "out", "one")
    make_output(tmp_path / "out", "two")
    assert (tmp_path / "out" / MANIFEST).read_text() == "two"
    assert listing(tmp_path) == ["out"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_the_old_output_and_no_debris(tmp_path, failure):
    make_output(tmp_path / "out", "one")
    with pytest.raises(failure), replacing(tmp_path / "out") as work:
        (work / MANIFEST).write_text("half")
        raise failure
    assert (tmp_path / "out" / MANIFEST).read_text() == "one"
    assert listing(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "full",
    [OSError(errno.ENOSPC, "No space left on device"), SafetensorError("I/O error: No space left on device")],
)
def test_a_full_disk_is_explained_and_changes_nothing(tmp_path, full):
    make_output(tmp_path / "out", "one")
    with pytest.raises(Error, match=r"No space left on the disk .* Free some space"), replacing(tmp_path / "out"):
        raise full
    assert (tmp_path / "out" / MANIFEST).read_text() == "one"


def test_directories_of_others_are_never_replaced(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(CompileError, match="holds something that is not a design"), replacing(tmp_path):
        pass
    assert (tmp_path / "thesis.tex").exists()


@pytest.mark.parametrize("name", [".", "..", "../../design", "../hls/.."])
def test_the_directory_that_one_works_in_is_never_exchanged(tmp_path, monkeypatch, name):
    """The shell would stand in the old one."""
    make_output(tmp_path / "design", "one")
    (tmp_path / "design" / "hls").mkdir()
    monkeypatch.chdir(tmp_path / "design" / "hls")
    with pytest.raises(CompileError, match=r"is the current directory or holds it.*-o out"):
        check(name)
    assert (tmp_path / "design" / MANIFEST).read_text() == "one"
    assert listing(tmp_path) == ["design"]


def test_a_path_over_a_folder_above_is_the_one_it_leads_to(tmp_path, monkeypatch):
    make_output(tmp_path / "out", "one")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    make_output("../out", "two")
    assert (tmp_path / "out" / MANIFEST).read_text() == "two"
    assert listing(tmp_path) == ["out", "work"]


def test_places_that_cannot_be_written_are_refused_at_once(tmp_path, monkeypatch):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(CompileError, match="a link that leads to itself"):
        check(tmp_path / "loop")
    (tmp_path / "notes").write_text("")
    with pytest.raises(CompileError, match=r"cannot be made: '.*notes' is no directory"):
        check(tmp_path / "notes" / "out")
    monkeypatch.setattr("os.access", lambda *_: False)  # as for others than root
    with pytest.raises(CompileError, match=r"new/out' cannot be made: '.*' cannot be written"):
        check(tmp_path / "new" / "out")
    assert not (tmp_path / "new").exists()


def test_files_are_replaced_whole(tmp_path):
    write_file(tmp_path / "report.json", "one")
    write_file(tmp_path / "report.json", "two")
    assert (tmp_path / "report.json").read_text() == "two"
    assert listing(tmp_path) == ["report.json"]


def test_a_full_cache_or_timeline_names_its_own_way_out(tmp_path, monkeypatch):
    full = process.Outcome(("clang++",), 1, "", "error: No space left on device")
    message = str(native._failure(full, tmp_path))
    assert f"that holds {tmp_path} or {tempfile.gettempdir()}:" in message
    assert "set XDG_CACHE_HOME and TMPDIR to directories on a disk with space" in message
    monkeypatch.setattr(process, "run", lambda *_: full)
    with pytest.raises(Error, match=rf"holds {tmp_path}: .* choose another file with --timeline"):
        simulation.simulate(Path("sized.mlir"), 1.0, tmp_path / "trace.json")
