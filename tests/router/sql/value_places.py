"""A fresh database of a kind, what is read of it as a job does, and the differences that a comparison finds."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from router.jobs.results.store import Results
from router.memory.comparing import Tolerances
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Difference, Side
from router.sql.comparing.proposals import match_columns
from router.sql.comparing.queries import sample
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_database
from tests.router.sql.writing.places import Place, duckdb_place, mysql_place, postgres_place, sqlite_place
from tests.support.mysql import MISSING, fresh_mysql, installed
from tests.support.postgres import fresh_database


@contextmanager
def place_of(name: Name, request: pytest.FixtureRequest, folder: Path) -> Iterator[Place]:
    """Lend a fresh database of a kind."""
    folder.mkdir(exist_ok=True)
    if name == "sqlite":
        yield sqlite_place(folder)
    elif name == "duckdb":
        yield duckdb_place(folder)
    elif name == "postgres":
        with fresh_database(request.getfixturevalue("postgres_server")) as database:
            yield postgres_place(database)
    elif not (installed() or request.config.getoption("--mysql")):
        pytest.skip(MISSING)
    else:
        with fresh_mysql(request.getfixturevalue("mysql_server")) as mysql:
            yield mysql_place(mysql)


@contextmanager
def opened(place: Place) -> Iterator[PooledDatabase]:
    """Lend the database as people read it."""
    database = open_database(place.url, DIALECTS[place.name])
    try:
        yield database
    finally:
        database.close()


def stored(place: Place, folder: Path, sql: str) -> tuple[Results, str]:
    """Read a query into a result, as a job does."""
    results = Results(folder / "results", timedelta(days=1), lambda: datetime.now(UTC))
    with opened(place) as database, database.session() as session:
        columns, batches = session.stream(sql, cuts=True)
        return results, results.store(columns, batches, 10**6, lambda rows: None, lambda: 0.0).id


def differences(here: Place, there: Place, mine: str, others: str, rows: int = 2) -> list[tuple[Any, Any]]:
    """Return the pairs of values that a comparison of two queries says are different, as it is proposed to people."""
    found: list[Difference] = []

    class Kept:
        def begin(self) -> None:
            found.clear()

        def add(self, rows: list[Difference]) -> None:
            found.extend(rows)

    with ExitStack() as stack:
        sides = []
        for place, sql in ((here, mine), (there, others)):
            session = stack.enter_context(stack.enter_context(opened(place)).session())
            sides.append(Side(place.name, place.name, sql, session))
        samples = [sample(side) for side in sides]
        pairs = match_columns(*samples)
        assert len(pairs) == len(samples[0].columns)
        plan = ComparePlan(samples[0].names, samples[1].names, pairs, (0,), Tolerances(), "all")
        report = compare(*sides, plan, sink=Kept())
    assert (report.left_rows, report.right_rows) == (rows, rows)
    return [
        (row.left[at], row.right[at]) if row.left and row.right else (row.left, row.right)
        for row in found
        if row.status != "identical"
        for at in row.places or (0,)
    ]
