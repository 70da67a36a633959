# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m golden`: writes the results anew, of all designs or of those named."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from golden.designs import DESIGNS
from golden.record import RESULTS, record


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in DESIGNS]
    if unknown:
        sys.exit(f"no such design: {', '.join(unknown)}; there are {', '.join(DESIGNS)}")
    texts = {}
    for name in names or DESIGNS:
        with tempfile.TemporaryDirectory() as directory:
            texts |= record(DESIGNS[name], Path(directory))
    if not names:
        for path in RESULTS.iterdir():
            path.unlink()
    RESULTS.mkdir(exist_ok=True)
    for name, text in texts.items():
        (RESULTS / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
