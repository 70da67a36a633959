# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where trials are kept: a database that several machines may share, and that may be away for a while."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import TypeVar

import optuna
import sqlalchemy
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from streamtensor.errors import RunError

# A worker says every so many seconds that it lives; one that was silent for the second figure has died, and its trial
# is done again.
HEARTBEAT, SILENCE = 5, 20
# Attempts at a trial whose workers died.
_RETRIES = 3

AWAY = (SQLAlchemyError, optuna.exceptions.StorageInternalError)
Result = TypeVar("Result")


def connect(url: str, patience: float) -> optuna.storages.RDBStorage:
    """The database at `url`, created if need be."""

    def create() -> optuna.storages.RDBStorage:
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # heartbeats: the version is pinned
        database = optuna.storages.RDBStorage(
            url,
            engine_kwargs={"pool_pre_ping": True},
            heartbeat_interval=HEARTBEAT,
            grace_period=SILENCE,
            heartbeat_stale_trial_callback=optuna.storages.RetryHeartbeatStaleTrialCallback(max_retry=_RETRIES),
        )
        _lock_while_reading(database)
        return database

    try:
        return persist(create, url, patience)
    except (ArgumentError, ImportError) as error:
        raise RunError(
            f"'{url}' names no database that can be used ({error}): give one as Optuna does, such as "
            "sqlite:///trials.db or postgresql+psycopg2://user:password@host/name."
        ) from error


def _lock_while_reading(database: optuna.storages.RDBStorage) -> None:
    """Who claims a waiting trial locks its row, reads and writes it. SQLite has no such locks and begins a transaction
    at the first write, so two workers would claim the same trial: there each transaction has the database from its
    beginning."""
    if database.engine.dialect.name == "sqlite":
        sqlalchemy.event.listen(database.engine, "begin", lambda each: each.exec_driver_sql("BEGIN IMMEDIATE"))


def persist(attempt: Callable[[], Result], url: str, patience: float) -> Result:
    """Does what needs the database again until it is there, for `patience` seconds at most."""
    end = time.monotonic() + patience
    while True:
        try:
            return attempt()
        except ArgumentError:
            raise
        except AWAY as error:
            if time.monotonic() > end:
                first = str(error).strip().splitlines()[0]
                raise RunError(
                    f"The database {_shown(url)} could not be reached for {patience:g} seconds ({first}). Trials that "
                    "had ended are kept there: bring it back and give the same command again."
                ) from error
            time.sleep(min(1.0, patience / 10))


def _shown(url: str) -> str:
    """Without the password."""
    scheme, separator, rest = url.partition("://")
    return scheme + separator + rest.rpartition("@")[2]
