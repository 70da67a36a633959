# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written by hand: between other operations, in FIFOs of other orders, lanes and types; right and wrong."""

from __future__ import annotations

import json
from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
from hand_written_kernels import COLUMNS, HELPER, ROWS, WIDTH, Kernel, program, write
from hls.lint import lint
from streamtensor.errors import CompileError, Error

TOLERANCE = 1e-5


def arguments() -> list[np.ndarray]:
    random = np.random.default_rng(harness.seed())
    return [random.uniform(-1, 1, shape).astype(np.float32) for shape in ((ROWS, COLUMNS), (COLUMNS, WIDTH))]


def interpreted(design: st.Design, directory: Path, inputs: list[np.ndarray]) -> np.ndarray:
    """What every phase gives, the last one's result; the phases agree, or the run fails."""
    for index, value in enumerate(inputs):
        np.save(directory / f"input{index}.npy", value)
    flags = [f"--input={directory}/input{index}.npy" for index in range(len(inputs))]
    phases = sorted((design.directory / "ir").glob("[01][0-9]-*.mlir"))[1:]
    harness.run_tool("streamtensor-run", *phases, *flags, f"--output-dir={directory}").succeed("phases")
    return np.load(directory / "result0.npy")


CASES = {
    "equal-orders": [Kernel(order="tiles", takes="vector<16xf32>", gives="vector<16xf32>")],
    "narrow-neighbours": [Kernel(order="tiles", takes="vector<4xf32>", gives="i128",
                                 body="for (int i = 0; i < 256; ++i)\n"
                                      "    y.write(st::cast_token<Given>(apply(x.read())));")],
    "converters": [Kernel(order="rows")],
    "by-columns": [Kernel(order="columns", takes="vector<4xf32>", gives="vector<4xf32>")],
    "packed-words": [Kernel(order="rows", takes="i256", gives="i512", nest=(64, 2),
                            guards=("", "(d0, d1) : (d1 - 1 == 0)"),
                            body="for (int i = 0; i < 64; ++i) {\n    ap_uint<512> both;\n"
                                 "    both.range(255, 0) = apply(x.read());\n"
                                 "    both.range(511, 256) = apply(x.read());\n    y.write(both);\n  }")],
    "scalars": [Kernel(takes="f32", gives="f32")],
    "whole-before": [Kernel(nest=(2, 128), guards=("(d0, d1) : (d0 == 0)", "(d0, d1) : (d0 - 1 == 0)"),
                            body="static Taken held[128];\n  for (int i = 0; i < 128; ++i)\n    held[i] = x.read();\n"
                                 "  for (int i = 0; i < 128; ++i)\n    y.write(apply(held[i]));")],
    "two-types": [Kernel(name="first", gives="i256"), Kernel(name="second", takes="i256", gives="vector<8xf32>")],
    "two-views": [Kernel(name="first", gives="i256"), Kernel(name="second")],
    "two-lanes": [Kernel(name="first", takes="vector<16xf32>", gives="vector<16xf32>"),
                  Kernel(name="second", takes="vector<2xf32>", gives="vector<2xf32>"),
                  Kernel(name="third", takes="i1024", gives="i1024")],
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_kernel_computes_what_its_reference_says(name: str, tmp_path: Path) -> None:
    kernels = CASES[name]
    design = st.compile(write(tmp_path, *kernels), out=tmp_path / "out")
    x, w = arguments()
    native = design(torch.from_numpy(x), torch.from_numpy(w)).numpy()
    np.testing.assert_array_equal(native, interpreted(design, tmp_path, [x, w]))
    value = np.exp(x.astype(np.float64))
    for _ in kernels:
        value = 3 * value + 1
    assert harness.relative_error(native.astype(np.float64), value @ w) <= TOLERANCE
    sources = list((tmp_path / "out" / "hls").glob("*.cpp"))
    assert sources
    for source in sources:
        assert lint(source.read_text()) == []
    tasks = {task["name"]: task for task in design.simulate().data["tasks"]}
    for kernel in kernels:
        assert tasks[kernel.name]["role"] == "extern"
        assert (tmp_path / "out" / "hls" / f"{kernel.name}.h").read_text() == kernel.header()
    assert (tmp_path / "out" / "hls" / "helper.h").read_text() == HELPER


def lower(directory: Path, kernel: Kernel) -> Path:
    """The sized design, the phases beside it."""
    directory.mkdir()
    harness.optimise(write(directory, kernel), directory / "design.mlir", dump_dir=directory).succeed()
    return directory / "design.mlir"


def test_equal_orders_need_no_converter(tmp_path: Path) -> None:
    lower(tmp_path / "tiles", Kernel(order="tiles"))
    lower(tmp_path / "rows", Kernel(order="rows"))
    tiles, rows = (harness.phase_text(tmp_path / order, "fuse") for order in ("tiles", "rows"))
    assert tiles.count("itensor.converter") < rows.count("itensor.converter")
    assert "itensor.converter" not in tiles[tiles.index("math.exp") : tiles.index("extern_task")]


def test_resources_and_interval_are_counted(tmp_path: Path) -> None:
    def simulated(attributes: str, name: str) -> dict:
        design = lower(tmp_path / name, Kernel(attributes=attributes))
        return json.loads(harness.simulate(design).succeed().stdout)

    small = simulated("ii 1 delay 9 resources {dsp = 5}", "small")
    large = simulated("ii 7 delay 9 resources {dsp = 105}", "large")
    assert large["resources"]["dsp"]["used"] - small["resources"]["dsp"]["used"] == 100
    assert large["cycles"] >= 7 * 128 > small["cycles"] / 2
    huge = tmp_path / "huge"
    huge.mkdir()
    with pytest.raises(Error, match=r"DSP|dsp"):
        st.compile(write(huge, Kernel(attributes="ii 1 delay 9 resources {dsp = 100000}")), out=huge / "out")


WRONG = {
    "another value": (
        Kernel(body="for (int i = 0; i < 128; ++i) {\n    Given token = apply(x.read());\n"
                    "    token[3] += i == 77;\n    y.write(token);\n  }"),
        r"@affine and the references differ on random data of seed 0: .*element \[",
    ),
    "takes too much": (
        Kernel(body="while (true)\n    y.write(apply(x.read()));"),
        r"@affine went wrong in a native run: .* read while empty",
    ),
    "takes too little": (
        Kernel(body="for (int i = 0; i < 100; ++i)\n    y.write(apply(x.read()));\n"
                    "  for (int i = 0; i < 28; ++i)\n    y.write(Given());"),
        r"@affine went wrong in a native run: .* still holds 28 tokens",
    ),
    "no C++": (Kernel(body="y.write(x);"), r"@affine: the C\+\+ compiler refused .*affine\.h:\d+"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_kernel_is_reported(name: str, tmp_path: Path) -> None:
    kernel, reason = WRONG[name]
    with pytest.raises(CompileError, match=reason):
        st.compile(write(tmp_path, kernel), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_function_with_other_parameters_is_reported(tmp_path: Path) -> None:
    source = write(tmp_path, Kernel())
    (tmp_path / "affine.h").write_text('#include "hls_stream.h"\ninline void affine(hls::stream<float> &x) {}\n')
    with pytest.raises(CompileError, match=r"@affine: the C\+\+ compiler refused .*affine|accelerator"):
        st.compile(source, out=tmp_path / "out")


def test_a_kernel_that_looks_ahead_is_reported(tmp_path: Path) -> None:
    """It computes the right thing, but where its FIFOs are sized for one token in flight it would wait for ever."""
    body = (
        "Taken before = x.read();\n  for (int i = 1; i < 128; ++i) {\n    Taken next = x.read();\n"
        "    y.write(apply(before));\n    before = next;\n  }\n  y.write(apply(before));"
    )
    with pytest.raises(CompileError, match=r"kernel 'affine' gives token 0 of .* after it took token 1 of"):
        st.compile(write(tmp_path, Kernel(body=body)), out=tmp_path / "out")


def test_a_kernel_that_never_ends_is_stopped(tmp_path: Path) -> None:
    endless = Kernel(body="for (volatile int i = 0; i >= 0; i = 1)\n    ;")
    with pytest.raises(Error, match="did not end within"):
        st.compile(write(tmp_path, endless), options=st.Options(time_limit=10.0), out=tmp_path / "out")


def test_a_missing_header_is_reported(tmp_path: Path) -> None:
    source = write(tmp_path, Kernel())
    (tmp_path / "affine.h").unlink()
    with pytest.raises(CompileError, match=r"there is no file '.*affine\.h' with the kernel @affine"):
        st.compile(source, out=tmp_path / "out")


def test_headers_that_would_not_be_copied_are_refused(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    source = write(inner, Kernel())
    (tmp_path / "outside.h").write_text("")
    text = (inner / "affine.h").read_text()
    (inner / "parts").mkdir()
    for outside in ("../outside.h", "parts/../../outside.h"):
        (inner / "affine.h").write_text(f'#include "{outside}"\n' + text)
        with pytest.raises(CompileError, match=f'includes "{outside}", which lies outside of the header\'s folder'):
            st.compile(source, out=tmp_path / "out")
    (inner / "affine.h").write_text('#include "parts/affine.h"\n' + text)
    (inner / "parts" / "affine.h").write_text("")
    st.compile(source, out=tmp_path / "out")
    assert (tmp_path / "out" / "hls" / "parts" / "affine.h").exists()
    kernels = program(Kernel(), Kernel(name="other"))
    source.write_text(kernels.replace('source "other.h"', 'source "parts/affine.h"'))
    with pytest.raises(CompileError, match=r"two files would be hls/affine.h; rename"):
        st.compile(source, out=tmp_path / "out")
