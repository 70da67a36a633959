# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Int4 weights of a GGUF file as they are: integers, scales and zero points of groups of 32.

    Q4_0        d * (q - 8)                             symmetric: the form of w4a8
    Q4_1        d * q + m                               a zero point of floats, 8 below -m / d
    Q4_K        (d * s) * q - (e * t)                   the same: s and t of six bits for each 32 of 256
    others      dequantised, and quantised again

Integers lie in -8 .. 7. A model that was loaded from the file may have rows in another order (Llama's rotary halves):
each row is looked up by the floats that it becomes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch

from streamtensor.frontend import gguf_files

GROUP = 32
_FORMS = ("Q4_0", "Q4_1", "Q4_K")


@dataclass(frozen=True)
class Int4:
    """A weight: integers [outputs, inputs], int8; scales and zero points [outputs, groups], f32; none if all are 0."""

    values: torch.Tensor
    scales: torch.Tensor
    zeros: torch.Tensor | None

    def rows(self, order: torch.Tensor) -> Int4:
        return Int4(self.values[order], self.scales[order], None if self.zeros is None else self.zeros[order])

    def with_zeros(self) -> Int4:
        return self if self.zeros is not None else Int4(self.values, self.scales, torch.zeros_like(self.scales))


def quantise(weight: torch.Tensor) -> Int4:
    """Floats [outputs, inputs] in the form of Q4_1: the smallest of a group becomes -8, the largest 7."""
    parts = weight.float().reshape(len(weight), -1, GROUP)
    low, high = parts.amin(-1), parts.amax(-1)
    scales = (high - low) / 15
    scales = torch.where(scales == 0, 1.0, scales)
    values = torch.clamp(torch.round((parts - low[..., None]) / scales[..., None]) - 8, -8, 7)
    return Int4(values.to(torch.int8).reshape(weight.shape), scales, -low / scales - 8)


def read(path: Path, linears: dict[str, torch.nn.Linear]) -> dict[str, Int4]:
    """The weights of `linears`, which were loaded from the GGUF file `path`, as far as they are int4 there."""
    reader = gguf_files.take(path)
    tensors = {tensor.name: tensor for tensor in reader.tensors if tensor.tensor_type.name in _FORMS}
    names = _names(reader, linears)
    found = {}
    for name, linear in linears.items():
        tensor = tensors.get(f"{names.get(name)}.weight")
        taken = _take(tensor, linear.weight.detach()) if tensor is not None else None
        if taken is not None:
            found[name] = taken
    return found


def _names(reader: gguf.GGUFReader, linears: Iterable[str]) -> dict[str, str]:
    """What the file calls the layers of a transformers model."""
    named = reader.fields["general.architecture"].contents()
    kind = next((kind for kind, name in gguf.MODEL_ARCH_NAMES.items() if name == named), None)
    if kind is None:
        return {}
    blocks = reader.fields[f"{named}.block_count"].contents()
    table = gguf.get_tensor_name_map(kind, blocks)
    return {name: table.get_name(name) for name in linears if table.get_name(name)}


def _take(tensor: gguf.ReaderTensor, weight: torch.Tensor) -> Int4 | None:
    """`tensor` in the order of the rows of `weight`; none if `weight` has others."""
    floats = gguf.dequantize(tensor.data, tensor.tensor_type)
    if floats.shape != tuple(weight.shape):
        return None
    order = _order(floats, weight.numpy())
    return None if order is None else _integers(tensor).rows(order)


def _order(floats: np.ndarray, wanted: np.ndarray) -> torch.Tensor | None:
    if np.array_equal(floats, wanted):
        return torch.arange(len(floats))
    places = {row.tobytes(): place for place, row in enumerate(floats)}
    order = [places.get(row.tobytes()) for row in wanted]
    return None if None in order else torch.tensor(order)


def _integers(tensor: gguf.ReaderTensor) -> Int4:
    rows = np.asarray(tensor.data)
    form = tensor.tensor_type.name
    size = {"Q4_0": 18, "Q4_1": 20, "Q4_K": 144}[form]
    blocks = rows.reshape(-1, size)
    scales, lowest, nibbles = _k_blocks(blocks) if form == "Q4_K" else _blocks(blocks, size > 18)
    shape = (len(rows), -1)
    values = torch.from_numpy(nibbles.astype(np.int8) - 8).reshape(shape)
    scales = torch.from_numpy(np.ascontiguousarray(scales)).reshape(shape)
    if lowest is None:
        return Int4(values, scales, None)
    lowest = torch.from_numpy(np.ascontiguousarray(lowest)).reshape(shape)
    is_flat = scales == 0  # every weight of the group is `lowest`
    wide = torch.where(is_flat, 1.0, scales)
    zeros = torch.where(is_flat, -lowest, -lowest / wide - 8)
    values = torch.where(is_flat.repeat_interleave(GROUP, 1), 0, values)
    return Int4(values.to(torch.int8), wide, zeros)


def _blocks(blocks: np.ndarray, has_lowest: bool) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Scales, lowest values and integers 0 .. 15: the low halves of 16 bytes, then the high ones."""
    floats = np.ascontiguousarray(blocks[:, : 4 if has_lowest else 2]).view(np.float16).astype(np.float32)
    packed = blocks[:, -16:]
    nibbles = np.concatenate([packed & 15, packed >> 4], axis=1)
    return floats[:, 0], floats[:, 1] if has_lowest else None, nibbles


def _k_blocks(blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    floats = np.ascontiguousarray(blocks[:, :4]).view(np.float16).astype(np.float32)
    scales, lowest = gguf.quants.Q4_K.get_scale_min(np.ascontiguousarray(blocks[:, 4:16]))
    packed = blocks[:, 16:].reshape(-1, 4, 1, 32)
    nibbles = np.concatenate([packed & 15, packed >> 4], axis=2)
    return floats[:, :1] * scales.astype(np.float32), -floats[:, 1:] * lowest.astype(np.float32), nibbles
