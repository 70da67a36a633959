# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saves tiny language models of twelve families and takes each through `compile` and `generate --check`.

equal    the design continues the prompt as PyTorch does, and every layer's output is within 1e-4 of its largest value
refused  compile ends with 1 and one paragraph that names the model, and leaves nothing behind
wrong    the tokens or the layers differ
crashed  anything else

`--check` ends with 1 if one is wrong or crashed, or one of the required families is not equal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpus.model_directories import CONFIGS, save

EQUAL, REFUSED, WRONG, CRASHED = "equal", "refused", "wrong", "crashed"
REQUIRED = ("llama", "gpt2", "qwen2", "qwen3", "gemma3", "phi3", "mistral")
PROMPT, NEW_TOKENS, MAX_CONTEXT = "the cat sat on the mat and the dog", 8, 16
LAYER_TOLERANCE = 1e-4
TIME_LIMIT = 600


@dataclass(frozen=True)
class Ending:
    """How one family ended; `layer_error` relative to the largest value of that layer's output in PyTorch."""

    name: str
    verdict: str
    seconds: float
    layer_error: float | None = None
    reason: str = ""


def streamtensor(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "streamtensor", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)


def examine(name: str, work: Path) -> Ending:
    source, out = save(name, work / name), work / f"{name}-out"
    start = time.monotonic()
    compiled = streamtensor("compile", source, "-o", out, "--max-context", str(MAX_CONTEXT))
    if compiled.returncode != 0:
        verdict = REFUSED if _is_refusal(compiled, out) else CRASHED
        return Ending(name, verdict, time.monotonic() - start, None, compiled.stderr)
    ran = streamtensor("generate", out, "--prompt", PROMPT, "--max-new-tokens", str(NEW_TOKENS), "--check")
    seconds = time.monotonic() - start
    if not (out / "run.json").exists():
        return Ending(name, CRASHED, seconds, None, ran.stderr)
    error = json.loads((out / "run.json").read_text())["max_layer_error"]
    is_equal = ran.returncode == 0 and error <= LAYER_TOLERANCE
    return Ending(name, EQUAL if is_equal else WRONG, seconds, error, "" if is_equal else ran.stderr)


def _is_refusal(compiled: subprocess.CompletedProcess[str], out: Path) -> bool:
    message = [line for line in compiled.stderr.splitlines() if "ForCausalLM" in line]
    return compiled.returncode == 1 and "Traceback" not in compiled.stderr and len(message) == 1 and not out.exists()


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(CONFIGS), help="families; none for all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--check", action="store_true", help="fail as described above")
    arguments = parser.parse_args(words)
    endings = []
    with tempfile.TemporaryDirectory() as work:
        for name in arguments.names:
            endings.append(examine(name, Path(work)))
            if not arguments.json:
                print(_row(endings[-1]), flush=True)
    if arguments.json:
        print(json.dumps([asdict(ending) for ending in endings], indent=1))
    return int(arguments.check and not all(map(_is_good, endings)))


def _is_good(ending: Ending) -> bool:
    return ending.verdict == EQUAL or (ending.verdict == REFUSED and ending.name not in REQUIRED)


def _row(ending: Ending) -> str:
    error = "" if ending.layer_error is None else f"{ending.layer_error:.1e}"
    lines = ending.reason.strip().splitlines()
    return f"{ending.name:10} {ending.verdict:8} {ending.seconds:6.1f} s  {error:8} {lines[-1] if lines else ''}"


if __name__ == "__main__":
    sys.exit(main())
