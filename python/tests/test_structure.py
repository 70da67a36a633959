# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A design returns what the module returns: the same nesting, keys, classes and constants; opened again as well."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
import streamtensor as st
import torch
from streamtensor.cli import run
from streamtensor.frontend import export_module
from torch.utils import _pytree as pytree
from transformers.modeling_outputs import BaseModelOutput

Pair = namedtuple("Pair", ["sum", "product"])
pytree._register_namedtuple(Pair, serialized_type_name="test_structure.Pair")


@dataclass
class Named:
    total: torch.Tensor
    parts: tuple[torch.Tensor, ...]


class Unknown:
    def __init__(self, value):
        self.value = value


class Returns(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


x = torch.randn(4, 6)
RESULTS = {
    "tensor": lambda x: x * 2,
    "tuple-of-one": lambda x: (x * 2,),
    "list": lambda x: [x * 2, x + 1],
    "dict": lambda x: {"double": x * 2, "next": x + 1},
    "ordered-dict": lambda x: OrderedDict(b=x * 2, a=x + 1),
    "nested": lambda x: {"a": (x * 2, [x + 1]), "b": {"c": x - 1}},
    "constants": lambda x: {"size": x.shape[0], "none": None, "value": x * 2, "name": "x", "rate": 0.5},
    "namedtuple": lambda x: Pair(x + x, x * x),
    "dataclass": lambda x: Named(x.sum(), (x * 2, x * 3)),
    "dataclass-within": lambda x: [Named(x.sum(), (x * 2,)), x],
    "model-output": lambda x: BaseModelOutput(last_hidden_state=x * 2, hidden_states=(x, x + 1)),
    "twice": lambda x: (lambda y: {"one": y, "two": y})(x * 2),
}


def assert_same(found, expected):
    assert type(found) is type(expected)
    leaves, spec = pytree.tree_flatten(expected)
    found_leaves, found_spec = pytree.tree_flatten(found)
    assert found_spec == spec
    for actual, wanted in zip(found_leaves, leaves, strict=True):
        if isinstance(wanted, torch.Tensor):
            torch.testing.assert_close(actual, wanted)
        else:
            assert actual == wanted
            assert type(actual) is type(wanted)


@pytest.mark.parametrize("name", RESULTS)
def test_structure_is_kept(name, tmp_path):
    module = Returns(RESULTS[name])
    design = st.compile(module, (x,), out=tmp_path / "out")
    assert_same(design(x), module(x))
    assert_same(st.Design(tmp_path / "out")(x), module(x))
    assert design.manifest["comparison"]["max_abs_error"] < 1e-6


def test_another_process_knows_the_classes(tmp_path):
    st.compile(Returns(RESULTS["model-output"]), (x,), out=tmp_path / "out")
    program = (
        "import sys, torch, streamtensor as st\n"
        "result = st.Design(sys.argv[1])(torch.ones(4, 6))\n"
        "print(type(result).__name__, result.last_hidden_state.sum().item(), len(result.hidden_states))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "out")], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["BaseModelOutput", "48.0", "2"], done.stderr


def test_arrays_are_numbered_in_order(tmp_path):
    st.compile(Returns(RESULTS["constants"]), (x,), out=tmp_path / "out")
    np.savez(tmp_path / "in.npz", arg0=x.numpy())
    names = ["--inputs", str(tmp_path / "in.npz"), "--outputs", str(tmp_path / "out.npz")]
    assert run(["run", str(tmp_path / "out"), *names]) == 0
    with np.load(tmp_path / "out.npz") as results:
        assert list(results) == ["result0"]
        np.testing.assert_array_equal(results["result0"], (x * 2).numpy())


def test_a_class_that_nobody_can_look_into_is_refused():
    with pytest.raises(st.CompileError, match=r"returns a Unknown.*return a tuple, a dict or a dataclass"):
        export_module(Returns(lambda x: Unknown(x * 2)), (x,))
