# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints fusion plans, the greedy one of the paper beside the optimal one: groups, and bytes that cross them.

Random graphs are drawn by streamtensor-test-fusion, which also checks both plans. Decoder layers are planned with a
part of the converters of the whole layer as the memory of a group (`group-bytes`): with the card's own memory each is
one group. `worth` is the time of launches and of the bytes between groups that the optimal plan saves.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import results
import zoo

GRAPHS = 1000
LAYER_TOKENS = 16
LANES = 256
SHARES = (0.25, 0.5, 0.75)  # of the converters of a layer
_KERNEL = re.compile(
    r"(?:%(?P<name>\w+)(?::(?P<count>\d+))? = )?dataflow\.kernel \"\w+\"\((?P<inputs>[^)]*)\)"
    r" : \((?P<types>[^)]*)\) -> (?P<results>\([^)]*\)|\S+)"
)
_VIEW = re.compile(r"%(?P<name>\w+) = tensor\.\w+ %(?P<source>[\w#]+)")
_RETURN = re.compile(r"^ *return (?P<values>[^:]*) :", re.MULTILINE)
_TENSOR = re.compile(r"tensor<(?P<shape>(?:\d+x)*)(?:[a-z]+)(?P<bits>\d+)>")


def launch_bytes() -> int:
    """What external memory of the card moves while a group is launched, as the compiler counts it."""
    device = json.loads((zoo.ROOT / "devices" / "u55c.json").read_text())
    memory = device["external_memory"]
    rate = memory["channels"] * memory["sustained_bytes_per_s"]
    return round(rate * device["host_launch_us"]["value"] * 1e-6)


def bytes_of(tensor: str) -> int:
    match = _TENSOR.search(tensor)
    elements = 1
    for extent in match["shape"].split("x")[:-1]:
        elements *= int(extent)
    return -(-elements * int(match["bits"]) // 8)


def kernels(text: str) -> Iterator[tuple[list[str], list[str], dict[str, int]]]:
    """The inputs of each kernel, the types that they are read as, and the bytes of its results by name."""
    for match in _KERNEL.finditer(text):
        inputs = [name.strip().removeprefix("%") for name in match["inputs"].split(",")]
        types = re.findall(r"tensor<[^>]*>", match["results"])
        names = [f"{match['name']}#{n}" for n in range(len(types))] if match["count"] else [match["name"]]
        yield inputs, re.findall(r"tensor<[^>]*>", match["types"]), dict(zip(names, map(bytes_of, types), strict=True))


def plan_of(text: str) -> dict[str, int]:
    """Groups of a fused program, and the bytes between them: each tensor written once, and read by each reader."""
    sources = {match["name"]: match["source"] for match in _VIEW.finditer(text)}

    def origin(name: str) -> str:
        while name in sources:
            name = sources[name]
        return name

    found = list(kernels(text))
    written = {name: size for _, _, outputs in found for name, size in outputs.items()}
    returned = {origin(name.strip().removeprefix("%")) for name in _RETURN.search(text)["values"].split(",")}
    read = [origin(name) for inputs, _, _ in found for name in inputs if origin(name) in written]
    stored = sum(written[name] for name in set(read) - returned)
    return {"groups": len(found), "external_bytes": stored + sum(written[name] for name in read)}


def converter_bytes(source: Path) -> int:
    """Of the layer as one group: the least that keeps it in one, by halving."""
    least, enough = 0, 1 << 26
    while enough - least > 1:
        middle = (least + enough) // 2
        text = zoo.run_pipeline(source, unroll=LANES, stop_after="fuse", group_bytes=middle)
        if plan_of(text)["groups"] == 1:
            enough = middle
        else:
            least = middle
    return enough


def layer_rows(name: str) -> Iterator[dict]:
    with tempfile.TemporaryDirectory(prefix="streamtensor-fusion-") as scratch:
        source = Path(scratch) / f"{name}.mlir"
        zoo.export(name, source, LAYER_TOKENS)
        all_bytes = converter_bytes(source)
        for share in SHARES:
            options = {"unroll": LANES, "stop_after": "fuse", "group_bytes": max(1, int(share * all_bytes))}
            plans = {
                planner: plan_of(zoo.run_pipeline(source, fusion_plan=planner, **options))
                for planner in ("greedy", "optimal")
            }
            yield {"layer": name, "share": share, "group_bytes": options["group_bytes"], **plans}


def draw_graphs(count: int, seed: int) -> list[dict]:
    arguments = (f"--count={count}", f"--seed={seed}", "--least-nodes=8", "--most-nodes=24")
    printed = zoo.run_tool("streamtensor-test-fusion", *arguments, f"--launch-bytes={launch_bytes()}")
    return [json.loads(line) for line in printed.splitlines()]


def summarise(graphs: list[dict]) -> dict:
    """Over all graphs."""
    cheaper = [graph for graph in graphs if graph["optimal"]["cost"] < graph["greedy"]["cost"]]
    total = {
        f"{planner}_{key}": sum(graph[planner][key] for graph in graphs)
        for planner in ("greedy", "optimal")
        for key in ("groups", "external_bytes", "cost")
    }
    return {
        "graphs": len(graphs),
        "cheaper": len(cheaper),
        "fewer_groups": sum(graph["optimal"]["groups"] < graph["greedy"]["groups"] for graph in graphs),
        "dearer": sum(graph["optimal"]["cost"] > graph["greedy"]["cost"] for graph in graphs),
        "proven": sum(graph["is_proven"] for graph in graphs),
        "most_search_nodes": max(graph["search_nodes"] for graph in graphs),
        **total,
    }


def cost(plan: dict) -> int:
    return plan["groups"] * launch_bytes() + plan["external_bytes"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=GRAPHS, help="random graphs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--layer", action="append", choices=zoo.NAMES, help="plan this one only")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    printed.line(f"{'layer':<14}{'of all':>8}{'group bytes':>13}{'greedy':>20}{'optimal':>20}{'worth':>8}")
    for name in arguments.layer or zoo.NAMES:
        for row in layer_rows(name):
            plans = "".join(f"{row[p]['groups']:>6}{row[p]['external_bytes']:>14,}" for p in ("greedy", "optimal"))
            worth = 1 - cost(row["optimal"]) / cost(row["greedy"])
            printed.add(f"{name:<14}{row['share']:>8.0%}{row['group_bytes']:>13,}{plans}{worth:>8.1%}", **row)
    random = summarise(draw_graphs(arguments.graphs, arguments.seed))
    printed.line(f"{random['graphs']} random graphs, {random['proven']} solved: {random}")
    printed.end(layer_tokens=LAYER_TOKENS, launch_bytes=launch_bytes(), random=random)
    return 0


if __name__ == "__main__":
    sys.exit(main())
