# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demonstration: a pretrained model, quantised, answers through generated hardware code.

SmolLM2-135M-Instruct with int4 weights and int8 activations continues a prompt: one launch of the design's HLS C++,
compiled natively, takes a pass through all decoder layers, PyTorch's refusing to run. The same design reads the prompt,
several tokens a pass, and then takes each new token, with a cache of keys and values that it updates itself. PyTorch
then computes every layer on what the design gave for the one before. Last, what the card is predicted to do.
`python -m streamtensor.demo` ends with 0 only if every layer is close enough and every token is PyTorch's choice.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamtensor.errors import Error
from streamtensor.options import Options
from streamtensor.progress import Progress, for_stderr, quiet_libraries

if TYPE_CHECKING:
    from streamtensor.prediction import Prediction

PROMPT = "The capital of France is"
NEW_TOKENS = 8
MAX_CONTEXT = 64
TOKENS_PER_PASS = 4
QUANTISE = "w4a8"
PREDICTED = (32, 32)  # tokens of prompt and new ones, as in the paper's table
# Ye and Chen, StreamTensor, MICRO 2025 (arXiv 2509.13694): W4A8 on a U55C at 250 MHz, on the board.
PAPER = "34.59 ms and 199.51 tokens/s on the same card and text lengths, for a larger model: GPT-2 medium, W4A8"


def main(
    output: Annotated[Path, typer.Option(help="Where the design and the report go.")] = Path("demo-out"),
    unroll: Annotated[
        int | None, typer.Option(min=1, help="Multiply-add lanes of the design; what the card holds without it.")
    ] = None,
) -> None:
    quiet_libraries()
    progress = for_stderr()
    try:
        passed = show(output, Options(unroll=unroll), progress)
    except Error as error:
        sys.exit(f"demo: {error}")
    finally:
        progress.close()
    raise typer.Exit(0 if passed else 1)


def show(output: Path, options: Options, progress: Progress) -> bool:
    """Compiles, generates, compares and simulates; prints what was found and says whether all of it holds."""
    from streamtensor.frontend.models import smollm2_path
    from streamtensor.llm_files import compile_llm
    from streamtensor.prediction import predict
    from streamtensor.reference import check_generation

    sizes = {"max_context": MAX_CONTEXT, "tokens_per_pass": TOKENS_PER_PASS, "quantise": QUANTISE}
    llm = compile_llm(smollm2_path(), None, options=options, out=output, progress=progress, **sizes)
    check_generation(llm, PROMPT, NEW_TOKENS, progress, _tell(progress))
    with progress.stage("predict"):
        prediction = predict(llm.design, *PREDICTED)
    run = json.loads((output / "run.json").read_text())
    report = json.loads(llm.design.report().with_suffix(".json").read_text())
    return print_result(run, report, prediction, output)


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


def print_result(run: dict, report: dict, prediction: Prediction, output: Path) -> bool:
    from streamtensor.reference import FOLLOWED_LAYER_ERROR

    checks = [
        ("each token is PyTorch's choice on the design's layers", run["tokens_expected"] == run["tokens_generated"]),
        (f"tokens generated: {NEW_TOKENS}", len(run["tokens_generated"]) == NEW_TOKENS),
        (f"layers at most {FOLLOWED_LAYER_ERROR:g} off", run["max_layer_error"] <= FOLLOWED_LAYER_ERROR),
        ("one launch a pass, for all layers", prediction.layers_on == "device" and prediction.launches_per_pass == 1),
    ]
    clock = f"{prediction.clock_mhz:g} MHz"
    print(f"\n\nprompt      {PROMPT}")
    print(f"design      {run['text_generated']!r}")
    print(f"PyTorch     {run['text_expected']!r}, on what the design's layers gave")
    print(
        f"layers      largest error {run['max_layer_error']:.2g} of a layer's largest value (int8 steps), logits",
        end="",
    )
    print(f" {run['max_abs_error']:.2g}, over {run['positions_compared']} positions")
    print(f"natively    {run['seconds']:.1f} s for {run['positions_compared']} positions on this machine")
    print(f"compile     {report['compile_seconds']:.1f} s, and {report['compare_seconds']:.1f} s of comparison")
    print(f"memory      {peak_memory_gib():.1f} GiB at most")
    print(f"lanes       {count_lanes(report['tasks'])} multiply-add lanes")
    print(
        f"predicted   on {prediction.card} at {clock}, {PREDICTED[0]} tokens of prompt and {PREDICTED[1]} new:", end=""
    )
    print(f" {prediction.ttft_ms:.2f} ms to the first token, {prediction.tokens_per_second:.1f} tokens/s")
    print("            (simulated, and estimated starts of kernels; embedding, head and sampling not counted)")
    print(f"paper       {PAPER}")
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
