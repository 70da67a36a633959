# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules of PyTorch, compiled and run as native C++, against PyTorch; and one of them through `st.compile`."""

from __future__ import annotations

from collections import Counter

import harness
import module_batch
import pytest
import streamtensor as st
import torch
from fuzz import modules

COUNT, POINTWISE = 16, 10
# Sums in another order, roots and exponentials of their results.
TOLERANCE = 1e-4


def first_seed() -> int:
    return harness.seed() % 1_000_000


def seeds(count: int) -> range:
    return range(first_seed(), first_seed() + count)


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple]:
    return {f"seed{seed}": modules.draw(seed) for seed in seeds(COUNT)}


@pytest.fixture(scope="module")
def built(drawn, tmp_path_factory):
    return module_batch.build(drawn, tmp_path_factory.mktemp("modules"), tile_size=4, unroll=16)


@pytest.mark.parametrize("index", range(COUNT))
def test_a_module_gives_what_pytorch_gives(index: int, built, drawn) -> None:
    name = list(drawn)[index]
    print(name, drawn[name][0].names)
    built[name].check(TOLERANCE)


@pytest.fixture(scope="module")
def special(tmp_path_factory):
    drawn = {f"seed{seed}": modules.draw_pointwise(seed) for seed in seeds(POINTWISE)}
    return module_batch.build(drawn, tmp_path_factory.mktemp("special"), tile_size=3, unroll=7)


@pytest.mark.parametrize("index", range(POINTWISE))
def test_nan_and_infinity_go_the_way_of_pytorch(index: int, special) -> None:
    name = list(special)[index]
    print(name, special[name].module.names, special[name].inputs)
    special[name].check(1e-6)


def test_modules_are_varied() -> None:
    names = Counter(name for seed in seeds(300) for name in set(modules.draw(seed)[0].names))
    missing = {"linear", "attention", "softmax", "residual", "conv2d", "gated", "cat", "slice", "transpose"} - set(
        names
    )
    assert not missing
    assert len(names) >= 45


def test_a_module_through_the_driver(tmp_path) -> None:
    module, inputs = modules.draw(first_seed())
    design = st.compile(module, inputs, st.Options(tile_size=8, unroll=32), tmp_path / "out")
    with torch.no_grad():
        expected = module(*inputs)
    found = design(*inputs)
    torch.testing.assert_close(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
