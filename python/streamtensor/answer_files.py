# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel that makes several tokens in a launch, in the output directory of a language model: `answer/`.

It is the loop of streamtensor.request over the designs of layers, place and head, which lie beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from streamtensor import compiler, diagnostics, paths, process
from streamtensor.answer import DeviceAnswer
from streamtensor.design import Design, load_tensors
from streamtensor.devices import Device, describe
from streamtensor.errors import RunError
from streamtensor.frontend.cached_decoder import CACHE_ARGUMENTS, LAYERS
from streamtensor.interface import Interface
from streamtensor.memory import apart
from streamtensor.options import Options
from streamtensor.request import Part, check_layers, request_program
from streamtensor.stored import ANSWER, ANSWER_FACTS, HEAD, NEXT_PLACE, read_json

_SOURCE, _PARAMETERS = "ir/00-request.mlir", "params/answer.safetensors"


def build_answer(
    work: Path, device: Device, options: Options, turns: int, parameters: Mapping[str, Mapping[str, torch.Tensor]]
) -> dict:
    """Joins the designs in `work` into a kernel in `work`/answer and lays out their `parameters`, by design. Gives what
    the manifest says of it."""
    out = work / ANSWER
    parts = [Part.read(name, work / folder) for name, folder in ((LAYERS, "."), (NEXT_PLACE, NEXT_PLACE), (HEAD, HEAD))]
    check_layers(parts[0], [a.name for a in parts[0].arguments if a.name in CACHE_ARGUMENTS])
    source, sized = out / _SOURCE, out / "ir" / compiler.SIZED_FILE
    source.parent.mkdir(parents=True)
    source.write_text(request_program(*parts, turns, source.parent))
    opt, translate = (paths.find_tool(f"streamtensor-{name}") for name in ("opt", "translate"))
    card = source.with_name(compiler.DEVICE_FILE)
    card.write_text(describe(device, options))
    words = ["--streamtensor-pipeline=start-after=size", f"--device={card}"]
    words += ["--streamtensor-join-phase", "--mlir-print-debuginfo"]
    _run([opt, source, *words, "-o", sized], source, options.time_limit)
    _run([translate, sized, f"--output-dir={out}"], sized, options.time_limit)
    from safetensors.torch import save_file

    (out / _PARAMETERS).parent.mkdir(exist_ok=True)
    save_file(apart(Interface(out).pack_parameters(_Named(parts, parameters))), out / _PARAMETERS)
    facts = {"turns": turns, "content": compiler.content(out, out / _PARAMETERS)}
    (out / ANSWER_FACTS).write_text(json.dumps(facts) + "\n")
    return facts


def _run(command: list, source: Path, time_limit: float) -> None:
    diagnostics.check(process.run(command, time_limit), source, source.name)


class _Named(Mapping):
    """Parameters as the joined program calls them, put together when they are asked for."""

    def __init__(self, parts: list[Part], parameters: Mapping[str, Mapping[str, torch.Tensor]]):
        self._places = {
            part.named(name): (parameters[part.name], name) for part in parts for name in parameters.get(part.name, ())
        }

    def __getitem__(self, name: str) -> torch.Tensor:
        held, own = self._places[name]
        return held[own]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def load_answer(design: Design) -> DeviceAnswer | None:
    """None where the host goes from token to token, and where the compilation stopped before the code."""
    known = design.manifest.get(ANSWER)
    if known is None or not (design.directory / "interface.json").exists():
        return None
    out = design.directory / ANSWER
    again = f"Copy the whole output directory, or compile {design.manifest['model']} again."
    if not all((out / name).exists() for name in ("interface.json", _PARAMETERS, ANSWER_FACTS)):
        raise RunError(f"The design in {design.directory} has its kernel in {out}, which is not complete. {again}")
    if read_json(out / ANSWER_FACTS) != known:
        raise RunError(f"The kernel in {out} is not the one that was compiled with {design.directory}. {again}")
    interface = Interface(out, design.manifest["options"]["time_limit"])
    return DeviceAnswer(interface, interface.read_parameters(load_tensors(out / _PARAMETERS)), known["turns"])
