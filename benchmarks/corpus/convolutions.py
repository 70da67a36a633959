# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, pooling and images by hand."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from corpus.sample import by_name, floats


class TemporalBlock(nn.Module):
    """Causal convolutions that reach further in each layer."""

    def __init__(self, channels: int = 6):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.utils.parametrizations.weight_norm(nn.Conv1d(channels, channels, 3, dilation=step)) for step in (1, 2, 4)
        )

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(functional.pad(x, (2 * layer.dilation[0], 0))))
        return x


class Upsampler(nn.Module):
    """Transposed convolutions: stride with output padding, groups, dilation."""

    def __init__(self):
        super().__init__()
        self.first = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)
        self.second = nn.ConvTranspose2d(6, 6, 3, groups=3, dilation=2)

    def forward(self, x):
        return self.second(functional.leaky_relu(self.first(x), 0.1))


class Pools(nn.Module):
    """Every kind of pooling on one image."""

    def forward(self, x):
        return (
            functional.max_pool2d(x, 3, stride=2, padding=1, ceil_mode=True),
            functional.max_pool2d(x, 2, stride=1, dilation=2),
            functional.avg_pool2d(x, 3, stride=2, padding=1, count_include_pad=False),
            functional.lp_pool2d(x, 2, 2),
            functional.adaptive_avg_pool2d(x, (3, 2)),
            functional.adaptive_max_pool2d(x, 4),
        )


class SubPixels(nn.Module):
    """Pixel shuffle, its inverse, and a shuffle of channels."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 12, 3, padding="same")

    def forward(self, x):
        x = functional.channel_shuffle(self.conv(x), 4)
        return functional.pixel_unshuffle(torch.tanh(functional.pixel_shuffle(x, 2)), 4)


class Resize(nn.Module):
    """Interpolation: nearest, bilinear with and without aligned corners, bicubic."""

    def forward(self, x):
        return (
            functional.interpolate(x, scale_factor=2, mode="nearest"),
            functional.interpolate(x, size=(9, 7), mode="bilinear", align_corners=True),
            functional.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False),
            functional.interpolate(x, size=(10, 12), mode="bicubic", align_corners=False),
        )


class Patches(nn.Module):
    """Overlapping patches in a matrix, and summed back."""

    def forward(self, x):
        columns = functional.unfold(x, 3, padding=1, stride=2)
        return columns, functional.fold(torch.relu(columns), (6, 6), 3, padding=1, stride=2)


class Video(nn.Module):
    """A convolution over time and space, split into two."""

    def __init__(self):
        super().__init__()
        self.space, self.time = nn.Conv3d(2, 6, (1, 3, 3), padding=(0, 1, 1)), nn.Conv3d(6, 4, (3, 1, 1))
        self.norm = nn.InstanceNorm3d(6, affine=True)

    def forward(self, x):
        return functional.max_pool3d(self.time(functional.mish(self.norm(self.space(x)))), (1, 2, 2))


class UNet(nn.Module):
    """Down, up, and a shortcut by concatenation; borders are reflected."""

    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(2, 6, 3, padding=1, padding_mode="reflect")
        self.middle = nn.Conv2d(6, 8, 3, padding=1, padding_mode="replicate")
        self.up = nn.Conv2d(14, 2, 3, padding=1)

    def forward(self, x):
        fine = torch.relu(self.down(x))
        coarse = torch.relu(self.middle(functional.max_pool2d(fine, 2)))
        return self.up(torch.cat((fine, functional.interpolate(coarse, scale_factor=2)), 1))


MODULES = by_name(
    {
        "temporal-block": lambda: (TemporalBlock(), floats((2, 6, 11))),
        "upsampler": lambda: (Upsampler(), floats((1, 4, 5, 5))),
        "pools": lambda: (Pools(), floats((1, 3, 9, 8))),
        "sub-pixels": lambda: (SubPixels(), floats((1, 3, 6, 6))),
        "resize": lambda: (Resize(), floats((1, 2, 5, 4))),
        "patches": lambda: (Patches(), floats((1, 2, 6, 6))),
        "video": lambda: (Video(), floats((1, 2, 5, 6, 6))),
        "u-net": lambda: (UNet(), floats((1, 2, 8, 8))),
    }
)
