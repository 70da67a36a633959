# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers, which the front end writes as pairs of real ones, and Fourier transforms."""

from __future__ import annotations

import module_batch
import pytest
import torch
from streamtensor import errors
from streamtensor.frontend import export_module
from torch import fft

torch.manual_seed(0)
X, Y = torch.randn(3, 8, 6), torch.randn(3, 8, 6)
SIGNAL = torch.randn(2, 60)


def rotate(x: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Of tokens [batch, tokens, heads, width], as in the first Llama."""
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns.view(1, x.shape[1], 1, -1)).flatten(3).type_as(x)


def turns_of(tokens: int, width: int) -> torch.Tensor:
    angles = torch.outer(torch.arange(tokens).float(), 1e4 ** (-torch.arange(0, width, 2) / width))
    return torch.polar(torch.ones_like(angles), angles)


class Rotary(torch.nn.Module):
    """Attention with turns in a buffer of complex numbers, in a tensor beside, or made of angles."""

    def __init__(self, where: str):
        super().__init__()
        self.turns = None
        self.where = where
        if where == "buffer":
            self.register_buffer("table", turns_of(16, 6))
        elif where == "loose":
            self.register_buffer("table", turns_of(16, 6), persistent=False)
        elif where == "beside":
            self.table = turns_of(16, 6)
        elif where == "parameter":
            self.table = torch.nn.Parameter(turns_of(16, 6))

    def forward(self, q, k):
        turns = turns_of(16, 6) if self.where == "made" else self.table
        q, k = (rotate(x.unsqueeze(2), turns[4:12]).transpose(1, 2) for x in (q, k))
        return torch.nn.functional.scaled_dot_product_attention(q, k, k)


class Mixing(torch.nn.Module):
    """Tokens mixed by a transform over both dimensions, as in FNet."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 6)

    def forward(self, x):
        return self.linear(fft.fft(fft.fft(x, dim=-1), dim=-2).real)


class Linears(torch.nn.Module):
    """Layers of complex weights."""

    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(6, 5, dtype=torch.complex64)
        self.down = torch.nn.Linear(5, 6, bias=False, dtype=torch.complex64)
        self.mix = torch.nn.Conv1d(8, 4, 3, padding=1, dtype=torch.complex64)

    def forward(self, x, y):
        x = self.up(self.mix(torch.complex(x, y)))
        return torch.view_as_real(self.down(torch.polar(torch.tanh(x.abs()), x.angle()).roll(1, 0)))


class Filter(torch.nn.Module):
    """Global filters: a learnt factor for each frequency."""

    def __init__(self):
        super().__init__()
        self.factors = torch.nn.Parameter(torch.randn(8, 4, 2))

    def forward(self, x):
        spectrum = fft.rfft2(x, norm="ortho") * torch.view_as_complex(self.factors)
        return fft.irfft2(spectrum, s=(8, 6), norm="ortho")


def spectrogram(x):
    return torch.stft(x, 16, 4, window=torch.hann_window(16), return_complex=True).abs() ** 2


CASES = {f"rotary-{where}": (Rotary(where), [X, Y]) for where in ("buffer", "loose", "beside", "parameter", "made")} | {
    "mixing": (Mixing(), [X]),
    "linears": (Linears(), [X, Y]),
    "filter": (Filter(), [X]),
    "spectrogram": (spectrogram, [SIGNAL]),
    "odd-spectrum": (lambda x: fft.irfft(fft.rfft(x), n=7), [torch.randn(3, 7)]),
    "cut-spectrum": (lambda x: torch.view_as_real(fft.ifft(fft.fft(x, n=5)[..., :3], n=4, norm="forward")), [SIGNAL]),
    "hermitian": (
        lambda x, y: (fft.hfft(torch.complex(x, y)), torch.view_as_real(fft.ihfft(x).resolve_conj())),
        [X, Y],
    ),
    "real-transforms": (lambda x: (fft.irfft(x), fft.hfft2(x, norm="ortho"), fft.fftshift(x)), [X]),
    "inverse-hermitian": (lambda x: torch.view_as_real(fft.ihfft2(x, norm="ortho").resolve_conj()), [X]),
    "shifted": (lambda x: fft.fftshift(fft.fft(x, dim=1)).imag, [X]),
    "convolution": (lambda x, y: fft.irfft(fft.rfft(x, 12) * fft.rfft(y, 12), 12), [X, Y]),
    "parts": (lambda x, y: [torch.complex(x, y).real * 2, torch.complex(x, y).conj().imag], [X, Y]),
    "arithmetic": (
        lambda x, y: torch.view_as_real((torch.complex(x, y) * 1j + 2 - y) / (torch.complex(y, x) + 3j) - (1 - 1j)),
        [X, Y],
    ),
    "sizes": (lambda x, y: (torch.complex(x, y).abs(), torch.complex(x, y).angle()), [X, Y]),
    "products": (lambda x, y: torch.view_as_real(torch.complex(x, y) @ (x.mT + 0j)), [X, Y]),
    "complex-products": (
        lambda x, y: torch.view_as_real(torch.einsum("bij,bkj->bik", torch.complex(x, y), torch.complex(y, x))),
        [X, Y],
    ),
    "sums": (lambda x, y: torch.view_as_real(torch.complex(x, y).mean(1).sum(-1)), [X, Y]),
    "counts": (lambda x: torch.view_as_real((x > 0).int() * 1j + (x > 1)), [X]),
    "moved": (
        lambda x, y: torch.view_as_real(torch.cat([torch.complex(x, y).mT[:, 1:], torch.complex(y, x).mT.flip(1)], 1)),
        [X, Y],
    ),
    "chosen": (lambda x, y: torch.view_as_real(torch.where(x > 0, torch.complex(x, y), 0)), [X, Y]),
    "exponential": (lambda x, y: torch.view_as_real(torch.exp(1j * x) * torch.exp(torch.complex(x, y))), [X, Y]),
    "squares": (lambda x, y: torch.view_as_real(torch.complex(x, y) ** 2), [X, Y]),
    "powers": (
        lambda x, y: (
            [torch.view_as_real(torch.complex(x, y) ** e) for e in (0, 0.5, 1.5)]
            + [torch.view_as_real((torch.complex(x, y) + 5) ** -1)]
        ),
        [torch.where(X > 1, 0, X), torch.where(X > 1, 0, Y)],
    ),
    "quotients-of-large": (
        lambda x, y: torch.view_as_real(torch.complex(x, y) / torch.complex(y, x)),
        [1e30 * X, 1e30 * Y],
    ),
    "quotients-of-small": (lambda x, y: torch.view_as_real(torch.complex(x, y).reciprocal()), [1e-25 * X, 1e-25 * Y]),
    "halves": (lambda x, y: [each.abs() for each in torch.complex(x, y).chunk(2, 1)], [X, Y]),
    "turned": (lambda x: torch.view_as_real(torch.polar(x.abs(), x) * x.to(torch.complex64)), [X]),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return module_batch.build(CASES, tmp_path_factory.mktemp("complex-numbers"))


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch(name, programs):
    programs[name].check(1e-5)


def refuse(function, *inputs) -> str:
    with pytest.raises(errors.UnsupportedOpError) as caught:
        export_module(module_batch.Function(function), inputs)
    return str(caught.value)


def test_complex_results_are_refused_with_advice_that_works():
    message = refuse(lambda x: fft.fft(x), X)
    assert "torch.view_as_real(result)" in message
    assert "module_batch.py:" in message
    export_module(module_batch.Function(lambda x: torch.view_as_real(fft.fft(x))), (X,))


def test_an_operation_without_parts_is_named():
    message = refuse(lambda x, y: torch.linalg.inv(torch.complex(x, y)).abs(), X[0, :6], Y[0, :6])
    assert "linalg_inv" in message
    assert "complex" in message


def test_a_transform_with_too_large_a_matrix_is_refused():
    message = refuse(lambda x: fft.fft(x).abs(), torch.zeros(4096))
    assert "4096 elements" in message
    assert "module_batch.py:" in message
