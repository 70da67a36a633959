# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classic networks and linear-algebra kernels, against PyTorch: every operation on the device.

Those that take seconds have their published shapes; encoder layers are cut here and whole in benchmarks/networks.py.
"""

from __future__ import annotations

import module_batch
import pytest
import streamtensor as st
import torch
from streamtensor.frontend import networks

torch.manual_seed(0)
WHOLE = ("lenet5", "resnet-basic", "resnet-bottleneck", "depthwise-separable", "autoencoder")


def _rand(*shape: int) -> torch.Tensor:
    return torch.randn(shape)


a, b, c, d = _rand(24, 36), _rand(36, 20), _rand(20, 28), _rand(28, 12)
x, y, square, other = _rand(20), _rand(24), _rand(24, 24), _rand(24, 24)

# The kernels of PolyBench by their names, in sizes that the tile does not divide.
KERNELS = {
    "gemm": (lambda a, b, c: 1.5 * (a @ b) + 1.2 * c, [a, b, _rand(24, 20)]),
    "2mm": (lambda a, b, c, d: 1.5 * (a @ b) @ c + 1.2 * d, [a, b, c, _rand(24, 28)]),
    "3mm": (lambda a, b, c, d: (a @ b) @ (c @ d), [a, b, c, d]),
    "chain": (lambda a, b, c, d: a @ b @ c @ d, [a, b, c, d]),
    "atax": (lambda a, x: a.T @ (a @ x), [_rand(24, 20), x]),
    "bicg": (lambda a, p, r: (a.T @ r, a @ p), [_rand(24, 20), x, y]),
    "mvt": (lambda a, x1, x2, y1, y2: (x1 + a @ y1, x2 + a.T @ y2), [square, y, _rand(24), _rand(24), _rand(24)]),
    "gesummv": (lambda a, b, x: 1.5 * (a @ x) + 1.2 * (b @ x), [square, other, y]),
}
CUT = {
    "bert-layer": (networks.encoder_layer(48, 4), [_rand(1, 16, 48)]),
    "vit-layer": (networks.encoder_layer(48, 4, norm_first=True), [_rand(1, 17, 48)]),
    "mixer-block": (networks.MixerBlock(24, 32), [_rand(1, 24, 32)]),
    "graph-network": (networks.GraphNetwork(10, 8, 3), [_rand(12, 10), *torch.randint(0, 12, (2, 30))]),
    "patch-embedding": (torch.nn.Conv2d(3, 48, 8, stride=8), [_rand(1, 3, 32, 32)]),
}


@pytest.mark.parametrize("name", WHOLE)
def test_published_shapes(name, tmp_path):
    module, inputs = networks.NETWORKS[name]()
    with torch.no_grad():
        design = st.compile(module, inputs, st.Options(), tmp_path / "out")
        torch.testing.assert_close(design(*inputs), module(*inputs), rtol=1e-4, atol=1e-4)
    assert design.simulate().cycles > 0


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(KERNELS | CUT, tmp_path_factory.mktemp("networks"))


@pytest.mark.parametrize("name", [*KERNELS, *CUT])
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)
