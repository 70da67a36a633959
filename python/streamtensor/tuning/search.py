# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One search: which design, over what, towards what, and where its trials are."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import optuna
from optuna.trial import TrialState

from streamtensor.errors import RunError
from streamtensor.tuning import storage
from streamtensor.tuning.evaluation import OBJECTIVES
from streamtensor.tuning.sampler import NeighbourSampler
from streamtensor.tuning.space import Space

SAMPLERS = ("near", "tpe", "random")
# Trials that count: those that gave a design, and those that were refused.
DONE = (TrialState.COMPLETE, TrialState.PRUNED)


@dataclass(frozen=True)
class Search:
    """`directory`: a compiled design. `storage`: a database as Optuna names it; a file beside the design without it.
    `trials`: in all, of every worker and every earlier run. `time_limit`: seconds for each program that a trial runs;
    `patience`: seconds that the database may be away; `limits`: the most that a design may take of an objective, beside
    what the card has."""

    directory: Path
    trials: int = 100
    objectives: tuple[str, ...] = ("cycles",)
    sampler: str = "near"
    seed: int = 0
    storage: str = ""
    name: str = ""
    time_limit: float = 60.0
    patience: float = 60.0
    limits: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for objective in (*self.objectives, *self.limits):
            if objective not in OBJECTIVES:
                raise RunError(f"There is no objective '{objective}': it is one of {', '.join(OBJECTIVES)}.")
        if len(set(self.objectives)) != len(self.objectives) or not self.objectives:
            raise RunError("Name each objective once, and one at least.")
        if self.sampler not in SAMPLERS:
            raise RunError(f"There is no sampler '{self.sampler}': it is one of {', '.join(SAMPLERS)}.")

    @property
    def url(self) -> str:
        return self.storage or f"sqlite:///{self.directory.absolute()}-tuning.db"

    @property
    def schedule_file(self) -> Path:
        return self.directory / "schedule.json"

    def space(self) -> Space:
        if not self.schedule_file.exists():
            raise RunError(f"'{self.directory}' holds no schedule: compile a design there first.")
        return Space.read(self.schedule_file)

    @property
    def study_name(self) -> str:
        """Searches over one program for one device meet; others in the same database do not."""
        if self.name:
            return self.name
        schedule = json.loads(self.schedule_file.read_text())
        what = f"{schedule['program']} {schedule['device']} {' '.join(self.objectives)} {self.limits}"
        return f"streamtensor-{hashlib.sha256(what.encode()).hexdigest()[:12]}"

    def open(self) -> optuna.Study:
        """The study, with the compiler's own schedule as its first trial."""
        space = self.space()
        database = storage.connect(self.url, self.patience)

        def create() -> optuna.Study:
            study = optuna.create_study(
                study_name=self.study_name,
                storage=database,
                sampler=self._sampler(space),
                directions=["minimize"] * len(self.objectives),
                load_if_exists=True,
            )
            self._check_same(study)
            study.enqueue_trial(space.start, skip_if_exists=True)
            return study

        return storage.persist(create, self.url, self.patience)

    def _check_same(self, study: optuna.Study) -> None:
        """A study keeps what it is for; another program under its name would mix two searches."""
        program = self.space().schedule["program"]
        about = {"program": program, "objectives": list(self.objectives), "limits": self.limits}
        known = study.user_attrs.get("about")
        if known is None:
            study.set_user_attr("about", about)
        elif known != about:
            raise RunError(
                f"The study '{self.study_name}' is about another search ({', '.join(known['objectives'])} of program "
                f"{known['program']}): choose another name with --study."
            )

    def _sampler(self, space: Space) -> optuna.samplers.BaseSampler:
        if self.sampler == "near":
            return NeighbourSampler(space.distributions, space.operation_of, self.seed)
        if self.sampler == "tpe":
            return optuna.samplers.TPESampler(seed=self.seed, multivariate=True)
        return optuna.samplers.RandomSampler(seed=self.seed)

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "directory": str(self.directory)})

    @staticmethod
    def from_json(text: str) -> Search:
        values = json.loads(text)
        return Search(**{**values, "directory": Path(values["directory"]), "objectives": tuple(values["objectives"])})
