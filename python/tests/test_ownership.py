# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is the user's in an output stays; what is ours is replaced only as long as nobody changed it."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import test_command_line
from streamtensor import CompileError, Options, cli, ownership
from streamtensor.compiler import compile as compile_program
from streamtensor.output import CODE, MANIFEST, check, replacing, write_file


def make(out: Path, text: str, *more: str, force: bool = False, stop_after: str | None = None) -> None:
    """An output with code in hls/, a manifest, and `more` files, all of them holding `text`."""
    with replacing(out, force, stop_after) as work:
        for name in [MANIFEST, *([] if stop_after else [CODE, "hls/top.cpp"]), *more]:
            (work / name).parent.mkdir(exist_ok=True)
            (work / name).write_text(text)


@pytest.fixture
def out(tmp_path) -> Path:
    make(tmp_path / "out", "one")
    return tmp_path / "out"


def files(directory: Path) -> dict[str, str]:
    """Every file but the list, with its text."""
    found = {p.relative_to(directory): p for p in directory.rglob("*") if p.is_file() and p.name != ownership.LIST}
    return {str(name): path.read_text() for name, path in sorted(found.items())}


TWO = {MANIFEST: "two", CODE: "two", "hls/top.cpp": "two"}


def test_what_the_user_adds_stays(out):
    (out / "hls" / "top.xclbin").write_text("an hour of Vitis")
    (out / "notes.txt").write_text("mine")
    (out / "runs" / "monday").mkdir(parents=True)
    (out / "runs" / "monday" / "trace.json").write_text("[]")
    (out / "runs" / "tuesday").mkdir(mode=0o700)
    os.symlink("hls/top.xclbin", out / "latest")
    os.symlink("/nowhere", out / "broken")
    os.symlink("hls", out / "code")
    make(out, "two")
    added = {"hls/top.xclbin": "an hour of Vitis", "latest": "an hour of Vitis", "notes.txt": "mine"}
    assert files(out) == {**TWO, **added, "runs/monday/trace.json": "[]"}
    assert (out / "runs" / "tuesday").stat().st_mode & 0o777 == 0o700
    assert [os.readlink(out / name) for name in ("latest", "broken", "code")] == ["hls/top.xclbin", "/nowhere", "hls"]
    make(out, "three")
    assert (out / "hls" / "top.xclbin").read_text() == "an hour of Vitis"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_big_files_of_the_user_are_not_copied(out):
    (out / "top.xclbin").write_text("large")
    before = (out / "top.xclbin").stat().st_ino
    make(out, "two")
    assert (out / "top.xclbin").stat().st_ino == before


def test_where_links_cannot_be_files_are_copied(out, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    (out / "notes.txt").write_text("mine")
    monkeypatch.setattr(os, "link", refuse)
    make(out, "two")
    assert files(out) == {**TWO, "notes.txt": "mine"}


def test_files_that_a_new_design_does_not_have_go(out):
    make(out, "one", "hls/second.cpp")
    make(out, "two")
    assert files(out) == TWO


def test_an_edit_stops_the_compilation_and_names_the_way_out(out):
    (out / "hls" / "top.cpp").write_text("edited")
    with pytest.raises(CompileError, match=r"'hls/top\.cpp' in '.*' changed after the compilation .*--force \(force=T"):
        make(out, "two")
    assert files(out) == {**TWO, MANIFEST: "one", CODE: "one", "hls/top.cpp": "edited"}
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_force_keeps_what_was_edited_beside_the_output(out):
    for number in ("", "-2"):
        (out / "hls" / "top.cpp").write_text(f"edited{number}")
        make(out, "two", force=True)
        assert files(out) == TWO
        assert files(out.with_name(f"out-replaced{number}")) == {"hls/top.cpp": f"edited{number}"}


def test_a_copied_output_is_still_ours(out, tmp_path):
    shutil.copytree(out, tmp_path / "copy", copy_function=shutil.copy)
    os.utime(tmp_path / "copy" / CODE, (0, 0))
    make(tmp_path / "copy", "two")
    assert files(tmp_path / "copy") == TWO


def test_a_file_that_became_a_link_is_an_edit(out):
    (out / CODE).unlink()
    (out / CODE).symlink_to("hls/top.cpp")
    with pytest.raises(CompileError, match=f"'{CODE}' in .* changed"):
        make(out, "two")


def test_reports_written_later_are_ours(out):
    write_file(out / "report.html", "one")
    make(out, "two")
    assert files(out) == TWO


def test_a_users_file_where_the_new_design_has_its_own(out):
    (out / "extra.txt").write_text("mine")
    with pytest.raises(CompileError, match=r"has files of its own for 'extra\.txt', which '.*' holds as yours\. Move"):
        make(out, "two", "extra.txt")
    assert files(out)["extra.txt"] == "mine"
    assert files(out)[CODE] == "one"
    make(out, "two", "extra.txt", force=True)
    assert files(out) == {**TWO, "extra.txt": "two"}
    assert files(out.with_name("out-replaced")) == {"extra.txt": "mine"}


def test_an_output_without_a_list_is_not_touched_unless_forced(out):
    (out / ownership.LIST).unlink()
    with pytest.raises(CompileError, match=r"has no list of its files \(files\.json\).*--force .* kept in '.*out-repl"):
        make(out, "two")
    (out / "notes.txt").write_text("mine")
    make(out, "two", force=True)
    assert files(out) == {**TWO, "notes.txt": "mine"}
    assert files(out.with_name("out-replaced")) == {CODE: "one", "hls/top.cpp": "one"}


def test_ir_alone_does_not_replace_a_complete_design(out):
    with pytest.raises(CompileError, match=r"complete design, which --stop-after linalg would replace.*-o.*--force"):
        make(out, "two", stop_after="linalg")
    assert files(out)[CODE] == "one"
    make(out, "two", stop_after="linalg", force=True)
    assert files(out) == {MANIFEST: "two"}
    make(out, "three", stop_after="tile")
    make(out, "two")
    assert files(out) == TWO


def test_a_link_to_an_output_stays_a_link(out, tmp_path):
    (tmp_path / "link").symlink_to("out")
    make(tmp_path / "link", "two")
    assert (tmp_path / "link").is_symlink()
    assert files(out) == TWO
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "out"]


def test_read_only_parts_of_an_output_leave_no_debris(out):
    (out / "hls").chmod(0o500)
    (out / CODE).chmod(0o400)
    make(out, "two")
    assert files(out) == TWO
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_a_file_that_appears_during_the_compilation_stays(out):
    with replacing(out) as work:
        (work / MANIFEST).write_text("two")
        (out / "late.xclbin").write_text("mine")
    assert files(out) == {MANIFEST: "two", "late.xclbin": "mine"}


def test_an_edit_during_the_compilation_is_kept(out):
    with pytest.raises(CompileError, match="changed after the compilation"), replacing(out) as work:
        (work / MANIFEST).write_text("two")
        (out / CODE).write_text("edited")
    assert files(out)[CODE] == "edited"


def test_compilations_at_the_same_time(out):
    (out / "notes.txt").write_text("mine")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: make(out, f"thread {number}"), range(40)))
    found = files(out)
    assert found.pop("notes.txt") == "mine"
    assert set(found) == set(TWO)
    assert len(set(found.values())) == 1
    check(out)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failure_changes_nothing_of_the_user(out, failure):
    (out / "notes.txt").write_text("mine")
    before = files(out)
    with pytest.raises(failure), replacing(out) as work:
        (work / MANIFEST).write_text("half")
        raise failure
    assert files(out) == before


def test_a_failed_exchange_leaves_no_second_copy(out, monkeypatch):
    from streamtensor import output

    (out / CODE).write_text("edited")
    monkeypatch.setattr(output, "_exchange", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    with pytest.raises(OSError, match="Input/output"):
        make(out, "two", force=True)
    assert files(out)[CODE] == "edited"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_the_command_line_stops_before_any_work(tmp_path, capsys):
    source, out = tmp_path / "good.mlir", tmp_path / "out"
    source.write_text(test_command_line.MATMUL)
    compile_program(source, None, Options(tile_size=4, compare=False), out)
    (out / "hls" / "top.xclbin").write_text("mine")
    source.write_text("not a program")
    command = ["compile", str(source), "-o", str(out)]
    assert cli.run([*command, "--stop-after", "linalg"]) == 1
    assert "holds a complete design, which --stop-after linalg would replace" in capsys.readouterr().err
    (out / "hls" / "Makefile").write_text("edited")
    assert cli.run(command) == 1
    assert "'hls/Makefile' in '" in capsys.readouterr().err
    source.write_text(test_command_line.MATMUL)
    assert cli.run([*command, "--tile-size", "4", "--no-compare", "--force"]) == 0
    assert (out / "hls" / "top.xclbin").read_text() == "mine"
    assert (tmp_path / "out-replaced" / "hls" / "Makefile").read_text() == "edited"
