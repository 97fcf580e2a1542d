"""Jobs in another process, and what becomes of them where the way there breaks: real servers, stopped and started."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from threading import Lock, Semaphore, Thread

import pytest

from adapters.remote.client import ApiAway
from adapters.remote.jobs import TRYING_AGAIN, RemoteJobs
from adapters.rendering.plain_text import text_of
from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.tables import Trial
from router.engine import Router
from router.errors import BotError, JobFailed, NotAllowed, Stopped, Unclear
from router.jobs.approval import job_digest
from router.jobs.cancellation import SHUT_DOWN, Stopping
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.job_service import Tell
from router.jobs.payloads import READ_SQL, WRITE_DATA, ref_of
from router.jobs.read_sql import ReadSql
from router.jobs.read_sql import digest as read_digest
from router.jobs.results.reader import Sort
from router.jobs.write_data import WriteData
from router.memory.draft import User
from router.sql.guard import check
from router.sql.scope import Scope
from router.sql.writing.order import ResultField
from tests.adapters.remote.scripted_server import Answer, good, moody, problem
from tests.adapters.remote.talk import RemoteTalk
from tests.adapters.remote.test_client import client_to
from tests.support.mail_servers import post_office
from tests.support.talk import ANA, BOB, KEY

SLOW = "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d, numbers e, numbers f WHERE a.n + b.n <> c.n"
QUICK = "SELECT id, name FROM regions ORDER BY id"


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[RemoteTalk]:
    talk = RemoteTalk(tmp_path, lambda: pytest.fail("no model is asked"), ("shop", "backup"))
    yield talk
    talk.close()


def reading(sql: str = QUICK, key: str = "k", asker: str = ANA.id) -> Request:
    text = check(sql, "sqlite").sql
    job = ReadSql("shop", "main", "sqlite", text, asker, asker, read_digest(text, "shop", "main", asker), str(KEY))
    return with_people(READ_SQL.request(job, key))


def writing(result: str, table: str = "copies", key: str = "w") -> Request:
    columns = ((1, ResultField("name", "text")),)
    job = WriteData("backup", "main", table, "create", columns, result, table, ANA.id, ANA.id, "", str(KEY))
    return with_people(WRITE_DATA.request(replace(job, approval=job_digest(job)), key))


def with_people(request: Request) -> Request:
    return replace(request, people=(ANA, ANA))


def quiet(entry: JobEntry, doing: str) -> None:
    """Ignore the progress."""


class Running:
    """A job that is waited for in a thread of its own."""

    def __init__(self, jobs: RemoteJobs, request: Request) -> None:
        self.stopping, self.told = Stopping(), list[str]()
        self.entry: JobEntry | None = None
        self.error: Exception | None = None
        self._thread = Thread(target=self._run, args=(jobs, request))
        self._thread.start()

    def _run(self, jobs: RemoteJobs, request: Request) -> None:
        try:
            self.entry = jobs.run(
                request, lambda entry, doing: self.told.append(f"{entry.state} {doing}"), self.stopping
            )
        except Exception as error:
            self.error = error

    def end(self) -> "Running":
        """Wait for its end."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        return self


def until(found: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def is_running(talk: RemoteTalk) -> Callable[[], bool]:
    """Return what tells whether the API works on a job."""
    return lambda: any(job.state == JobState.RUNNING for job in talk.own.jobs.ledger.latest())


def result_of(talk: RemoteTalk) -> str:
    return ref_of(talk.services.jobs.run(reading(key="result"), quiet)).id


def test_stop_ends_the_job_there(talk: RemoteTalk) -> None:
    """Stop is told to the API, with the words that the person reads."""
    running = Running(talk.site.jobs, reading(SLOW))
    until(is_running(talk))
    running.stopping.stop()
    entry = running.end().entry

    assert entry
    assert (JobState.CANCELLED, "Stopped. Nothing was changed.") == (entry.state, entry.error)


def test_a_bot_that_ends(talk: RemoteTalk) -> None:
    """It ends what it reads, since nobody waits for it; what is to be written goes on, and is found by its key."""
    result = result_of(talk)
    reads = Running(talk.site.jobs, reading(SLOW))
    until(is_running(talk))
    reads.stopping.stop(SHUT_DOWN)
    entry = reads.end().entry
    assert entry
    assert JobState.CANCELLED == entry.state
    stopping = Stopping()
    stopping.stop(SHUT_DOWN)
    with pytest.raises(Stopped, match="I was stopped before this was done"):
        talk.site.jobs.run(writing(result), quiet, stopping)
    found = RemoteJobs(talk.link).run(writing(result), quiet)

    assert (JobState.DONE, 2, 1) == (found.state, found.rows, found.attempt)
    assert found.id == (talk.site.jobs.find("w") or found).id
    assert talk.site.jobs.find("nothing") is None


def test_an_api_that_comes_back(talk: RemoteTalk) -> None:
    """A person who waits is told so, waits on, and gets what came of the job meanwhile."""
    running = Running(talk.site.jobs, reading(SLOW))
    until(is_running(talk))
    talk.api.stop()
    until(lambda: any(TRYING_AGAIN in told for told in running.told))
    (job,) = [job for job in talk.own.jobs.ledger.latest() if job.state == JobState.RUNNING]
    talk.own.jobs.cancel(job.id, "Enough.")
    talk.api.start()
    entry = running.end().entry

    assert entry
    assert (job.id, JobState.CANCELLED) == (entry.id, entry.state)


def test_an_api_that_stays_away(talk: RemoteTalk) -> None:
    """In the end it is said so, with the job's number; what became of it is found once the API is back."""
    jobs = RemoteJobs(talk.link, patience=0)
    running = Running(jobs, reading(SLOW))
    until(is_running(talk))
    talk.api.stop()
    error = running.end().error
    with pytest.raises(ApiAway, match="cannot be reached right now"):
        jobs.find("k")
    talk.api.start()
    found = jobs.find("k")

    assert found
    assert isinstance(error, ApiAway)
    assert f"job {found.id} any more. Your question and the SQL are kept" in str(error)
    talk.own.jobs.cancel(found.id)


HALF = (
    {"id": "R-23456789", "kind": "read", "name": "", "asker": ANA.id, "approver": ANA.id, "attempt": 1, "error": ""}
    | {"created": "2026-03-15T09:00:00Z", "started": None, "ended": None, "ending": "", "doing": "", "outcome": {}}
    | {"rows": 0}
)
RUNS, ENDED = good(state="running", **HALF), good(state="done", **HALF)


@pytest.mark.parametrize(
    "bad",
    [
        problem(503, "The list of jobs cannot be read or written (OperationalError).", "JobFailed"),
        problem(500, "error 1234"),
        problem(429, "8 requests by this token are being answered."),
        (404, "text/html", b"<h1>nginx</h1>"),
    ],
)
def test_one_bad_answer_ends_no_wait(bad: Answer) -> None:
    """It says nothing of the job, which goes on: it is looked at again."""
    tries = 4 if bad == problem(429, "8 requests by this token are being answered.") else 1
    with moody(RUNS, *[bad] * tries, ENDED) as server, closing(client_to(server)) as link:
        entry = RemoteJobs(link, pause=0).run(reading(), quiet)

    assert JobState.DONE == entry.state


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (problem(401, "Who?"), "does not let this bot in"),
        (problem(403, "Not you."), "Not you."),
        (problem(404, "There is no job."), "There is no job."),
    ],
)
def test_what_ends_a_wait(bad: Answer, words: str) -> None:
    """If the bot is turned away, or the job is not there, nobody waits on."""
    with (
        moody(RUNS, bad) as server,
        closing(client_to(server)) as link,
        pytest.raises(BotError, match=words),
    ):
        RemoteJobs(link, pause=0).run(reading(), quiet)


def test_stop_while_a_job_is_handed_over(talk: RemoteTalk) -> None:
    """It is ended as soon as the API has taken it over."""
    lock = sqlite3.connect(talk.folder / "icc-bot.sqlite", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    running = Running(RemoteJobs(talk.link, pause=0), reading(SLOW))
    until(lambda: '"approved"' in (talk.folder / "audit.jsonl").read_text())
    running.stopping.stop()
    lock.close()
    entry = running.end().entry

    assert entry
    assert JobState.CANCELLED == entry.state


def test_rights_are_judged_there(talk: RemoteTalk) -> None:
    """What this bot believes of rights does not help: the API has the file."""
    request = replace(writing(result_of(talk)), people=(ANA, BOB))
    with pytest.raises(NotAllowed, match="may approve this"):
        talk.site.jobs.run(request, quiet)
    with pytest.raises(NotAllowed, match="You can't write to Backup"):
        talk.site.jobs.run(replace(request, asker=BOB.id, people=(BOB, BOB)), quiet)
    assert talk.site.jobs.find("w") is None


def test_a_thread_is_forgotten(talk: RemoteTalk) -> None:
    """Its jobs and its results are gone there too."""
    result = result_of(talk)
    access = talk.site.results.seen_by(ANA)
    assert 2 == access.ref(result).total
    access.file(result, "csv")
    talk.site.results.delete(result)
    talk.site.jobs.forget(str(KEY))

    assert (None, []) == (talk.site.jobs.find("result"), list((talk.folder / "fetched").iterdir()))
    with pytest.raises(JobFailed, match="This result is gone: I keep rows for 7 days"):
        access.page(result)


def test_rows_come_as_they_are(talk: RemoteTalk) -> None:
    """Pages, fields and all rows are those of the API's own store, whatever was asked for and in whichever order."""
    job = talk.site.jobs.run(reading("SELECT n, n % 7 AS m, 'x' AS t FROM numbers"), quiet)
    ref, here, there = ref_of(job), talk.own.results.results, talk.site.results.seen_by(ANA)

    for offset, limit, sort in ((0, 20, None), (45, 20, None), (10, 3, (1, "down")), (-3, 50, (0, "up"))):
        assert here.page(ref, offset, limit, sort) == there.page(ref.id, offset, limit, sort)
    assert (here.ref(ref), here.fields(ref), here.read_at(ref)) == (
        there.ref(ref),
        there.fields(ref),
        there.read_at(ref),
    )
    sorts: tuple[Sort | None, ...] = (None, (1, "down"))
    for sort in sorts:
        assert list(here.rows(ref, 7, sort)) == list(there.rows(ref, 7, sort))
        for form in ("csv", "xlsx"):
            assert here.file(ref, form, sort=sort).read_bytes() == there.file(ref, form, sort=sort).read_bytes()
    assert there.file(ref, "csv").read_bytes() != there.file(ref, "csv", sort=(1, "down")).read_bytes()
    with pytest.raises(Unclear, match="There is no column 3 to sort by"):
        there.page(ref, sort=(3, "up"))


def test_slow_databases_keep_nobody_waiting(talk: RemoteTalk) -> None:
    """While a database answers nobody, the API still says what it has, and takes a word about jobs."""
    lock, asked = Lock(), Semaphore(0)

    class Slow(Catalog):
        def trial(self, name: str, scope: Scope, by: User) -> AbstractContextManager[Trial]:
            asked.release()
            with lock:
                return super().trial(name, scope, by)

    talk.api.stop()
    slow = Slow(talk.own.catalog.connections)
    talk.api.job_backend = replace(talk.api.job_backend, catalog=slow)
    talk.api.start()

    def look(number: int) -> None:
        with talk.site.catalog.trial("shop", Scope.of("main", []), User(f"test:{number % 3}")) as trial:
            trial.check("SELECT regions.name FROM regions")

    with lock:
        looking = [Thread(target=look, args=(number,)) for number in range(20)]
        for thread in looking:
            thread.start()
        for _ in looking:
            assert asked.acquire(timeout=60)
        site = talk.link.get("/v1/site")
    for thread in looking:
        thread.join()
    slow.close()

    assert "bot" == site["token"]


def test_rights_that_change(talk: RemoteTalk) -> None:
    """What changed in the API's file holds for the bot as soon as it looks."""
    own = talk.own.connections
    own.renew(Connections([replace(each, label=f"New {each.name}") for each in own.values()]))
    talk.site.renew()
    talk.site.renew()

    assert ["New shop", "New backup"] == [each.label for each in talk.site.connections.values()]


def test_an_e_mail_whose_end_nobody_heard(tmp_path: Path) -> None:
    """Where the API goes away while it sends, the person is asked; Send again finds what was sent already."""
    with post_office() as post:
        post.takes = 1.0
        talk = RemoteTalk(tmp_path, lambda: pytest.fail("no model is asked"), ("shop",), mail_config=post.mail_config())
        talk.services = replace(talk.services, jobs=RemoteJobs(talk.link, patience=0))
        talk.router = Router(talk.store, talk.services)
        talk.say(QUICK)
        talk.press("yes")
        talk.press("email")
        talk.say("bob@example.com")
        sending = Thread(target=talk.press, args=("email",))
        sending.start()
        until(lambda: post.steps)
        talk.api.stop()
        sending.join()
        asked = text_of(talk.replies[-1])
        until(lambda: all(job.over for job in talk.own.jobs.ledger.latest()))
        talk.api.start()
        said = talk.press("again")
        talk.close()

    assert "The e-mail may or may not have gone out. Send it again?" in asked
    assert "✓ Sent to bob@example.com" in said
    assert 1 == len(post.letters)


def test_an_e_mail_that_went_out_unheard(tmp_path: Path) -> None:
    """Where the answer alone was lost, the person is asked and not told that nothing went out."""

    class Deaf(RemoteJobs):
        def run(self, request: Request, tell: Tell, stopping: Stopping | None = None) -> JobEntry:
            entry = super().run(request, tell, stopping)
            if request.kind == "send_email" and len(post.letters) == 1 and not unheard:
                unheard.append(entry)
                raise ApiAway
            return entry

    unheard: list[JobEntry] = []
    with post_office() as post:
        talk = RemoteTalk(tmp_path, lambda: pytest.fail("no model is asked"), ("shop",), mail_config=post.mail_config())
        talk.services = replace(talk.services, jobs=Deaf(talk.link))
        talk.router = Router(talk.store, talk.services)
        talk.say(QUICK)
        talk.press("yes")
        talk.press("email")
        talk.say("bob@example.com")
        asked = talk.press("email")
        said = talk.press("again")
        talk.close()

    assert "may or may not have gone out. Send it again?" in asked
    assert "✓ Sent to bob@example.com" in said
    assert (1, [JobState.DONE]) == (len(post.letters), [entry.state for entry in unheard])
