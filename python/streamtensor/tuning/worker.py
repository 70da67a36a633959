# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process that does trials until there are enough: `python -m streamtensor.tuning.worker SEARCH NUMBER`."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from dataclasses import replace

import optuna
from optuna.trial import TrialState

from streamtensor.errors import Error
from streamtensor.tuning import storage
from streamtensor.tuning.evaluation import Evaluation, Measured
from streamtensor.tuning.search import DONE, Search

# The attribute of a trial that names who does it.
WORKER = "worker"


def name_worker(process: int) -> str:
    """On all machines that share a database."""
    return f"{socket.gethostname()} {process}"


class Worker:
    """Trials of one search, one after the other. A trial whose result could not be stored is done again, by whoever
    comes first; here its result is remembered."""

    def __init__(self, search: Search):
        self.search = search
        self._space = search.space()
        self._evaluation = Evaluation(search.directory, search.time_limit, search.limits)
        self._known: dict[str, Measured] = {}

    def run(self) -> None:
        study = self.search.open()
        while storage.persist(lambda: self._is_asked_for_more(study), self.search.url, self.search.patience):
            storage.persist(lambda: self._optimise(study), self.search.url, self.search.patience)

    def _is_asked_for_more(self, study: optuna.Study) -> bool:
        """Too few trials are done, or one waits: the first, or one whose worker died."""
        waiting = study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
        return bool(waiting) or count_done(study) < self.search.trials

    def _optimise(self, study: optuna.Study) -> None:
        try:
            study.optimize(self._try, n_trials=1)
        except UnboundLocalError as error:  # Optuna 5.0.0 stumbles over a database that goes before the result is told
            if isinstance(error.__context__, storage.AWAY):
                raise error.__context__ from None
            raise

    def _try(self, trial: optuna.Trial) -> tuple[float, ...]:
        trial.set_user_attr(WORKER, name_worker(os.getpid()))
        values = {
            name: trial.suggest_categorical(name, distribution.choices)
            if isinstance(distribution, optuna.distributions.CategoricalDistribution)
            else trial.suggest_int(name, distribution.low, distribution.high)
            for name, distribution in self._space.distributions.items()
        }
        measured = self._measure(self._space.apply(values))
        if measured.refused:
            trial.set_user_attr("refused", measured.refused)
            raise optuna.TrialPruned
        trial.set_user_attr("measured", measured.values)
        return tuple(measured.values[name] for name in self.search.objectives)

    def _measure(self, schedule: dict) -> Measured:
        key = json.dumps(schedule, sort_keys=True)
        if key not in self._known:
            self._known[key] = self._evaluation.measure(schedule)
        return self._known[key]


def count_done(study: optuna.Study) -> int:
    return len(study.get_trials(deepcopy=False, states=DONE))


def _say_unless_away(arguments: threading.ExceptHookArgs) -> None:
    """The thread of heartbeats meets a database that is away before the trial does, which tells."""
    if not issubclass(arguments.exc_type, storage.AWAY):
        threading.__excepthook__(arguments)


def main(words: list[str]) -> int:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    threading.excepthook = _say_unless_away
    search = Search.from_json(words[0])
    try:
        # Samplers with a state of their own must not draw the same in every worker.
        Worker(search if search.sampler == "near" else replace(search, seed=search.seed + int(words[1]))).run()
    except Error as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
