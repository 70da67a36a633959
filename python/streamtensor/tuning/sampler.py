# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is tried next: a few operations of the best schedules drawn anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.trial import FrozenTrial, TrialState

# Schedules among the best that the next may start from, where there is one objective.
_PARENTS = 3


class NeighbourSampler(optuna.samplers.BaseSampler):
    """Draws one to three operations of a good schedule anew: most schedules are far worse than the compiler's, and what
    is near a good one is often good. With several objectives any schedule of the front may be the one.

    What it draws depends on the trials that are there, of all workers, and on `seed` and the trial's number.
    """

    def __init__(self, space: dict[str, BaseDistribution], operation_of: Callable[[str], int], seed: int):
        self._space, self._operation_of, self._seed = space, operation_of, seed

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        return self._space

    def sample_relative(
        self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        rng = random.Random(self._seed * 1_000_003 + trial.number)
        parents = self._parents(study)
        if not parents:
            return {name: _draw(distribution, rng) for name, distribution in search_space.items()}
        values = dict(rng.choice(parents).params)
        operations = sorted({self._operation_of(name) for name in search_space})
        redrawn = set(rng.sample(operations, min(len(operations), rng.choice((1, 1, 2, 3)))))
        for name, distribution in search_space.items():
            if name not in values or (self._operation_of(name) in redrawn and rng.random() < 0.5):
                values[name] = _draw(distribution, rng)
        return values

    def _parents(self, study: optuna.Study) -> list[FrozenTrial]:
        if len(study.directions) > 1:
            return study.best_trials
        done = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return sorted(done, key=lambda trial: (trial.value, trial.number))[:_PARENTS]

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return _draw(param_distribution, random.Random(f"{self._seed} {trial.number} {param_name}"))


def _draw(distribution: BaseDistribution, rng: random.Random) -> Any:
    if isinstance(distribution, CategoricalDistribution):
        return rng.choice(distribution.choices)
    return rng.randint(distribution.low, distribution.high)
