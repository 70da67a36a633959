# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses, distances and distributions by hand."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from corpus.sample import Function, by_name, floats, indices


class Classifier(nn.Module):
    """Cross entropy with smoothed labels and one that is left out, beside accuracy."""

    def forward(self, logits, labels):
        loss = functional.cross_entropy(logits, labels, label_smoothing=0.1, ignore_index=3)
        return loss, (logits.argmax(-1) == labels).float().mean()


def regressions(found, wanted):
    """Losses of numbers, each in its own reduction."""
    return (
        functional.huber_loss(found, wanted, delta=0.5),
        functional.smooth_l1_loss(found, wanted, reduction="none"),
        functional.kl_div(found.log_softmax(-1), wanted.softmax(-1), reduction="batchmean"),
        functional.binary_cross_entropy_with_logits(found, wanted.sigmoid()),
        functional.cosine_similarity(found, wanted),
        functional.poisson_nll_loss(found, wanted.abs(), reduction="sum"),
    )


def clusters(points, centres):
    """Distances in two norms, the nearest centre, its points' mean."""
    distance = torch.cdist(points, centres)
    nearest = distance.argmin(1)
    one_hot = functional.one_hot(nearest, centres.shape[0]).float()
    return torch.cdist(points, centres, p=1.0), nearest, one_hot.T @ points / (one_hot.sum(0)[:, None] + 1e-6)


MODULES = by_name(
    {
        "classifier-loss": lambda: (Classifier(), lambda: (torch.randn(6, 5), indices(5, 6))),
        "regression-losses": lambda: (Function(regressions), floats((4, 6), (4, 6))),
        "clusters": lambda: (Function(clusters), floats((9, 4), (3, 4))),
    }
)
