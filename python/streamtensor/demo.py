# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demonstration: a pretrained model answers through generated hardware code.

SmolLM2-135M-Instruct continues a prompt twice: in PyTorch, and with every decoder layer computed by the design's HLS
C++, compiled natively, PyTorch's layers refusing to run: token by token, with a cache of keys and values.
`python -m streamtensor.demo` ends with 0 only if both continuations are equal and every logit and layer is close
enough.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from streamtensor.errors import Error
from streamtensor.options import Options
from streamtensor.progress import Progress, for_stderr, quiet_libraries

PROMPT = "The capital of France is"
NEW_TOKENS = 8
MAX_CONTEXT = 64
MAX_LOGIT_ERROR = 1e-3  # absolute, fp32
MAX_LAYER_ERROR = 1e-5  # of a layer's largest value


def main(
    output: Annotated[Path, typer.Option(help="Where the design and the report go.")] = Path("demo-out"),
    tile_size: Annotated[int, typer.Option(min=1, help="Default tile of every dimension.")] = 16,
    unroll: Annotated[int, typer.Option(min=1, help="Multiply-add lanes of the design.")] = 256,
) -> None:
    quiet_libraries()
    progress = for_stderr()
    try:
        passed = show(output, Options(tile_size=tile_size, unroll=unroll), progress)
    except Error as error:
        sys.exit(f"demo: {error}")
    finally:
        progress.close()
    raise typer.Exit(0 if passed else 1)


def show(output: Path, options: Options, progress: Progress) -> bool:
    """Compiles, generates, compares and simulates; prints what was found and says whether all of it holds."""
    from streamtensor.frontend.models import smollm2_path
    from streamtensor.llm_files import compile_llm
    from streamtensor.reference import check_generation

    llm = compile_llm(smollm2_path(), None, MAX_CONTEXT, options=options, out=output, progress=progress)
    check_generation(llm, PROMPT, NEW_TOKENS, progress, _tell(progress))
    run = json.loads((output / "run.json").read_text())
    report = llm.design.report()
    return print_result(run, json.loads(report.with_suffix(".json").read_text()), output)


def _tell(progress: Progress) -> Callable[[str], None]:
    """Prints the prompt and what the design adds to it, as it comes; a bar would be in its way."""
    told: list[str] = []

    def tell(piece: str) -> None:
        if not told:
            progress.close()
            print(PROMPT, end="")
        told.append(piece)
        print(piece, end="", flush=True)

    return tell


def print_result(run: dict, report: dict, output: Path) -> bool:
    positions = run["positions_compared"]
    milliseconds = report["seconds"] * 1e3
    checks = [
        ("tokens of PyTorch and of the design are equal", run["tokens_expected"] == run["tokens_generated"]),
        (f"tokens generated: {NEW_TOKENS}", len(run["tokens_generated"]) == NEW_TOKENS),
        (f"largest error of a logit at most {MAX_LOGIT_ERROR:g}", run["max_abs_error"] <= MAX_LOGIT_ERROR),
        (f"largest relative error of a layer at most {MAX_LAYER_ERROR:g}", run["max_layer_error"] <= MAX_LAYER_ERROR),
    ]
    print(f"\n\nprompt      {PROMPT}")
    print(f"PyTorch     {run['text_expected']!r}")
    print(f"design      {run['text_generated']!r}")
    print(f"logits      largest error {run['max_abs_error']:.3g} over {positions} positions")
    print(f"layers      largest relative error {run['max_layer_error']:.3g}")
    print(f"cycles      {report['cycles']} per token and layer, {milliseconds:.3f} ms at {report['clock_mhz']:g} MHz")
    print(f"natively    {run['seconds']:.1f} s for {positions} positions on this machine, every layer compared")
    print(f"lanes       {count_lanes(report['tasks'])} multiply-add lanes")
    print(f"compile     {report['compile_seconds']:.1f} s, and {report['compare_seconds']:.1f} s of comparison")
    print(f"memory      {peak_memory_gib():.1f} GiB at most")
    print(f"artefacts   {output}/ (hls/ for the code, report.html for the report)")
    print(f"next        {activation()}streamtensor generate {output} --prompt 'The sun is'")
    for name, holds in checks:
        print(f"{'pass' if holds else 'FAIL'}        {name}")
    return all(holds for _, holds in checks)


def activation() -> str:
    """What makes `streamtensor` a command of a new shell, where that is a virtual environment."""
    if sys.prefix == sys.base_prefix:
        return ""
    return f". {os.path.relpath(sys.prefix)}/bin/activate && "


def count_lanes(tasks: list[dict]) -> int:
    """Multiply-add lanes of the largest design, from the tasks of its report."""
    lanes: dict[str, int] = {}
    for task in tasks:
        lanes[task["design"]] = lanes.get(task["design"], 0) + task["multiply_add_lanes"]
    return max(lanes.values())


def peak_memory_gib() -> float:
    """The largest resident set of this process or of one that it ran."""
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(user).ru_maxrss for user in users) / 2**20


if __name__ == "__main__":
    typer.run(main)
