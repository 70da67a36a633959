# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The subcommands of language models: generate and chat."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamtensor.errors import Error, RunError
from streamtensor.progress import Progress, for_stderr, quiet_libraries

if TYPE_CHECKING:
    from streamtensor.llm import LanguageModel
    from streamtensor.sampling import Sampling

Directory = Annotated[Path, typer.Argument(metavar="OUT", help="Output directory of `streamtensor compile`.")]
Temperature = Annotated[
    float, typer.Option(min=0.0, help="Draw tokens, their logits divided by this; 0: the likeliest.")
]
TopK = Annotated[int | None, typer.Option(min=1, help="Draw among this many of the likeliest tokens.")]
TopP = Annotated[float | None, typer.Option(help="Draw among the likeliest tokens that reach this probability.")]
Penalty = Annotated[float, typer.Option(help="Make tokens that the text already has less likely; 1: no.")]
Seed = Annotated[int, typer.Option(min=0, help="Of the draws: the same seed gives the same text.")]


def generate(
    directory: Directory,
    prompt: Annotated[list[str], typer.Option(help="The text to continue; several, one after another, if repeated.")],
    max_new_tokens: Annotated[int, typer.Option(min=1, help="How many tokens to add.")] = 8,
    check: Annotated[bool, typer.Option("--check", help="Compare with PyTorch at every layer and position.")] = False,
    temperature: Temperature = 0.0,
    top_k: TopK = None,
    top_p: TopP = None,
    repetition_penalty: Penalty = 1.0,
    seed: Seed = 0,
) -> None:
    """Continue texts with a compiled language model."""
    sampling = _sampling(temperature, top_k, top_p, repetition_penalty, seed)
    if check and temperature > 0:
        raise RunError("--check compares the likeliest tokens: leave --temperature out.")
    progress = for_stderr()
    try:
        llm = _load(directory, progress)
        for each in prompt:
            if check:
                _check_prompt(llm, each, max_new_tokens, progress)
            else:
                _stream(llm, each, max_new_tokens, sampling)
    finally:
        progress.close()


def _check_prompt(llm: LanguageModel, prompt: str, max_new_tokens: int, progress: Progress) -> None:
    from streamtensor.reference import check_generation

    print(prompt + check_generation(llm, prompt, max_new_tokens, progress).text)


def _stream(llm: LanguageModel, prompt: str, max_new_tokens: int, sampling: Sampling) -> None:
    """The text as it comes; the prompt only once it is known to be taken."""
    pieces = llm.stream(prompt, max_new_tokens, sampling)
    first = next(pieces, "")
    _show([prompt, first])
    _show(pieces)
    print()


def chat(
    directory: Directory,
    system: Annotated[str | None, typer.Option(help="What the model is told before the conversation.")] = None,
    max_new_tokens: Annotated[
        int | None, typer.Option(min=1, help="Longest answer; what the context holds without it.")
    ] = None,
    temperature: Temperature = 0.0,
    top_k: TopK = None,
    top_p: TopP = None,
    repetition_penalty: Penalty = 1.0,
    seed: Seed = 0,
) -> None:
    """Talk with a compiled language model: one message a line, until the end of the input."""
    sampling = _sampling(temperature, top_k, top_p, repetition_penalty, seed)
    progress = for_stderr()
    try:
        llm = _load(directory, progress)
    finally:
        progress.close()
    from streamtensor.chat import Chat

    conversation = Chat(llm, system, sampling)
    for message in _messages():
        try:
            _show(conversation.answer(message, max_new_tokens))
            print()
        except Error as error:
            if not sys.stdin.isatty():
                raise
            print(f"streamtensor: {error}", file=sys.stderr)


def _messages() -> Iterable[str]:
    while True:
        try:
            line = input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return
        if line.strip():
            yield line


def _sampling(temperature: float, top_k: int | None, top_p: float | None, penalty: float, seed: int) -> Sampling:
    quiet_libraries()
    from streamtensor.sampling import Sampling

    return Sampling(temperature, top_k, top_p, penalty, seed)


def _load(directory: Path, progress: Progress) -> LanguageModel:
    from streamtensor.llm_files import load_llm

    with progress.stage("load"):
        return load_llm(directory)


def _show(pieces: Iterable[str]) -> None:
    for piece in pieces:
        print(piece, end="", flush=True)
