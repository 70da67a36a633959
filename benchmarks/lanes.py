# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how busy the multiply-add lanes of decoder layers are, fp32, on the U55C. All cycles are simulated.

`busy` is the multiply-adds of the model, without padding and without what a causal mask discards, over cycles times the
lanes of the design. `memory` is the time of the weights at the sustained rate of all channels. `wires` are the bits
over the fullest boundary between dies, `masters` those of memory. The last column says whether the design fits each die
and the wires between dies; one that does not is printed all the same. More masters than the card has are an error.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path

import results
import transformers
import zoo
from kernels import BYTES_PER_ELEMENT, bytes_per_cycle
from streamtensor.capacity import check_fits
from streamtensor.errors import CapacityError
from streamtensor.frontend import models

CONFIGS = {
    "gpt2-medium": models.gpt2_medium_config,
    "qwen2.5-0.5b": models.qwen2_0_5b_config,
    "llama-3.2-1b": models.llama3_1b_config,
    "gemma-3-1b": models.gemma3_1b_config,
}
TOKENS = (1, 32, 128)
LANES = 1024


def linear_weights(config: transformers.PretrainedConfig) -> int:
    """Elements of the weights of one layer's linear operations."""
    hidden = config.hidden_size
    if isinstance(config, transformers.GPT2Config):
        inner = config.n_inner or 4 * hidden
        return 4 * hidden * hidden + 2 * hidden * inner
    query = config.num_attention_heads * head_size(config)
    keys = config.num_key_value_heads * head_size(config)
    return hidden * (2 * query + 2 * keys) + 3 * hidden * config.intermediate_size


def head_size(config: transformers.PretrainedConfig) -> int:
    return getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads


def multiply_adds(config: transformers.PretrainedConfig, tokens: int) -> int:
    """Of the linear operations, and of the attention of each token to those up to it."""
    pairs = tokens * (tokens + 1) // 2
    return tokens * linear_weights(config) + 2 * pairs * config.num_attention_heads * head_size(config)


def fits(name: str, machine: dict) -> bool:
    try:
        check_fits(name, machine["card"], machine)
    except CapacityError:
        return False
    return True


def measure(name: str, tokens: int, lanes: int, scratch: Path) -> dict:
    config = CONFIGS[name]()
    source, sized = scratch / f"{name}.{tokens}.mlir", scratch / "sized.mlir"
    zoo.export(name, source, tokens)
    sized.write_text(zoo.run_pipeline(source, unroll=lanes, stop_after="size"))
    machine = json.loads(zoo.run_tool("streamtensor-sim", sized, "--json"))
    built = sum(task["multiply_add_lanes"] for task in machine["tasks"])
    work = multiply_adds(config, tokens)
    dies = [die for design in machine["designs"] for die in design["dies"]]
    crossings = [crossing for design in machine["designs"] for crossing in design["crossings"]]
    masters = len({(port["design"], port["interface"]) for port in machine["ports"]})
    return {
        "model": name,
        "tokens": tokens,
        "lanes": built,
        "busy": work / (machine["cycles"] * built),
        "cycles": machine["cycles"],
        "memory_cycles": math.ceil(linear_weights(config) * BYTES_PER_ELEMENT / bytes_per_cycle()),
        "multiply_adds": work,
        "weight_bytes": linear_weights(config) * BYTES_PER_ELEMENT,
        "moved_bytes": sum(port["bytes"] for port in machine["ports"]),
        "on_chip_bytes": machine["memory"]["total_bytes"],
        "resources": machine["resources"],
        "dies": dies,
        "crossings": crossings,
        "masters": masters,
        "fits": fits(name, machine),
    }


def describe(row: dict) -> str:
    counts = "".join(f"{row[key]:>13,}" for key in ("cycles", "memory_cycles", "moved_bytes", "on_chip_bytes"))
    dsps = " ".join(f"{die['used']['dsp']:.0f}" for die in row["dies"])
    wires = max(crossing["bits"] for crossing in row["crossings"])
    return (
        f"{row['model']:<14}{row['tokens']:>7}{row['lanes']:>7,}{row['busy']:>7.1%}{counts}"
        f"{dsps:>18}{wires:>8,}{row['masters']:>9}{'fits' if row['fits'] else 'too large':>11}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", choices=zoo.NAMES, help="measure this one only")
    parser.add_argument("--tokens", type=int, action="append", help="without it " + ", ".join(map(str, TOKENS)))
    parser.add_argument("--unroll", type=int, default=LANES, help="multiply-add lanes to ask for")
    results.add_option(parser)
    arguments = parser.parse_args()
    printed = results.Results(arguments.json)
    columns = "".join(f"{column:>13}" for column in ("cycles", "memory", "moved", "on chip"))
    fit = f"{'DSPs of dies':>18}{'wires':>8}{'masters':>9}{'card':>11}"
    printed.line(f"{'layer':<14}{'tokens':>7}{'lanes':>7}{'busy':>7}{columns}{fit}   (simulated)")
    with tempfile.TemporaryDirectory(prefix="streamtensor-lanes-") as scratch:
        for name in arguments.layer or zoo.NAMES:
            for tokens in arguments.tokens or TOKENS:
                row = measure(name, tokens, arguments.unroll, Path(scratch))
                printed.add(describe(row), **row)
    printed.end(simulated=True, unroll=arguments.unroll, bytes_per_cycle=bytes_per_cycle())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
