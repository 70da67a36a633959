# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations do to real and imaginary parts.

That is what PyTorch's own ComplexTensor says, but where it makes tensors of numbers, multiplies by the zeros of what is
real, or knows no form.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import torch
from torch._subclasses.complex_tensor import ComplexTensor
from torch._subclasses.complex_tensor._ops.common import lookup_complex
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from streamtensor.frontend import fourier

_ATEN = torch.ops.aten


class _Rules(TorchDispatchMode):
    """Operations on complex tensors as our rules have them, else as PyTorch's, wherever they are issued."""

    def __torch_dispatch__(self, target, types, arguments=(), keywords=None):
        keywords = keywords or {}
        if not _has_complex(arguments, keywords):
            return target(*arguments, **keywords)
        rule = _RULES.get(target) or lookup_complex(target, *arguments, **keywords)
        if rule is None and target._can_decompose():
            rule = target.decompose
        if rule is None:
            raise NotImplementedError("it has no form of real and imaginary parts.")
        with self:
            return rule(*arguments, **keywords)


def _has_complex(*given: object) -> bool:
    return any(isinstance(each, ComplexTensor) for each in pytree.tree_leaves(given))


def evaluate(target: Callable, arguments: Sequence[object], keywords: dict[str, object]) -> object:
    """Where no operand is complex, and the result is, the operands become so."""
    if target not in _RULES and not _has_complex(arguments, keywords):
        arguments = pytree.tree_map_only(torch.Tensor, lambda x: _pair(x, None), arguments)
    with _Rules():
        return _RULES.get(target, target)(*arguments, **keywords)


Part = torch.Tensor | float | None  # None is zero


def _parts_of(value: torch.Tensor | complex) -> tuple[Part, Part]:
    if isinstance(value, ComplexTensor):
        return value.re, value.im
    if isinstance(value, complex):
        return value.real or None, value.imag
    return value, None


def _pair(real: Part, imaginary: Part) -> ComplexTensor:
    """One of the parts is a tensor."""
    if isinstance(real, torch.Tensor):
        imaginary = imaginary if isinstance(imaginary, torch.Tensor) else torch.full_like(real, imaginary or 0)
    else:
        real = torch.full_like(imaginary, real or 0)
    dtype = torch.promote_types(real.dtype, imaginary.dtype)
    dtype = dtype if dtype.is_floating_point else torch.get_default_dtype()
    return ComplexTensor(*torch.broadcast_tensors(real.to(dtype), imaginary.to(dtype)))


def _add(a: Part, b: Part) -> Part:
    return b if a is None else a if b is None else a + b


def _subtract(a: Part, b: Part) -> Part:
    return a if b is None else -b if a is None else a - b


def _bilinear(operation: Callable):
    """`operation` of complex or real operands."""

    def rule(a: torch.Tensor | complex, b: torch.Tensor | complex) -> ComplexTensor:
        (a, a_imaginary), (b, b_imaginary) = _parts_of(a), _parts_of(b)

        def times(x: Part, y: Part) -> Part:
            return None if x is None or y is None else operation(x, y)

        real = _subtract(times(a, b), times(a_imaginary, b_imaginary))
        return _pair(real, _add(times(a, b_imaginary), times(a_imaginary, b)))

    return rule


def _linear(operation: Callable[[Part, Part], Part]):
    """`operation` of each part of a and of alpha * b."""

    def rule(a: torch.Tensor | complex, b: torch.Tensor | complex, alpha: float = 1) -> ComplexTensor:
        (real, imaginary), (b_real, b_imaginary) = _parts_of(a), _parts_of(b)
        return _pair(operation(real, _scale(b_real, alpha)), operation(imaginary, _scale(b_imaginary, alpha)))

    return rule


def _scale(part: Part, factor: float) -> Part:
    return part if part is None or factor == 1 else factor * part


_times, _plus, _minus = _bilinear(operator.mul), _linear(_add), _linear(_subtract)


def _divide(a: torch.Tensor | complex, b: torch.Tensor | complex) -> ComplexTensor:
    """By the larger part of b first: the square of a large number is not finite, and that of a small one is zero."""
    real, imaginary = _parts_of(b)
    if not isinstance(imaginary, torch.Tensor):
        return _times(a, 1 / b)
    larger = torch.maximum(real.abs(), imaginary.abs())
    real, imaginary = real / larger, imaginary / larger
    product = _times(a, ComplexTensor(real, -imaginary))
    size = real * real + imaginary * imaginary
    return ComplexTensor(product.re / size / larger, product.im / size / larger)


def _power(x: torch.Tensor, exponent: complex) -> ComplexTensor:
    if exponent == 0.5:
        return torch.sqrt(x)
    if exponent in range(1, 9):
        result = x
        for _ in range(int(exponent) - 1):
            result = _times(result, x)
        return result
    result, is_zero = torch.exp(_times(torch.log(x), exponent)), (x.re == 0) & (x.im == 0)
    at_zero = 1.0 if exponent == 0 else 0.0
    return _where(is_zero, at_zero, result) if complex(exponent).real >= 0 else result


def _where(condition: torch.Tensor, a: torch.Tensor | complex, b: torch.Tensor | complex) -> ComplexTensor:
    parts = (
        torch.where(condition, 0.0 if x is None else x, 0.0 if y is None else y)
        for x, y in zip(_parts_of(a), _parts_of(b), strict=True)
    )
    return ComplexTensor(*parts)


def _layer(operation: Callable):
    """A linear layer or a convolution: its channels lie in front of as many dimensions as its windows have."""

    def rule(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, *how: object) -> ComplexTensor:
        product = _bilinear(lambda a, b: operation(a, b, None, *how))(x, weight)
        return product if bias is None else _plus(product, bias.reshape(-1, *[1] * (weight.dim() - 2)))

    return rule


def _each(operation: Callable):
    """`operation` of each part: it only moves elements."""

    def rule(x: ComplexTensor, *arguments: object, **keywords: object) -> object:
        parts = [operation(part, *arguments, **keywords) for part in (x.re, x.im)]
        return ComplexTensor(*parts) if isinstance(parts[0], torch.Tensor) else list(map(ComplexTensor, *parts))

    return rule


def _add_product(multiply: Callable):
    """beta * x + alpha * a b, of `multiply` for the product."""

    def rule(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, *, beta: complex = 1, alpha: complex = 1):
        product = _bilinear(multiply)(a, b)
        product = product if alpha == 1 else _times(product, alpha)
        return product if beta == 0 else _plus(x if beta == 1 else _times(x, beta), product)

    return rule


def _polar(size: torch.Tensor, angle: torch.Tensor) -> ComplexTensor:
    return ComplexTensor(size * torch.cos(angle), size * torch.sin(angle))


def _full(size: list[int], value: complex, *, dtype: torch.dtype | None = None, **_: object) -> ComplexTensor:
    dtype = (dtype or torch.get_default_dtype()).to_real()
    return ComplexTensor(*(torch.full(size, part, dtype=dtype) for part in (complex(value).real, complex(value).imag)))


def _copy(x: torch.Tensor, *, dtype: torch.dtype | None = None, **_: object) -> torch.Tensor:
    """To another type of elements; what is no longer complex is the real part."""
    real, imaginary = _parts_of(x)
    if dtype is None or dtype.is_complex:
        dtype = dtype and dtype.to_real()
        return _pair(real.to(dtype), None if imaginary is None else imaginary.to(dtype))
    return real.to(dtype)


_MOVING = (
    _ATEN.roll.default,
    _ATEN.unfold.default,
    _ATEN.diagonal.default,
    _ATEN.diag_embed.default,
    _ATEN.reflection_pad1d.default,
    _ATEN.replication_pad1d.default,
    _ATEN.unsafe_split.Tensor,
    _ATEN.pixel_shuffle.default,
)
_LAYERS = (
    _ATEN.linear.default,
    _ATEN.conv1d.default,
    _ATEN.conv1d.padding,
    _ATEN.conv2d.default,
    _ATEN.conv2d.padding,
    _ATEN.conv3d.default,
    _ATEN.conv3d.padding,
    _ATEN.conv_transpose1d.default,
    _ATEN.conv_transpose2d.input,
    _ATEN.conv_transpose3d.input,
)
_RULES: dict[object, Callable] = {
    **fourier.RULES,
    **{operation: _each(operation) for operation in _MOVING},
    **{operation: _layer(operation) for operation in _LAYERS},
    _ATEN.view_as_complex.default: lambda x: ComplexTensor(x.select(-1, 0), x.select(-1, 1)),
    _ATEN.view_as_real.default: lambda x: torch.stack([x.re, x.im], -1),
    _ATEN.complex.default: _pair,
    _ATEN.polar.default: _polar,
    _ATEN.full.default: _full,
    _ATEN.scalar_tensor.default: lambda value, **keywords: _full([], value, **keywords),
    _ATEN._to_copy.default: _copy,
    _ATEN.add.Tensor: _plus,
    _ATEN.add.Scalar: _plus,
    _ATEN.sub.Tensor: _minus,
    _ATEN.sub.Scalar: _minus,
    _ATEN.rsub.Scalar: lambda a, b: _minus(b, a),
    _ATEN.div.Tensor: _divide,
    _ATEN.div.Scalar: _divide,
    _ATEN.reciprocal.default: lambda x: _divide(1.0, x),
    _ATEN.pow.Tensor_Scalar: _power,
    _ATEN.where.self: _where,
    _ATEN.where.ScalarOther: _where,
    _ATEN.where.ScalarSelf: _where,
    _ATEN.mul.Tensor: _times,
    _ATEN.mul.Scalar: _times,
    _ATEN.mm.default: _bilinear(torch.mm),
    _ATEN.mv.default: _bilinear(torch.mv),
    _ATEN.dot.default: _bilinear(torch.dot),
    _ATEN.bmm.default: _bilinear(torch.bmm),
    _ATEN.addmm.default: _add_product(torch.mm),
    _ATEN.addmv.default: _add_product(torch.mv),
    _ATEN.baddbmm.default: _add_product(torch.bmm),
    _ATEN.addcmul.default: lambda x, a, b, value=1: _add_product(operator.mul)(x, a, b, alpha=value),
}
