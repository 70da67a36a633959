# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packed layouts on the host, and results that are passed on from launch to launch as they lie."""

import random
from math import prod

import pytest
import torch
from streamtensor import Options, compile
from streamtensor.memory import Layout, Resident, as_tensor


def random_layout(generator: random.Random) -> tuple[Layout, tuple[int, ...]]:
    """Tiles of a matrix in a random order of the loops, in words or not; and the matrix's shape."""
    tiles, tile = ([generator.randint(1, 4) for _ in range(2)] for _ in range(2))
    rows, columns = tiles[0] * tile[0], tiles[1] * tile[1]
    outer = [(tiles[0], tile[0] * columns), (tiles[1], tile[1])]
    generator.shuffle(outer)
    lanes = generator.choice([0, *(n for n in range(1, tile[1] + 1) if tile[1] % n == 0)])
    inner = [(tile[0], columns), (tile[1], 1)]
    if lanes:
        inner[1:] = [(tile[1] // lanes, lanes), (generator.randint(lanes, 8), 1)]
    extents, strides = zip(*outer, *inner, strict=True)
    return Layout(extents, strides, 0, lanes), (rows, columns)


def test_a_view_is_packed_from_where_it_begins():
    whole = torch.arange(24.0).reshape(2, 3, 4)
    assert torch.equal(Layout((4, 3), (1, 4)).pack(whole[1]), whole[1].t())


@pytest.mark.parametrize("seed", range(40))
def test_unpack_is_the_inverse_of_pack(seed):
    layout, shape = random_layout(random.Random(seed))
    data = torch.arange(prod(shape), dtype=torch.int32).reshape(shape) + 1
    packed = layout.pack(data)
    assert packed.shape == layout.shape and packed.is_contiguous()
    assert sorted(packed[packed > 0].tolist()) == list(range(1, prod(shape) + 1))
    assert torch.equal(layout.unpack(packed, shape), data)


def test_extents_of_one_say_nothing():
    assert Layout((1, 3, 16, 16), (768, 16, 48, 1)).is_same_as(Layout((3, 16, 16), (16, 48, 1)))
    assert not Layout((2, 3, 4), (4, 8, 1)).is_same_as(Layout((2, 3, 4), (12, 4, 1)))
    assert not Layout((3, 8), (8, 1)).is_same_as(Layout((3, 8), (8, 1), lanes=5))
    assert not Layout((3, 8), (8, 1), offset=8).is_same_as(Layout((3, 8), (8, 1)))


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(48, 32), torch.nn.Linear(32, 48)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    torch.manual_seed(0)
    out = tmp_path_factory.mktemp("layer")
    options = Options(tile_size=16, unroll=32, engines=False)
    return compile(Layer().eval(), (torch.randn(1, 32, 48),), options, out=out)


def test_results_are_the_next_inputs_as_they_lie(design, monkeypatch):
    moved = []
    for name in ("pack", "unpack"):
        original = getattr(Layout, name)
        monkeypatch.setattr(
            Layout, name, lambda *a, name=name, original=original: (moved.append(name), original(*a))[1]
        )
    x = torch.randn(1, 32, 48)
    (resident,) = design.execute((x,), design.parameters)
    assert isinstance(resident, Resident) and resident.shape == x.shape and "unpack" not in moved
    moved.clear()
    (again,) = design.execute((resident,), design.parameters)
    assert moved == []  # parameters were packed by the first call, the layer's input by nobody
    monkeypatch.undo()
    expected = design(design(x))
    assert torch.equal(as_tensor(again), expected)
    assert torch.equal(as_tensor(resident), design(x))


def test_parameters_are_packed_when_they_are_compiled(design, monkeypatch):
    """What the files of a layer hold is what launches read, without a pack at run time."""
    read = design.interface.pack_parameters(design.parameters)
    assert any("@" in name for name in read)
    parameters = design.interface.read_parameters(read)
    x = torch.randn(1, 32, 48)
    (resident,) = design.execute((x,), parameters)
    expected = design(x)
    assert torch.equal(as_tensor(resident), expected)
    monkeypatch.setattr(Layout, "pack", lambda *arguments: pytest.fail("packed at run time"))
    (again,) = design.execute((resident,), parameters)
    assert again.shape == x.shape


class Returned(torch.nn.Module):
    """A weight that a launch reads in tiles, and that is a result as well."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(48, 32))

    def forward(self, x):
        return x @ self.weight, self.weight.reshape(32, 48)


def test_a_parameter_that_is_a_result_lies_as_it_is(tmp_path):
    torch.manual_seed(0)
    module, x = Returned().eval(), torch.randn(32, 48)
    design = compile(module, (x,), Options(tile_size=16, unroll=32), out=tmp_path / "out")
    product, weight = design(x)
    torch.testing.assert_close(product, module(x)[0])
    assert torch.equal(weight, module(x)[1])
    parameters = design.interface.read_parameters(design.interface.pack_parameters(design.parameters))
    assert torch.equal(as_tensor(design.execute((x,), parameters)[1]), weight)
