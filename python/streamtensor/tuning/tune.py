# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts workers, tells how far they are, and gives the best schedules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import optuna
from optuna.trial import FrozenTrial, TrialState

from streamtensor import output, process
from streamtensor.errors import RunError
from streamtensor.progress import Progress
from streamtensor.tuning import storage
from streamtensor.tuning.search import Search
from streamtensor.tuning.worker import WORKER, count_done, name_worker

_SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True)
class Tuned:
    """`best`: the objectives of the best schedule, or of each of the front's, the one that is written first; `start`:
    those of the compiler's own, if it fits; `trials` and `refused`: how many were done, and how many of them gave no
    design that fits."""

    schedule: Path
    best: list[dict[str, float]]
    start: dict[str, float] | None
    trials: int
    refused: int


def tune(search: Search, out: Path, workers: int = 1, progress: Progress | None = None) -> Tuned:
    """Searches until `search.trials` trials are done, and writes the best schedule to `out`, for `compile` to take.

    With several objectives `out` is the one of the front that has the least of the first, and those of the whole front
    stand beside it, numbered. A worker that dies is replaced; one that cannot go on ends the search, with its reason.
    """
    _check_writable(out)
    progress = progress or Progress()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = search.open()
    with progress.stage("tune", total=search.trials):
        _Crew(search, study, progress).work(workers)
    return _conclude(search, study, out)


def _check_writable(out: Path) -> None:
    """Before hours of trials."""
    output.check_file(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out} cannot be written: {error.strerror}.") from error
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise RunError(f"{out} cannot be written: permission denied.")


class _Crew:
    """The workers of one machine."""

    def __init__(self, search: Search, study: optuna.Study, progress: Progress):
        self.search, self.study, self.progress = search, study, progress
        self._hired = 0
        self._told = count_done(study)
        for _ in range(self._told):
            progress.advance()

    def work(self, workers: int) -> None:
        team = [self._hire() for _ in range(min(workers, max(1, self.search.trials - self._told)))]
        deaths = 0
        try:
            while any(worker.poll() is None for worker in team):
                time.sleep(_SECONDS_BETWEEN_LOOKS)
                self._tell()
                for place, worker in enumerate(team):
                    if worker.poll() is not None and worker.poll() < 0:  # by a signal: somebody killed it
                        deaths += 1
                        if deaths > 10 * workers:
                            raise RunError(f"Workers die as soon as they start (the last {_end(worker)}).")
                        self.progress.warn(f"a worker {_end(worker)}; its trial is done again")
                        self._give_back(worker)
                        team[place] = self._hire()
        finally:
            for worker in team:
                process.stop(worker)
        for worker in team:
            if worker.returncode:
                raise RunError(worker.stderr.read().strip() or f"A worker {_end(worker)}.")
        self._tell()

    def _give_back(self, worker: subprocess.Popen) -> None:
        """Another worker may take the trial at once. If the database is away, the missing heartbeat will tell."""
        try:
            for trial in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
                if trial.user_attrs.get(WORKER) == name_worker(worker.pid):
                    self.study.tell(trial.number, state=TrialState.FAIL)
                    self.study.enqueue_trial(trial.params)
        except storage.AWAY:
            pass

    def _hire(self) -> subprocess.Popen:
        words = [sys.executable, "-m", "streamtensor.tuning.worker", self.search.to_json(), str(self._hired)]
        self._hired += 1
        return process.start(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ))

    def _tell(self) -> None:
        try:
            done = count_done(self.study)
            best = _best(self.study)
        except storage.AWAY:
            return  # the workers wait for it too, and end if it does not come back
        for _ in range(done - self._told):
            self.progress.advance(_spell(self.search, best[0]) if best else "")
        self._told = max(done, self._told)


def _end(worker: subprocess.Popen) -> str:
    return process.describe_end(worker.returncode)


def _best(study: optuna.Study) -> list[FrozenTrial]:
    """The best trial, or those of the front by their first objective."""
    return sorted(study.best_trials, key=lambda trial: (trial.values, trial.number))


def _spell(search: Search, trial: FrozenTrial) -> str:
    values = ", ".join(f"{name} {value:,.10g}" for name, value in zip(search.objectives, trial.values, strict=True))
    return f"best so far: {values}"


def _conclude(search: Search, study: optuna.Study, out: Path) -> Tuned:
    space = search.space()
    best = _best(study)
    trials = study.get_trials(deepcopy=False)
    if not best:
        refused = next((t.user_attrs["refused"] for t in trials if "refused" in t.user_attrs), "none was tried")
        raise RunError(f"None of the schedules that were tried gives a design that fits. The first: {refused}")
    for number, trial in enumerate(best if len(best) > 1 else []):
        out.with_name(f"{out.stem}-{number}{out.suffix}").write_text(_print(space.apply(trial.params)))
    out.write_text(_print(space.apply(best[0].params)))
    start = next((t.user_attrs.get("measured") for t in trials if t.params == space.start), None)
    refused = sum(trial.state is TrialState.PRUNED for trial in trials)
    return Tuned(out, [t.user_attrs["measured"] for t in best], start, count_done(study), refused)


def _print(schedule: dict) -> str:
    return json.dumps(schedule, indent=1) + "\n"
