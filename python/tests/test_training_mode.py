# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A design computes what the module computes in the mode that it is in; training itself is refused."""

from __future__ import annotations

import pytest
import streamtensor as st
import torch
from streamtensor.frontend import export_module, models
from streamtensor.frontend.decoder import export_decoder_layer
from torch import nn
from torch.nn import functional

x = torch.randn(2, 4, 6)


class Scaled(nn.Module):
    """Computes another thing in training, but nothing random."""

    def forward(self, x):
        return x * 2 if self.training else x * 3


class Functional(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(self, x)


TRAINING = {
    "dropout": nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.1)),
    "dropout-1d": nn.Dropout1d(0.1),
    "alpha-dropout": nn.AlphaDropout(),
    "batch-norm": nn.Sequential(nn.Identity(), nn.BatchNorm1d(4)),
    "rrelu": nn.RReLU(),
    "encoder": nn.TransformerEncoderLayer(6, 2, 8, batch_first=True),
    "functional-dropout": Functional(lambda self, x: functional.dropout(x, 0.1, self.training)),
    "attention": Functional(lambda self, x: functional.scaled_dot_product_attention(x, x, x, dropout_p=0.1)),
}


@pytest.mark.parametrize("name", TRAINING)
def test_training_mode_is_refused_with_the_way_out(name):
    module = TRAINING[name]
    with pytest.raises(st.CompileError, match=r"is in training mode: 'aten\.\w+.*: call module\.eval\(\) before"):
        export_module(module.train(), (x,))
    assert module.training


def test_the_module_and_the_line_are_named():
    with pytest.raises(st.CompileError, match=r"'aten\.dropout\.default' in module '1' \(.*\.py:\d+\) draws random"):
        export_module(TRAINING["dropout"].train(), (x,))
    with pytest.raises(st.CompileError, match=r"in module '1' .* normalises by the statistics of the batch"):
        export_module(TRAINING["batch-norm"].train(), (x,))


@pytest.mark.parametrize("name", [name for name in TRAINING if name != "attention"])
def test_evaluation_mode_passes(name):
    export_module(TRAINING[name].eval(), (x,))


def test_randomness_in_evaluation_mode_is_refused():
    for function in (lambda self, x: functional.dropout(x, 0.5), lambda self, x: x + torch.rand(6)):
        with pytest.raises(st.UnsupportedOpError, match=r"draws random numbers.*Pass training=self\.training"):
            export_module(Functional(function).eval(), (x,))


@pytest.mark.parametrize("module", [nn.Dropout(0.0), nn.BatchNorm1d(4, track_running_stats=False), nn.LayerNorm(6)])
def test_layers_that_do_the_same_in_both_modes_pass(module):
    export_module(module.train(), (x,))


@pytest.mark.parametrize("training", [True, False])
def test_a_design_computes_in_the_mode_that_it_was_compiled_in(training, tmp_path):
    module = Scaled().train(training)
    design = st.compile(module, (x,), out=tmp_path / "out")
    torch.testing.assert_close(design(x), module(x))
    assert design.manifest["comparison"]["max_abs_error"] == 0


def test_a_language_model_in_training_mode_is_refused():
    model = models.random_causal_lm(models.tiny_gpt2_config())
    with pytest.raises(st.CompileError, match=r"is in training mode.*call module\.eval\(\)"):
        export_decoder_layer(model.train(), 8)
