# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes Linalg text of named examples: `python -m streamtensor.frontend tiny-llama -o tiny-llama.mlir`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamtensor.frontend.examples import export_example, names


def main(
    examples: Annotated[list[str] | None, typer.Argument(help="Names of examples; none for all.")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="FILE.mlir for one example, else a directory.")] = Path(
        "."
    ),
    num_tokens: Annotated[int | None, typer.Option(help="Tokens of a decoder layer.")] = None,
) -> None:
    chosen = examples or names()
    for name in chosen:
        if name not in names():
            raise typer.BadParameter(f"'{name}' is not one of {', '.join(names())}")
    for name in chosen:
        path = output if output.suffix == ".mlir" else output / f"{name}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        program = export_example(name, num_tokens)
        program.save(path)
        print(f"{path}: {len(program.arguments)} arguments, {len(program.text.splitlines())} lines")


if __name__ == "__main__":
    typer.run(main)
