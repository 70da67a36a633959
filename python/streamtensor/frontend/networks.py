# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classic networks at their published shapes, with random weights, as (module, example inputs).

Batch norms are as in evaluation, with statistics that are not those of a fresh module: 0 and 1 would hide a mistake.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

Network = tuple[nn.Module, tuple[torch.Tensor, ...]]


class LeNet5(nn.Module):
    """LeCun et al., 1998: 28x28 digits, mean pooling, tanh."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = functional.avg_pool2d(torch.tanh(self.conv1(x)), 2)
        x = functional.avg_pool2d(torch.tanh(self.conv2(x)), 2)
        x = torch.tanh(self.fc1(x.flatten(1)))
        return self.fc3(torch.tanh(self.fc2(x)))


class ConvNorm(nn.Sequential):
    def __init__(self, channels: int, out: int, kernel: int = 1, groups: int = 1):
        convolution = nn.Conv2d(channels, out, kernel, padding=kernel // 2, groups=groups, bias=False)
        super().__init__(convolution, nn.BatchNorm2d(out))


class BasicBlock(nn.Module):
    """He et al., 2016: two 3x3 convolutions and a shortcut."""

    def __init__(self, channels: int = 64):
        super().__init__()
        self.first, self.second = ConvNorm(channels, channels, 3), ConvNorm(channels, channels, 3)

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))) + x)


class Bottleneck(nn.Module):
    """He et al., 2016: 1x1 to a quarter of the channels, 3x3, 1x1 back, and a shortcut."""

    def __init__(self, channels: int = 256):
        super().__init__()
        width = channels // 4
        self.reduce, self.conv, self.expand = (
            ConvNorm(channels, width),
            ConvNorm(width, width, 3),
            ConvNorm(width, channels),
        )

    def forward(self, x):
        return torch.relu(self.expand(torch.relu(self.conv(torch.relu(self.reduce(x))))) + x)


class DepthwiseSeparable(nn.Module):
    """Howard et al., 2017 (MobileNet): 3x3 per channel, then 1x1 across them."""

    def __init__(self, channels: int = 32, out: int = 64):
        super().__init__()
        self.depthwise, self.pointwise = ConvNorm(channels, channels, 3, groups=channels), ConvNorm(channels, out)

    def forward(self, x):
        return torch.relu(self.pointwise(torch.relu(self.depthwise(x))))


class Mlp(nn.Sequential):
    def __init__(self, width: int, hidden: int):
        super().__init__(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))


class MixerBlock(nn.Module):
    """Tolstikhin et al., 2021 (Mixer-S/16): an MLP across patches, then one across channels."""

    def __init__(self, patches: int = 196, channels: int = 512):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.tokens, self.channels = Mlp(patches, 256), Mlp(channels, 4 * channels)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Autoencoder(nn.Module):
    """784 pixels to 32 numbers and back."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 32))
        self.decode = nn.Sequential(
            nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 784), nn.Sigmoid()
        )

    def forward(self, x):
        return self.decode(self.encode(x))


class GraphConvolution(nn.Module):
    """Of Kipf and Welling (2017): what neighbours have and the node itself, each over the roots of both degrees."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs, bias=False)
        self.bias = nn.Parameter(torch.randn(outputs))

    def forward(self, x, source, target):
        """`x` [nodes, inputs], an edge from each `source` to its `target` [edges]: [nodes, outputs]."""
        degree = torch.ones(x.shape[0]).index_add(0, target, torch.ones(target.shape[0]))
        scale = degree.rsqrt().unsqueeze(-1)
        sent = self.linear(x) * scale
        return sent.index_add(0, target, sent[source]) * scale + self.bias


class GraphNetwork(nn.Module):
    """Two graph convolutions, which classify the nodes."""

    def __init__(self, features: int = 1433, hidden: int = 16, classes: int = 7):
        super().__init__()
        self.first, self.second = GraphConvolution(features, hidden), GraphConvolution(hidden, classes)

    def forward(self, x, source, target):
        return self.second(functional.relu(self.first(x, source, target)), source, target)


def encoder_layer(width: int = 768, heads: int = 12, norm_first: bool = False) -> nn.Module:
    """The layer of BERT (norms last) and of ViT (norms first)."""
    return nn.TransformerEncoderLayer(
        width, heads, 4 * width, activation="gelu", batch_first=True, norm_first=norm_first
    )


def _make(build: Callable[[], nn.Module], *shape: int) -> Callable[[], Network]:
    def make() -> Network:
        torch.manual_seed(0)
        module = build().eval()
        for norm in module.modules():
            if isinstance(norm, nn.BatchNorm2d):
                norm.running_mean.normal_()
                norm.running_var.uniform_(0.5, 2)
        return module, (torch.randn(shape),)

    return make


def make_graph_network() -> Network:
    """At the shape of the citations of Cora: 2,708 papers, 5,278 pairs of which one cites the other."""
    torch.manual_seed(0)
    nodes, pairs, features = 2708, 5278, 1433
    one, other = torch.randint(0, nodes, (2, pairs))
    edges = torch.cat([one, other]), torch.cat([other, one])
    return GraphNetwork(features).eval(), (torch.rand(nodes, features), *edges)


NETWORKS: dict[str, Callable[[], Network]] = {
    "lenet5": _make(LeNet5, 1, 1, 28, 28),
    "resnet-basic": _make(BasicBlock, 1, 64, 56, 56),
    "resnet-bottleneck": _make(Bottleneck, 1, 256, 56, 56),
    "depthwise-separable": _make(DepthwiseSeparable, 1, 32, 112, 112),
    "mixer-block": _make(MixerBlock, 1, 196, 512),
    "autoencoder": _make(Autoencoder, 1, 784),
    "graph-network": make_graph_network,
    "bert-layer": _make(encoder_layer, 1, 128, 768),
    "vit-layer": _make(lambda: encoder_layer(norm_first=True), 1, 197, 768),
}
