# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The designs of which results are kept: hand-written leaves, reduced programs, PyTorch modules and language models.

Kernels of `benchmarks/kernels.py` are among them at their full size: what costs cycles there (a master that two wide
loads share, an order in which products wait for each other) costs none in small designs.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import harness
import linalg_corpus
import polybench
import streamtensor as st
from number_words import Words
from streamtensor import paths
from streamtensor.frontend import export_module, models
from streamtensor.options import Options

REGRESSIONS = Path(__file__).parents[1] / "regressions"
SIZE = ("--dataflow-attach-device=device=u55c", "--streamtensor-size-phase")
# Files of the C++ tests that hold no whole design, or run for minutes.
LEFT_OUT = ("many-iterations", "host-only", "drain", "nested-blocks", "burst-limit")
LEFT_OUT += ("line-buffers", "share-counted-loads", "share-interfaces-memory", "size-fifos-half")
FOLDERS = ("Target/HLSCpp", "Sim", "Sizing")
KERNELS = {
    "gemm": "gemm 199x211x227",
    "3mm": "3mm 180x190x200x210x220",
    "atax": "atax 390x410",
    "mvt": "mvt 400",
    "matvec": "matvec as sum 390x410",
    "attention": "attention 64x128, 8 heads",
}
# Cards with other ports, memories and proportions than that of the rest, and tiles and lanes to go with them.
OTHER_CARDS = {
    "zcu102": {"tile_size": 16, "unroll": 64},
    "kv260": {"tile_size": 4, "unroll": 256},
}


@dataclass(frozen=True)
class Golden:
    """A design by name; `build` gives its sized module in a directory. `scalars` are those of a second launch.

    With `sizings`, the other ways to size its FIFOs are kept too, with the runs and steps that a search takes.
    """

    name: str
    build: Callable[[Path], Path]
    scalars: tuple[str, ...] = ()
    whole_source: bool = False
    sizings: bool = False


def _leaves(source: Path) -> Callable[[Path], Path]:
    def build(directory: Path) -> Path:
        design = directory / "sized.mlir"
        harness.run_tool("streamtensor-opt", source, *SIZE, "-o", design).succeed(source.name)
        return design

    return build


def _program(source: Path) -> Callable[[Path], Path]:
    def build(directory: Path) -> Path:
        design = directory / "sized.mlir"
        harness.optimise(source, design, **harness.options_of(source)).succeed(source.name)
        return design

    return build


@functools.cache
def _exported(name: str) -> str:
    """For all cards."""
    return export_module(*linalg_corpus.make(name)).text


def _module(name: str, **options: object) -> Callable[[Path], Path]:
    def build(directory: Path) -> Path:
        source, design = directory / "program.mlir", directory / "sized.mlir"
        source.write_text(_exported(name))
        harness.optimise(source, design, **{"tile_size": 8, "unroll": 16, **options}).succeed(name)
        return design

    return build


def _kernel(name: str) -> Callable[[Path], Path]:
    def build(directory: Path) -> Path:
        kernel = polybench.KERNELS[name]
        source, design = directory / "program.mlir", directory / "sized.mlir"
        source.write_text(export_module(kernel.module(), kernel.inputs()).text)
        harness.optimise(source, design, unroll=512, padding=12).succeed(name)
        return design

    return build


def _language_model(config: Callable, part: str = ".", **choices) -> Callable[[Path], Path]:
    def build(directory: Path) -> Path:
        shape = config()
        shape.intermediate_size = 64  # whole groups of int4 weights
        model = models.random_causal_lm(shape)
        options = Options(tile_size=8, unroll=16, compare=False)
        st.compile_llm(model, Words(), 24, options=options, out=directory / "out", **choices)
        return directory / "out" / part / "ir/sized.mlir"

    return build


def _wide_model(config: Callable, masters: int | None = None, options: dict | None = None, **choices):
    """Two layers of a width at which weights of an engine come through many masters, on a card that may have fewer."""

    def build(directory: Path) -> Path:
        device = json.loads((paths.CHECKOUT / "devices/u55c.json").read_text())
        device["external_memory"]["masters"] = masters or device["external_memory"]["masters"]
        card = directory / "card.json"
        card.write_text(json.dumps(device))
        shape = config()
        shape.hidden_size, shape.intermediate_size, shape.n_embd, shape.n_inner = 512, 1024, 512, 1024
        chosen = Options(device=str(card), compare=False, **(options or {}))
        st.compile_llm(models.random_causal_lm(shape), Words(), 40, options=chosen, out=directory / "out", **choices)
        return directory / "out/ir/sized.mlir"

    return build


MODELS = {
    "gpt2-w4a8": (_language_model(models.tiny_gpt2_config, quantise="w4a8"), ("context=4",)),
    "llama-int8-cache": (
        _language_model(models.tiny_llama_config, quantise="w4a8-symmetric", cache="int8", tokens_per_pass=2),
        ("context=4", "tokens=1"),
    ),
    "gpt2-wide": (_wide_model(models.tiny_gpt2_config, quantise="w4a8", cache="int8"), ("context=4", "layers=1")),
    "llama-wide-16-masters": (_wide_model(models.tiny_llama_config, 16, quantise="w8a8"), ("layers=1",)),
    "gemma3-wide-24-masters": (
        _wide_model(models.tiny_gemma3_config, 24, quantise="w4a8-symmetric", tokens_per_pass=4),
        ("context=4", "tokens=1"),
    ),
    "gpt2-wide-float": (
        _wide_model(models.tiny_gpt2_config, options={"unroll": 512}, tokens_per_pass=4),
        ("tokens=3",),
    ),
    "qwen3-head": (_language_model(models.tiny_qwen3_config, "head", quantise="w4a8", head="device", candidates=1), ()),
}


def _small() -> Iterator[Golden]:
    tests = paths.CHECKOUT / "test"
    leaves = [path for folder in FOLDERS for path in sorted((tests / folder).glob("*.mlir"))]
    for path in leaves:
        if path.stem not in LEFT_OUT and not path.stem.endswith("-errors"):
            yield Golden(f"{path.parent.name}-{path.stem}".lower(), _leaves(path), whole_source=True, sizings=True)
    for path in sorted(REGRESSIONS.glob("*.mlir")):
        yield Golden(f"program-{path.stem}", _program(path), whole_source=True, sizings=True)


DESIGNS = {
    golden.name: golden
    for golden in (
        *_small(),
        *(Golden(f"module-{name}", _module(name), sizings=True) for name in linalg_corpus.NAMES),
        *(
            Golden(f"{card}-{name}", _module(name, device=card, **options))
            for card, options in OTHER_CARDS.items()
            for name in linalg_corpus.NAMES
        ),
        *(Golden(f"kernel-{name}", _kernel(kernel)) for name, kernel in KERNELS.items()),
        *(Golden(f"model-{name}", build, scalars) for name, (build, scalars) in MODELS.items()),
    )
}
