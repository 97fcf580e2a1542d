"""Running the ledger's jobs: real threads over a real ledger."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from router.errors import JobFailed, Unsure
from router.jobs.cancellation import Stopping
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.lease_table import HOLDER_TIMEOUT
from router.jobs.ledger import Ledger
from router.jobs.progress import Outcome, RunningJob
from router.jobs.runner import CANCELLED, Runner
from router.storage.database import Database, home_database

WRITE = Request("one", "write_data", {"table": "archive"}, lane="warehouse")

Do = Callable[[RunningJob], Outcome]


@contextmanager
def at_work(folder: Path, do: Do) -> Iterator[Runner]:
    """Run a runner whose jobs all do this."""
    database = home_database(folder)
    ledger = Ledger(database, lambda: datetime.now(UTC))
    runner = Runner(ledger, {"write_data": do, "send_email": do}, beat=0.05)
    try:
        yield runner
    finally:
        runner.close()
        database.close()


def silent(entry: JobEntry, doing: str) -> None:
    """Hear of progress, and do nothing."""


def waits(work: RunningJob) -> Outcome:
    """Work until it is stopped."""
    work.stopping.asked.wait(20)
    work.require_going_on()
    return Outcome(0)


def test_a_job_that_is_asked_for_again_is_done_once(tmp_path: Path) -> None:
    """Also while it is worked on, by two who wait."""
    runs: list[str] = []
    going = Event()

    def do(work: RunningJob) -> Outcome:
        runs.append(work.id)
        going.wait(10)
        return Outcome(1)

    with at_work(tmp_path, do) as runner:
        first = runner.submit(WRITE)
        assert first.id == runner.submit(WRITE).id
        going.set()
        assert JobState.DONE == runner.wait(first.id, silent).state
    assert [first.id] == runs


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (JobFailed("The disk is full."), JobState.FAILED, "The disk is full."),
        (Unsure("It may have gone out."), JobState.UNSURE, "It may have gone out."),
        (ValueError("secret"), JobState.FAILED, "Something went wrong on my side"),
    ],
)
def test_a_job_that_fails_says_why(tmp_path: Path, error: Exception, state: JobState, words: str) -> None:
    """The words of a bug stay in the log."""

    def do(work: RunningJob) -> Outcome:
        raise error

    with at_work(tmp_path, do) as runner:
        failed = runner.run(WRITE, silent)
        assert state == failed.state
        assert words in failed.error
        assert "secret" not in failed.error


def test_a_failed_job_is_done_again_when_asked(tmp_path: Path) -> None:
    """Under the same number, so that it finds what it did before."""
    ids: list[tuple[str, int]] = []

    def do(work: RunningJob) -> Outcome:
        ids.append((work.id, work.entry.attempt))
        if len(ids) == 1:
            raise JobFailed("Not now.")
        return Outcome(1)

    with at_work(tmp_path, do) as runner:
        failed = runner.run(WRITE, silent)
        assert runner.retry(failed.id)
        assert JobState.DONE == runner.wait(failed.id, silent).state
        assert not runner.retry(failed.id)
    assert [(failed.id, 1), (failed.id, 2)] == ids


def test_a_job_is_cancelled_from_another_process(database: Database, tmp_path: Path) -> None:
    """Its holder finds out by itself."""
    seen = Event()

    def do(work: RunningJob) -> Outcome:
        seen.set()
        return waits(work)

    with at_work(tmp_path, do) as runner:
        id = runner.submit(WRITE).id
        assert seen.wait(60)
        other = Ledger(database, lambda: datetime.now(UTC))
        assert JobState.RUNNING == other.cancel(id, CANCELLED)
        ended = runner.wait(id, silent)
        assert (JobState.CANCELLED, CANCELLED) == (ended.state, ended.error)


def test_what_was_done_when_stop_came_is_done(tmp_path: Path) -> None:
    """The ledger tells the truth, not what somebody wished."""
    stopping = Stopping()

    def do(work: RunningJob) -> Outcome:
        work.stopping.asked.wait(20)
        return Outcome(3)

    with at_work(tmp_path, do) as runner:
        done = runner.run(WRITE, lambda entry, doing: stopping.stop() if entry.attempt else None, stopping)
        assert (JobState.DONE, 3) == (done.state, done.rows)


def test_a_job_that_a_stop_cut_short_is_done_at_the_next_start(tmp_path: Path) -> None:
    """Nobody has to ask for it again."""
    begun = Event()

    def do(work: RunningJob) -> Outcome:
        begun.set()
        return waits(work)

    with at_work(tmp_path, do) as runner:
        id = runner.submit(WRITE).id
        assert begun.wait(60)
    with at_work(tmp_path, lambda work: Outcome(work.entry.attempt)) as runner:
        done = runner.wait(id, silent)
        # A thread that was about to claim it when the stop came makes a further attempt, which is cut short too.
        assert (JobState.DONE, True) == (done.state, done.rows > 1)


def test_what_a_dead_process_held_is_done_once_it_is_missed(database: Database) -> None:
    """A write goes on; a query was interrupted, and is done once more for whoever asked for it meanwhile."""
    read = replace(WRITE, key="two", kind="read_sql")
    late, waiting = [timedelta()], Event()
    ledger = Ledger(database, lambda: datetime.now(UTC) + late[0])
    for request in (WRITE, read):
        assert ledger.claim(ledger.add(request, "dead" if request is read else "").id, "dead")

    def do(work: RunningJob) -> Outcome:
        return Outcome(7)

    def tell(entry: JobEntry, doing: str) -> None:
        if entry.request.kind == "read_sql":
            waiting.set()

    with (
        closing(Runner(ledger, {"write_data": do, "read_sql": do}, beat=0.05)) as runner,
        ThreadPoolExecutor(2) as people,
    ):
        asked = [people.submit(runner.run, request, tell) for request in (read, WRITE)]
        assert waiting.wait(10)
        late[0] = HOLDER_TIMEOUT
        ended = [each.result() for each in asked]
    assert [(JobState.DONE, 7, 2)] * 2 == [(each.state, each.rows, each.attempt) for each in ended]


def test_few_jobs_of_one_lane_run_at_once(tmp_path: Path) -> None:
    """Those of another lane are not held up by them."""
    free, full, running = Event(), Event(), []

    def do(work: RunningJob) -> Outcome:
        running.append(work.entry.request.key)
        full.set() if len(set(running) - {"x"}) == 2 else None
        free.wait(10) if work.entry.request.lane == "warehouse" else None
        return Outcome(1)

    with at_work(tmp_path, do) as runner:
        ids = [runner.submit(replace(WRITE, key=str(n))).id for n in range(6)]
        assert JobState.DONE == runner.run(replace(WRITE, key="x", lane="shop"), silent).state
        assert full.wait(60)
        assert 2 == len([key for key in running if key != "x"])
        free.set()
        assert [JobState.DONE] * 6 == [runner.wait(id, silent).state for id in ids]


def test_what_is_being_sent_is_not_cancelled(tmp_path: Path) -> None:
    """It is too late for that."""
    sending, go = Event(), Event()

    def do(work: RunningJob) -> Outcome:
        work.sending()
        sending.set()
        go.wait(10)
        return Outcome(1)

    with at_work(tmp_path, do) as runner:
        id = runner.submit(WRITE).id
        assert sending.wait(60)
        assert JobState.SENDING == runner.cancel(id)
        go.set()
        assert JobState.DONE == runner.wait(id, silent).state
