# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules by hand in awkward shapes, against PyTorch; and the residual whose branches differ in latency."""

from __future__ import annotations

import harness
import pytest
import torch
from streamtensor.frontend import export_module
from torch import nn

TOLERANCE = 1e-5


class TwoBranches(nn.Module):
    """One branch waits for a whole row, the other goes straight on."""

    def forward(self, x):
        return x + torch.softmax(x, dim=-1)


class Attention(nn.Module):
    def forward(self, q, k, v):
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


class SwiGLU(nn.Module):
    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.gate, self.up = (nn.Linear(width, hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(nn.functional.silu(self.gate(x)) * self.up(x))


class Rotary(nn.Module):
    """The halves of a head change places."""

    def forward(self, x, cos, sin):
        low, high = x.chunk(2, dim=-1)
        return x * cos + torch.cat((-high, low), dim=-1) * sin


CASES = {
    "mlp-7-13-1": (lambda: nn.Sequential(nn.Linear(7, 13), nn.ReLU(), nn.Linear(13, 1)), [(5, 7)]),
    "mlp-one-row": (lambda: nn.Sequential(nn.Linear(17, 31), nn.GELU(), nn.Linear(31, 3)), [(1, 17)]),
    "softmax-prime": (lambda: nn.Softmax(dim=-1), [(3, 37)]),
    "softmax-long": (lambda: nn.Softmax(dim=-1), [(2, 509)]),
    "softmax-one": (lambda: nn.Softmax(dim=-1), [(5, 1)]),
    "layer-norm-odd": (lambda: nn.LayerNorm(45), [(7, 45)]),
    "attention-prime": (Attention, [(2, 11, 6)] * 3),
    "swiglu-odd": (lambda: SwiGLU(15, 22), [(9, 15)]),
    "group-norm": (lambda: nn.GroupNorm(4, 12), [(2, 12, 5)]),
    "group-norm-images": (lambda: nn.GroupNorm(3, 6), [(1, 6, 5, 3)]),
    "rotary": (Rotary, [(3, 11, 10), (11, 10), (11, 10)]),
    "residual": (TwoBranches, [(8, 64)]),
}


def exported(name: str):
    torch.manual_seed(harness.seed())
    build, shapes = CASES[name]
    module, inputs = build().eval(), tuple(torch.randn(shape) for shape in shapes)
    return module, inputs, export_module(module, inputs)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Every case to the end of the pipeline, sizes and simulation included, compiled together."""
    directory = tmp_path_factory.mktemp("modules")
    batch, found = harness.Batch(directory), {}
    for name in CASES:
        module, inputs, text = exported(name)
        design = harness.lower(text.text, directory / name, tile_size=8, unroll=16)
        found[name] = (module, inputs, text, batch.add(harness.emit(design, directory / name / "out")))
    batch.build()
    return found


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    module, inputs, text, program = programs[name]
    tensors, given = dict(module.named_parameters()) | dict(module.named_buffers()), iter(inputs)
    values = [tensors[a.name] if a.kind == "parameter" else next(given) for a in text.arguments]
    (result,) = program(*(value.detach().numpy() for value in values))
    with torch.no_grad():
        assert harness.relative_error(result, module(*inputs).numpy()) < TOLERANCE


def test_forced_depths_deadlock_and_name_the_fifo(tmp_path):
    """The sizing of the residual is what lets it end: at depth 2 the straight branch fills up."""
    source = tmp_path / "residual.mlir"
    source.write_text(exported("residual")[2].text)
    outcome = harness.optimise(source, tmp_path / "out.mlir", tile_size=8, unroll=16, force_depth=2)
    assert outcome.code == 1
    assert "deadlocks" in outcome.stderr
    assert "waits for a slot in FIFO" in outcome.stderr
    harness.optimise(source, tmp_path / "out.mlir", tile_size=8, unroll=16).succeed()
