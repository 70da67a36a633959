# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds links of the documentation that lead to no file of the source tree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def broken_links(page: Path) -> list[str]:
    targets = _LINK.findall(page.read_text())
    local = [t for t in targets if not re.match(r"[a-z]+:", t)]
    return [f"{page}: the link '{target}' leads nowhere" for target in local if not (page.parent / target).exists()]


def main() -> int:
    pages = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()
    broken = [fault for page in pages for fault in broken_links(Path(page))]
    print("\n".join(broken) if broken else f"{len(pages)} pages: every link leads to a file")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
