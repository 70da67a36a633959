# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoder layers that the benchmarks measure, exported once."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from streamtensor import paths

NAMES = ("gpt2-medium", "qwen2.5-0.5b", "llama-3.2-1b", "gemma-3-1b")
NUM_TOKENS = 128
ROOT = Path(__file__).resolve().parent.parent


def export(name: str, path: Path, num_tokens: int = NUM_TOKENS) -> None:
    """Writes the Linalg of one layer with random weights; the weights are arguments of the program."""
    command = [sys.executable, "-m", "streamtensor.frontend", name, "-o", path, "--num-tokens", str(num_tokens)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def run_pipeline(source: Path, **options: object) -> str:
    """What `streamtensor-opt` prints after the phases that `options` select."""
    chosen = {"device": ROOT / "devices" / "u55c.json", **options}
    text = " ".join(f"{key.replace('_', '-')}={value}" for key, value in chosen.items())
    return run_tool("streamtensor-opt", source, f"--streamtensor-pipeline={text}")


def run_tool(name: str, *arguments: object) -> str:
    """What one of the C++ tools prints; ends the program if it fails."""
    done = subprocess.run([paths.find_tool(name), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name} {' '.join(map(str, arguments))} failed:\n{done.stderr}")
    return done.stdout


def random_causal_lm(config, vocabulary: int):
    """A model of `config` with random weights and so many words; the first of them stands for all special ones."""
    from streamtensor.frontend import models

    config.vocab_size = vocabulary
    for token in ("bos_token_id", "eos_token_id", "pad_token_id"):
        setattr(config, token, 0)
    return models.random_causal_lm(config)


def check_names(
    parser: argparse.ArgumentParser, asked: Iterable[str], known: Iterable[str], kind: str = "model"
) -> None:
    unknown = [name for name in asked if name not in known]
    if unknown:
        parser.error(f"there is no {kind} {', '.join(unknown)}: known are {', '.join(known)}")
