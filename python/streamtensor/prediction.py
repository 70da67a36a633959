# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast a compiled language model would answer on its card: passes x layers x launches.

The cycles of a launch are simulated; they do not depend on the position, because a pass reads the whole cache and masks
what is not there. What starting a kernel costs is the device file's estimate. Embedding, head, sampling, and moving
rows between host and card are not counted.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from streamtensor.devices import load_device
from streamtensor.errors import RunError
from streamtensor.simulation import Simulation
from streamtensor.stored import StoredDesign


@dataclass(frozen=True)
class Prediction:
    """A text of `prompt_tokens` and `new_tokens`; times in milliseconds, rates in tokens per second."""

    model: str
    card: str
    clock_mhz: float
    prompt_tokens: int
    new_tokens: int
    tokens_per_pass: int
    layers: int
    launches_per_layer: int
    cycles_per_layer: int  # simulated
    launch_us: float  # estimated, from the device file
    passes: int
    ttft_ms: float  # from the prompt to the first new token
    tokens_per_second: float  # of the tokens after the first
    latency_ms: float  # from the prompt to the last new token
    launch_share: float  # of the latency that starting kernels takes

    def to_json(self) -> dict:
        known = {"cycles_per_layer": "simulated", "launch_us": "estimated", "not_counted": "embedding, head, sampling"}
        return asdict(self) | {"known": known}


def predict(design: StoredDesign, prompt_tokens: int, new_tokens: int, simulation: Simulation) -> Prediction:
    """`simulation`: one activation of `design`, a pass over one layer."""
    manifest = design.manifest
    if "layers" not in manifest:
        raise RunError(
            f"The design in {design.directory} is not a language model: simulate it without --prompt-tokens and "
            "--new-tokens."
        )
    _check_length(prompt_tokens, new_tokens, manifest["max_context"])
    device = load_device(design.directory / "device.json")
    steps = json.loads((design.directory / "interface.json").read_text())["main"]["steps"]
    launches = sum(step["op"] == "launch" for step in steps)
    starting = manifest["layers"] * launches * device.launch_us * 1e-6
    seconds = manifest["layers"] * simulation.seconds + starting  # of a pass
    first = -(-prompt_tokens // manifest["tokens_per_pass"])
    passes = first + new_tokens - 1
    return Prediction(
        model=manifest["model"],
        card=manifest["card"],
        clock_mhz=manifest["clock_mhz"],
        prompt_tokens=prompt_tokens,
        new_tokens=new_tokens,
        tokens_per_pass=manifest["tokens_per_pass"],
        layers=manifest["layers"],
        launches_per_layer=launches,
        cycles_per_layer=simulation.cycles,
        launch_us=device.launch_us,
        passes=passes,
        ttft_ms=first * seconds * 1e3,
        tokens_per_second=1 / seconds,
        latency_ms=passes * seconds * 1e3,
        launch_share=starting / seconds,
    )


def _check_length(prompt_tokens: int, new_tokens: int, max_context: int) -> None:
    needed = prompt_tokens + new_tokens - 1
    if needed > max_context:
        raise RunError(
            f"A prompt of {prompt_tokens} tokens with {new_tokens} new ones needs {needed} positions, but the design "
            f"has {max_context}. Ask for fewer tokens, or compile with --max-context {needed}."
        )


def describe(found: Prediction) -> str:
    """The prediction in lines, each figure with how it is known."""
    pieces = f"{found.passes} passes x {found.layers} layers x {found.launches_per_layer} launch(es)"
    return "\n".join(
        [
            f"{found.model} on {found.card} at {found.clock_mhz:g} MHz: {found.prompt_tokens} tokens of prompt, "
            f"{found.new_tokens} new",
            f"work                  {pieces}, {found.tokens_per_pass} token(s) a pass",
            f"time to first token   {found.ttft_ms:,.2f} ms",
            f"tokens per second     {found.tokens_per_second:,.1f}, after the first",
            f"latency               {found.latency_ms:,.2f} ms, {found.launch_share:.0%} of it starting kernels",
            f"how it is known       {found.cycles_per_layer:,} cycles per layer and pass simulated, "
            f"{found.launch_us:g} us per launch estimated;",
            "                      embedding, head and sampling on the host are not counted",
        ]
    )
