"""Jobs on a database that another process opens: two runners over one ledger, as two processes have them."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Timer

import pytest

from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.connections_file import connections_in
from router.catalog.targets import targets
from router.errors import DatabaseAway, JobFailed, NotAllowed, Stopped
from router.jobs.audit import Audit
from router.jobs.elsewhere import CatalogElsewhere, done_elsewhere
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.ledger import INTERRUPTED, Ledger
from router.jobs.payloads import READ_SQL, SEND_EMAIL, UNREADABLE, ref_of
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.store import Results
from router.jobs.runner import AWAITED, NOBODY, Runner
from router.jobs.send_email import SendEmail
from router.jobs.workers import workers
from router.memory.draft import User
from router.policy import demand_query
from router.sql.guard import check
from router.storage.database import Database
from tests.support.shop import build_shop

FILE = """
[connections.shop]
id = 1
label = "Shop"
url = "sqlite:///shop.sqlite"
write_url = "sqlite:///shop.sqlite"
dialect = "sqlite"
writers = ["*"]
"""
ANA = User("test:ana")
SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@dataclass(slots=True)
class Process:
    """The parts of one process that do jobs, or have them done."""

    connections: Connections
    catalog: Catalog
    jobs: Runner


class InOneProcess:
    """Hands jobs over to a runner of the same process."""

    def __init__(self, jobs: Runner) -> None:
        self._jobs, self.ended = jobs, list[str]()

    def put(self, entry: JobEntry) -> None:
        assert self._jobs.begin(entry.id)

    def attend(self, request: Request) -> bool:
        return True

    def end(self, id: str, why: str) -> None:
        self.ended.append(id)
        assert self._jobs.end(id, why)

    def tell_over(self, entry: JobEntry) -> None:
        """Leave it to whoever waits to look."""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    build_shop(tmp_path / "shop.sqlite")
    return tmp_path


def process(folder: Path, database: Database, stack: ExitStack, opened: tuple[str, ...] | None) -> Process:
    """Return a process that opens these databases, or all; it ends with the stack."""
    connections = connections_in(folder / "connections.toml", FILE, {}, opened)
    catalog = stack.enter_context(closing(Catalog(connections)))
    audit = Audit(folder / f"{opened}.jsonl", lambda: datetime.now(UTC))
    results = Results(folder / "results", timedelta(days=1), lambda: datetime.now(UTC))
    work = workers(catalog, targets(connections), results, audit, demand_query)
    jobs = Runner(
        Ledger(database, lambda: datetime.now(UTC)),
        work,
        beat=0.1,
        elsewhere=partial(done_elsewhere, opened, opened == ()),
    )
    catalog.elsewhere = CatalogElsewhere(jobs, patience=10.0)
    stack.callback(jobs.close)
    return Process(connections, catalog, jobs)


@pytest.fixture(name="asks")
def _asks(folder: Path, database: Database) -> Iterator[Process]:
    """A process that opens no database."""
    with ExitStack() as stack:
        yield process(folder, database, stack, ())


@pytest.fixture(name="opens")
def _opens(folder: Path, database: Database, asks: Process) -> Iterator[Process]:
    """A process that opens all databases, and to which the other one hands its jobs over."""
    with ExitStack() as stack:
        opens = process(folder, database, stack, None)
        asks.jobs.others = InOneProcess(opens.jobs)
        yield opens


def reading(sql: str) -> Request:
    """Return an approved reading."""
    sql = check(sql, "sqlite", None).sql
    return READ_SQL.request(
        ReadSql("shop", "main", "sqlite", sql, ANA.id, ANA.id, digest(sql, "shop", "main", ANA.id)), f"read {sql}"
    )


def silent(entry: JobEntry, doing: str) -> None:
    """Hear of progress, and do nothing."""


def test_tables_are_known_as_they_are_where_they_are_opened(asks: Process, opens: Process) -> None:
    """Names, tables with their values, and what lies in a table; nothing of it stays in the ledger."""
    assert opens.catalog.schemas("shop") == asks.catalog.schemas("shop")
    there, here = opens.catalog.schema("shop"), asks.catalog.schema("shop")
    assert [table for table in there.tables if any(column.values for column in table.columns)]
    assert there.tables == here.tables
    assert there.scope == here.scope
    existing = asks.catalog.existing("shop", "main", "regions", ANA)
    assert existing
    assert existing == opens.catalog.existing("shop", "main", "regions", ANA)
    assert asks.catalog.existing("shop", "main", "nowhere", ANA) is None
    assert not asks.jobs.ledger.due()
    assert not asks.jobs.latest(ANA, 10)


def test_sql_is_looked_at_where_the_database_is(asks: Process, opens: Process) -> None:
    """The guard judges it there once more; what the database says of it is what a person is told."""
    scope = asks.catalog.schema("shop").scope
    with asks.catalog.trial("shop", scope, ANA) as trial:
        trial.check("SELECT name FROM regions")
        with pytest.raises(JobFailed, match="color"):
            trial.check("SELECT color FROM regions")
        with pytest.raises(JobFailed, match="soundslike is not on the list"):
            trial.check("SELECT soundslike(name) FROM regions")
    with asks.catalog.trial("shop", scope, ANA) as trial:
        trial.cancel()
        with pytest.raises(Stopped):
            trial.check("SELECT name FROM regions")


def test_a_schema_that_may_not_be_read(asks: Process, opens: Process) -> None:
    """It is said as where the database is opened."""
    with pytest.raises(NotAllowed, match='no schema "nowhere"'):
        asks.catalog.schema("shop", "nowhere")


def test_a_query_is_run_by_whoever_opens_the_database(asks: Process, opens: Process) -> None:
    """Its rows are for whoever asked; where the ledger alone tells of it, it is found after a while."""
    done = asks.jobs.run(reading("SELECT name FROM regions"), silent)
    assert JobState.DONE == done.state
    assert ref_of(done).total == done.rows > 0
    asks.jobs.others = None
    assert JobState.DONE == asks.jobs.run(reading("SELECT id FROM regions"), silent).state


def test_a_query_that_nobody_begins(asks: Process) -> None:
    """It says that it waits, and ends with a sentence; nobody runs it later."""
    told: list[str] = []
    entry = asks.jobs.submit(reading("SELECT name FROM regions"))
    ended = asks.jobs.wait(entry.id, lambda entry, doing: told.append(doing), patience=(0.5, NOBODY))
    assert (JobState.CANCELLED, NOBODY) == (ended.state, ended.error)
    assert {AWAITED} == set(told)
    asks.catalog.elsewhere = CatalogElsewhere(asks.jobs, patience=0.3)
    with pytest.raises(JobFailed, match="Shop is away: the machine that opens its database does not answer"):
        asks.catalog.schema("shop")
    assert not asks.jobs.ledger.due()


def test_a_query_is_ended_where_it_runs(asks: Process, opens: Process) -> None:
    """It is told to whoever runs it, who need not look at the ledger first."""
    others = asks.jobs.others
    assert isinstance(others, InOneProcess)
    entry = asks.jobs.submit(reading(SLOW))
    clock = Timer(0.5, lambda: asks.jobs.cancel(entry.id, "Stopped, as you asked."))
    clock.start()
    ended = asks.jobs.wait(entry.id, silent)
    clock.join()
    assert (JobState.CANCELLED, "Stopped. Nothing was changed.") == (ended.state, ended.error)
    assert [entry.id] == others.ended


def test_what_was_begun_once_is_not_begun_again(asks: Process, opens: Process) -> None:
    """A query that was handed over may be begun by anybody, until somebody did."""
    ledger = asks.jobs.ledger
    asks.jobs.others = None
    opens.jobs.close()
    entry = asks.jobs.submit(reading("SELECT name FROM regions"))
    assert ledger.claim(entry.id, "one")
    ledger.release("one")
    assert ledger.claim(entry.id, "other") is None
    assert (JobState.FAILED, INTERRUPTED) == (ledger.get(entry.id).state, ledger.get(entry.id).error)
    asks.jobs.retry(entry.id)
    assert ledger.claim(entry.id, "other")


def test_an_email_is_sent_by_who_works_on_talks(asks: Process, opens: Process) -> None:
    """A process that does nothing but the jobs on its databases has no mail server, and leaves e-mails alone."""
    request = SEND_EMAIL.request(
        SendEmail(
            connection="shop",
            recipients=("ben@example.com",),
            subject="Regions",
            body="",
            form="none",
            result="",
            sender="bot@example.com",
            name="Bot",
            asker=ANA.id,
        ),
        "mail",
    )
    assert not asks.jobs.elsewhere(request)
    assert opens.jobs.elsewhere(request)


def test_a_query_on_a_database_of_which_a_process_knows_nothing() -> None:
    """A process that opens some databases leaves all others alone, also those that its own file does not have."""
    query = reading("SELECT name FROM regions")
    assert not done_elsewhere(None, True, query)
    assert not done_elsewhere(["Shop"], True, query)
    assert done_elsewhere(["hr"], True, query)
    assert done_elsewhere((), True, query)


def died(ledger: Ledger, asked: Request) -> str:
    """Have a job begun by a process that dies; returns its number."""
    entry = ledger.add(asked)
    assert ledger.claim(entry.id, "one")
    ledger.release("one")
    return entry.id


def test_whoever_did_it_dies_and_nobody_else_opens_the_database(asks: Process) -> None:
    """A query is over, one that was to end is cancelled; what can be done again waits for somebody."""
    ledger, query = asks.jobs.ledger, reading("SELECT name FROM regions")
    ended = asks.jobs.wait(died(ledger, query), silent)
    assert (JobState.FAILED, INTERRUPTED) == (ended.state, ended.error)
    id = died(ledger, replace(query, key="stopped", kind="write_data"))
    asks.jobs.cancel(id, "Enough.")
    assert (JobState.CANCELLED, "Enough.") == (ledger.get(id).state, ledger.get(id).error)
    id = died(ledger, replace(query, key="again", kind="write_data"))
    told: list[str] = []
    ended = asks.jobs.wait(id, lambda entry, doing: told.append(doing), patience=(1.0, NOBODY))
    assert (JobState.CANCELLED, NOBODY) == (ended.state, ended.error)
    assert AWAITED in told


def test_a_look_whose_process_dies_is_asked_for_again(asks: Process, opens: Process) -> None:
    """Once; then the database counts as away, which says nothing of the SQL."""
    opens.jobs.close()
    asks.jobs.others = Dying(asks.jobs.ledger)
    with pytest.raises(DatabaseAway):
        asks.catalog.schema("shop")
    assert 2 == asks.jobs.others.times


class Dying:
    """A process that dies over each job."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self.times = ledger, 0

    def put(self, entry: JobEntry) -> None:
        self.times += 1
        assert self._ledger.claim(entry.id, "one")
        self._ledger.release("one")

    def attend(self, request: Request) -> bool:
        return True

    def end(self, id: str, why: str) -> None:
        """Be dead."""

    def tell_over(self, entry: JobEntry) -> None:
        """Be dead."""


def test_a_process_that_ends(asks: Process, opens: Process) -> None:
    """It begins nothing of others, and waits no longer for looks than it may."""
    opens.jobs.begin_no_more(5.0)
    asks.jobs.others = None
    entry = asks.jobs.submit(reading("SELECT name FROM regions"))
    assert opens.jobs.begin(entry.id) is None
    asks.jobs.begin_no_more(0.3)
    with pytest.raises(Stopped, match="I was stopped"):
        asks.catalog.schema("shop")
    assert JobState.QUEUED == asks.jobs.ledger.get(entry.id).state


def test_a_row_that_cannot_be_read_stops_no_signs_of_life(asks: Process, opens: Process) -> None:
    """It fails, and the jobs after it are done."""
    broken = asks.jobs.ledger.add(Request("broken", "match_sql", [1], connection="shop"))  # type: ignore[arg-type]
    asks.jobs.others = None
    assert JobState.DONE == asks.jobs.run(reading("SELECT name FROM regions"), silent).state
    assert (JobState.FAILED, UNREADABLE) == (
        asks.jobs.ledger.get(broken.id).state,
        asks.jobs.ledger.get(broken.id).error,
    )
