# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page in a headless Chromium without a network: what stands there once its scripts have run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

_SECONDS = 60
_VIRTUAL_MILLISECONDS = 3000
_VOID = frozenset(("meta", "input", "br", "img", "link", "hr", "col"))
_OPTIONS = (
    "--headless",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-logging=stderr",
    f"--virtual-time-budget={_VIRTUAL_MILLISECONDS}",
    "--dump-dom",
)


@dataclass
class Element:
    """`own` is the text directly in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """All of a tag in it with these attributes; `data_x` and `class_` stand for data-x and class."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [e for e in self.walk() if e.tag == tag and wanted.items() <= e.attributes.items()]

    def one(self, tag: str, **attributes: str) -> Element:
        (found,) = self.find(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        return " ".join(" ".join("".join(e.own) for e in self.walk()).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].own.append(data)


@dataclass(frozen=True)
class Page:
    root: Element
    messages: list[str]  # of the console


def open_page(path: Path, scratch: Path, fragment: str = "") -> Page:
    """The page at `path` with `fragment` behind the `#` of its address; the browser's files go to `scratch`."""
    program = shutil.which("chromium")
    if program is None:
        pytest.fail("The tests of pages need a browser: install it with `apt-get install chromium`.")
    command = [program, *_OPTIONS, f"--user-data-dir={scratch}", f"{path.as_uri()}#{fragment}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    assert done.returncode == 0, done.stderr
    reader = _Reader()
    reader.feed(done.stdout)
    return Page(reader.open[0], re.findall(r"CONSOLE.*", done.stderr))
