# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how far designs of published kernels are from their limit. All cycles are simulated.

A budget is a number of DSPs, five to a multiply-add unit of fp32; whether dies have room for the design is not asked.
The limit is the larger of multiply-adds / units and bytes of the arguments and results, each once, / bandwidth of the
card's memory, and the latency of the longest path through the design, of which 350 cycles count at most. With
`--on-chip-io` arguments and results are arrays on chip: a port for each 512 bits that the card's block RAMs give in a
cycle, and external memory is left out. `lanes` are the units that the design has, `moved` the bytes that it moves.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path

import results
import zoo
from polybench import KERNELS, Kernel
from streamtensor.frontend import export_module
from streamtensor.progress import quiet_libraries

DSPS_PER_UNIT = 5
BUDGETS = (220, 2560, 9024)
MOST_LATENCY = 350
BYTES_PER_ELEMENT = 4


CARD = zoo.ROOT / "devices" / "u55c.json"


def write_on_chip(card: Path) -> None:
    """The card, with block RAMs in place of its external memory: a word in each cycle, as soon as they answer."""
    device = json.loads(CARD.read_text())
    ram, port = device["memories"]["bram"], device["memory_port"]
    blocks = sum(die["bram36"] for die in device["dies"]["list"])
    ports = blocks * ram["shapes"][0][0] // port["bits"]
    clock = device["clock_mhz"]["value"]
    rate = port["bits"] // 8 * clock * 10**6
    device["external_memory"] |= {"channels": ports, "masters": ports, "channel_bits": port["bits"]}
    device["external_memory"] |= {"channel_mhz": clock, "peak_bytes_per_s": rate, "sustained_bytes_per_s": rate}
    port |= {"read_latency": ram["read"], "write_latency": ram["write"], "burst_gap": 0}
    card.write_text(json.dumps(device))


def bytes_per_cycle() -> float:
    """What all channels of the card sustain together."""
    device = json.loads(CARD.read_text())
    memory = device["external_memory"]
    return memory["channels"] * memory["sustained_bytes_per_s"] / (device["clock_mhz"]["value"] * 1e6)


def path_latency(machine: dict) -> int:
    """Cycles of the longest path from a task that waits for none: pipeline depths and latencies of FIFOs.

    Tasks of an engine's design wait for each other in circles: the path then has each of them once.
    """
    depth = {task["name"]: task["depth"] for task in machine["tasks"]}
    edges: dict[str, list[tuple[str, int]]] = {name: [] for name in depth}
    for channel in (*machine["fifos"], *machine["buffers"]):
        if channel.get("writer") in depth and channel.get("reader") in depth:
            edges[channel["reader"]].append((channel["writer"], 1 if channel["memory"] == "srl" else 2))
    known: dict[str, int | None] = {}

    def latency(name: str) -> int:
        if name not in known:
            known[name] = None  # On the path.
            known[name] = depth[name] + max((latency(writer) + wait for writer, wait in edges[name]), default=0)
        return known[name] or 0

    return max(map(latency, depth))


def moved_once(kernel: Kernel) -> int:
    """Bytes of the arguments and the results."""
    found = kernel.module()(*kernel.inputs())
    tensors = (*kernel.inputs(), *(found if isinstance(found, tuple) else (found,)))
    return BYTES_PER_ELEMENT * sum(tensor.numel() for tensor in tensors)


def measure(kernel: Kernel, source: Path, dsps: int, on_chip: bool, padding: int, decision: str) -> dict:
    units = dsps // DSPS_PER_UNIT
    sized = source.with_suffix(f".{dsps}.mlir")
    if not sized.exists():
        card = source.with_name("on_chip.json") if on_chip else CARD
        if on_chip:
            write_on_chip(card)
        options = {"device": card, "unroll": units, "padding": padding, "decision": decision}
        sized.write_text(zoo.run_pipeline(source, **options, stop_after="size"))
    machine = json.loads(zoo.run_tool("streamtensor-sim", sized, "--json", *(["--on-chip-io"] if on_chip else [])))
    latency = path_latency(machine)
    computing = math.ceil(kernel.multiply_adds / units)
    moving = 0 if on_chip else math.ceil(moved_once(kernel) / bytes_per_cycle())
    limit = max(computing, moving) + min(latency, MOST_LATENCY)
    return {
        "dsps": dsps,
        "units": units,
        "io": "on chip" if on_chip else "memory",
        "lanes": sum(task["multiply_add_lanes"] for task in machine["tasks"]),
        "cycles": machine["cycles"],
        "computing": computing,
        "moving": moving,
        "latency": latency,
        "limit": limit,
        "ratio": machine["cycles"] / limit,
        "once_bytes": moved_once(kernel),
        "moved_bytes": sum(port.get("bytes", 0) for port in machine["ports"]),
        "on_chip_bytes": machine["memory"]["total_bytes"],
        "resources": {kind: machine["resources"][kind]["used"] for kind in ("dsp", "lut", "ff", "bram", "uram")},
    }


def describe(name: str, row: dict) -> str:
    counts = "".join(f"{row[key]:>10,}" for key in ("cycles", "limit", "latency", "moved_bytes", "on_chip_bytes"))
    used = "".join(f"{row['resources'][kind]:>9,.0f}" for kind in ("dsp", "lut", "bram"))
    return f"{name:<26}{row['dsps']:>6,}{row['io']:>9}{row['lanes']:>7,}{counts}{row['ratio']:>7.2f}{used}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help=f"{'; '.join(KERNELS)}; none for all")
    parser.add_argument(
        "--dsps", type=int, action="append", help="a budget; without it " + ", ".join(map(str, BUDGETS))
    )
    parser.add_argument("--padding", type=int, default=12, help="percent that an extent may be padded by; 0 for none")
    ways = {"rules": "lanes by growth alone", "simulated": "the fastest of several ways"}
    parser.add_argument(
        "--decision", choices=ways, default="simulated", help="; ".join(f"{way}: {what}" for way, what in ways.items())
    )
    parser.add_argument("--on-chip-io", action="store_true", help="operands on chip, not in memory")
    results.add_option(parser)
    arguments = parser.parse_args()
    quiet_libraries()
    zoo.check_names(parser, arguments.kernels, KERNELS, "kernel")
    printed = results.Results(arguments.json)
    columns = ("cycles", "limit", "latency", "moved", "on chip")
    heading = "".join(f"{column:>10}" for column in columns)
    used = "".join(f"{kind:>9}" for kind in ("dsp", "lut", "bram"))
    printed.line(f"{'kernel (simulated)':<26}{'DSPs':>6}{'operands':>9}{'lanes':>7}{heading}{'ratio':>7}{used}")
    with tempfile.TemporaryDirectory(prefix="streamtensor-kernels-") as scratch:
        for name in arguments.kernels or KERNELS:
            kernel = KERNELS[name]
            source = Path(scratch) / f"{list(KERNELS).index(name)}.mlir"
            export_module(kernel.module(), kernel.inputs()).save(source)
            for dsps in arguments.dsps or BUDGETS:
                row = measure(kernel, source, dsps, arguments.on_chip_io, arguments.padding, arguments.decision)
                printed.add(describe(name, row), kernel=name, **row)
    printed.end(simulated=True, dsps_per_unit=DSPS_PER_UNIT, bytes_per_cycle=bytes_per_cycle())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
