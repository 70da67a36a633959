# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command and program that the documentation shows works."""

import subprocess

import pytest
from run_documentation import ROOT, Block, DocumentationError, blocks_of, command_of, run_page, targets_of_ci


def _pages() -> list[str]:
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in tracked.stdout.split() if blocks_of((ROOT / name).read_text())]


@pytest.mark.parametrize("page", _pages())
def test_every_block_of_the_page_runs(page):
    assert run_page(ROOT / page) > 0


def test_finds_the_blocks_that_run():
    page = "text\n\n```sh\nls\n```\n\n```\nnot run\n```\n\n```python\nprint(1)\n```\n"
    assert blocks_of(page) == [Block("sh", "ls\n", 3), Block("python", "print(1)\n", 11)]


def test_a_failing_command_is_reported_with_its_line(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```sh\ntrue\nfalse\n```\n")
    with pytest.raises(DocumentationError, match=r"page\.md:3: this block ends with 1"):
        run_page(page)


def test_later_blocks_see_what_earlier_ones_wrote(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\necho hello >greeting\ntest -f README.md\n```\n```python\nassert open('greeting').read()\n```\n"
    )
    assert run_page(page) == 2
    assert not (ROOT / "greeting").exists()


def test_make_targets_must_be_reached_by_continuous_integration():
    with pytest.raises(DocumentationError, match=r"'make clean' is a command that \.ci/run never"):
        command_of(Block("sh", "make clean\n", 1), targets_of_ci())
    assert {"test", "lint", "check-cpp", "check-python", "build"} <= targets_of_ci()


def test_commands_run_in_a_new_shell_until_the_page_activates_the_environment(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\nstreamtensor --version\n```\n")
    with pytest.raises(DocumentationError, match="streamtensor: command not found"):
        run_page(page)
    page.write_text("```sh\n. .venv/bin/activate\n```\n```sh\nstreamtensor --version\n```\n")
    assert run_page(page) == 2


def test_the_readme_shows_every_way_in():
    shown = "".join(block.text for block in blocks_of((ROOT / "README.md").read_text()))
    for command in ("doctor", "devices", "compile", "run", "simulate", "report", "generate"):
        assert f"streamtensor {command}" in shown
    assert "st.compile(" in shown
    assert "st.compile_llm(" in shown
