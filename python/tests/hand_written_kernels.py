# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with kernels written by hand, and their headers, for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

ROWS, COLUMNS, WIDTH = 16, 64, 48

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
