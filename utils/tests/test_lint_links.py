# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lint of links finds files, headings and sources that are nowhere."""

import lint_links
import pytest

OTHER = "# Other page\n\n## What `x` is, and why\n\n```sh\n# no heading\n```\n"


@pytest.fixture
def tree(tmp_path):
    """A function from the text of one page of a rationale to the faults of a small tree with it."""

    def check(text: str) -> list[str]:
        files = {
            "docs/rationale/page.md": text,
            "docs/rationale/other.md": OTHER,
            "lib/Pass.cpp": "",
            "test/pass-errors.mlir": "",
        }
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return [fault.split(": ", 1)[1] for fault in lint_links.faults([tmp_path / name for name in files])]

    return check


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md) [b](other.md#what-x-is-and-why) [c](https://example.com/none) [d](#here)\n\n## Here\n",
        "`Pass.cpp`, `lib/Pass.cpp`, `pass-errors.mlir`, `pass*.mlir`; no sources are `schedule.json`, `a-PASS.mlir`\n",
    ],
)
def test_accepts_what_is_there(tree, text):
    assert tree(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a](none.md)", "the link 'none.md' leads nowhere"),
        ("[a](other.md#why)", "the link 'other.md#why' leads to no heading"),
        ("[a](other.md#no-heading)", "the link 'other.md#no-heading' leads to no heading"),
        ("[a](#there)\n\n## Here\n", "the link '#there' leads to no heading"),
        ("`Passes.cpp`", "no file is called 'Passes.cpp'"),
        ("`passes*.mlir`", "no file is called 'passes*.mlir'"),
    ],
)
def test_finds_what_is_nowhere(tree, text, fault):
    assert tree(text) == [fault]
