# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How every benchmark prints: lines for people as they come or, with `--json`, one JSON object at the end."""

from __future__ import annotations

import argparse
import json


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


class Results:
    """The rows of a benchmark."""

    def __init__(self, as_json: bool):
        self._as_json = as_json
        self.rows: list[dict] = []

    def line(self, text: str) -> None:
        """A heading, or what only people read."""
        if not self._as_json:
            print(text, flush=True)

    def add(self, text: str, **row: object) -> None:
        """A row: `text` for people, the figures by name for programs."""
        self.rows.append(row)
        self.line(text)

    def end(self, **facts: object) -> None:
        if self._as_json:
            print(json.dumps({**facts, "rows": self.rows}, indent=1))
