# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a simulation says of designs with twice the lanes, beside the designs compiled with twice the lanes.

Asked is a design as it was compiled: each contraction with twice the lanes (`task NAME lanes=x2`), and each tensor that
is loaded with twice the bits (`port NAME bits=x2`), where a factor of two divides their iterations. A compilation with
`--unroll` doubled chooses tiles, orders, layouts and depths anew besides.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import results
import streamtensor as st
import torch
from torch import nn

LANES = (16, 32, 64)


def models() -> dict[str, tuple[nn.Module, tuple[int, int]]]:
    """Modules with the shape of their input."""
    torch.manual_seed(0)
    return {
        "product of 64x128 and 128x128": (nn.Linear(128, 128, bias=False), (64, 128)),
        "MLP 64-128-64, 32 rows": (nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64)), (32, 64)),
    }


def questions(design: st.Design) -> list[str]:
    """What to ask, of what can be asked."""
    simulated = design.simulate()
    asked = [f"task {task['name']} lanes=x2" for task in simulated.tasks if task["multiply_add_lanes"]]
    ports = [port for port in simulated.data["ports"] if port["way"] == "read"]
    tensors = dict.fromkeys(port["tensors"][0] for port in ports)  # tensors that share interfaces, once
    asked += [f"port {name} bits=x2" for name in tensors]
    return [question for question in asked if can_ask(design, question)]


def can_ask(design: st.Design, question: str) -> bool:
    try:
        design.simulate(what_if=[question])
    except st.Error:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    results.add_option(parser)
    printed = results.Results(parser.parse_args().json)
    printed.line(f"{'design':<32}{'lanes':>6}{'cycles':>9}{'asked x2':>10}{'compiled x2':>13}{'error':>8}")
    for name, (module, shape) in models().items():
        with tempfile.TemporaryDirectory(prefix="streamtensor-what-if-") as scratch:
            designs = {
                lanes: st.compile(
                    module.eval(),
                    (torch.randn(*shape),),
                    st.Options(device="u55c", unroll=lanes, engines=False, compare=False),
                    out=Path(scratch) / str(lanes),
                )
                for lanes in (*LANES, 2 * LANES[-1])
            }
            for lanes in LANES:
                before, after = designs[lanes].simulate().cycles, designs[2 * lanes].simulate().cycles
                asked = designs[lanes].simulate(what_if=questions(designs[lanes])).cycles
                error = asked / after - 1
                text = f"{name:<32}{lanes:>6}{before:>9,}{asked:>10,}{after:>13,}{error:>+8.1%}"
                printed.add(text, design=name, lanes=lanes, before=before, asked=asked, compiled=after, error=error)
    printed.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
