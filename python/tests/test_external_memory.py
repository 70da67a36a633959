# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What designs may take from the channels of external memory."""

from __future__ import annotations

import streamtensor as st
import torch
from torch import nn

# Of one pseudo-channel of the HBM2 of a U55C; two gigabytes per second more if gaps between bursts counted alone.
SUSTAINED = 13.28e9


class Sum(nn.Module):
    def forward(self, *tensors):
        return sum(tensors)


def test_a_sum_of_forty_tensors_takes_what_its_channels_give(tmp_path):
    """41 masters of 512 bits could move 656 GB/s; the 32 channels of the card sustain 425."""
    inputs = [torch.randn(64, 256) for _ in range(40)]
    design = st.compile(Sum(), inputs, out=tmp_path / "out")
    result = design.simulate()
    channels = result.data["channels"]
    moved = sum(channel["bytes"] for channel in channels)
    assert moved == 41 * 64 * 256 * 4
    assert len(channels) == 32
    assert moved / result.seconds < len(channels) * SUSTAINED
    for channel in channels:
        assert channel["busy"] <= result.cycles
        assert channel["bytes"] / result.seconds < SUSTAINED
    # Channels with two of the tensors set the pace.
    assert max(channel["utilisation"] for channel in channels) > 0.7
