# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that PyTorch computes on other types than their operands have, on values that show it.

Designs are compiled with harmless examples and run on values for which a lost sign, 24 bits of a float or a sum in 16
bits would be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamtensor as st
import torch
from torch.nn import functional


class Computes(torch.nn.Module):
    def __init__(self, function: Callable) -> None:
        super().__init__()
        self.function = function

    def forward(self, *values: torch.Tensor):
        return self.function(*values)


def _of_unsigned(x: torch.Tensor):
    extended = torch.cat([x.float(), x]), torch.stack([x, x.int()]), x[:, :2].prod(1), x.mean(1, dtype=torch.float32)
    return x / 255, x + 1.5, x - x.int(), (x > 200.5).int(), x.abs(), *extended


def _of_integers(x: torch.Tensor):
    return -x, x // 3, x // -3, -x.to(torch.int32), x**2, x.square(), x**3, x.isfinite()


def _of_quotients(x: torch.Tensor):
    down = x[0] // x[1], x[0] // 0.1, torch.div(x[0], x[1], rounding_mode="floor")
    return *down, x[0].fmod(x[1]), x[0].fmod(0.3), x[0] % x[1], x.isfinite()


def _near_zero(x: torch.Tensor):
    return functional.elu(x), functional.selu(x), functional.celu(x), torch.expm1(x)


def _of_known(x: torch.Tensor):
    tenth, one = torch.full((), 0.1), torch.full((3,), 1)
    known = tenth < 0, tenth >= 0, one > 2, one != 1, torch.tensor(2.5) == 2
    return *((x < 0) != fact.all() for fact in known), torch.where(tenth < 0, x, -x)


def _of_halves(x: torch.Tensor):
    norms = functional.layer_norm(x, (1000,)), functional.rms_norm(x, (1000,)), functional.group_norm(x, 4)
    return *norms, functional.normalize(x), x.norm(), functional.avg_pool1d(x[None] * 50, 10), x.sum(1), x.mean(1)


def _of_small(x: torch.Tensor):
    """Beside the default epsilon of PyTorch they are not large."""
    weight = torch.linspace(-1, 2, 8)
    halves = functional.rms_norm(x.half() * 8, (8,)), functional.rms_norm(x.bfloat16(), (8,))
    return *halves, functional.rms_norm(x, (8,)), functional.rms_norm(x, (3, 8), weight.expand(3, 8)), x / x.norm()


CASES = {
    "small": (_of_small, torch.ones(2, 3, 8), 3e-4 * torch.randn(2, 3, 8)),
    "unsigned": (_of_unsigned, torch.arange(32).reshape(4, 8).byte(), torch.arange(255, 223, -1).reshape(4, 8).byte()),
    "integers": (
        _of_integers,
        torch.arange(4),
        torch.tensor([1052433555766230592, -1052433555766230592, 16777217, -7]),
    ),
    "quotients": (
        _of_quotients,
        torch.ones(2, 10),
        torch.tensor(
            [
                [0.5, 1, 1.5, 7.5, 1e4, 56241.94, -104, torch.inf, 3, -1],
                [0.1] * 3 + [1e-3, 0.3, 0.8611952, torch.inf, 3, 0, 0.1],
            ]
        ),
    ),
    "near zero": (_near_zero, torch.ones(6), torch.tensor([-1e-7, -1e-6, -0.5, -100, 1e-7, 2])),
    "known": (_of_known, torch.ones(3), torch.tensor([-1.0, 0, 2])),
    "float16": (_of_halves, torch.ones(2, 1000).half(), (10 * torch.linspace(-9, 10, 2000).reshape(2, 1000)).half()),
    "bfloat16": (lambda x: x.sum(1), torch.ones(1, 4).bfloat16(), torch.tensor([[2049.0, 1, 1, -2049]]).bfloat16()),
}


@pytest.mark.parametrize("name", CASES)
def test_operations_are_computed_on_the_types_of_pytorch(tmp_path: Path, name: str) -> None:
    function, example, values = CASES[name]
    options = st.Options(compare=False)
    design = st.compile(Computes(function), (example,), out=tmp_path / "design", options=options)
    expected = function(values)
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = design(values)
    found = found if isinstance(found, tuple) else (found,)
    bounds = {"rtol": 1e-5, "atol": 0.0} if name == "near zero" else {}
    for index, (got, wanted) in enumerate(zip(found, expected, strict=True)):
        assert got.dtype == wanted.dtype, index
        torch.testing.assert_close(
            got, wanted, equal_nan=True, **bounds, msg=lambda text, index=index: f"result {index}: {text}"
        )


def test_one_tensor_given_twice_is_two_inputs(tmp_path: Path) -> None:
    module, x = Computes(lambda a, b: a - b), torch.randn(4, 8)
    design = st.compile(module, (x, x), out=tmp_path / "design")
    ones, zeros = torch.ones(4, 8), torch.zeros(4, 8)
    assert torch.equal(design(ones, zeros), ones)


def test_a_parameter_given_as_an_input_stays_one(tmp_path: Path) -> None:
    module = torch.nn.Linear(8, 8, bias=False)
    design = st.compile(module, (module.weight,), out=tmp_path / "design")
    value = torch.randn(8, 8)
    torch.testing.assert_close(design(value), module(value).detach())


def test_a_sign_that_is_put_off_is_applied(tmp_path: Path) -> None:
    x = torch.randn(4, 8)
    design = st.compile(torch.nn.ReLU(), (x,), out=tmp_path / "design")
    assert torch.equal(design(torch._neg_view(x)), torch.relu(-x))


def _add_to_column(x: torch.Tensor, column: torch.Tensor):
    result = x.clone()
    result[:, column] += 1
    return result


@pytest.mark.parametrize(
    ("make", "fragments"),
    [
        (lambda: st.compile(torch.nn.Linear(32, 32).half(), (torch.ones(4, 32).half(),), quantise="w8a8"), ["float()"]),
        (
            lambda: st.compile(torch.nn.Linear(32, 32).double(), (torch.ones(4, 32).double(),), quantise="w8a8"),
            ["torch.float64", "float()"],
        ),
        (lambda: st.compile(torch.nn.Linear(32, 32), (torch.ones(4, 32),), group_size=64), ["give quantise as well"]),
        (
            lambda: st.compile(torch.nn.Linear(32, 32), (torch.ones(4, 32),), quantise="w8a8", group_size=32),
            ["w8a8 has one scale", "leave it out"],
        ),
        (lambda: st.compile(torch.nn.ReLU(), (torch.eye(3).to_sparse(),)), ["sparse_coo", "to_dense()"]),
        (
            lambda: st.compile(torch.nn.Linear(32, 32), (torch.ones(4, 32),), quantise="w4a8", group_size=0),
            ["group size is 0"],
        ),
        (
            lambda: st.compile(torch.nn.Linear(4, 4), (torch.ones(2, 4, device="meta"),)),
            ["device 'meta'", "randn_like"],
        ),
        (
            lambda: st.compile(Computes(_add_to_column), (torch.ones(4, 6), torch.tensor(2))),
            ["A number that a tensor holds", "x[i.reshape(1)]"],
        ),
        (lambda: st.Options(clock_mhz=1e30), ["clock_mhz", "at most 10000"]),
        (lambda: st.Options(padding=1000), ["padding", "at most 100"]),
        (lambda: st.Options(seed=2**64), ["seed", "at most"]),
        (lambda: st.Options(time_limit=float("nan")), ["time_limit", "above 0"]),
        (lambda: st.compile(torch.nn.ModuleDict({"in": torch.nn.Linear(4, 4)}), ()), ["'in' is a word of Python"]),
    ],
)
def test_what_cannot_be_is_said(make: Callable, fragments: list[str], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(st.CompileError) as refused:
        make()
    assert all(fragment in str(refused.value) for fragment in fragments), refused.value
