# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a generated design is made of, counted from its C++ text.

    PYTHONPATH=python/tests python -m hls.scan out/hls/layer.cpp

The scan knows the emitter's output only as C++: every array, block buffer and FIFO with its bytes, every memory port,
and the multiply-add lanes (multiplications per cycle that feed an accumulation). It is how tests prove that no
intermediate leaves the chip and how many lanes were built.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import sys
from collections import defaultdict
from pathlib import Path

from hls.text import Function, Loop, Source, Statement, Token, join, read

SCALAR_BITS = {"bool": 1, "float": 32, "double": 64, "int": 32, "st::half": 16, "st::bfloat16": 16, "half": 16}
DECLARATION = re.compile(r"(static )?(const )?([\w:]+(?:<[^=()]*>)?) ?(\w+)((?:\[\d+\])*)(=.*)?")


def type_bits(text: str) -> int:
    """Bits of a C++ type: `float`, `std::int8_t`, `ap_int<4>`, `hls::vector<float, 16>`, `tuple_f32x8_i1x8`."""
    text = text.replace("const ", "").replace(" ", "").rstrip("*&")
    if text in SCALAR_BITS:
        return SCALAR_BITS[text]
    if match := re.fullmatch(r"(?:std::)?u?int(\d+)_t", text):
        return int(match.group(1))
    if match := re.fullmatch(r"ap_u?int<(\d+)>", text):
        return int(match.group(1))
    if match := re.fullmatch(r"hls::vector<(.*),(\d+)>", text):
        return type_bits(match.group(1)) * int(match.group(2))
    if match := re.fullmatch(r"st::Link<(.*)>", text):  # whole bytes
        return -(-type_bits(match.group(1)) // 8) * 8
    if text.startswith("tuple_"):  # a struct that is named after its members: width, then lanes
        members = re.findall(r"_[a-z]+(\d+)(?:x(\d+))?", text.replace("_index", "_i32"))
        return sum(int(width) * int(lanes or 1) for width, lanes in members)
    raise ValueError(f"unknown type '{text}'")


def is_type(text: str) -> bool:
    try:
        return type_bits(text) > 0
    except ValueError:
        return False


def extents(text: str) -> list[int]:
    return [int(extent) for extent in re.findall(r"\[(\d+)\]", text)]


def size_in_bytes(bits: int, count: int) -> int:
    return math.ceil(bits * count / 8)


def scan(text: str) -> dict:
    """Everything the text builds. See the module for what the numbers mean."""
    source = read(text)
    top = next((function for function in source.functions if function.exported and function.pragmas("dataflow")), None)
    if top is None:
        raise ValueError('no extern "C" function with a dataflow region')
    fifos, blocks = scan_channels(source, top)
    arrays = [array for function in source.functions for array in scan_arrays(function)]
    lanes = {function.name: multiply_add_lanes(function) for function in source.functions if function is not top}
    total = {
        "array_bytes": sum(array["bytes"] for array in arrays if array["role"] == "memory"),
        "fifo_bytes": sum(fifo["bytes"] for fifo in fifos),
        "block_bytes": sum(block["bytes"] for block in blocks),
    }
    return {
        "design": top.name,
        "tasks": [function.name for function in source.functions if function is not top],
        "ports": scan_ports(top),
        "fifos": fifos,
        "blocks": blocks,
        "arrays": arrays,
        "lanes": {name: count for name, count in lanes.items() if count},
        "multiply_add_lanes": sum(lanes.values()),
        "totals": total | {"on_chip_bytes": sum(total.values())},
    }


# --- channels and ports ---------------------------------------------------------------------------------------------


def scan_channels(source: Source, top: Function) -> tuple[list[dict], list[dict]]:
    depth = {p.options.get("variable"): int(p.options.get("depth", 0)) for p in top.pragmas("stream")}
    storage = {p.options.get("variable"): p.options.get("impl", "") for p in top.pragmas("bind_storage")}
    fifos, blocks = [], []
    for node, _ in top.walk():
        if not isinstance(node, Statement):
            continue
        if match := re.fullmatch(r"hls::stream<(.*)>(\w+)(\(.*\))?", node.text):
            bits, name = type_bits(match.group(1)), match.group(2)
            slots = depth.get(name, 0)
            fifos.append(
                {"name": name, "width_bits": bits, "depth": slots, "bytes": size_in_bytes(bits, slots),
                 "storage": storage.get(name, "")}
            )  # fmt: skip
        elif match := re.fullmatch(r"hls::stream_of_blocks<(.*),(\d+)>(\w+)(\(.*\))?", node.text):
            element, shape = re.fullmatch(r"(.*?)((?:\[\d+\])*)", source.aliases[match.group(1)]).groups()
            count, name = int(match.group(2)), match.group(3)
            bits = type_bits(element)
            blocks.append(
                {"name": name, "shape": extents(shape), "element_bits": bits, "blocks": count,
                 "bytes": count * size_in_bytes(bits, math.prod(extents(shape))), "storage": storage.get(name, "")}
            )  # fmt: skip
    return fifos, blocks


def scan_ports(top: Function) -> list[dict]:
    interfaces = {
        p.options.get("port"): p.options for p in top.pragmas("interface") if p.options.get("mode") == "m_axi"
    }
    ports = []
    for parameter in top.parameters:
        if not parameter.type.endswith("*"):
            continue
        options = interfaces.get(parameter.name, {})
        bits, words = type_bits(parameter.type), int(options.get("depth", 0))
        ports.append(
            {"name": parameter.name, "direction": "in" if parameter.type.startswith("const ") else "out",
             "width_bits": bits, "words": words, "bytes": size_in_bytes(bits, words),
             "bundle": options.get("bundle", "")}
        )  # fmt: skip
    return ports


# --- arrays ---------------------------------------------------------------------------------------------------------


def declaration(statement: Statement) -> re.Match | None:
    match = DECLARATION.fullmatch(statement.text)
    return match if match and is_type(match.group(3)) else None


def scan_arrays(function: Function) -> list[dict]:
    """Arrays and vectors that a function declares. Above its loops they are memories (or tables, if constant); inside
    of the pipeline they are wires between the operations of one iteration."""
    arrays = []
    for node, around in function.walk():
        match = declaration(node) if isinstance(node, Statement) else None
        if not match or not (match.group(5) or match.group(3).startswith("hls::vector")):
            continue
        bits, shape = type_bits(match.group(3)), extents(match.group(5))
        looped = any(isinstance(outer, Loop) for outer in around)
        role = "table" if match.group(1) else "wire" if looped else "memory"
        arrays.append(
            {"function": function.name, "name": match.group(4), "element_bits": bits, "shape": shape, "role": role,
             "bytes": size_in_bytes(bits, math.prod(shape))}
        )  # fmt: skip
    return arrays


# --- lanes ----------------------------------------------------------------------------------------------------------


def outside_brackets(tokens: list[Token]) -> list[Token]:
    """Tokens that are not part of an array index."""
    kept, depth = [], 0
    for token in tokens:
        depth += (token.text == "[") - (token.text == "]")
        if depth == 0 and token.text != "]":
            kept.append(token)
    return kept


class Assignment:
    """`target = value` with the number of times that hardware repeats it."""

    def __init__(self, statement: Statement, around: tuple, copies: int):
        tokens = statement.tokens
        equals = next(i for i, token in enumerate(tokens) if token.text == "=")
        left, right = outside_brackets(tokens[:equals]), tokens[equals + 1 :]
        self.target = left[-1].text if left else ""
        self.copies = copies
        pipelined = (id(loop) for loop in around if isinstance(loop, Loop) and any_pipeline(loop))
        self.pipeline = next(pipelined, 0)  # 0: outside of all
        value = outside_brackets(right)
        self.sources = {token.text for token in value if token.kind == "name"}
        for branch in around:
            if not isinstance(branch, Loop):
                self.sources |= {token.text for token in branch.condition if token.kind == "name"}
        self.products = sum(
            token.text == "*" and before.text not in ("(", ",", "=", "?", ":")
            for before, token in itertools.pairwise(value)
        )
        self.adds = any(token.text == "+" for token in value)
        self.text = join(right)
        self.folds = self.adds and self.reads_one_array_twice(right)

    @staticmethod
    def reads_one_array_twice(tokens: list[Token]) -> bool:
        """Two lanes of one array are added: a step of a reduction tree."""
        seen: dict[str, set[str]] = defaultdict(set)
        for name, index in re.findall(r"(\w+)((?:\[[^\[\]]*\])+)", join(tokens)):
            seen[name].add(index)
        return any(len(indices) > 1 for indices in seen.values())


def any_pipeline(loop: Loop) -> bool:
    return any(pragma.name == "pipeline" for pragma in loop.pragmas)


def assignments(function: Function) -> list[Assignment]:
    found = []
    for node, around in function.walk():
        if not isinstance(node, Statement) or not any(token.text == "=" for token in node.tokens):
            continue
        match = declaration(node)
        if match and match.group(3) == "int":  # arithmetic on indices
            continue
        loops = [outer for outer in around if isinstance(outer, Loop)]
        copies = math.prod(loop.trips or 1 for loop in loops if loop.unrolled)
        found.append(Assignment(node, around, copies))
    return found


def multiply_add_lanes(function: Function) -> int:
    """Multiplications per iteration whose product reaches an accumulation, in the pipeline that has most of them:
    pipelines of one function run one after the other and share their operators.

    An accumulation is a sum that is stored where one of its terms came from (an accumulator), or one that adds two
    lanes of one array (a reduction tree).
    """
    steps = assignments(function)
    sources: dict[str, set[str]] = defaultdict(set)
    for step in steps:
        sources[step.target] |= step.sources

    def reaching(name: str) -> set[str]:
        found, waiting = set(), [name]
        while waiting:
            for source in sources.get(waiting.pop(), ()):
                if source not in found:
                    found.add(source)
                    waiting.append(source)
        return found

    feeding: set[str] = set()
    for step in steps:
        upstream = reaching(step.target)
        if step.adds and (step.folds or step.target in upstream):
            feeding |= upstream | {step.target}
    lanes: dict[int, int] = defaultdict(int)
    for step in steps:
        if step.target in feeding:
            lanes[step.pipeline] += step.products * step.copies
    return max(lanes.values(), default=0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="hls.scan", description=__doc__)
    parser.add_argument("file", type=Path, help="a generated design, out/hls/NAME.cpp")
    options = parser.parse_args()
    try:
        print(json.dumps(scan(options.file.read_text()), indent=2))
    except (OSError, ValueError) as error:
        print(f"error: {options.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
