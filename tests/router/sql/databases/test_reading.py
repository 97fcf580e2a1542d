"""What every reading session does, whatever the database."""

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from router.errors import JobFailed, Stopped
from router.sql.databases.session import PooledDatabase, Session
from tests.router.sql.databases.conftest import ENDLESS, Place, many


def rows_of(session: Session, sql: str, batch: int = 1000) -> list[tuple[Any, ...]]:
    """Return all rows."""
    return [row for rows in session.stream(sql, batch)[1] for row in rows]


def names_of(session: Session, sql: str) -> list[str]:
    """Return the columns' names."""
    columns, batches = session.stream(sql)
    list(batches)
    return [column.name for column in columns]


def test_rows_come_as_plain_values(place: Place, database: PooledDatabase) -> None:
    """Numbers, text in any script, NULL and dates are Python's own; SQLite has neither decimals nor dates."""
    plain = [
        (1, "Zoë", Decimal("12.50"), date(2026, 1, 31)),
        (2, "株式会社", Decimal("7.25"), None),
        (3, None, None, None),
        (4, "a%s 'b' {c} :d", Decimal("-1.00"), None),
    ]
    typeless = [
        (1, "Zoë", 12.5, "2026-01-31"),
        (2, "株式会社", 7.25, None),
        (3, None, None, None),
        (4, plain[3][1], -1, None),
    ]
    with database.session(place.scope) as session:
        assert rows_of(session, "SELECT * FROM orders ORDER BY id") == (typeless if place.name == "sqlite" else plain)


def test_columns_tell_name_and_kind(place: Place, database: PooledDatabase) -> None:
    """The kind is the column's where the database knows one; SQLite types values, so there all is text."""
    with database.session(place.scope) as session:
        columns, _ = session.stream("SELECT * FROM orders")
        assert [c.name for c in columns] == ["id", "customer", "amount", "paid_on"]
        typed = ["number", "text", "number", "date"]
        assert [c.kind for c in columns] == (["text"] * 4 if place.name == "sqlite" else typed)


def test_two_columns_of_one_name_stay_two(place: Place, database: PooledDatabase) -> None:
    """Names are neither dropped nor changed."""
    with database.session(place.scope) as session:
        assert names_of(session, "SELECT 1 AS a, 2 AS a, 3 AS b") == ["a", "a", "b"]
        assert rows_of(session, "SELECT 1 AS a, 2 AS a, 3 AS b") == [(1, 2, 3)]


def test_no_rows_still_have_columns(place: Place, database: PooledDatabase) -> None:
    """An empty result says what it would have had."""
    with database.session(place.scope) as session:
        columns, batches = session.stream("SELECT id, customer FROM orders WHERE id > 99")
        assert ([c.name for c in columns], list(batches)) == (["id", "customer"], [])


def test_signs_that_drivers_may_take_for_parameters_are_text(place: Place, database: PooledDatabase) -> None:
    """The SQL is sent as it stands: no sign in it is a parameter of some driver."""
    with database.session(place.scope) as session:
        assert rows_of(session, "SELECT 7 % 4, '%s %(x)s ? :x $1 {y} 100%'") == [(3, "%s %(x)s ? :x $1 {y} 100%")]


def test_rows_come_in_batches(place: Place, database: PooledDatabase) -> None:
    """No batch is larger than asked for, none is empty, and narrow rows come in full ones after the first few."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(4), batch=300)
        sizes = [len(rows) for rows in batches]
    assert sum(sizes) == 10_000
    assert (max(sizes), min(sizes) > 0) == (300, True)
    assert sizes.count(300) > len(sizes) - 5


def test_a_large_result_is_never_held_in_memory(place: Place, database: PooledDatabase) -> None:
    """100,000 rows pass through a few hundred kilobytes."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(5), batch=500)
        first = next(batches)
        tracemalloc.start()
        try:
            count = len(first) + sum(len(rows) for rows in batches)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert count == 100_000
    assert peak < 1_000_000


def test_a_reader_may_leave_early(place: Place, database: PooledDatabase) -> None:
    """What is left unread is dropped, and the next session works."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(9), batch=10)
        assert len(next(batches)) == 10
    with database.session(place.scope) as session:
        assert rows_of(session, "SELECT count(*) FROM orders") == [(4,)]


def test_rows_cannot_be_read_after_the_session(place: Place, database: PooledDatabase) -> None:
    """An iterator that was kept does not read on somebody else's connection."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(4), batch=10)
        next(batches)
    with database.session(place.scope), pytest.raises(JobFailed, match="over"):
        next(batches)


def test_a_second_statement_ends_the_first(place: Place, database: PooledDatabase) -> None:
    """One statement runs at a time."""
    with database.session(place.scope) as session:
        _, first = session.stream(many(4), batch=10)
        next(first)
        assert rows_of(session, "SELECT count(*) FROM orders") == [(4,)]
        with pytest.raises(JobFailed, match="over"):
            next(first)


@pytest.mark.parametrize("asks", ["check", "stream"])
def test_an_error_is_the_database_s_own_word_in_one_line(place: Place, database: PooledDatabase, asks: str) -> None:
    """The sentence names what is wrong, and nothing of drivers or URLs."""
    with database.session(place.scope) as session, pytest.raises(JobFailed) as failed:
        getattr(session, asks)("SELECT nosuch FROM orders")
    said = str(failed.value)
    assert "nosuch" in said
    assert "\n" not in said
    assert "://" not in said
    assert "Error" not in said


def test_a_session_works_on_after_an_error(place: Place, database: PooledDatabase) -> None:
    """Nothing is left aborted."""
    with database.session(place.scope) as session:
        for wrong in ("SELECT nosuch FROM orders", "SELEC 1", ""):
            with pytest.raises(JobFailed):
                session.stream(wrong)
            assert rows_of(session, "SELECT count(*) FROM orders") == [(4,)]


def test_check_accepts_and_runs_nothing(place: Place, database: PooledDatabase) -> None:
    """A query that would take days is checked at once; where the planner counts, so does the estimate."""
    with database.session(place.scope) as session:
        estimate = session.check(ENDLESS)
        assert (estimate.rows is None) == (place.name in ("sqlite", "mysql"))
        assert rows_of(session, "SELECT 1") == [(1,)]


def test_a_query_is_stopped_when_its_time_is_over(place: Place) -> None:
    """The sentence says how long that is; the next query has the whole time again."""
    database = place.open(timeout=0.3)
    with database.session(place.scope) as session:
        with pytest.raises(JobFailed, match=r"longer than 0\.3 s and was stopped in the database"):
            rows_of(session, ENDLESS)
        assert rows_of(session, "SELECT count(*) FROM orders") == [(4,)]
    database.close()


def test_stop_reaches_a_running_query(place: Place, database: PooledDatabase) -> None:
    """Another thread's cancel ends it; nobody waits for the time-out."""
    with database.session(place.scope) as session:
        stop = threading.Timer(0.2, session.cancel)
        stop.start()
        with pytest.raises(Stopped):
            rows_of(session, ENDLESS)
        stop.join()
    with database.session(place.scope) as session:
        assert rows_of(session, "SELECT count(*) FROM orders") == [(4,)]


def test_stop_between_two_batches_is_not_lost(place: Place, database: PooledDatabase) -> None:
    """A session that was stopped gives no more rows and runs no more statements; the next session does."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(5), batch=10)
        next(batches)
        session.cancel()
        with pytest.raises(Stopped):
            next(batches)
        with pytest.raises(Stopped):
            session.stream("SELECT 1")
    with database.session(place.scope) as session:
        assert rows_of(session, "SELECT 1") == [(1,)]


def test_stop_after_the_end_is_harmless(place: Place, database: PooledDatabase) -> None:
    """It does not hit the next use of the connection."""
    with database.session(place.scope) as first:
        pass
    with database.session(place.scope) as second:
        _, batches = second.stream(many(4), batch=10)
        next(batches)
        first.cancel()
        assert sum(len(rows) for rows in batches) == 9_990


@pytest.mark.thorough
def test_many_threads_read_at_once(place: Place, database: PooledDatabase) -> None:
    """More threads than connections get each their own rows."""

    def read(number: int) -> Any:
        with database.session(place.scope) as session:
            return rows_of(session, f"SELECT {number} + d FROM digits ORDER BY d")

    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(read, range(40))) == [[(n + d,) for d in range(10)] for n in range(40)]


def test_it_answers_a_ping(database: PooledDatabase) -> None:
    """A database that is there answers."""
    database.ping()


def test_a_closed_database_says_so(place: Place) -> None:
    """After closing there is a sentence, not a driver's error."""
    database = place.open()
    database.ping()
    database.close()
    with pytest.raises(JobFailed, match="was closed"):
        database.ping()
