"""Tasks while their database is away: their worker waits for it, and what it did or was given is not lost."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import text

from adapters.task_queue import TaskQueue
from adapters.tasks import Task
from router.storage.database import Database
from tests.support.postgres import PostgresDatabase, fresh_database, running_server

AWAY_SECONDS = 13.0
"""Longer than a worker waits for a connection, so that its signs of life and its notes fail."""


@pytest.fixture
def own() -> Iterator[PostgresDatabase]:
    """A database on a server that may be stopped."""
    with running_server() as server, fresh_database(server) as database:
        yield database


@pytest.mark.thorough
async def test_a_worker_lives_through_an_outage(own: PostgresDatabase) -> None:
    """The end of a task is noted once the server is back, its lock given back, and what the worker never heard of done.

    Nothing is done twice: the worker is not taken for dead.
    """
    begun, goes_on = list[str](), asyncio.Event()

    async def do(task: Task) -> bool:
        begun.append(task.given["name"])
        await goes_on.wait()
        return True

    with closing(Database(own.owner_url)) as database:
        tasks = TaskQueue(database, heartbeat=1.0, dead_after=6.0)
        tasks.handle("t", do)
        await tasks.open()
        tasks.work(["q"], 4)

        def defer(name: str, queue: str, lock: str) -> None:
            with database.writing() as connection:
                tasks.add(connection, "t", {"name": name}, queue=queue, lock=lock)

        async def until(names: set[str]) -> None:
            async with asyncio.timeout(20):
                while set(begun) != names:
                    await asyncio.sleep(0.05)

        defer("first", "q", "thread")
        defer("unheard", "elsewhere", "another")
        await until({"first"})
        defer("second", "q", "thread")
        with database.writing() as connection:  # as if the answer that gives the task had been lost
            given = "SET status = 'doing', queue_name = 'q', worker_id = (SELECT min(id) FROM procrastinate_workers)"
            connection.execute(text(f"UPDATE procrastinate_jobs {given} WHERE queue_name = 'elsewhere'"))
        await asyncio.to_thread(own.server.stop)
        goes_on.set()
        await asyncio.sleep(AWAY_SECONDS)
        assert await asyncio.to_thread(own.server.start)

        await until({"first", "second", "unheard"})
        await asyncio.sleep(3)
        await tasks.close()
        with database.reading() as connection:
            assert connection.execute(text("SELECT id FROM procrastinate_jobs")).all() == []
    assert sorted(begun) == ["first", "second", "unheard"]
