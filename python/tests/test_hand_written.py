# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written by hand: between other operations, in FIFOs of other orders, lanes and types; right and wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import harness
import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor import hls_lint
from streamtensor.errors import CompileError, Error
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor

ROWS, COLUMNS, WIDTH = 16, 64, 48
TOLERANCE = 1e-5

#: In which order a kernel takes or gives a tensor of ROWS x COLUMNS.
ORDERS = {
    "tiles": "!itensor.itensor<16x16xf32, iter_space: [4] * [16], iter_map: (d0) -> (0, d0)>",
    "rows": f"!itensor.itensor<1x{COLUMNS}xf32, iter_space: [{ROWS}] * [1], iter_map: (d0) -> (d0, 0)>",
    "columns": f"!itensor.itensor<{ROWS}x1xf32, iter_space: [{COLUMNS}] * [1], iter_map: (d0) -> (0, d0)>",
}


@dataclass
class Kernel:
    """A kernel that computes 3x + 1 element by element; `body` is its C++, by default a right one."""

    name: str = "affine"
    order: str = "rows"
    takes: str = "vector<8xf32>"
    gives: str = "vector<8xf32>"
    nest: tuple[int, ...] = ()
    guards: tuple[str, str] = ("", "")
    body: str = ""
    attributes: str = "ii 1 delay 9 resources {dsp = 40, lut = 2000, ff = 3000}"
    tokens: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = (ROWS * COLUMNS // lanes(self.takes), ROWS * COLUMNS // lanes(self.gives))

    def declaration(self) -> str:
        order = ORDERS[self.order]
        nest = ", ".join(map(str, self.nest or (self.tokens[0],)))
        takes, gives = (f"when affine_set<{guard}> " if guard else "" for guard in self.guards)
        return f"""
dataflow.extern @{self.name} source "{self.name}.h" nest [{nest}] {self.attributes}
    takes ["x" {takes}: {order} as !dataflow.stream<{self.takes}>]
    gives ["y" {gives}: {order} as !dataflow.stream<{self.gives}>] {{
^bb0(%x: tensor<{ROWS}x{COLUMNS}xf32>):
  %three = arith.constant 3.0 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<{ROWS}x{COLUMNS}xf32>
  %y = linalg.map ins(%x : tensor<{ROWS}x{COLUMNS}xf32>) outs(%empty : tensor<{ROWS}x{COLUMNS}xf32>)
      (%a: f32, %o: f32) {{
    %m = arith.mulf %a, %three : f32
    %s = arith.addf %m, %one : f32
    linalg.yield %s : f32
  }}
  dataflow.yield %y : tensor<{ROWS}x{COLUMNS}xf32>
}}
"""

    def words(self) -> str:
        """Packed words cost seconds of compilation."""
        packed = "i" in (self.takes[0], self.gives[0])
        return '#define HAS_WORDS\n#include "ap_int.h"\n#include "st_tokens.h"\n' if packed else ""

    def header(self) -> str:
        token = "apply(x.read())" if self.takes == self.gives else "st::cast_token<Given>(apply(x.read()))"
        body = self.body or f"for (int i = 0; i < {self.tokens[0]}; ++i)\n    y.write({token});"
        return f"""#pragma once
{self.words()}#include "hls_stream.h"
#include "hls_vector.h"
#include "helper.h"

namespace {self.name}_parts {{
using Taken = {cpp_type(self.takes)};
using Given = {cpp_type(self.gives)};
inline float apply(float x) {{ return times_three(x) + 1.0f; }}
template <std::size_t lanes> hls::vector<float, lanes> apply(hls::vector<float, lanes> token) {{
  for (std::size_t lane = 0; lane < lanes; ++lane)
    token[lane] = apply(token[lane]);
  return token;
}}
#ifdef HAS_WORDS
template <int width> ap_uint<width> apply(ap_uint<width> word) {{
  for (int low = 0; low < width; low += 32) {{
    union {{ unsigned bits; float value; }} lane;
    lane.bits = word.range(low + 31, low).to_uint();
    lane.value = apply(lane.value);
    word.range(low + 31, low) = lane.bits;
  }}
  return word;
}}
#endif
}} // namespace {self.name}_parts

inline void {self.name}(hls::stream<{self.name}_parts::Taken> &x, hls::stream<{self.name}_parts::Given> &y) {{
  using namespace {self.name}_parts;
  {body}
}}
"""


HELPER = "#pragma once\ninline float times_three(float x) { return 3.0f * x; }\n"


def lanes(token: str) -> int:
    return int(token.removeprefix("vector<").partition("x")[0]) if token.startswith("vector") else bits(token) // 32


def bits(token: str) -> int:
    return int(token[1:])


def cpp_type(token: str) -> str:
    if token.startswith("vector"):
        return f"hls::vector<float, {lanes(token)}>"
    return "float" if token == "f32" else f"ap_uint<{bits(token)}>"


def program(*kernels: Kernel) -> str:
    """exp, then the kernels one after the other, then a matrix product."""
    tensor = f"tensor<{ROWS}x{COLUMNS}xf32>"
    calls = "".join(
        f"  %{i + 1} = dataflow.extern_task @{kernel.name}(%{i}) : ({tensor}) -> {tensor}\n"
        for i, kernel in enumerate(kernels)
    )
    result = f"tensor<{ROWS}x{WIDTH}xf32>"
    return (
        "".join(kernel.declaration() for kernel in kernels)
        + f"""
func.func @main(%x: {tensor}, %w: tensor<{COLUMNS}x{WIDTH}xf32>) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {tensor}
  %0 = linalg.exp ins(%x : {tensor}) outs(%empty : {tensor}) -> {tensor}
{calls}  %out = tensor.empty() : {result}
  %init = linalg.fill ins(%zero : f32) outs(%out : {result}) -> {result}
  %r = linalg.matmul ins(%{len(kernels)}, %w : {tensor}, tensor<{COLUMNS}x{WIDTH}xf32>)
      outs(%init : {result}) -> {result}
  return %r : {result}
}}
"""
    )


def write(directory: Path, *kernels: Kernel) -> Path:
    (directory / "helper.h").write_text(HELPER)
    for kernel in kernels:
        (directory / f"{kernel.name}.h").write_text(kernel.header())
    source = directory / "program.mlir"
    source.write_text(program(*kernels))
    return source


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
    for source in (tmp_path / "out" / "hls").glob("*.cpp"):
        assert hls_lint.lint(source.read_text()) == []
    tasks = {task["name"]: task for task in design.simulate().data["tasks"]}
    for kernel in kernels:
        assert tasks[kernel.name]["role"] == "extern"
        assert (tmp_path / "out" / "hls" / f"{kernel.name}.h").read_text() == kernel.header()
    assert (tmp_path / "out" / "hls" / "helper.h").read_text() == HELPER


def converters(directory: Path) -> int:
    return (directory / "ir" / "05-fuse.mlir").read_text().count("itensor.converter")


def test_equal_orders_need_no_converter(tmp_path: Path) -> None:
    counts = {}
    for order in ("tiles", "rows"):
        directory = tmp_path / order
        directory.mkdir()
        st.compile(write(directory, Kernel(order=order)), out=directory / "out")
        counts[order] = converters(directory / "out")
    assert counts["tiles"] < counts["rows"]
    assert "itensor.converter" not in between(tmp_path / "tiles" / "out")


def between(directory: Path) -> str:
    """The operations that lead from exp to the kernel."""
    text = (directory / "ir" / "05-fuse.mlir").read_text()
    return text[text.index("math.exp") : text.index("extern_task")]


def test_resources_and_interval_are_counted(tmp_path: Path) -> None:
    def simulated(attributes: str, name: str) -> dict:
        directory = tmp_path / name
        directory.mkdir()
        st.compile(write(directory, Kernel(attributes=attributes)), out=directory / "out")
        return json.loads((directory / "out" / "simulation.json").read_text())

    small = simulated("ii 1 delay 9 resources {dsp = 5}", "small")
    large = simulated("ii 7 delay 9 resources {dsp = 105}", "large")
    assert large["resources"]["dsp"]["used"] - small["resources"]["dsp"]["used"] == 100
    assert large["cycles"] >= 7 * 128 > small["cycles"] / 2
    with pytest.raises(Error, match=r"DSP|dsp"):
        simulated("ii 1 delay 9 resources {dsp = 100000}", "huge")


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
        st.compile(write(tmp_path, endless), options=st.Options(time_limit=20.0), out=tmp_path / "out")


def test_a_missing_header_is_reported(tmp_path: Path) -> None:
    source = write(tmp_path, Kernel())
    (tmp_path / "affine.h").unlink()
    with pytest.raises(CompileError, match=r"there is no file '.*affine\.h' with the kernel @affine"):
        st.compile(source, out=tmp_path / "out")


def random_order(random: np.random.Generator, rows: int, columns: int, revisits: bool) -> tuple[str, int, int]:
    """An itensor type over rows x columns of f32, the tokens it has, and the elements in a row of a tile."""
    tile = [int(random.choice([d for d in (1, 2, 3, 4, 6, 8, 12) if extent % d == 0])) for extent in (rows, columns)]
    loops = [(rows // tile[0], tile[0], 0), (columns // tile[1], tile[1], 1)]
    random.shuffle(loops)
    if revisits:
        loops.insert(int(random.integers(0, 2)), (int(random.integers(2, 4)), 1, None))
    trips, steps, dims = zip(*loops, strict=True)
    places = ["0", "0"]
    for loop, dim in enumerate(dims):
        if dim is not None:
            places[dim] = f"d{loop}"
    names = ", ".join(f"d{loop}" for loop in range(len(loops)))
    text = (
        f"!itensor.itensor<{tile[0]}x{tile[1]}xf32, iter_space: [{', '.join(map(str, trips))}] * "
        f"[{', '.join(map(str, steps))}], iter_map: ({names}) -> ({places[0]}, {places[1]})>"
    )
    return text, int(np.prod(trips)), tile[1] if tile[1] > 1 else tile[0]


def random_port(random: np.random.Generator, rows: int, columns: int, revisits: bool) -> tuple[str, int]:
    """A port's order and token, and the tokens that it moves."""
    order, tiles, row = random_order(random, rows, columns, revisits)
    count = int(random.choice([lane for lane in range(1, row + 1) if row % lane == 0]))
    lane_token = "f32" if count == 1 else f"vector<{count}xf32>"
    token = str(random.choice([lane_token, f"i{32 * count}"]))
    shape = order.partition("<")[2].partition("xf32")[0].split("x")
    return f"{order} as !dataflow.stream<{token}>", tiles * int(shape[0]) * int(shape[1]) // count


def random_program(random: np.random.Generator) -> str:
    """exp, then a kernel that takes everything before it gives something, then negation."""
    rows, columns = (int(random.choice([4, 6, 12, 24])) for _ in range(2))
    takes, gives = (random_port(random, rows, columns, bool(revisits)) for revisits in (random.integers(2), 0))
    tensor = f"tensor<{rows}x{columns}xf32>"
    return f"""
dataflow.extern @kernel source "kernel.h" nest [{takes[1] + gives[1]}] ii {random.integers(1, 4)} delay 5
    takes ["x" when affine_set<(d0) : ({takes[1] - 1} - d0 >= 0)> : {takes[0]}]
    gives ["y" when affine_set<(d0) : (d0 - {takes[1]} >= 0)> : {gives[0]}] {{
^bb0(%x: {tensor}):
  %y = arith.addf %x, %x : {tensor}
  dataflow.yield %y : {tensor}
}}
func.func @main(%x: {tensor}) -> {tensor} {{
  %empty = tensor.empty() : {tensor}
  %e = linalg.exp ins(%x : {tensor}) outs(%empty : {tensor}) -> {tensor}
  %y = dataflow.extern_task @kernel(%e) : ({tensor}) -> {tensor}
  %n = linalg.negf ins(%y : {tensor}) outs(%empty : {tensor}) -> {tensor}
  return %n : {tensor}
}}
"""


PROGRAMS = 25


def test_random_ports_agree_on_every_level(tmp_path: Path) -> None:
    """Orders, revisits, lanes and packed words at random; the levels agree, and depths let the design end."""
    print("seed", harness.seed())
    random = np.random.default_rng(harness.seed())
    for number in range(PROGRAMS):
        directory = tmp_path / str(number)
        directory.mkdir()
        source = directory / "program.mlir"
        (directory / "kernel.h").write_text("")  # Only the declaration counts here.
        source.write_text(random_program(random))
        design = directory / "design.mlir"
        harness.optimise(source, design, dump_dir=directory, tile_size=int(random.choice([2, 4, 8]))).succeed(source)
        phases = sorted(directory.glob("[01][0-9]-*.mlir"))
        outcome = harness.run_tool("streamtensor-run", *phases, f"--output-dir={directory}").succeed(str(source))
        assert "differs" not in outcome.stdout
        x = np.load(directory / "arg0.npy").astype(np.float64)
        assert harness.relative_error(np.load(directory / "result0.npy").astype(np.float64), -2 * np.exp(x)) < TOLERANCE
        harness.simulate(design).succeed(str(source))


RESIDUAL = """
func.func @main(%x: {tensor}) -> {tensor} {{
  %empty = tensor.empty() : {tensor}
  %e = linalg.exp ins(%x : {tensor}) outs(%empty : {tensor}) -> {tensor}
  %y = dataflow.extern_task @affine(%e) : ({tensor}) -> {tensor}
  %r = linalg.add ins(%y, %e : {tensor}, {tensor}) outs(%empty : {tensor}) -> {tensor}
  return %r : {tensor}
}}
"""


def deepest_fifo(directory: Path, kernel: Kernel) -> tuple[int, str]:
    """Tokens in the deepest FIFO of a residual connection around `kernel`, and what the sizing says of two slots."""
    directory.mkdir()
    source, design = directory / "program.mlir", directory / "design.mlir"
    (directory / "affine.h").write_text("")
    source.write_text(kernel.declaration() + RESIDUAL.format(tensor=f"tensor<{ROWS}x{COLUMNS}xf32>"))
    harness.optimise(source, design).succeed()
    harness.run_tool("streamtensor-run", design).succeed()
    shallow = directory / "shallow.mlir"
    refusal = harness.optimise(source, shallow, force_depth=2).stderr
    fifos = json.loads(harness.simulate(design).succeed().stdout)["fifos"]
    return max(fifo["depth"] for fifo in fifos), refusal


def test_depths_follow_the_declared_nest(tmp_path: Path) -> None:
    """What goes around a kernel waits in a FIFO for as long as the kernel's nest says."""
    streaming = deepest_fifo(tmp_path / "streaming", Kernel(attributes="ii 1 delay 40", order="tiles"))
    guards = ("(d0, d1) : (d0 == 0)", "(d0, d1) : (d0 - 1 == 0)")
    whole = deepest_fifo(tmp_path / "whole", Kernel(nest=(2, 128), guards=guards, order="tiles"))
    assert streaming[0] < 60 < 120 <= whole[0]
    assert streaming[1] == ""
    assert "deadlocks at these FIFO depths" in whole[1] and "task 'affine' waits for a token" in whole[1]


def test_headers_that_would_not_be_copied_are_refused(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    source = write(inner, Kernel())
    (tmp_path / "outside.h").write_text("")
    text = (inner / "affine.h").read_text()
    (inner / "affine.h").write_text('#include "../outside.h"\n' + text)
    with pytest.raises(CompileError, match=r"includes \"../outside.h\", which lies outside of the header's folder"):
        st.compile(source, out=tmp_path / "out")
    (inner / "affine.h").write_text('#include "parts/affine.h"\n' + text)
    (inner / "parts").mkdir()
    (inner / "parts" / "affine.h").write_text("")
    st.compile(source, out=tmp_path / "out")
    assert (tmp_path / "out" / "hls" / "parts" / "affine.h").exists()
    kernels = program(Kernel(), Kernel(name="other"))
    source.write_text(kernels.replace('source "other.h"', 'source "parts/affine.h"'))
    with pytest.raises(CompileError, match=r"two files would be hls/affine.h; rename"):
        st.compile(source, out=tmp_path / "out")


#: A FIFO written under one type and read under another: both ends are ours.
VIEWS = [("4xi16", "1xi64"), ("8xi1", "1xi8"), ("1xi32", "2xi16"), ("3xi4", "1xi12"), ("2xf32", "1xi64")]

VIEW = """
dataflow.design @view {{
  %x = dataflow.port in "x" : !dataflow.port<8x{written}>
  %y = dataflow.port out "y" : !dataflow.port<8x{read}>
  %s = dataflow.stream "s" : !dataflow.stream<{written_token}, 2>
  %v = dataflow.stream_cast %s : !dataflow.stream<{written_token}, 2> to !dataflow.stream<{read_token}, 2>
  dataflow.leaf "load" load [8] {{
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x{written}> -> {written_value}
    {flatten}
    dataflow.stream_write %flat, %s : {written_token}, !dataflow.stream<{written_token}, 2>
  }}
  dataflow.leaf "store" store [8] {{
  ^bb0(%i: index):
    %r = dataflow.stream_read %v : !dataflow.stream<{read_token}, 2> -> {read_token}
    {shape}
    dataflow.store %shaped, %y affine_map<(i) -> (i, 0)> : {read_value}, !dataflow.port<8x{read}>
  }}
}}
func.func @main(%x: tensor<8x{written}>) -> tensor<8x{read}> {{
  %y = dataflow.launch @view(%x) : (tensor<8x{written}>) -> tensor<8x{read}>
  return %y : tensor<8x{read}>
}}
"""


def as_token(shape: str) -> tuple[str, str]:
    """What a FIFO carries and what a memory access moves, of `4xi16`."""
    count, element = shape.split("x")
    return (element, element) if count == "1" else (f"vector<{shape}>", f"vector<1x{shape}>")


@pytest.mark.parametrize(("written", "read"), VIEWS)
def test_a_view_of_a_fifo_moves_no_bits(written: str, read: str, tmp_path: Path) -> None:
    (written_token, written_value), (read_token, read_value) = as_token(written), as_token(read)
    flatten = f"%flat = vector.shape_cast %t : {written_value} to {written_token}"
    shape = f"%shaped = vector.shape_cast %r : {read_token} to {read_value}"
    text = VIEW.format(
        written=written, read=read, written_token=written_token, written_value=written_value, read_token=read_token,
        read_value=read_value, flatten=flatten, shape=shape,
    )  # fmt: skip
    if written_token == written_value:
        text = text.replace(flatten, "").replace("%flat", "%t")
    if read_token == read_value:
        text = text.replace(shape, "").replace("%shaped", "%r")
    (tmp_path / "view.mlir").write_text(text)
    harness.run_tool("streamtensor-run", tmp_path / "view.mlir", f"--output-dir={tmp_path}").succeed()
    harness.translate(tmp_path / "view.mlir", tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    given = torch.from_numpy(np.load(tmp_path / "arg0.npy")).view(interface.arguments[0].dtype)
    (found,) = interface.execute([given])
    np.testing.assert_array_equal(as_tensor(found).numpy(), np.load(tmp_path / "result0.npy"))
