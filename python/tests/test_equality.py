# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exact model follows another computation over boundaries between integers, and nowhere else."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from streamtensor import compile_llm
from streamtensor.equality.exact import REACH, ExactModel, Integers, quantise, settle
from streamtensor.equality.observed import ObservedPyTorch, compile_observed, load_observed
from streamtensor.frontend import models
from streamtensor.progress import Progress
from streamtensor.quantise import quantise_activations, quantise_model, quantised_linears
from streamtensor.schemes import SCHEMES
from torch import nn

SHAPE = models.TINY_SHAPE | {"hidden_size": 64, "intermediate_size": 128}
IDS = [3, 14, 15, 92, 65, 35, 89]


def tiny(scheme: str | None = None) -> nn.Module:
    import transformers

    model = models.random_causal_lm(transformers.LlamaConfig(**SHAPE))
    model.generation_config.eos_token_id = None
    return quantise_model(model, scheme, 32) if scheme else model


def in_steps(rows: list[list[float]], zero: int | None = None) -> tuple[object, Integers]:
    """Activations whose step is 1, and their integers as torchao finds them: the ends are 0 and 255, or -127 and 127"""
    values = torch.tensor(rows)
    own = quantise(values, values.shape[1], zero is None)
    zeros = None if zero is None else torch.full((len(rows), 1), zero, dtype=torch.int8)
    return own, Integers((own.differences[:, 0] + (zero or 0)).to(torch.int8), zeros)


@pytest.mark.parametrize(("value", "integer", "explained"), [(4.501, 4, 1), (4.499, 5, 1), (4.6, 4, 0), (4.501, 3, 0)])
def test_an_integer_is_taken_next_to_its_boundary(value, integer, explained):
    own, other = in_steps([[0.0, 255.0, value]], -128)
    assert settle(own, other, REACH)[1].explained == 0
    other.values[0, 2] = integer - 128
    taken, flips = settle(own, other, REACH)
    assert (flips.explained, flips.unexplained) == (explained, 1 - explained)
    assert taken[0, 0].tolist() == [0, 255, integer if explained else round(value)]
    assert flips.farthest == pytest.approx(0.001 if explained else 0.0, abs=1e-5)


@pytest.mark.parametrize(("low", "explained"), [(-100.499, 1), (-100.3, 0)])
def test_a_zero_point_on_a_boundary_cuts_the_end_of_the_range(low, explained):
    """Its own zero point is 100 above the end, the other's 101: the largest value is cut one step earlier."""
    own, other = in_steps([[low, 255 + low, 3.0]], -28)
    assert own.lowest.item() == -100
    assert own.differences[0, 0].tolist() == [-100, 155, 3]
    shifted = Integers((torch.tensor([[-101, 154, 3]]) - 27).to(torch.int8), other.zeros + 1)
    taken, flips = settle(own, shifted, REACH)
    assert flips.explained == (2 if explained else 0)
    assert flips.unexplained == (0 if explained else 2)
    assert taken[0, 0].tolist() == ([-101, 154, 3] if explained else [-100, 155, 3])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_integers_are_those_of_the_model(scheme):
    torch.manual_seed(0)
    linear = quantise_model(nn.Sequential(nn.Linear(128, 8)), scheme, 64)[0]
    given = torch.randn(50, 128) + 1
    values, scale, zeros = quantise_activations(linear, given)
    own = quantise(given, 64 if scheme == "w4a8-symmetric" else 128, scheme == "w4a8-symmetric")
    flips = settle(own, Integers(values, None if zeros is None else zeros.reshape(-1, 1)), REACH)[1]
    assert flips.activations == 50 * 128
    assert flips.unexplained == 0
    assert torch.allclose(own.scale.float()[..., 0], scale.reshape(50, -1), rtol=1e-6)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_model_in_f32_is_the_exact_one_but_for_boundaries(scheme):
    model = tiny(scheme)
    exact = ExactModel(model)
    pytorch = ObservedPyTorch(model)
    for reading in (pytorch.read(IDS), pytorch.generate(IDS[:2], 6)):
        assert len(reading.ids) == len(IDS)
        assert reading.integers.keys() == quantised_linears(model).keys()
        logits, flips = exact(reading.ids, reading.integers)
        assert flips.unexplained == 0
        assert flips.activations == len(IDS) * 2 * (64 + 64 + 64 + 128)
        assert float((reading.logits - logits).abs().max()) < 1e-5 * float(logits.abs().max())


def test_a_mistake_is_seen():
    """One integer of one token, moved by a step away from any boundary, and by two."""
    model = tiny("w4a8")
    exact, reading = ExactModel(model), ObservedPyTorch(model).read(IDS)
    name = "model.layers.1.self_attn.o_proj"
    for step in (1, 2):
        values = reading.integers[name].values.clone()
        place = int((values[4].long() - 10).abs().argmin())
        values[4, place] += step
        spoilt = reading.integers | {name: dataclasses.replace(reading.integers[name], values=values)}
        _, flips = exact(IDS, spoilt)
        assert flips.unexplained == 1
        assert flips.largest == step
        assert flips.places == [f"{name} of token 4"]


def test_another_weight_is_seen():
    """Integers of a model with one weight off, which no boundary explains."""
    model = tiny("w4a8")
    exact = ExactModel(tiny("w4a8"))
    weight = model.model.layers[0].self_attn.v_proj.weight
    weight.data.qdata[3, 5] += 1 if int(weight.data.qdata[3, 5]) < 7 else -1
    _, flips = exact(IDS, ObservedPyTorch(model).read(IDS).integers)
    assert flips.unexplained > 0


@pytest.fixture(scope="module", params=["w4a8", "w4a8-symmetric"])
def observed(request, tmp_path_factory):
    out = tmp_path_factory.mktemp("observed")
    llm = compile_llm(tiny(), max_context=16, tokens_per_pass=2, quantise=request.param, out=out / "design")
    compile_observed(llm, out / "observed", Progress())
    return llm, load_observed(llm, out / "observed")


def test_a_design_decides_as_its_model(observed):
    llm, design = observed
    passes, reading = [], design.read(IDS)
    llm.read(IDS, llm.new_cache(), passes.append)
    assert all(torch.equal(a.logits, b.logits) for a, b in zip(passes, reading.passes, strict=True))
    logits, flips = ExactModel(llm.model)(IDS, reading.integers)
    assert reading.integers.keys() == quantised_linears(llm.model).keys()
    assert flips.unexplained == 0
    assert float((reading.logits - logits).abs().max()) < 1e-5 * float(logits.abs().max())


def test_layers_of_a_design_are_those_of_its_model_where_tokens_follow_a_prompt(observed):
    llm, design = observed
    passes, cache, reading = [], llm.new_cache(), design.read(IDS, 3)
    llm.read(IDS[:3], cache, passes.append)
    for token in IDS[3:]:
        llm.read([token], cache, passes.append)
    assert [each.count for each in reading.passes] == [2, 1, 1, 1, 1, 1]
    for one, other in zip(passes, reading.passes, strict=True):
        assert all(map(torch.equal, one.layers, other.layers))
    logits, layers, flips = ExactModel(llm.model).read(IDS, reading.integers)
    assert flips.unexplained == 0
    assert float((reading.logits - logits).abs().max()) < 1e-5 * float(logits.abs().max())
    for index, expected in enumerate(layers):
        found = torch.cat([each.layers[index][0] for each in reading.passes])
        assert float((found - expected).abs().max()) < 1e-5 * float(expected.abs().max())
