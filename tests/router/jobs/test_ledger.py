"""The ledger: one row a job, one holder at a time, whatever dies."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.schema import DropTable

from router.errors import JobFailed
from router.jobs.job_entry import JobState, Request
from router.jobs.lease_table import HOLDER_TIMEOUT
from router.jobs.ledger import INTERRUPTED, TAKEN_OVER, UNSURE, Ledger
from router.storage.database import Database
from router.storage.tables import jobs
from tests.support.databases import FILE_ALONE, KINDS, database_of

WRITE = Request("thread:7", "write_data", {"table": "archive"}, lane="warehouse", asker="slack:U1", thread="t")


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The database, in a file and on a server."""
    with database_of(request, tmp_path) as opened:
        yield opened


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def later(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def ledger(database: Database, time: Time) -> Ledger:
    return Ledger(database, time)


def test_a_job_that_is_asked_for_twice_is_one_job(ledger: Ledger) -> None:
    """Also where both ask at once."""
    with ThreadPoolExecutor(8) as pool:
        ids = {entry.id for entry in pool.map(lambda _: ledger.add(WRITE), range(24))}
    assert 1 == len(ids)
    assert [WRITE] == [entry.request for entry in ledger.latest()]


def test_a_job_is_held_by_one(ledger: Ledger) -> None:
    """Of many who want it at once, one gets it."""
    id = ledger.add(WRITE).id
    with ThreadPoolExecutor(8) as pool:
        claimed = [entry for entry in pool.map(lambda n: ledger.claim(id, f"holder {n}"), range(16)) if entry]
    assert [(JobState.RUNNING, 1)] == [(entry.state, entry.attempt) for entry in claimed]


def test_a_job_of_a_dead_holder_is_anybodys(ledger: Ledger, time: Time) -> None:
    """As long as the holder gives signs of life, it is not."""
    id = ledger.add(WRITE).id
    assert ledger.claim(id, "one")
    for _ in range(4):
        time.later(HOLDER_TIMEOUT.total_seconds() * 0.9)
        assert {} == ledger.live("one", [id], {id: 5})
    assert ledger.claim(id, "two") is None
    assert () == ledger.due()
    time.later(HOLDER_TIMEOUT.total_seconds() + 1)
    assert [id] == [entry.id for entry in ledger.due()]
    again = ledger.claim(id, "two")
    assert again
    assert again.attempt == 2
    assert not ledger.move(id, "one", JobState.DONE)
    assert {id: TAKEN_OVER} == ledger.live("one", [id], {id: 9})
    assert ledger.move(id, "two", JobState.DONE, rows=3, outcome={"table": "archive"})
    over = ledger.get(id)
    assert (JobState.DONE, 3, {"table": "archive"}) == (over.state, over.rows, over.outcome)


def test_a_job_that_its_holder_does_not_know_of_is_anybodys(ledger: Ledger, time: Time) -> None:
    """The answer to a claim may be lost: then nobody works on the job, though its holder lives."""
    known, unknown = (ledger.add(replace(WRITE, key=key)).id for key in "ab")
    assert ledger.claim(known, "one")
    assert ledger.claim(unknown, "one")
    time.later(HOLDER_TIMEOUT.total_seconds() + 1)
    assert {} == ledger.live("one", [known], {known: 5})
    assert [unknown] == [entry.id for entry in ledger.due()]


def test_a_job_that_was_being_sent_is_not_sent_again_by_itself(ledger: Ledger, time: Time) -> None:
    """A person who asked for it may have it sent again."""
    mail = replace(WRITE, kind="send_email")
    id = ledger.add(mail).id
    assert ledger.claim(id, "one")
    assert ledger.move(id, "one", JobState.SENDING)
    time.later(HOLDER_TIMEOUT.total_seconds() + 1)
    assert ledger.claim(id, "two") is None
    found = ledger.get(id)
    assert (JobState.UNSURE, UNSURE) == (found.state, found.error)
    assert ledger.retry(id)
    assert not ledger.retry(id)
    assert ledger.claim(id, "two")


def test_a_reading_that_was_interrupted_is_not_repeated(ledger: Ledger, time: Time) -> None:
    """Whether it was begun, or waited for its turn."""
    id = ledger.add(replace(WRITE, kind="read_sql"), "one").id
    waiting = ledger.add(replace(WRITE, key="other", kind="read_sql"), "one").id
    assert ledger.claim(waiting, "two") is None
    assert ledger.claim(id, "one")
    assert JobState.QUEUED == ledger.get(waiting).state
    time.later(HOLDER_TIMEOUT.total_seconds() + 1)
    for each in (id, waiting):
        assert ledger.claim(each, "two") is None
        assert (JobState.FAILED, INTERRUPTED) == (ledger.get(each).state, ledger.get(each).error)


def test_a_cancelled_job_is_not_begun(ledger: Ledger) -> None:
    """The holder of one that runs is told, and notes the truth; one that is over stays as it is."""
    waiting, running, over = (ledger.add(replace(WRITE, key=key)).id for key in "abc")
    assert ledger.claim(running, "one")
    assert ledger.claim(over, "one")
    assert ledger.move(over, "one", JobState.DONE)
    assert [JobState.CANCELLED, JobState.RUNNING, JobState.DONE] == [
        ledger.cancel(id, "Enough.") for id in (waiting, running, over)
    ]
    assert ledger.claim(waiting, "one") is None
    assert {running: "Enough."} == ledger.live("one", [running], {running: 1})
    assert ledger.move(running, "one", JobState.DONE, rows=7)
    assert (JobState.DONE, 7) == (ledger.get(running).state, ledger.get(running).rows)


def test_a_job_is_found(ledger: Ledger, time: Time) -> None:
    """By number in any case, key, asker, thread and state, the newest first."""
    first = ledger.add(WRITE)
    time.later(1)
    second = ledger.add(replace(WRITE, key="other", asker="slack:U2"))
    assert first == ledger.get(f" {first.id.lower()} ")
    assert first == ledger.find("thread:7")
    assert ledger.find("nothing") is None
    assert (second, first) == ledger.latest()
    assert (second,) == ledger.latest(1)
    assert (first,) == ledger.latest(asker="slack:U1")
    assert () == ledger.latest(states=[JobState.DONE])
    with pytest.raises(JobFailed, match="There is no job W-NONE"):
        ledger.get("W-NONE")


def test_a_ledger_that_cannot_be_written_is_a_sentence(ledger: Ledger, database: Database, tmp_path: Path) -> None:
    """Its address, which may hold a password, is not in it."""
    with database.transaction() as connection:
        connection.execute(DropTable(jobs))
    for ask in (ledger.latest, lambda: ledger.add(WRITE)):
        with pytest.raises(JobFailed, match="nothing was begun") as failed:
            ask()
        assert str(tmp_path) not in str(failed.value)


def test_a_threads_jobs_are_forgotten(ledger: Ledger) -> None:
    """A worker on one finds that it is its own no more; those of another thread stay."""
    id, other = ledger.add(WRITE).id, ledger.add(replace(WRITE, key="other", thread="u")).id
    assert ledger.claim(id, "one")
    ledger.forget("t")
    assert [other] == [entry.id for entry in ledger.latest()]
    assert {id: TAKEN_OVER} == ledger.live("one", [id], {id: 5})
    assert not ledger.move(id, "one", JobState.DONE)


def test_what_is_long_over_is_deleted(ledger: Ledger, time: Time) -> None:
    """Readings after the days that rows are kept, the rest after a year; what is not over stays."""
    read = replace(WRITE, key="read", kind="read_sql")
    for request in (WRITE, read):
        id = ledger.add(request, "a").id
        ledger.claim(id, "a")
        ledger.move(id, "a", JobState.DONE)
    ledger.add(replace(WRITE, key="waits"))
    kept = []
    for days in (6, 2, 350, 10):
        time.later(days * 86_400)
        ledger.expire(timedelta(days=7))
        kept.append({entry.request.key for entry in ledger.latest()})
    assert [{"thread:7", "read", "waits"}, {"thread:7", "waits"}, {"thread:7", "waits"}, {"waits"}] == kept


@FILE_ALONE
def test_a_reading_is_found_by_its_rows(ledger: Ledger, database: Database) -> None:
    """By an index, however many jobs there are."""
    for name in ("first", "second"):
        id = ledger.add(replace(WRITE, key=name, kind="read_sql"), "a").id
        ledger.claim(id, "a")
        ledger.move(id, "a", JobState.DONE, outcome={"result": {"id": f"rows of {name}"}})
    found = ledger.reading("rows of second")
    assert found
    assert "second" == found.request.key
    assert ledger.reading("rows") is None
    query = select(jobs).where(jobs.c.result == "rows")
    text = query.compile(database.engine, compile_kwargs={"literal_binds": True})
    with database.reading() as connection:
        assert "jobs_by_result" in str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all())
