# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints where the compiler could place joins in decoder layers, and what a join costs.

A join saves a FIFO where one leaf task writes two of them, another alone reads both, and both state one order. `FIFOs`
are all of a layer, `one reader` those that share writer and reader with another, `joinable` those that share the order.
The cost is that of the masked task in test/Conversion/ITensorToStream/tuples.mlir, with its join and without.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import defaultdict
from pathlib import Path

import results
import zoo

_LEAF = re.compile(r'dataflow\.leaf "(\w+)"')
_ACCESS = re.compile(
    r"dataflow\.stream_(?P<way>read|write) (?:%\w+(?:#\d+)?, )?%(?P<fifo>\w+)(?: when (?P<guard>#\w+|affine_set<.*?>))?"
    r" .*?dataflow\.order = !itensor\.itensor<(?:\d+x)*(?P<order>\S+, .*?)>\}"
)


def fifo_ends(text: str) -> dict[tuple[str, str], dict[str, tuple[str, str]]]:
    """By design and FIFO: for each way, the leaf and the order that it states."""
    ends: dict[tuple[str, str], dict[str, tuple[str, str]]] = defaultdict(dict)
    design = leaf = ""
    for line in text.splitlines():
        if "dataflow.design @" in line:
            design = line.split("@")[1].split()[0]
        if match := _LEAF.search(line):
            leaf = match[1]
        if match := _ACCESS.search(line):
            order = f"{match['order'].split(', ', 1)[1]} when {match['guard']}"
            ends[design, match["fifo"]][match["way"]] = (leaf, order)
    return ends


def count(text: str) -> tuple[int, int, int]:
    """FIFOs, those that share both leaves with another one, and those that share the order too."""
    ends = fifo_ends(text)
    by_leaves, by_order = defaultdict(list), defaultdict(list)
    for (design, fifo), ways in ends.items():
        if len(ways) < 2:
            continue
        (writer, order), (reader, _) = ways["write"], ways["read"]
        by_leaves[design, writer, reader].append(fifo)
        by_order[design, writer, reader, order].append(fifo)
    shared, joinable = (
        sum(len(fifos) for fifos in groups.values() if len(fifos) > 1) for groups in (by_leaves, by_order)
    )
    return len(ends), shared, joinable


def cost(text: str) -> dict[str, int]:
    """LUTs, flip-flops and cycles of the first design of `text`."""
    with tempfile.TemporaryDirectory(prefix="streamtensor-joins-") as scratch:
        source = Path(scratch) / "source.mlir"
        source.write_text(text)
        sized = Path(scratch) / "sized.mlir"
        sized.write_text(zoo.run_pipeline(source, start_after="fuse"))
        design = json.loads(zoo.run_tool("streamtensor-sim", sized, "--json"))["designs"][0]
    used = {kind: design["resources"][kind]["used"] for kind in ("lut", "ff")}
    return {**used, "cycles": design["cycles"]}


def masked_task() -> dict[str, dict[str, int]]:
    """What the masked task costs with its join and without."""
    joined = (zoo.ROOT / "test/Conversion/ITensorToStream/tuples.mlir").read_text()
    apart = joined.replace("%u, %v = itensor.unjoin %z : !pairs -> !rows, !flags", "", 1)
    apart = apart.replace("%z = itensor.join %as, %bs : !rows, !flags -> !pairs", "", 1)
    apart = apart.replace("%u[%i, %j]", "%as[%i, %j]").replace("%v[%i, %j]", "%bs[%i, %j]")
    return {"joined": cost(joined), "apart": cost(apart)}


def measure(layer: str) -> tuple[int, int, int]:
    with tempfile.TemporaryDirectory(prefix="streamtensor-joins-") as scratch:
        source = Path(scratch) / f"{layer}.mlir"
        zoo.export(layer, source)
        return count(zoo.run_pipeline(source, stop_after="stream"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", choices=zoo.NAMES, help="count in this one only")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    printed.line(f"{'layer':<14}{'FIFOs':>8}{'one reader':>12}{'joinable':>10}")
    for name in [arguments.layer] if arguments.layer else zoo.NAMES:
        fifos, shared, joinable = measure(name)
        text = f"{name:<14}{fifos:>8}{shared:>12}{joinable:>10}"
        printed.add(text, layer=name, fifos=fifos, one_reader=shared, joinable=joinable)
    printed.line(f"{'masked task':<14}{'LUT':>8}{'FF':>12}{'cycles':>10}")
    costs = masked_task()
    for name, used in costs.items():
        printed.line(f"{name:<14}{used['lut']:>8}{used['ff']:>12}{used['cycles']:>10}")
    printed.end(masked_task=costs)


if __name__ == "__main__":
    main()
