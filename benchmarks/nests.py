# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what it gives and costs to make the fills, the core and the drains of a task nests of one leaf.

Each program is lowered once up to phase `optimise`, then sized twice: with leaves of their own for fills and drains,
joined to the core by block buffers, and with the passes dataflow-nest-blocks and dataflow-single-locks. Cycles are
simulated, resources estimated by the device's prices. `locks` counts leaves that hold two blocks at a time: locks
within locks, which Vitis refuses.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from pathlib import Path

import results
import zoo

GEMM = """
func.func @main(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %m = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
                     outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %m : tensor<256x256xf32>
}
"""
LAYERS = [("smollm2", 16), *((name, zoo.NUM_TOKENS) for name in zoo.NAMES)]
PROGRAMS = {"gemm 256": None, **{f"{name} at {tokens}": (name, tokens) for name, tokens in LAYERS}}
_ACQUIRES = re.compile(r"dataflow\.leaf .*?\{")


def size(optimised: Path, nested: bool, scratch: Path) -> dict:
    """Cycles, tasks, resources and nested locks of one program."""
    in_leaves = ["--dataflow-nest-blocks", "--dataflow-single-locks"] if nested else []
    passes = ["--streamtensor-itensor-to-stream", *in_leaves, "--cse"]
    sized = scratch / "sized.mlir"
    zoo.run_tool("streamtensor-opt", optimised, *passes, "--streamtensor-size-phase", "-o", sized)
    machine = json.loads(zoo.run_tool("streamtensor-sim", sized, "--json"))
    leaves = _ACQUIRES.findall(sized.read_text())
    used = {kind: machine["resources"][kind]["used"] for kind in ("lut", "bram", "uram", "dsp")}
    return {
        "cycles": machine["cycles"],
        "tasks": len(machine["tasks"]),
        "locks": sum(leaf.count(": !dataflow.buffer<") > 1 for leaf in leaves),
        "bytes": machine["memory"]["total_bytes"],
        **used,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", action="append", choices=PROGRAMS, help="measure this one only")
    parser.add_argument("--unroll", type=int, default=256, help="multiply-add lanes to ask for")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    columns = ("cycles", "tasks", "locks", "bytes", "lut", "bram", "uram", "dsp")
    printed.line(f"{'program (simulated)':<22}{'':<8}" + "".join(f"{column:>12}" for column in columns))
    for program in arguments.program or PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="streamtensor-nests-") as directory:
            scratch = Path(directory)
            source, optimised = scratch / "source.mlir", scratch / "optimised.mlir"
            if layer := PROGRAMS[program]:
                name, tokens = layer
                zoo.export(name, source, tokens)
            else:
                source.write_text(GEMM)
            # Engines are shared behind these passes.
            kept = {"unroll": arguments.unroll, "engines": "false", "stop_after": "optimise"}
            optimised.write_text(zoo.run_pipeline(source, **kept))
            for nested in (False, True):
                found = size(optimised, nested, scratch)
                form = "nests" if nested else "blocks"
                text = f"{program:<22}{form:<8}" + "".join(f"{found[column]:>12,}" for column in columns)
                printed.add(text, program=program, form=form, **found)
    printed.end(unroll=arguments.unroll)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
