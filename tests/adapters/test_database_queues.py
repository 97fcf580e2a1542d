"""Jobs go to whoever opens their databases: several processes' runners over one PostgreSQL."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from sqlalchemy.exc import SQLAlchemyError

from adapters.database_queues import JOBS_AT_ONCE, DatabaseQueues, queue_of
from adapters.task_queue import TaskQueue
from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.connections_file import connections_in
from router.jobs.compared_queries import Queried
from router.jobs.job_entry import JobEntry, JobState, Kind, Request
from router.jobs.ledger import Ledger
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import MATCH_SQL, READ_CATALOG, databases_of
from router.jobs.progress import Outcome, RunningJob, Worker
from router.jobs.read_catalog import ReadCatalog, read_catalog
from router.jobs.runner import ABSENT, NOWHERE, Runner
from router.memory.draft import User
from router.observing.talk import present, working_on
from router.storage.database import Database
from tests.support.postgres import PostgresDatabase
from tests.support.shop import build_shop

AT_ONCE_SECONDS = 3.0
"""Nobody looks into the ledger by themselves within this: it is told."""


@asynccontextmanager
async def process(
    postgres: PostgresDatabase,
    *opened: str,
    do: Callable[[RunningJob], Outcome] = lambda work: Outcome(0),
    catalog: Catalog | None = None,
) -> AsyncIterator[Runner]:
    """Be a process that opens these databases, and notes what it does; it looks at the tables of this catalog."""
    async with AsyncExitStack() as stack:
        database = stack.enter_context(closing(Database(postgres.owner_url)))

        def elsewhere(request: Request) -> bool:
            return not {*databases_of(request)} <= {*opened}

        def done(work: RunningJob) -> Outcome:
            outcome = do(work)
            return Outcome(outcome.rows, {"by": list(opened), "trace": present().trace})

        ledger = Ledger(database, lambda: datetime.now(UTC))
        known = catalog or Catalog(Connections([]))

        def look(work: RunningJob) -> Outcome:
            return read_catalog(READ_CATALOG.job(work.entry.request), known, work)

        kinds: dict[Kind, Worker] = {"read_sql": done, "write_data": done, "match_sql": done, "read_catalog": look}
        runner = Runner(ledger, kinds, elsewhere=elsewhere)
        stack.callback(runner.close)
        tasks = TaskQueue(database)
        queues = DatabaseQueues(database, tasks, runner, known, drain=0.5)
        await tasks.open()
        stack.push_async_callback(tasks.close)
        stack.callback(queues.begin_no_more)
        if opened:
            queues.work(opened)
        yield runner


def request(key: str, connection: str) -> Request:
    return Request(key, "write_data", {}, lane=connection, connection=connection, asker="slack:U1")


def pair(key: str, left: str, right: str) -> Request:
    """Return a look at queries of two databases."""
    ana = User("slack:U1")
    sides = [Queried(connection, "main", "SELECT 1", connection, ana, "") for connection in (left, right)]
    return MATCH_SQL.request(MatchSql.of(*sides, ana), key)


class Waiting:
    """Does a job until it is told to end it."""

    def __init__(self) -> None:
        self.begun = Event()

    def __call__(self, work: RunningJob) -> Outcome:
        self.begun.set()
        work.stopping.asked.wait(20)
        work.demand_going_on()
        return Outcome(0)


async def run(runner: Runner, asked: Request) -> JobEntry:
    """Have a job done by whoever it is for."""
    return await asyncio.to_thread(runner.run, asked, lambda entry, doing: None)


async def test_each_job_goes_to_who_opens_its_database(postgres: PostgresDatabase) -> None:
    """At once, also where it is about two databases, which one process opens both; it is part of the same trace."""
    async with (
        process(postgres) as asks,
        process(postgres, "shop", "desk"),
        process(postgres, "hr", "Desk2"),
    ):
        began = monotonic()
        found = [
            await run(asks, request("one", "shop")),
            await run(asks, request("two", "hr")),
            await run(asks, request("three", "desk")),
            await run(asks, pair("four", "shop", "desk")),
        ]
        assert [["shop", "desk"], ["hr", "Desk2"], ["shop", "desk"], ["shop", "desk"]] == [
            entry.outcome["by"] for entry in found
        ]
        assert monotonic() - began < 4 * AT_ONCE_SECONDS
        assert {JobState.DONE} == {entry.state for entry in found}
        with working_on("slack/T1/C1/1.0") as traced:
            assert traced.trace == (await run(asks, request("five", "hr"))).outcome["trace"]


async def test_a_job_is_ended_where_it_runs(postgres: PostgresDatabase) -> None:
    """Stop reaches whoever does it, before they look into the ledger."""
    waiting = Waiting()
    async with process(postgres) as asks, process(postgres, "shop", do=waiting):
        running = asyncio.create_task(run(asks, request("one", "shop")))
        assert await asyncio.to_thread(waiting.begun.wait, 20)
        began = monotonic()
        await asyncio.to_thread(asks.cancel, asks.ledger.latest(1)[0].id, "Enough.")
        entry = await running
        assert (JobState.CANCELLED, "Enough.") == (entry.state, entry.error)
        assert monotonic() - began < AT_ONCE_SECONDS


async def test_what_a_process_had_to_do_that_ends_is_done_by_another(postgres: PostgresDatabase) -> None:
    """A write that a process gives back as it ends is taken up; a job that is gone meanwhile holds up nobody."""
    waiting = Waiting()
    async with process(postgres) as asks:
        async with process(postgres, "shop", do=waiting) as first:
            running = asyncio.create_task(run(asks, request("one", "shop")))
            assert await asyncio.to_thread(waiting.begun.wait, 20)
            await asyncio.to_thread(first.close)
        assert not running.done()
        gone = await asyncio.to_thread(asks.submit, request("gone", "shop"))
        await asyncio.to_thread(asks.ledger.delete, gone.id)
        async with process(postgres, "shop"):
            assert JobState.DONE == (await running).state
            assert JobState.DONE == (await run(asks, request("two", "shop"))).state


@pytest.mark.thorough
async def test_a_database_that_nobody_opens_just_now(
    postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is seen in seconds, of one database and of two at once; whoever is busy with others is waited for."""
    monkeypatch.setattr("router.jobs.runner.ABSENT_SECONDS", 2.5)
    monkeypatch.setattr("router.jobs.runner.PRESENCE_CHECK_SECONDS", 0.5)
    async with process(postgres) as asks:
        ended = await run(asks, request("one", "shop"))
        assert (JobState.CANCELLED, ABSENT) == (ended.state, ended.error)
        async with process(postgres, "shop", "desk", "hr", do=waits(1.0)), process(postgres, "pay"):
            began = monotonic()
            several = [asyncio.create_task(run(asks, request(f"many {n}", "shop"))) for n in range(JOBS_AT_ONCE + 1)]
            assert {JobState.DONE} == {(await each).state for each in several}
            assert monotonic() - began > 3.0
            ended = await run(asks, pair("two", "shop", "pay"))
            assert (JobState.CANCELLED, NOWHERE) == (ended.state, ended.error)
            assert JobState.DONE == (await run(asks, pair("three", "shop", "desk"))).state


async def test_whoever_is_there_is_seen_again_after_a_cut(postgres: PostgresDatabase) -> None:
    """Who works on a queue is seen by all, until they begin no more; a connection that was cut comes back."""
    database = Database(postgres.owner_url)
    async with process(postgres, "shop") as opens:
        await until_attended(database, there=True)
        postgres.cut_off()
        await asyncio.sleep(0.1)
        await until_attended(database, there=True)
        assert opens
    await until_attended(database, there=False)
    database.close()


async def until_attended(database: Database, *, there: bool) -> None:
    """Return once it is seen that somebody opens the shop, or that nobody does."""
    tasks, end = TaskQueue(database), monotonic() + 10
    while True:
        with suppress(SQLAlchemyError):  # it was cut off, too
            if await asyncio.to_thread(tasks.attended, queue_of(["shop"])) == there:
                return
        assert monotonic() < end
        await asyncio.sleep(0.1)


def waits(seconds: float) -> Callable[[RunningJob], Outcome]:
    """Return what does each job for so long."""

    def do(work: RunningJob) -> Outcome:
        time.sleep(seconds)
        return Outcome(0)

    return do


def tables(catalog: Catalog) -> set[str]:
    return {table.name for table in catalog.schema("shop").tables}


async def until(true: Callable[[], bool]) -> None:
    """Return once it is true, which it is before anybody would look by themselves."""
    async with asyncio.timeout(AT_ONCE_SECONDS):
        while not true():
            await asyncio.sleep(0.05)


async def test_what_one_process_reads_anew_others_do_not_know_as_it_was(
    postgres: PostgresDatabase, tmp_path: Path
) -> None:
    """Several open a database, and whoever looks at its tables tells the others that theirs may be old."""
    build_shop(tmp_path / "shop.sqlite")
    file = '[connections.shop]\nid = 1\nurl = "sqlite:///shop.sqlite"\n'
    one, other = (Catalog(connections_in(tmp_path / "connections.toml", file, {})) for _ in range(2))
    with closing(one), closing(other):
        async with (
            process(postgres) as asks,
            process(postgres, "shop", catalog=one),
            process(postgres, "shop", catalog=other),
        ):
            assert tables(one) == tables(other)
            with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
                shop.execute("CREATE TABLE later (id INTEGER)")
                shop.commit()
            await run(asks, READ_CATALOG.request(ReadCatalog("shop", "schema"), "look"))
            await until(lambda: "later" in tables(one) & tables(other))
            with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
                shop.execute("CREATE TABLE latest (id INTEGER)")
                shop.commit()
            assert "latest" not in tables(one)
            postgres.cut_off()  # it cannot be heard that somebody looked
            await until(lambda: "latest" in tables(one) & tables(other))


def test_names_of_queues() -> None:
    """Case and order make no other queue, as they make no other connection; long names and blanks do no harm."""
    assert queue_of(["Shop", "desk"]) == queue_of(["DESK", "shop"]) != queue_of(["shop"])
    assert queue_of(["a b"]) != queue_of(["a", "b"])
    assert len(queue_of(["x" * 100, "ü" * 100])) < 40
