# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of every width in native runs: what does not fit is cut, as hardware cuts it."""

from __future__ import annotations

import subprocess

from streamtensor import native, paths

PROGRAM = """
#include "ap_int.h"
#include <cstdint>
#include <cstdio>
#include <utility>

static const std::int64_t values[] = {0, 1, -1, 7, -8, 127, -128, 255, 1ll << 31, -(1ll << 31), INT64_MAX, INT64_MIN,
                                      123456789012345ll, -987654321ll};

std::int64_t cut(std::int64_t value, int width) {
  return std::int64_t(std::uint64_t(value) << (64 - width)) >> (64 - width);
}
std::uint64_t cut(std::uint64_t value, int width) { return value << (64 - width) >> (64 - width); }

template <int Width> int wrong() {
  int count = 0;
  for (std::int64_t value : values) {
    const ap_int<Width> made = value;
    ap_int<Width> assigned;
    assigned = made;
    const ap_int<Width> sum = made + ap_int<Width>(1);
    count += made.to_int64() != cut(value, Width);
    count += assigned.to_int64() != cut(value, Width);
    count += sum.to_int64() != cut(std::int64_t(std::uint64_t(cut(value, Width)) + 1), Width);
    count += ap_uint<Width>(std::uint64_t(value)).to_uint64() != cut(std::uint64_t(value), Width);
  }
  return count;
}

template <int... Width> int all(std::integer_sequence<int, Width...>) { return (wrong<Width + 1>() + ...); }

int main() { std::printf("%d", all(std::make_integer_sequence<int, 64>{})); }
"""


def test_integers_are_cut_to_their_width(tmp_path):
    source, program = tmp_path / "widths.cpp", tmp_path / "widths"
    source.write_text(PROGRAM)
    flags = ("-std=c++17", "-O1", "-fwrapv", "-w")
    subprocess.run([paths.find_compiler(), *flags, *native.folder_options(), source, "-o", program], check=True)
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "0"
