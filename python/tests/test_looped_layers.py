# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One launch that goes through all layers: interpreter, native C++, both simulators, against PyTorch layer by layer."""

from __future__ import annotations

import json
import re
from typing import ClassVar

import harness
import numpy as np
import pytest
import torch
from hls.lint import lint
from streamtensor.frontend import export_module
from streamtensor.frontend.linalg_module import Layers
from streamtensor.interface import Interface
from streamtensor.memory import as_tensor
from test_scalars import check_cycles
from vitis_compile import WAYS, errors

COUNT = 3
TOKENS, WIDTH, ROWS = 4, 8, 12


class Block(torch.nn.Module):
    """Reads its rows three times, in three orders, and once more behind a sum over all of them."""

    next_launch: ClassVar = {"x": 0}

    def __init__(self, generator: torch.Generator):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(WIDTH, WIDTH, generator=generator) / 3)
        self.bias = torch.nn.Parameter(torch.randn(WIDTH, generator=generator))

    def forward(self, x, cache, at, table):
        scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + 0.1)
        mixed = torch.softmax(x @ x.transpose(1, 2), -1) @ (x * scale * table)
        seen = torch.arange(cache.shape[1], dtype=torch.int32) < at[0]
        total = torch.where(seen[:, None], cache, 0.0).sum(1, keepdim=True)
        return x + torch.tanh(mixed @ self.w + self.bias + total), torch.tanh(mixed)


class Model:
    """Layers, a cache of each, and what a launch through them gives."""

    def __init__(self, seed: int):
        generator = torch.Generator().manual_seed(seed)
        self.layers = [Block(generator) for _ in range(COUNT)]
        self.x = torch.randn(1, TOKENS, WIDTH, generator=generator)
        self.cache = torch.randn(COUNT, 1, ROWS, WIDTH, generator=generator)
        self.table = torch.randn(1, TOKENS, WIDTH, generator=generator)

    def example(self) -> tuple[torch.Tensor, ...]:
        return self.x, self.cache[0], torch.ones(1, dtype=torch.int32), self.table

    def given(self, position: int) -> dict[str, torch.Tensor]:
        """By the names of the program's arguments."""
        state = [dict(layer.named_parameters()) for layer in self.layers]
        stacked = {name: torch.stack([each[name].detach() for each in state]) for name in state[0]}
        at = torch.tensor([position], dtype=torch.int32)
        return {"x": self.x, "cache": self.cache, "at": at, "table": self.table, **stacked}

    @torch.no_grad()
    def expect(self, position: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The first `count` layers; what the others would give is 0, and their caches stay."""
        x, after, found = self.x, self.cache.clone(), torch.zeros(COUNT, *self.x.shape)
        for index, layer in enumerate(self.layers[:count]):
            at = torch.tensor([position], dtype=torch.int32)
            x, rows = layer(x, self.cache[index], at, self.table)
            found[index] = x
            after[index, :, position : position + TOKENS] = rows
        return found, after


def numbers(position: int, count: int) -> dict[str, int]:
    return {"length": max(position, 1), "position": position, "layers": count}


@pytest.fixture(scope="module", params=["tile-size=4 unroll=8", "tile-size=8 unroll=32", "tile-size=2 unroll=1"])
def design(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("layers")
    model = Model(harness.seed())
    text = export_module(
        model.layers[0],
        model.example(),
        extents={"cache": ("", "length", "")},
        updates={1: ("cache", "position")},
        layers=Layers(COUNT, frozenset({"at", "table"})),
    ).text
    (folder / "source.mlir").write_text(text)
    words = [f"--streamtensor-pipeline={request.param}", f"--device={harness.device_file()}", "--validate"]
    lowered = harness.run_tool("streamtensor-opt", folder / "source.mlir", *words, "-o", folder / "sized.mlir")
    assert "layers.fallback" not in lowered.succeed().stderr
    harness.translate(folder / "sized.mlir", folder / "out").succeed()
    return model, folder / "sized.mlir", Interface(folder / "out")


def check(model: Model, found: list[torch.Tensor], position: int, count: int) -> None:
    for have, want in zip(found, model.expect(position, count), strict=True):
        torch.testing.assert_close(have, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("count", range(1, COUNT + 1))
def test_levels_agree_with_pytorch(design, count: int, tmp_path) -> None:
    model, sized, interface = design
    assert interface.layers == COUNT
    for position in (0, 3, ROWS - TOKENS):
        given = model.given(position)
        ordered = [given[argument.name] for argument in interface.arguments]
        native = [as_tensor(value) for value in interface.execute(ordered, numbers(position, count))]
        check(model, native, position, count)
        for name, value in given.items():
            np.save(tmp_path / f"{name}.npy", value.numpy())
        words = [f"--input={tmp_path / argument.name}.npy" for argument in interface.arguments]
        for options in ([], ["--pipelined"]):
            words += [*harness.settings(numbers(position, count)), *options, f"--output-dir={tmp_path}"]
            harness.run_tool("streamtensor-run", sized, *words).succeed()
            for index, value in enumerate(native):
                np.testing.assert_array_equal(np.load(tmp_path / f"result{index}.npy"), value.numpy())


def test_caches_of_all_layers_are_updated_where_they_lie(design) -> None:
    model, _, interface = design
    buffer = interface.row_buffer(interface.arguments[1])
    buffer.write(0, model.cache)
    given = model.given(3) | {"cache": buffer.value}
    ordered = [given[argument.name] for argument in interface.arguments]
    first, none = interface.execute(ordered, numbers(3, COUNT), in_place=True)
    assert none is None
    expected, after = model.expect(3, COUNT)
    torch.testing.assert_close(as_tensor(first), expected, rtol=1e-4, atol=1e-5)
    # A launch behind it finds the rows of this one in the cache of each layer.
    again = Model(harness.seed())
    again.cache = after
    second, none = interface.execute([*ordered[:2], *ordered[2:]], numbers(3, COUNT), in_place=True)
    torch.testing.assert_close(as_tensor(second), again.expect(3, COUNT)[0], rtol=1e-4, atol=1e-5)


def test_synthesis_reads_a_region_with_feedback_and_c_simulation_calls_in_turn(design) -> None:
    _, sized, interface = design
    source = sized.parent / "out" / "hls" / f"{next(iter(interface.designs))}.cpp"
    text = source.read_text()
    assert lint(text) == []
    for defines in WAYS:
        assert errors([source], defines) == ""
    concurrent, sequential = text.split("#else\n")
    assert concurrent.count("#pragma HLS dataflow") == 1 and "_state" not in concurrent
    assert "#pragma HLS dataflow" not in sequential
    # All leaf tasks but the one that reads the first layer's rows take turns.
    assert sequential.count("_kept;") == int(re.search(r"region of (\d+) leaf tasks", text)[1]) - 1


def test_layers_overlap(design) -> None:
    """A launch through all takes no more than its first layer, and as often what a further one adds."""
    _, sized, _ = design
    cycles = [check_cycles(sized, numbers(ROWS - TOKENS, count)) for count in range(1, COUNT + 1)]
    assert cycles[0] < cycles[1] < cycles[2] <= COUNT * cycles[0]
    assert abs((cycles[2] - cycles[1]) - (cycles[1] - cycles[0])) <= 0.05 * cycles[0]


def test_without_its_mark_a_tensor_is_one_for_all(tmp_path) -> None:
    """The weights of the first layer serve all where the program does not stack them."""
    model = Model(harness.seed())
    layers = Layers(COUNT, frozenset({"at", "table", "w", "bias", "cache"}))
    text = export_module(model.layers[0], model.example(), layers=layers).text
    (tmp_path / "source.mlir").write_text(text)
    words = ["--streamtensor-pipeline=tile-size=4 unroll=8", f"--device={harness.device_file()}"]
    harness.run_tool("streamtensor-opt", tmp_path / "source.mlir", *words, "-o", tmp_path / "sized.mlir").succeed()
    harness.translate(tmp_path / "sized.mlir", tmp_path / "out").succeed()
    interface = Interface(tmp_path / "out")
    one = dict(model.layers[0].named_parameters())
    given = model.given(3) | {"cache": model.cache[0]} | {name: value.detach() for name, value in one.items()}
    found = interface.execute([given[argument.name] for argument in interface.arguments], {"layers": COUNT})
    model.layers = [model.layers[0]] * COUNT
    model.cache = model.cache[:1].expand(COUNT, -1, -1, -1)
    torch.testing.assert_close(as_tensor(found[0]), model.expect(3, COUNT)[0], rtol=1e-4, atol=1e-5)
    described = json.loads((tmp_path / "out" / "interface.json").read_text())
    assert described["main"]["layers"] == COUNT
