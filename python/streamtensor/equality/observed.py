# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A design that tells the int8 activations of its linears too, as further results of the same layer.

Its other results are, bit for bit, those of the design without them: whoever uses it checks that on every pass.
"""

from __future__ import annotations

import contextlib
import functools
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path

import torch

from streamtensor.compiler import SCHEDULE_FILE, compile_program
from streamtensor.design import Design
from streamtensor.devices import find_device, larger
from streamtensor.equality.exact import Integers
from streamtensor.errors import RunError
from streamtensor.frontend import decoder
from streamtensor.frontend.cached_decoder import Context
from streamtensor.layer_program import Shape, layer_program
from streamtensor.llm import LanguageModel, Pass
from streamtensor.memory import as_tensor
from streamtensor.options import Options
from streamtensor.progress import Progress
from streamtensor.quantise import quantise_activations, quantised_linears
from streamtensor.reference import without_layers


@dataclass(frozen=True)
class Site:
    """Linears that read one tensor, by their names in a layer; results of a layer that are its integers."""

    names: list[str]
    results: list[torch.Tensor]

    def to_json(self) -> dict:
        return {"names": self.names, "results": len(self.results)}


class Observed:
    """What a layer tells behind its own results: `sites`, in the order of those, known once it was called."""

    def __init__(self) -> None:
        self.sites: list[Site] = []

    def wrap(self, module: torch.nn.Module, layer: torch.nn.Module) -> torch.nn.Module:
        """`module`, which calls `layer`, with the integers of each quantised input behind its results."""
        plain = module.forward

        @functools.wraps(plain)
        def forward(*arguments):
            with noting(layer) as self.sites:
                results = plain(*arguments)
            return (*results, *(tensor for site in self.sites for tensor in site.results))

        module.forward = forward
        return module


@contextlib.contextmanager
def noting(module: torch.nn.Module) -> Iterator[list[Site]]:
    """Within the block, the inputs of quantised linears of `module`, as integers, in the order of the calls."""
    seen: list[tuple[torch.Tensor, Site]] = []
    sites: list[Site] = []

    def note(name: str, linear: torch.nn.Linear, arguments: tuple) -> None:
        (given,) = arguments
        same = next((site for tensor, site in seen if tensor is given), None)
        if same is not None:
            same.names.append(name)
            return
        values, _, zeros = quantise_activations(linear, given)
        sites.append(Site([name], [values] if zeros is None else [values, zeros]))
        seen.append((given, sites[-1]))

    hooks = [part.register_forward_pre_hook(partial(note, name)) for name, part in quantised_linears(module).items()]
    try:
        yield sites
    finally:
        for hook in hooks:
            hook.remove()


@dataclass(frozen=True)
class _ObservedContext(Context):
    observed: Observed

    def wrap(self, index: int) -> torch.nn.Module:
        return self.observed.wrap(super().wrap(index), decoder.decoder_of(self.model).layers[index])


@dataclass(frozen=True)
class Reading:
    """A text as a computation of the model took it in: logits [tokens, vocabulary], integers by names of linears."""

    ids: list[int]
    logits: torch.Tensor
    integers: dict[str, Integers]
    passes: list[Pass] = field(default_factory=list)  # of a design


class _Telling:
    """`design` without its further results, which are kept, launch by launch."""

    def __init__(self, design: Design, results: int):
        self.manifest, self.row_buffers = design.manifest, design.row_buffers
        self._design, self._results = design, results
        self.told: list[list[torch.Tensor]] = []

    def execute(self, *given: object) -> list:
        found = self._design.execute(*given)
        self.told.append([as_tensor(value).clone() for value in found[self._results :]])
        return found[: self._results]


class ObservedDesign:
    """A language model on a design that tells what each quantised linear read."""

    def __init__(self, llm: LanguageModel, telling: _Telling, sites: list[dict]):
        """`sites`: Site.to_json() of each."""
        self._llm, self._telling, self._sites = llm, telling, sites

    def read(self, ids: list[int], prompt: int | None = None) -> Reading:
        """In full passes, or only the first `prompt` tokens and then the others one by one."""
        passes: list[Pass] = []
        self._telling.told.clear()
        _ = self._llm.context  # read from the layers that PyTorch has
        cache, rest = self._llm.new_cache(), [] if prompt is None else ids[prompt:]
        with without_layers(self._llm.model):
            self._llm.read(ids[: len(ids) - len(rest)], cache, passes.append)
            for token in rest:
                self._llm.read([token], cache, passes.append)
        logits = torch.cat([each.logits[0] for each in passes])
        return Reading(list(ids), logits, dict(self._integers([each.count for each in passes])), passes)

    def _integers(self, counts: list[int]) -> Iterator[tuple[str, Integers]]:
        paths = decoder.layer_paths(self._llm.model)
        for layer, path in enumerate(paths):
            launches = self._telling.told[layer :: len(paths)]
            number = 0
            for site in self._sites:
                parts = [[each[number + part] for each in launches] for part in range(site["results"])]
                number += site["results"]
                yield from _named(path, site["names"], [_join(part, counts) for part in parts])


def _named(path: str, names: list[str], parts: list[torch.Tensor]) -> Iterator[tuple[str, Integers]]:
    integers = Integers(parts[0], parts[1] if len(parts) > 1 else None)
    yield from ((f"{path}.{name}" if path else name, integers) for name in names)


def _join(parts: list[torch.Tensor], counts: list[int]) -> torch.Tensor:
    """Of passes, [1, tokens, ..] or [1, tokens], without what pads them."""
    rows = [part.reshape(part.shape[1], -1)[:count] for part, count in zip(parts, counts, strict=True)]
    return torch.cat(rows)


def compile_observed(llm: LanguageModel, out: Path, progress: Progress) -> None:
    """The design of `llm` with what it tells. Not compared with PyTorch here: that is what it is made for."""
    if llm.context.has_int8_cache:
        raise RunError("The integers of an int8 cache are not told: compile the model with a float cache.")
    context, observed = llm.context, Observed()
    known = {each.name: getattr(context, each.name) for each in fields(context)}
    options = Options(**(llm.design.manifest["options"] | {"compare": False, "force": True}))
    keys = next(argument for argument in llm.design.interface.arguments if argument.name == "keys")
    shape = Shape(llm.tokens_per_pass, keys.shape[-2])
    program = layer_program(_ObservedContext(**known, observed=observed), shape, options.time_limit)
    sites = [site.to_json() for site in observed.sites]
    extra = {"max_context": llm.max_context, "tokens_per_pass": llm.tokens_per_pass, "sites": sites}
    with tempfile.TemporaryDirectory(prefix="streamtensor-observed-") as scratch:
        # It has an array for each linear, with the lanes of an engine, and no card has to hold it.
        device = larger(find_device(options.device), 64, Path(scratch) / "card.json")
        options = replace(options, device=str(device.path))
        compile_program(program, device, replace(options, stop_after="decide"), Path(scratch) / "decided", Progress())
        schedule = Path(scratch) / SCHEDULE_FILE
        taken = _take_choices(_choices(Path(scratch) / "decided"), _choices(llm.design.directory))
        schedule.write_text(json.dumps(taken))
        options = replace(options, unroll=None, lane_share=None, schedule=schedule)
        compile_program(program, device, options, out, progress, extra)


def _choices(directory: Path) -> dict:
    return json.loads((directory / SCHEDULE_FILE).read_text())


def _take_choices(schedule: dict, design: dict) -> dict:
    """`schedule` with tiles, orders and lanes of `design`, so that floats are added up in one order.

    Where a rounding is told its operation is two here, which take the lanes of the one. What is added for a result to
    lie as it is told has no sums, and keeps its own. There is no engine.
    """

    def describe(operation: dict) -> tuple:
        return operation["operation"], tuple(operation["loops"]), operation["computes"]

    alike: dict[tuple, list[dict]] = {}
    for operation in design["operations"]:
        alike.setdefault(describe(operation), []).append(operation)
    apart = []
    for operation in schedule["operations"]:
        operation["engine"] = None
        if known := alike.get(describe(operation)):
            operation |= _choices_of(known.pop(0))
        else:
            apart.append(operation)
    whole = {describe(operation)[:2]: operation for known in alike.values() for operation in known}
    for operation in apart:
        if known := whole.get(describe(operation)[:2]):
            operation |= _choices_of(known)
    return schedule


def _choices_of(operation: dict) -> dict:
    return {key: operation[key] for key in ("tile", "order", "unroll")}


def load_observed(llm: LanguageModel, out: Path) -> ObservedDesign:
    """What `compile_observed` made."""
    design = Design(out)
    telling = _Telling(design, len(llm.design.interface.results))
    twin = LanguageModel(telling, llm.model, llm.tokenizer)
    return ObservedDesign(twin, telling, design.manifest["sites"])


class ObservedPyTorch:
    """A model in PyTorch as it is."""

    def __init__(self, model: torch.nn.Module):
        self._model = model

    def read(self, ids: list[int]) -> Reading:
        """All at once."""
        return self._read(ids, len(ids))

    def generate(self, ids: list[int], new_tokens: int) -> Reading:
        """`ids` at once, then its own greedy tokens one by one, but for the last, which nothing reads."""
        return self._read(ids, len(ids) + new_tokens - 1)

    @torch.no_grad()
    def _read(self, ids: list[int], length: int) -> Reading:
        text, unread, cache, logits, sites = list(ids), ids, None, [], []
        while True:
            with noting(self._model) as found:
                result = self._model(torch.tensor([unread]), past_key_values=cache, use_cache=True)
            cache = result.past_key_values
            logits.append(result.logits[0])
            sites.append(found)
            if len(text) == length:
                return Reading(text, torch.cat(logits), dict(self._integers(sites)))
            unread = [int(logits[-1][-1].argmax())]
            text += unread

    def _integers(self, passes: list[list[Site]]) -> Iterator[tuple[str, Integers]]:
        for same in zip(*passes, strict=True):
            parts = zip(*(site.results for site in same), strict=True)
            counts = [site.results[0].shape[1] for site in same]
            yield from _named("", same[0].names, [_join(part, counts) for part in parts])
