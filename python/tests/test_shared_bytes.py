# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Narrow integers that share bytes in external memory: as the host packs them, and as generated code moves them."""

from __future__ import annotations

import hls_native
import numpy as np
import pytest
import torch
from streamtensor import RunError, shared_bytes

DESIGN = (hls_native.ROOT / "test" / "Target" / "HLSCpp" / "shared-bytes.mlir").read_text()


def test_the_first_element_is_lowest():
    values = torch.tensor([[-8, 7, 0, -1], [1, 2, -3, 4]], dtype=torch.int8)
    shared = shared_bytes.share(values, 4)
    assert shared.tolist() == [0x78, 0xF0, 0x21, 0x4D]
    assert torch.equal(shared_bytes.own(shared, 4, (2, 4)), values)
    narrow = torch.tensor([-2, 1, 0, -1], dtype=torch.int8)
    assert shared_bytes.share(narrow, 2).tolist() == [0b11_00_01_10]
    assert torch.equal(shared_bytes.own(shared_bytes.share(narrow, 2), 2, (4,)), narrow)


def test_what_does_not_fit_is_refused():
    with pytest.raises(RunError, match="4-bit integers, -8 to 7, but a tensor holds -8 to 8"):
        shared_bytes.share(torch.tensor([-8, 8], dtype=torch.int8), 4)


def test_generated_code_reads_and_writes_them(tmp_path):
    native = hls_native.build(DESIGN, tmp_path)
    values = np.random.default_rng(0).integers(-8, 8, (8, 128)).astype(np.int8)
    copied, first = native(values)
    assert np.array_equal(copied, values)
    assert np.array_equal(first, values[:, 0])
