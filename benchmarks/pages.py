# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the pages of the documentation show what benchmarks print with `--json`.

The answers are kept in docs/figures; utils/figures.py puts them into the pages and checks them there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

LAYERS = {
    "gpt2-medium": "GPT-2 medium",
    "qwen2.5-0.5b": "Qwen2.5-0.5B",
    "llama-3.2-1b": "Llama-3.2-1B",
    "tinyllama-1.1b": "TinyLlama-1.1B",
    "gemma-3-1b": "Gemma-3-1B",
}


def layer_table(data: dict) -> str:
    """What one decoder layer costs, a column for each design."""
    rows = data["rows"]
    columns = [_layer_cells(row) for row in rows]
    heads = " | ".join(f"tile {row['tile_size']}" for row in rows)
    lines = [f"| one layer | {heads} | how it is known |", "| --- |" + " ---: |" * len(rows) + " --- |"]
    for name, (_, known) in columns[0].items():
        lines.append(f"| {name} | " + " | ".join(column[name][0] for column in columns) + f" | {known} |")
    return "\n".join(lines)


def _layer_cells(row: dict) -> dict[str, tuple[str, str]]:
    """By the name of a figure: how it is written, and how it is known."""
    before, after = row["intermediate_bytes_before"], row["intermediate_bytes_after"]
    error = "not run" if row["layer_error"] is None else f"{row['layer_error']:.1e} of its largest value"
    figures = {
        f"cycles for a pass of {row['num_tokens']}, {row['max_context']} positions of cache": (
            f"{row['cycles']:,}",
            "simulated",
        ),
        f"time at {row['clock_mhz']:g} MHz": (f"{row['seconds'] * 1e3:.2f} ms", "simulated"),
        "multiply-add lanes": (f"{row['lanes']}", "counted in the sized design, by tests in the C++ too"),
        "intermediates before fusion": (f"{before:,} bytes", "counted from shapes"),
        "intermediates after fusion": (f"{after:,} bytes ({after / before:.1%})", "counted from the sized design"),
        "largest error of a layer": (error, "run natively, against PyTorch"),
    }
    for name, entry in row["resources"].items():
        share = f"{entry['used']:,.0f} ({entry['used'] / entry['available']:.0%})"
        figures[name.upper()] = (share, f"estimated for {row['card']}")
    for die in row["dies"]:
        shares = {kind: used / die["placeable"][kind] for kind, used in die["used"].items() if used}
        scarcest = max(shares, key=shares.__getitem__, default=None)
        share = f"{shares[scarcest]:.0%} of {scarcest.upper()}" if scarcest else "empty"
        figures[f"most taken of what can be placed on {die['name']}"] = (share, "estimated, by the assignment to dies")
    for crossing in row["crossings"]:
        share = f"{crossing['bits']:,} of {crossing['wires']:,}"
        figures["wires between " + " and ".join(crossing["between"])] = (share, "counted in the sized design")
    return figures


def memory_table(data: dict) -> str:
    """On-chip memory of the intermediates of each layer before and after fusion, and cycles, in both forms."""
    by_layer: dict[str, list[dict]] = {}
    for row in data["rows"]:
        by_layer.setdefault(LAYERS[row["layer"]], []).append(row)
    lines = [
        f"| layer, {data['num_tokens']} tokens | before fusion | arrays | of those before | cycles "
        "| engine | of those before | cycles |",
        "| --- |" + " ---: |" * 7,
    ]
    for name, rows in [*by_layer.items(), ("all", data["totals"])]:
        lines.append(f"| {name} | {rows[0]['before']:,} bytes | {' | '.join(map(_held, rows))} |")
    return "\n".join(lines)


def _held(row: dict) -> str:
    cycles = f"{row['cycles']:,}" if "cycles" in row else ""
    return f"{row['after']:,} bytes | {row['after'] / row['before']:.1%} | {cycles}"


def tile_table(data: dict) -> str:
    """On-chip memory of the intermediates of a layer, and its cycles, for several tile sizes."""
    lines = [
        "| `--tile-size` | intermediates on the chip | of those before fusion | cycles |",
        "| ---: | ---: | ---: | ---: |",
    ]
    lines += [f"| {row['tile_size']} | {_held(row)} |" for row in data["rows"]]
    return "\n".join(lines)


def model_table(data: dict) -> str:
    """Predictions of whole models beside the paper's figures, a row for each text."""
    lines = [
        "| W4A8, predicted for an Alveo U55C at 250 MHz "
        "| tokens/s | paper | of the memory's limit | first token | paper |",
        "| --- |" + " ---: |" * 5,
    ]
    for row in data["rows"]:
        name = LAYERS[row["model"]]
        if "error" in row:
            lines.append(f"| {name}, `{row['quantise']}` | {row['error']} | | | | |")
            continue
        name += f", {row['prompt_tokens']} tokens of prompt, {row['new_tokens']} new"
        if row["tokens_per_pass"] > 1:
            name += f", {row['tokens_per_pass']} a pass, `{row['quantise']}`"
        paper = [f"{row[key]:.1f}" if key in row else "" for key in ("paper_tokens_per_second", "paper_ttft_ms")]
        lines.append(
            f"| {name} | {row['tokens_per_second']:.1f} | {paper[0]} | {row['decode_of_limit']:.0%} | "
            f"{row['ttft_ms']:.1f} ms | {paper[1]}{' ms' if paper[1] else ''} |"
        )
    return "\n".join(lines)


def rates(data: dict, design: int = 0, clock: str = "") -> str:
    """Of one of the designs, in the order of its texts."""
    designs = list(dict.fromkeys((row["model"], row["quantise"]) for row in data["rows"]))
    rows = [row for row in data["rows"] if (row["model"], row["quantise"]) == designs[design]]

    def listed(key: str) -> str:
        *first, last = (f"{row[key + clock]:,.1f}" for row in rows)
        return f"{', '.join(first)} and {last}"

    return f"{listed('tokens_per_second')} tokens/s, and the first token after {listed('ttft_ms')} ms"


def head_cost(data: dict) -> str:
    """Of a head on the device, for the first of the texts."""
    row = data["rows"][0]
    return f"{row['head_cycles']:,} cycles of the head and {row['tokens_per_second']:,.1f} tokens/s"


def cost_of_a_join(data: dict) -> str:
    joined, apart = data["masked_task"]["joined"], data["masked_task"]["apart"]
    more = {name: joined[name] - apart[name] for name in joined}
    return f"{more['lut']} LUTs, {more['ff']} flip-flops and {more['cycles']} cycles"


def joinable_fifos(data: dict) -> str:
    fifos, joinable = (sum(row[key] for row in data["rows"]) for key in ("fifos", "joinable"))
    return f"{joinable or 'none'} of the {fifos} FIFOs of {len(data['rows'])} decoder layers"


def question_table(data: dict) -> str:
    """What a simulation says of twice the lanes, beside a compilation with them."""
    lines = [
        "| design | lanes | cycles | twice the lanes, asked | compiled | asked to compiled |",
        "| --- |" + " ---: |" * 5,
    ]
    for row in data["rows"]:
        figures = " | ".join(f"{row[key]:,}" for key in ("lanes", "before", "asked", "compiled"))
        lines.append(f"| {row['design']} | {figures} | {row['error']:+.1%} |")
    return "\n".join(lines)


def sizing_table(data: dict) -> str:
    """Cycles and memory of FIFOs, a row for each design and a column for each way to size them."""
    by_design: dict[str, dict[str, dict]] = {}
    for row in data["rows"]:
        way = f"search, {row['loss']:.0%}" if "loss" in row else row["strategy"]
        by_design.setdefault(row["design"], {})[f"`{way}`" if way == row["strategy"] else way] = row
    ways = list(next(iter(by_design.values())))
    lines = ["| design | " + " | ".join(ways) + " |", "| --- |" + " ---: |" * len(ways)]
    for design, rows in by_design.items():
        name = f"{LAYERS[design]}, a layer" if design in LAYERS else design
        lines.append(f"| {name} | " + " | ".join(_sizing_cell(rows[way]) for way in ways) + " |")
    return "\n".join(lines)


def _sizing_cell(row: dict) -> str:
    cycles = "deadlock" if row["cycles"] is None else f"{row['cycles']:,}"
    return f"{cycles}; {row['bits'] / 8192:,.0f} KiB{'; on the front' if row['on_front'] else ''}"


def linear_deadlocks(data: dict) -> str:
    """How many of the designs the linear program's depths stop, in either rate strategy."""
    rows = [row for row in data["rows"] if row["strategy"].startswith("lp")]
    stopped = dict.fromkeys(("lp", "lp-conservative"), 0)
    for row in rows:
        stopped[row["strategy"]] += row["cycles"] is None
    designs = len({row["design"] for row in rows})
    normal, conservative = stopped.values()
    return (
        f"{normal} of {designs} designs with tasks at their own rates and {conservative} with all scaled to the slowest"
    )


def fusion_graphs(data: dict) -> str:
    """Both fusion plans of all random graphs together."""
    found = data["random"]
    lines = [f"| {found['graphs']:,} random graphs | greedy | optimal |", "| --- |" + " ---: |" * 2]
    for name, key in (("groups", "groups"), ("bytes between groups", "external_bytes"), ("cost in bytes", "cost")):
        lines.append(f"| {name} | {found[f'greedy_{key}']:,} | {found[f'optimal_{key}']:,} |")
    lines.append(f"| cheaper than the other | {found['dearer']:,} | {found['cheaper']:,} |")
    lines.append(f"| with fewer groups | | {found['fewer_groups']:,} |")
    lines.append(f"| proven, within {found['most_search_nodes']:,} nodes | | {found['proven']:,} |")
    return "\n".join(lines)


def fusion_layers(data: dict) -> str:
    """Both fusion plans of each layer, a row for each memory of a group."""
    lines = [
        f"| layer, {data['layer_tokens']} tokens | of its converters | greedy | optimal |",
        "| --- |" + " ---: |" * 3,
    ]
    for row in data["rows"]:
        plans = (f"{row[p]['groups']} groups, {row[p]['external_bytes']:,} bytes" for p in ("greedy", "optimal"))
        lines.append(f"| {LAYERS[row['layer']]} | {row['share']:.0%} | {' | '.join(plans)} |")
    return "\n".join(lines)


def nest_table(data: dict) -> str:
    """Leaves for fills and drains against nests of one leaf, a row for each form of each program."""
    lines = [
        "| program, form | cycles | tasks | locks in locks | LUT | BRAM | URAM | DSP |",
        "| --- |" + " ---: |" * 7,
    ]
    for row in data["rows"]:
        keys = ("cycles", "tasks", "locks", "lut", "bram", "uram", "dsp")
        figures = " | ".join(f"{row[key]:,}" for key in keys)
        lines.append(f"| {row['program']}, {row['form']} | {figures} |")
    return "\n".join(lines)


def pair_table(data: dict) -> str:
    """How many pairs are compared in a cycle."""
    lines = ["| program | pairs | cycles | pairs in a cycle | LUT | DSP |", "| --- |" + " ---: |" * 5]
    for row in data["rows"]:
        figures = (row["pairs"], row["cycles"], row["pairs"] / row["cycles"])
        used = (row["resources"]["lut"], row["resources"]["dsp"])
        lines.append(f"| {row['name']} | " + " | ".join(f"{figure:,.0f}" for figure in figures + used) + " |")
    return "\n".join(lines)


# By the name in a page: the program whose answer is shown, and how.
RENDERERS: dict[str, tuple[str, Callable[[dict], str]]] = {
    "layer": ("layer", layer_table),
    "intermediate-memory": ("intermediate_memory", memory_table),
    "tile-sizes": ("intermediate_memory_tiles", tile_table),
    "models": ("paper_table", model_table),
    "slow-clock": ("paper_table", partial(rates, clock="_at_200_mhz")),
    "head": ("paper_table_head", rates),
    "head-cost": ("paper_table_head", head_cost),
    "launch": ("paper_table_launch", rates),
    "unpacked": ("paper_table_unpacked", rates),
    "unpacked-by-token": ("paper_table_unpacked", partial(rates, design=1)),
    "cost-of-a-join": ("joins", cost_of_a_join),
    "questions": ("what_if", question_table),
    "joinable-fifos": ("joins", joinable_fifos),
    "fifo-sizing": ("fifo_sizing", sizing_table),
    "linear-deadlocks": ("fifo_sizing", linear_deadlocks),
    "fusion-graphs": ("fusion_plans", fusion_graphs),
    "fusion-layers": ("fusion_plans", fusion_layers),
    "nests": ("nests", nest_table),
    "pairs": ("pairs", pair_table),
}

GPT2 = ("paper_table", "gpt2-medium", "--quantise", "w4a8")
# Answers of a program that is given arguments; any other is of a program of its name.
CALLS: dict[str, tuple[str, ...]] = {
    "intermediate_memory_tiles": (
        "intermediate_memory",
        *("--layer", "gpt2-medium", "--form", "arrays", "--tile-size", "4", "8", "16", "32"),
    ),
    "nests": (
        "nests",
        *("--program", "gemm 256", "--program", "smollm2 at 16", "--program", "gpt2-medium at 128"),
    ),
    "paper_table_head": (*GPT2, "--head", "device"),
    "paper_table_launch": (*GPT2, "--head", "device", "--tokens-per-launch", "64"),
    "paper_table_unpacked": ("paper_table", "gpt2-medium", "--products-per-dsp", "1"),
}
