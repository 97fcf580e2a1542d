"""E-mail jobs of the ledger, with its runner, a mail server and a kill -9: sent once, or said that nobody knows."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep

import pytest

from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.targets import target_opener
from router.jobs.approval import job_digest
from router.jobs.audit import Audit
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.ledger import Ledger
from router.jobs.mail.mail_config import MailConfig
from router.jobs.payloads import SEND_EMAIL
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.policy import require_query
from router.sql.databases.session import Described
from router.storage.database import Database, home_database
from tests.router.jobs.test_send_email import JOB
from tests.support.mail_servers import PostOffice, post_office


@contextmanager
def at_work(folder: Path, mail_config: MailConfig | None, later: timedelta = timedelta()) -> Iterator[Runner]:
    """Run jobs with everything that the bot has for e-mails; `later` sets the ledger's clock forward."""
    database = home_database(folder)
    ledger = Ledger(database, lambda: datetime.now(UTC) + later)
    audit = Audit(folder / "audit.jsonl", lambda: datetime.now(UTC))
    catalog = Catalog(Connections([]))
    work = workers(catalog, target_opener(catalog.connections), results_in(folder), audit, require_query, mail_config)
    runner = Runner(ledger, work, beat=0.05)
    try:
        yield runner
    finally:
        runner.close()
        database.close()
        catalog.close()


def results_in(folder: Path) -> Results:
    return Results(folder / "results", timedelta(days=1), lambda: datetime.now(UTC))


def request(folder: Path) -> Request:
    """Store a result and return the job that sends it."""
    columns = [Described("store", "text")]
    stored = results_in(folder).store(columns, [[("North",)]], 10, lambda rows: None, lambda: 0.1)
    job = replace(JOB, result=stored.id)
    return SEND_EMAIL.request(replace(job, approval=job_digest(job)), "key")


def silent(entry: JobEntry, doing: str) -> None:
    """Hear of progress, and do nothing."""


@pytest.fixture
def post() -> Iterator[PostOffice]:
    with post_office() as post:
        yield post


def until(post: PostOffice, step: str) -> None:
    """Wait for what the server hears."""
    while step not in post.steps:
        sleep(0.01)


def test_an_e_mail_is_sent_once(tmp_path: Path, post: PostOffice) -> None:
    """Also where it is asked for twice; its number is the job's."""
    asked = request(tmp_path)
    with at_work(tmp_path, post.mail_config()) as runner:
        done = runner.run(asked, silent)
        assert done == runner.run(asked, silent)
    assert (JobState.DONE, 1) == (done.state, done.rows)
    assert {"recipients": list(JOB.recipients), "bytes": len(post.letters[0][1])} == done.outcome
    assert f"<{done.id}@example.com>" == post.read()["Message-ID"]


def test_a_lost_answer_is_asked_about(tmp_path: Path, post: PostOffice) -> None:
    """The job is UNSURE, and sent again only when a person says so, under the same number."""
    post.dies = "END"
    with at_work(tmp_path, post.mail_config()) as runner:
        lost = runner.run(request(tmp_path), silent)
        assert JobState.UNSURE == lost.state
        assert "may have gone out, or not" in lost.error
        post.dies = ""
        assert runner.retry(lost.id)
        assert JobState.DONE == runner.wait(lost.id, silent).state
    assert 2 == len(post.letters)
    assert 1 == len({content.partition(b"Message-ID: ")[2].partition(b"\r\n")[0] for _, content in post.letters})


def test_it_is_cancelled_before_it_goes(tmp_path: Path, post: PostOffice) -> None:
    """At once, though the server lets it wait."""
    post.waits = "RCPT"
    with at_work(tmp_path, post.mail_config()) as runner:
        entry = runner.submit(request(tmp_path))
        until(post, "RCPT")
        runner.cancel(entry.id)
        assert JobState.CANCELLED == runner.wait(entry.id, silent).state
    assert [] == post.letters


def test_without_a_mail_server_nothing_is_sent(tmp_path: Path) -> None:
    """Such as where it was taken out of the settings since."""
    with at_work(tmp_path, None) as runner:
        failed = runner.run(request(tmp_path), silent)
    assert (
        JobState.FAILED,
        "The bot has no mail server (any more). Nothing was sent. Tell your administrator.",
    ) == (
        failed.state,
        failed.error,
    )


@pytest.mark.parametrize(
    ("step", "state", "letters"),
    [
        pytest.param("RCPT", JobState.DONE, 1, marks=pytest.mark.thorough),
        pytest.param("BODY", JobState.UNSURE, 0, marks=pytest.mark.thorough),
        ("END", JobState.UNSURE, 1),
    ],
)
def test_a_kill_never_sends_it_twice(
    step: str, state: JobState, letters: int, tmp_path: Path, database: Database, post: PostOffice
) -> None:
    """Before the server is handed it, the next process sends it; after that, only a person may."""
    ledger = Ledger(database, lambda: datetime.now(UTC))
    entry = ledger.add(request(tmp_path))
    post.waits = step
    with subprocess.Popen([sys.executable, "-m", __name__, str(tmp_path), str(post.port)]) as process:
        until(post, step)
        process.kill()
    post.waits = ""
    with at_work(tmp_path, post.mail_config(), later=timedelta(minutes=2)) as runner:
        assert state == runner.wait(entry.id, silent).state
    assert letters == len(post.letters)


def main(folder: str, port: str) -> None:
    """Work on the ledger's jobs until killed."""
    with at_work(Path(folder), PostOffice(int(port)).mail_config()) as runner:
        for entry in runner.ledger.latest():
            runner.wait(entry.id, silent)


if __name__ == "__main__":
    main(*sys.argv[1:])
