"""The ledger goes away while a job is done: its end is noted, what went out goes out once, and nobody is locked."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from router.errors import JobFailed
from router.jobs.job_entry import JobState, Kind, Request
from router.jobs.ledger import Ledger
from router.jobs.mail.addresses import address_of
from router.jobs.mail.mailer import Mailer
from router.jobs.progress import Outcome, RunningJob
from router.jobs.runner import Runner
from router.storage.clock import now
from router.storage.database import Database
from tests.support.mail_servers import PostOffice, post_office
from tests.support.postgres import PostgresDatabase, fresh_database, running_server

BEAT_SECONDS = 0.2


@pytest.fixture(scope="module")
def own() -> Iterator[PostgresDatabase]:
    """A database on a server that may be stopped."""
    with running_server() as server, fresh_database(server) as database:
        yield database


@pytest.fixture
def post() -> Iterator[PostOffice]:
    with post_office() as office:
        yield office


@contextmanager
def runner(ledger: Ledger, do: Callable[[RunningJob], Outcome], kind: Kind = "send_email") -> Iterator[Runner]:
    with closing(Runner(ledger, {kind: do}, beat=BEAT_SECONDS)) as made:
        yield made


def request(key: str, kind: Kind = "send_email") -> Request:
    return Request(key, kind, {}, lane="all")


def until(what: Callable[[], bool], seconds: float = 15.0) -> None:
    end = monotonic() + seconds
    while not what():
        assert monotonic() < end
        sleep(0.02)


@pytest.mark.parametrize(
    ("when", "waits", "state"),
    [
        ("sent", False, JobState.DONE),
        ("sent", True, JobState.DONE),
        ("before", True, JobState.DONE),
        ("before", False, JobState.FAILED),
        ("lost", False, JobState.UNSURE),
    ],
)
def test_an_email_in_an_outage(
    own: PostgresDatabase, post: PostOffice, when: str, waits: bool, state: JobState
) -> None:
    """What is true of an e-mail is noted once the ledger is back; it goes out once, or it is said that nobody knows.

    The server goes away after it was sent, before that, and after it was sent and the mail server's answer lost.
    """
    gone = Event()

    def away() -> None:
        own.server.stop()
        gone.set()

    def send(work: RunningJob) -> Outcome:
        def sending() -> None:
            if when == "before":
                away()
            work.sending()

        if when == "lost":
            post.be("END", "")
        try:
            Mailer(post.mail_config()).send(b"Subject: x\r\n\r\nHello\r\n", [address_of("ana@example.com")], sending)
        finally:
            if when != "before":
                away()
        return Outcome(3)

    with closing(Database(own.owner_url)) as database:
        database.server.may_wait = lambda: waits
        ledger = Ledger(database, now)
        with runner(ledger, send) as made:
            job = made.submit(request(f"{when} {waits}"))
            assert gone.wait(10)
            sleep(1)
            assert own.server.start()
            until(lambda: ledger.get(job.id).over)
            ended = ledger.get(job.id)

    assert (ended.state, ended.attempt) == (state, 1)
    assert len(post.letters) == (state != JobState.FAILED)


def test_nobody_is_dead_right_after_an_outage(own: PostgresDatabase) -> None:
    """Who could give no sign of life has time for one once the database is back; others know nothing of that."""
    late = timedelta()

    def clock() -> datetime:
        return now() + late

    with closing(Database(own.owner_url)) as database, closing(Database(own.owner_url)) as unaware:
        ledger = Ledger(database, clock)
        job = ledger.add(request("held", "write_data"))
        assert ledger.claim(job.id, "somebody")
        with own.server.away(), pytest.raises(JobFailed):
            ledger.due()
        late = timedelta(seconds=40)

        assert ledger.due() == ()
        assert ledger.claim(job.id, "another") is None
        assert [job.id] == [each.id for each in Ledger(unaware, clock).due()]
        ledger.forget("")


def test_an_end_that_a_file_cannot_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home's database that is locked for longer than anybody waits keeps the end later, too."""
    monkeypatch.setattr("router.storage.database.BUSY_MILLISECONDS", 500)
    sent = Event()

    def send(work: RunningJob) -> Outcome:
        work.sending()
        blocked.start()
        held.wait(10)
        sent.set()
        return Outcome(1)

    with closing(Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")) as database:
        held, over = Event(), Event()

        def block() -> None:
            with database.transaction():
                held.set()
                over.wait(30)

        blocked = Thread(target=block)
        ledger = Ledger(database, now)
        with runner(ledger, send) as made:
            job = made.submit(request("file"))
            assert sent.wait(10)
            sleep(1)
            over.set()
            until(lambda: ledger.get(job.id).state == JobState.DONE)
        blocked.join()
