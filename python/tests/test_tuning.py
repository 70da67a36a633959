# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`streamtensor tune`: what it finds compiles to what it said; nothing is lost when workers or the database go."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import optuna
import pytest
import sqlalchemy
import streamtensor as st
import torch
from optuna.trial import TrialState
from postgres import Server
from streamtensor import paths
from streamtensor.cli import run
from streamtensor.tuning import Search, storage, tune
from streamtensor.tuning.evaluation import Evaluation
from streamtensor.tuning.sampler import NeighbourSampler
from streamtensor.tuning.space import Space

OPTIONS = st.Options(tile_size=4, unroll=4, compare=False)


class Small(torch.nn.Module):
    def forward(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.relu(x @ w)


@pytest.fixture(scope="module")
def design(tmp_path_factory) -> st.Design:
    directory = tmp_path_factory.mktemp("tune") / "out"
    return st.compile(Small().eval(), (torch.zeros(8, 16), torch.zeros(16, 12)), OPTIONS, directory)


@pytest.fixture(scope="module")
def space(design) -> Space:
    return Space.read(design.directory / "schedule.json")


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


def cycles_of(design: st.Design) -> int:
    return json.loads((design.directory / "simulation.json").read_text())["cycles"]


def test_the_start_of_a_search_is_the_schedule_itself(space):
    assert space.apply(space.start) == space.schedule


def test_every_assignment_is_a_schedule_that_the_compiler_takes(design, space):
    """Two loops of the product and one of the map may be reordered; whatever is drawn is obeyed, or does not fit."""
    rng = random.Random(1)
    evaluation = Evaluation(design.directory, 60, {})
    cycles = set()
    for _ in range(6):
        drawn = {
            name: rng.choice(d.choices) if hasattr(d, "choices") else rng.randint(d.low, d.high)
            for name, d in space.distributions.items()
        }
        measured = evaluation.measure(space.apply(drawn))
        assert not measured.refused, space.apply(drawn)
        cycles.add(measured.values["cycles"])
    assert len(cycles) > 3


def test_a_search_starts_from_the_schedule_and_gives_one_that_compile_obeys(design, tmp_path):
    search = Search(design.directory, trials=8, storage=f"sqlite:///{tmp_path}/t.db")
    found = tune(search, tmp_path / "best.json", workers=2)
    assert found.start["cycles"] == cycles_of(design)
    assert found.best[0]["cycles"] < found.start["cycles"]
    options = st.Options(schedule=found.schedule)
    inputs = (torch.randn(8, 16), torch.randn(16, 12))
    again = st.compile(Small().eval(), inputs, options, tmp_path / "again")
    assert cycles_of(again) == found.best[0]["cycles"]
    torch.testing.assert_close(again(*inputs), torch.relu(inputs[0] @ inputs[1]), rtol=1e-5, atol=1e-5)


def test_a_search_goes_on_where_an_earlier_one_ended(design, tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    first = tune(Search(design.directory, trials=3, storage=url), tmp_path / "best.json")
    assert first.trials == 3
    second = tune(Search(design.directory, trials=5, storage=url), tmp_path / "best.json")
    assert second.trials == 5
    assert second.best[0]["cycles"] <= first.best[0]["cycles"]


def test_a_waiting_trial_has_one_worker(tmp_path):
    """The second comes when the first has read that the trial waits, and not yet written that it is taken."""
    url = f"sqlite:///{tmp_path}/t.db"
    first, second = (storage.connect(url, patience=10) for _ in range(2))
    study = optuna.create_study(study_name="s", storage=first)
    study.enqueue_trial({})
    (waiting,) = study.get_trials()
    has_read, claims = threading.Event(), {}

    def claim(name: str, database: optuna.storages.RDBStorage) -> None:
        claims[name] = database.set_trial_state_values(waiting._trial_id, TrialState.RUNNING)

    def wait_for_the_second(*arguments) -> None:
        if arguments[2].startswith("UPDATE"):
            has_read.set()
            time.sleep(0.5)

    sqlalchemy.event.listen(first.engine, "before_cursor_execute", wait_for_the_second)
    threads = [threading.Thread(target=claim, args=each) for each in (("first", first), ("second", second))]
    threads[0].start()
    assert has_read.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert sorted(claims.values()) == [False, True]


def test_one_worker_repeats_what_it_did(design, tmp_path):
    def search(name: str) -> list[dict]:
        chosen = Search(design.directory, trials=4, storage=f"sqlite:///{tmp_path}/{name}.db")
        tune(chosen, tmp_path / f"{name}.json")
        return [trial.params for trial in chosen.open().get_trials()]

    assert search("one") == search("two")


def test_several_objectives_give_a_front(design, tmp_path):
    search = Search(
        design.directory, trials=8, objectives=("cycles", "dsp"), storage=f"sqlite:///{tmp_path}/t.db", seed=3
    )
    found = tune(search, tmp_path / "best.json")
    pairs = [(each["cycles"], each["dsp"]) for each in found.best]
    assert pairs == sorted(pairs)
    assert [dsp for _, dsp in pairs] == sorted((dsp for _, dsp in pairs), reverse=True)
    if len(pairs) > 1:
        assert len(list(tmp_path.glob("best-*.json"))) == len(pairs)


def test_limits_are_kept(design, tmp_path):
    """No more DSPs than the start takes."""
    most = json.loads((design.directory / "simulation.json").read_text())["resources"]["dsp"]["used"]
    url = f"sqlite:///{tmp_path}/t.db"
    found = tune(Search(design.directory, trials=8, storage=url, limits={"dsp": most}), tmp_path / "best.json")
    assert found.best[0]["dsp"] <= most
    study = Search(design.directory, storage=url, limits={"dsp": most}).open()
    refused = [t.user_attrs["refused"] for t in study.get_trials(states=(TrialState.PRUNED,))]
    assert len(refused) == found.refused > 0
    assert all(re.search(rf"(dsp|DSPs), more than the {most} asked for", text) for text in refused)


def test_what_is_tried_next_is_near_what_was_good(space):
    """Of the operations most are as in one of the best trials."""
    study = optuna.create_study(sampler=NeighbourSampler(space.distributions, space.operation_of, 0))
    study.enqueue_trial(space.start)
    study.optimize(lambda trial: _ask(trial, space) or 1.0, n_trials=1)
    drawn = study.ask(space.distributions).params
    assert drawn != space.start
    assert any(drawn[name] == value for name, value in space.start.items())


def _ask(trial: optuna.Trial, space: Space) -> None:
    for name, distribution in space.distributions.items():
        trial._suggest(name, distribution)


def start_tuning(design: st.Design, url: str, out: Path, *words: str, **environment: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "streamtensor", "tune", str(design.directory), "-o", str(out), "--storage", url]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*command, *words], env={**os.environ, **environment}, **pipes)


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.1)


def held_compiler(directory: Path, gate: Path) -> Path:
    """A directory of tools of which the compiler waits until `gate` exists, for 100 seconds at most."""
    directory.mkdir()
    compiler = directory / "streamtensor-opt"
    compiler.write_text(
        f"""#!/bin/sh
for _ in $(seq 1000); do test -e '{gate}' && break; sleep 0.1; done
exec '{paths.find_tool(compiler.name)}' "$@"
"""
    )
    compiler.chmod(0o755)
    return directory


def test_a_killed_worker_loses_no_trial(design, tmp_path, server):
    """One of four dies while all of them compile what they have drawn."""
    search = Search(design.directory, storage=server.url)
    gate = tmp_path / "gate"
    tools = held_compiler(tmp_path / "held", gate)
    out, words = tmp_path / "best.json", ("--trials", "12", "--workers", "4")
    process = start_tuning(design, server.url, out, *words, STREAMTENSOR_BIN=str(tools))
    study, drawn = search.open(), len(search.space().start)

    def at_work() -> list[optuna.trial.FrozenTrial]:
        running = study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
        return [trial for trial in running if len(trial.params) == drawn]

    wait_for(lambda: len(at_work()) == 4)
    victim = at_work()[-1]
    os.kill(int(victim.user_attrs["worker"].split()[1]), signal.SIGKILL)
    gate.touch()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert "was ended by SIGKILL; its trial is done again" in said
    trials = study.get_trials()
    again = {
        json.dumps(t.params, sort_keys=True) for t in trials if t.state in (TrialState.COMPLETE, TrialState.PRUNED)
    }
    assert trials[victim.number].state is TrialState.FAIL
    assert json.dumps(victim.params, sort_keys=True) in again
    assert sum(t.state in (TrialState.COMPLETE, TrialState.PRUNED) for t in trials) >= 12


def test_a_database_that_goes_away_and_comes_back_loses_no_trial(design, tmp_path, server):
    process = start_tuning(design, server.url, tmp_path / "best.json", "--trials", "10", "--workers", "2")
    study = Search(design.directory, storage=server.url).open()
    wait_for(lambda: len(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))) >= 3)
    before = {t.number: t.value for t in study.get_trials() if t.state is TrialState.COMPLETE}
    server.stop()
    time.sleep(2)
    server.start()
    said, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    after = {t.number: t.value for t in Search(design.directory, storage=server.url).open().get_trials()}
    assert before.items() <= after.items()
    assert "for `streamtensor compile --schedule`" in said


def test_a_database_that_stays_away_is_one_clear_error(design, tmp_path, server):
    out = tmp_path / "best.json"
    process = start_tuning(design, server.url, out, "--trials", "500", "--workers", "2", "--patience", "3")
    study = Search(design.directory, storage=server.url).open()
    wait_for(lambda: len(study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))) >= 2)
    server.stop()
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "could not be reached for 3 seconds" in errors
    assert "give the same command again" in errors
    assert "Traceback" not in errors
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--objective", "speed"], "There is no objective 'speed': it is one of cycles, seconds, lut"),
        (["--objective", "lut", "--objective", "lut"], "Name each objective once"),
        (["--sampler", "best"], "There is no sampler 'best': it is one of near, tpe, random"),
        (["--at-most", "dsp"], "--at-most is 'dsp': give a name and a number"),
        (["--storage", "nowhere"], "'nowhere' names no database that can be used"),
    ],
)
def test_errors(design, capsys, words, message):
    assert run(["tune", str(design.directory), *words]) == 1
    assert message in capsys.readouterr().err


def test_a_directory_without_a_design(tmp_path, capsys):
    assert run(["tune", str(tmp_path)]) == 1
    assert "holds no schedule: compile a design there first" in capsys.readouterr().err


def test_a_study_of_another_search_is_refused(design, tmp_path, capsys):
    words = ["tune", str(design.directory), "-o", str(tmp_path / "b.json"), "--storage", f"sqlite:///{tmp_path}/t.db"]
    assert run([*words, "--study", "mine", "--trials", "1"]) == 0
    assert run([*words, "--study", "mine", "--objective", "lut"]) == 1
    assert "The study 'mine' is about another search" in capsys.readouterr().err
