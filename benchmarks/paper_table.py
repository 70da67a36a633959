# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The paper's table of language models, predicted for our designs: W4A8 on a U55C at 250 MHz, random weights.

One design reads the prompt and takes each new token; one launch of it goes through all layers. Without options GPT-2
medium has two, and the other models the second: activations with a scale for each group, eight tokens of the prompt a
pass, which is nearest to both limits; and activations as torchao quantises them, token by token.
Passes are simulated with the card's memory channels, launches estimated; embedding, sampling and a head on the host are
not counted. With `--head device` final norm, head and the embedding of the best token are a design beside the layers',
which have the rest of the card; the model has its whole vocabulary, and the best token comes out.
The limits of a row: of decoding, the bytes that a token needs of external memory (weights and scales of all layers, and
of a head on the device, once, of its tables a row, the cache as far as it is filled, half-way through the answer) at
the sustained rate of the channels that the design binds; of the first token, the prompt's multiply-adds at two products
in each placeable DSP and cycle, the head's for one token. `200 MHz` has the same cycles. Products of int4 and int8 lie
two to a DSP, or four where activations have no zero points and tokens pass in pairs; `--products-per-dsp` allows fewer.
The rate that channels sustain and the clock are assumptions too: `--memory-efficiency` and `--clock-mhz` state others.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import results
import zoo
from streamtensor import Options, compile_llm
from streamtensor.card_memory import is_table
from streamtensor.errors import Error
from streamtensor.frontend import models
from streamtensor.prediction import Prediction, predict
from streamtensor.progress import quiet_libraries
from streamtensor.schemes import CHANNEL, SYMMETRIC, W4A8
from streamtensor.stored import ANSWER, DEVICE, HOST, StoredDesign

# Ye and Chen, StreamTensor, MICRO 2025, arXiv 2509.13694, Table 4: GPT-2 medium on the board, and others' beside it.
PAPER = {
    (32, 32): {"ttft_ms": 34.59, "tokens_per_second": 199.51, "latency_ms": 194.99},
    (64, 64): {"ttft_ms": 61.27, "tokens_per_second": 215.51, "latency_ms": 358.24},
    (128, 128): {"ttft_ms": 125.35, "tokens_per_second": 224.05, "latency_ms": 696.65},
    (256, 256): {"ttft_ms": 272.85, "tokens_per_second": 229.61, "latency_ms": 1387.76},
}
LENGTHS = {"gpt2-medium": list(PAPER)}
# Scheme and tokens of a pass, where none are asked for.
FORMS = {"gpt2-medium": [(SYMMETRIC, 8), (W4A8, 1)]}
OTHER_FORMS = [(W4A8, 1)]
OTHERS = [(32, 32)]
CONFIGS = {
    "gpt2-medium": lambda: models.gpt2_medium_config(),
    "qwen2.5-0.5b": lambda: models.qwen2_0_5b_config(),
    "llama-3.2-1b": lambda: models.llama3_1b_config(),
    "tinyllama-1.1b": lambda: models.tinyllama_config(),
    "gemma-3-1b": lambda: models.gemma3_1b_config(),
}
# Transformers' defaults and the published configurations.
VOCABULARIES = {
    "gpt2-medium": 50257,
    "qwen2.5-0.5b": 151936,
    "llama-3.2-1b": 128256,
    "tinyllama-1.1b": 32000,
    "gemma-3-1b": 262144,
}
LAYERS = {"gpt2-medium": 24, "qwen2.5-0.5b": 24, "llama-3.2-1b": 16, "tinyllama-1.1b": 22, "gemma-3-1b": 26}
DEVICE_NAME, MAX_CONTEXT, PRODUCTS_PER_DSP, MOST_PER_DSP, SLOW_MHZ = "u55c", 512, 2, 4, 200.0
_BITS = {"int4": 4, "int8": 8, "float32": 32, "int32": 32}


class Numbers:
    """A tokenizer that is not asked."""

    def save_pretrained(self, directory: Path) -> None:
        """Nothing to save."""


def random_model(name: str, vocabulary: int = 128):
    """The decoder layers of a model; of its vocabulary a few words where embedding and head are not compiled."""
    config = CONFIGS[name]()
    layers = config.num_hidden_layers = LAYERS[name]
    if getattr(config, "sliding_window", None):  # Gemma-3: one layer in six looks at all of the text
        config.layer_types = ["sliding_attention" if (layer + 1) % 6 else "full_attention" for layer in range(layers)]
    elif getattr(config, "layer_types", None):
        config.layer_types = config.layer_types * layers
    return zoo.random_causal_lm(config, vocabulary)


def bytes_of(argument: dict) -> int:
    elements = 1
    for extent in argument["shape"]:
        elements *= extent
    return elements * _BITS[argument["dtype"]] // 8


class Limits:
    """What the card allows a design, whatever its tasks: from its arguments and the device file."""

    def __init__(self, design: StoredDesign):
        directory, layers = design.directory, design.manifest["layers"]
        main = json.loads((directory / "interface.json").read_text())["main"]
        repeats = 1 if "layers" in main else layers
        device = json.loads((directory / "device.json").read_text())
        resources = json.loads((directory / "simulation.json").read_text())["resources"]
        parameters = [a for a in main["arguments"] if a["kind"] == "parameter"]
        self.weight_bytes = repeats * sum(map(bytes_of, parameters))
        self.products = repeats * sum(self._elements(a) for a in parameters if a["name"].endswith(".weight.qdata"))
        cache = [a for a in main["arguments"] if a["name"] in ("keys", "values", "key_scales", "value_scales")]
        rows = next(a["shape"][-2] for a in cache if a["name"] == "keys")
        self.row_bytes = repeats * sum(map(bytes_of, cache)) / rows
        memory = device["external_memory"]
        self.channels = len(self._channels(design))
        self.bytes_per_second = self.channels * memory["sustained_bytes_per_s"]
        self.placeable_dsps = resources["dsp"]["placeable"]
        self.head_bytes = self.head_products = 0
        if design.head:
            head = json.loads((design.head / "interface.json").read_text())["main"]
            parameters = [a for a in head["arguments"] if a["kind"] == "parameter"]
            self.head_bytes = sum(map(self._read_of_head, parameters))
            self.head_products = sum(self._elements(a) for a in parameters if a["name"].endswith("linear.weight.qdata"))
            self.placeable_dsps += design.manifest["head"]["resources"]["dsp"]

    @staticmethod
    def _channels(design: StoredDesign) -> set[str]:
        """Those that a launch for a new token reads or writes."""
        if design.manifest.get(ANSWER):
            folders = [design.directory / ANSWER]
        else:
            folders = [design.directory, *([design.head] if design.head else [])]
        designs = [d for folder in folders for d in json.loads((folder / "interface.json").read_text())["designs"]]
        return {memory for each in designs for port in each["ports"] for memory in port["memories"]}

    @staticmethod
    def _read_of_head(argument: dict) -> float:
        """Bytes for a token: of a table one row."""
        rows = argument["shape"][0] if argument["shape"] and is_table(argument["name"]) else 1
        return bytes_of(argument) / rows

    @staticmethod
    def _elements(argument: dict) -> int:
        return bytes_of(argument) * 8 // _BITS[argument["dtype"]]

    def tokens_per_second(self, position: float) -> float:
        return self.bytes_per_second / (self.weight_bytes + self.head_bytes + self.row_bytes * position)

    def ttft_ms(self, prompt_tokens: int, clock_mhz: float) -> float:
        products = prompt_tokens * self.products + self.head_products
        return products / (self.placeable_dsps * PRODUCTS_PER_DSP * clock_mhz * 1e6) * 1e3


def row_of(name: str, found: Prediction, limits: Limits, report: dict, arguments: argparse.Namespace) -> dict:
    lengths = (found.prompt_tokens, found.new_tokens)
    most = limits.tokens_per_second(found.prompt_tokens + found.new_tokens / 2)
    least = limits.ttft_ms(found.prompt_tokens, found.clock_mhz)
    launch_ms = found.launches_of_a_token * found.launch_us * 1e-3
    starts_ms = found.launches_of_the_prompt * found.launch_us * 1e-3
    step_ms = 1e3 / found.tokens_per_second - launch_ms
    row = {
        "model": name,
        "prompt_tokens": found.prompt_tokens,
        "new_tokens": found.new_tokens,
        "tokens_per_second": found.tokens_per_second,
        "ttft_ms": found.ttft_ms,
        "latency_ms": found.latency_ms,
        "tokens_per_second_limit": most,
        "decode_of_limit": found.tokens_per_second / most,
        "ttft_ms_limit": least,
        "ttft_of_limit": least / found.ttft_ms,
        "channels_of_limit": limits.channels,
        "bytes_per_second_of_limit": limits.bytes_per_second,
        "clock_mhz": found.clock_mhz,
        "tokens_per_second_at_200_mhz": 1e3 / (step_ms * found.clock_mhz / SLOW_MHZ + launch_ms),
        "ttft_ms_at_200_mhz": (found.ttft_ms - starts_ms) * found.clock_mhz / SLOW_MHZ + starts_ms,
        "quantise": arguments.quantise,
        "group_size": None if arguments.quantise == CHANNEL else arguments.group_size,
        "tokens_per_pass": found.tokens_per_pass,
        "tokens_per_launch": found.tokens_per_launch,
        "products_per_dsp": arguments.products_per_dsp,
        "cache": arguments.cache,
        "layers_on": found.layers_on,
        "head": found.head_on,
        "head_cycles": found.head.cycles if found.head_on == DEVICE else None,
        "intermediate_bytes_before": report["intermediate_bytes_before"],
        "intermediate_bytes_after": report["intermediate_bytes_after"],
        "compile_seconds": report["compile_seconds"],
        "resources": {kind: used["used"] for kind, used in report["resources"].items()},
        "head_resources": report["head"]["resources"] if report["head"] else None,
    }
    if name == "gpt2-medium" and lengths in PAPER:
        row |= {f"paper_{key}": value for key, value in PAPER[lengths].items()}
    return row


def spell(row: dict) -> str:
    def paper(key: str) -> str:
        return f"{row['paper_' + key]:>9.2f}" if f"paper_{key}" in row else f"{'':>9}"

    lengths = f"[{row['prompt_tokens']}:{row['new_tokens']}]"
    return (
        f"{row['model']:<14}{row['quantise']:>15}{row['group_size'] or 'row':>6}"
        f"{row['tokens_per_pass']:>3}{lengths:>10}"
        f"{row['tokens_per_second']:>9.1f}{paper('tokens_per_second')}"
        f"{row['decode_of_limit']:>8.1%}{row['ttft_ms']:>10.2f}{paper('ttft_ms')}{row['ttft_of_limit']:>8.1%}"
        f"{row['latency_ms']:>11.2f}{paper('latency_ms')}{row['tokens_per_second_at_200_mhz']:>9.1f}{row['ttft_ms_at_200_mhz']:>10.2f}"
        f"{row['compile_seconds']:>9.1f}"
    )


HEADING = (
    f"{'model':<14}{'':>15}{'group':>6}{'T':>3}{'':>10}"
    f"{'tokens/s':>9}{'paper':>9}{'limit':>8}{'ttft, ms':>10}{'paper':>9}{'limit':>8}"
    f"{'all, ms':>11}{'paper':>9}{'200 MHz':>9}{'ttft, ms':>10}{'compile':>9}"
)


def forms_of(name: str, arguments: argparse.Namespace) -> list[argparse.Namespace]:
    """The arguments for each design of a model."""
    asked = (arguments.quantise, arguments.tokens_per_pass)
    forms = [(asked[0] or W4A8, asked[1] or 1)] if any(asked) else FORMS.get(name, OTHER_FORMS)
    return [argparse.Namespace(**vars(arguments) | {"quantise": q, "tokens_per_pass": t}) for q, t in forms]


def measure(name: str, arguments: argparse.Namespace, out: Path, printed: results.Results) -> None:
    sizes = {"quantise": arguments.quantise, "group_size": arguments.group_size, "cache": arguments.cache}
    model = random_model(name, VOCABULARIES[name]) if arguments.head == DEVICE else random_model(name)
    if arguments.head == DEVICE:
        sizes |= {"head": DEVICE, "head_share": arguments.head_share, "candidates": 1, "embedding": DEVICE}
        sizes["tokens_per_launch"] = arguments.tokens_per_launch
    llm = compile_llm(
        model,
        Numbers(),
        MAX_CONTEXT,
        arguments.tokens_per_pass,
        options=Options(
            device=DEVICE_NAME,
            clock_mhz=arguments.clock_mhz,
            memory_efficiency=arguments.memory_efficiency,
            products_per_dsp=arguments.products_per_dsp,
            compare=False,
        ),
        out=out,
        **sizes,
    )
    report = json.loads(llm.design.report().with_suffix(".json").read_text())
    limits = Limits(llm.design)
    for lengths in LENGTHS.get(name, OTHERS):
        row = row_of(name, predict(llm.design, *lengths), limits, report, arguments)
        printed.add(spell(row), **row)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(CONFIGS)}; all without one")
    parser.add_argument("--tokens-per-pass", type=int, help="of the prompt, at most")
    parser.add_argument("--group-size", type=int, default=128, choices=[32, 64, 128])
    parser.add_argument("--quantise", choices=[W4A8, SYMMETRIC, CHANNEL])
    parser.add_argument("--cache", default="int8", choices=["float", "int8"])
    parser.add_argument("--head", default=HOST, choices=[DEVICE, HOST], help="who computes final norm and head")
    parser.add_argument("--head-share", type=int, help="percent of the lanes that a head on the device takes")
    parser.add_argument("--tokens-per-launch", type=int, default=1, help="with a head on the device, at most")
    parser.add_argument("--products-per-dsp", type=int, default=MOST_PER_DSP, choices=[1, 2, 4], help="at most")
    parser.add_argument("--memory-efficiency", type=float, help="part of its peak rate that a channel sustains")
    parser.add_argument("--clock-mhz", type=float, help="clock of the design")
    results.add_option(parser)
    arguments = parser.parse_args(words)
    if arguments.tokens_per_launch > 1 and arguments.head == HOST:
        parser.error("--tokens-per-launch is for a head on the device: give --head device as well")
    zoo.check_names(parser, arguments.models, CONFIGS)
    quiet_libraries()
    printed = results.Results(arguments.json)
    printed.line(HEADING)
    failed = []
    with tempfile.TemporaryDirectory(prefix="streamtensor-table-") as scratch:
        for name in arguments.models or CONFIGS:
            for number, form in enumerate(forms_of(name, arguments)):
                try:
                    measure(name, form, Path(scratch) / f"{name}-{number}", printed)
                except Error as error:
                    failed.append(name)
                    printed.add(f"{name:<14}{error}", model=name, quantise=form.quantise, error=str(error))
    left_out = "embedding, head and sampling"
    if arguments.head == DEVICE:
        left_out = "embedding of prompts" + (" and sampling" if arguments.tokens_per_launch == 1 else "")
    printed.line(f"simulated; starts of launches estimated; {left_out} not counted")
    printed.end(products_per_dsp_of_limit=PRODUCTS_PER_DSP, max_context=MAX_CONTEXT, failed=failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
