# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated code as Vitis sees it: compiled against AMD's interfaces, in synthesis and in C simulation, and linted.

The streams, blocks and vectors are those of native runs, which have AMD's signatures; vitis_headers/ has those of
half and of the mathematics.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hls.lint import lint
from hls_native import ROOT, compiler
from streamtensor.headers import ap_types_directory

SIMULATION = ("ST_VITIS",)
SYNTHESIS = ("ST_VITIS", "__SYNTHESIS__")
WAYS = (SIMULATION, SYNTHESIS)
# What generated code may include, and what the caller of a design includes.
OF_DESIGNS = ("hls_stream.h", "hls_streamofblocks.h", "hls_vector.h", "st_math.h", "st_tokens.h")
OF_HOSTS = ("st_native.h", "st_main.h", "st_native_device.h")


def command(*flags: object) -> list[str]:
    headers = [
        ROOT / "python/tests/vitis_headers",
        *(ROOT / "runtime" / part for part in ("native", "host", "include")),
    ]
    folders = [f"-I{folder}" for folder in (*headers, ap_types_directory())]
    # A program may compare a value with itself.
    quiet = ("-Wno-unknown-pragmas", "-Wno-tautological-compare")
    # In synthesis half is __fp16, which functions take and return.
    half = ("-Xclang", "-fnative-half-type", "-Xclang", "-fnative-half-arguments-and-returns")
    return [compiler(), "-std=c++17", *quiet, *half, *folders, *map(str, flags)]


@cache
def precompiled(defines: tuple[str, ...], headers: tuple[str, ...]) -> Path:
    """The open ap_int, which knows no synthesis and takes most of the time, before the macros; then the headers."""
    directory = Path(tempfile.mkdtemp(prefix="streamtensor-vitis-"))
    atexit.register(shutil.rmtree, directory)
    header, compiled = directory / "all.h", directory / "all.pch"
    lines = ["#define AP_INT_MAX_W 4096", '#include "ap_int.h"']
    lines += [*(f"#define {name} 1" for name in defines), *(f'#include "{h}"' for h in headers)]
    header.write_text("\n".join([*lines, ""]))
    flags = ("-fpch-instantiate-templates", "-x", "c++-header", header, "-o", compiled)
    subprocess.run(command(*flags), check=True)
    return compiled


def errors(paths: Sequence[Path], defines: tuple[str, ...], headers: tuple[str, ...] = ()) -> str:
    """What the compiler says of files, taken as one; `headers` are there before them, which is quick and hides what
    they fail to include."""
    *others, last = paths
    before = [word for path in others for word in ("-include", path)]
    flags = ("-fsyntax-only", "-include-pch", precompiled(defines, headers), *before, last)
    return subprocess.run(command(*flags), capture_output=True, text=True).stderr


def faults(emitted: Path) -> list[str]:
    """What Vitis would refuse of the C++ below an output directory: of designs in synthesis, of all in C simulation;
    then what the lint finds."""
    sources = sorted((emitted / "hls").glob("*.cpp"))
    designs = [path for path in sources if path.stem != "testbench" and not path.stem.endswith("_native")]
    found = [errors(sources, SIMULATION, OF_DESIGNS + OF_HOSTS)]
    if designs:  # a program that moves nothing has none
        found.append(errors(designs, SYNTHESIS, OF_DESIGNS))
    for path in sources:
        found += [f"{path.name}: {finding.rule}: {finding.message}" for finding in lint(path.read_text())]
    return [fault for fault in found if fault]
