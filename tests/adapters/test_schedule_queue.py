"""Schedules that any worker runs: several processes' timers over one PostgreSQL."""

import asyncio
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from time import monotonic

import pytest

from adapters.schedule_queue import ScheduleQueue
from adapters.task_queue import TaskQueue
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.schedules.schedule import Schedule
from router.schedules.scheduler import HEARTBEAT_SECONDS, SLEEP_MAX_SECONDS
from router.storage.database import Database
from tests.router.schedules.conftest import model
from tests.router.schedules.test_lost_runs import Slow
from tests.router.schedules.test_repeating import HOUR, repeated, schedules_of
from tests.support.postgres import PostgresDatabase
from tests.support.shop import build_shop
from tests.support.talk import Heard, Talk

CONNECTIONS = '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n'

AT_ONCE_SECONDS = 4.0
"""Nobody looks by themselves within this, nor is a process taken for dead by its lease."""
assert AT_ONCE_SECONDS < min(HEARTBEAT_SECONDS, SLEEP_MAX_SECONDS)


def furnish(folder: Path) -> None:
    """Put into a new folder what a process needs there."""
    folder.mkdir()
    build_shop(folder / "shop.sqlite")
    (folder / "connections.toml").write_text(CONNECTIONS)


@asynccontextmanager
async def process(
    url: str, folder: Path, notifier: Heard | None = None, at: timedelta = timedelta(), *, works: bool = True
) -> AsyncIterator[Talk]:
    """Be a process that runs schedules, and looks for what is due, until the end of the block.

    Its clock stands, `at` so much later than that of others: no lease ever ends by itself. Unless it `works`, it takes
    up no task.
    """
    furnish(folder)
    async with AsyncExitStack() as stack:
        database = Database(url)
        talk = stack.enter_context(closing(Talk(folder, model, database=database)))
        talk.numbers = count(secrets.randbelow(10**9))
        talk.notifier = notifier or talk.notifier
        talk.clock.now += at
        tasks = TaskQueue(database, heartbeat=0.2, dead_after=1.5)
        queue = ScheduleQueue(database, tasks, talk.timer)
        await tasks.open()
        stack.push_async_callback(tasks.close)
        talk.timer.open("test", talk.notifier)
        if works:
            queue.work(["test"])
        yield talk
        tasks.begin_no_more()
        talk.timer.stop()
        if isinstance(talk.notifier, Slow):
            talk.notifier.go.set()


async def until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(true):
            await asyncio.sleep(0.02)


def later(*talks: Talk) -> None:
    """Let an hour go by everywhere, and have everybody look at once."""
    for talk in talks:
        talk.clock.now += HOUR
    for talk in talks:
        talk.timer.wake()


def is_over(talk: Talk, schedule: Schedule) -> bool:
    """Tell whether what was due by now was run, and nobody has anything to do with it."""
    found = schedules_of(talk).get(schedule.id)
    return found.due > talk.clock.now and not found.holder and not tasks_left(talk)


def tasks_left(talk: Talk) -> int:
    """Return how many tasks there are, whoever does them."""
    with talk.database.reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM procrastinate_jobs").scalar_one())


async def test_each_due_time_is_run_once(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """By whichever process takes it up, though all look at the same moment."""
    async with (
        process(postgres.owner_url, tmp_path / "one") as one,
        process(postgres.owner_url, tmp_path / "two") as two,
    ):
        first = await asyncio.to_thread(repeated, one)
        more = [replace(first.plan, key=f"plan {number}") for number in range(5)]
        every = [first, *[await asyncio.to_thread(schedules_of(one).add, plan) for plan in more]]
        for _ in range(2):
            later(one, two)
            await until(lambda: all(is_over(one, each) for each in every))
        keys = [job.request.key for job in one.services.jobs.ledger.latest(50) if job.request.key.startswith("T-")]
    told = [news.id for talk in (one, two) for news in talk.notifier.news]
    assert 12 == len(keys) == len({*keys})
    assert sorted(keys) == sorted(told)


async def test_what_a_process_ran_that_ends_is_run_by_another(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """It puts off what it runs, and nobody waits for the next look."""
    slow = Slow()
    async with AsyncExitStack() as first:
        one = await first.enter_async_context(process(postgres.owner_url, tmp_path / "one", slow))
        schedule = await asyncio.to_thread(repeated, one)
        later(one)
        assert await asyncio.to_thread(slow.inside.wait, 20)
        async with process(postgres.owner_url, tmp_path / "two", at=HOUR) as two:
            began = monotonic()
            await first.aclose()
            await until(lambda: is_over(two, schedule))
            assert monotonic() - began < AT_ONCE_SECONDS
    assert (0, 1) == (len(slow.news), len(two.notifier.news))


@pytest.mark.thorough
async def test_what_a_process_ran_that_dies_is_run_by_another(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """Its heartbeat is missed, whatever its lease says."""
    async with process(postgres.owner_url, tmp_path / "one") as one:
        schedule = await asyncio.to_thread(repeated, one)
    with child(postgres, tmp_path / "two"):
        pass
    async with process(postgres.owner_url, tmp_path / "three", at=HOUR) as three:
        assert schedules_of(three).get(schedule.id).holder
        began = monotonic()
        await until(lambda: is_over(three, schedule))
        assert monotonic() - began < AT_ONCE_SECONDS
    assert 1 == len(three.notifier.news)


async def test_a_process_that_was_only_paused(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """Once its run was taken over, it tells nobody of it."""
    slow = Slow()
    async with (
        process(postgres.owner_url, tmp_path / "one", slow) as one,
        process(postgres.owner_url, tmp_path / "two", at=HOUR, works=False) as two,
    ):
        schedule = await asyncio.to_thread(repeated, one)
        later(one)
        assert await asyncio.to_thread(slow.inside.wait, 20)
        assert await asyncio.to_thread(two.timer.take_up, schedule.id) is None
        run = await asyncio.to_thread(two.timer.take_up, schedule.id, take_over=True)
        assert run
        await asyncio.wrap_future(run)
        slow.go.set()
        await until(lambda: is_over(two, schedule))
    assert (0, 1) == (len(slow.news), len(two.notifier.news))


async def test_a_lease_is_heeded(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """A process of the version before may run what is due without a task; the task is over then."""
    async with process(postgres.owner_url, tmp_path / "one") as one:
        schedule = await asyncio.to_thread(repeated, one)
        one.clock.now += HOUR
        assert await asyncio.to_thread(schedules_of(one).claim, schedule.id, "the version before")
        assert one.timer.others
        await asyncio.to_thread(one.timer.others.put, schedule)
        await until(lambda: not tasks_left(one))
        assert [] == one.notifier.news
        assert await asyncio.to_thread(schedules_of(one).note, schedule.id, "the version before", holder="")
        one.timer.wake()
        await until(lambda: is_over(one, schedule))
    assert 1 == len(one.notifier.news)


# A worker in a process of its own, which a test kills.


class Stuck(Slow):
    """Says that it began, and goes on only after a kill."""

    def known(self, key: ThreadKey, user: User) -> User:
        """Return nobody, ever."""
        print("begun", flush=True)
        return super().known(key, user)


@contextmanager
def child(postgres: PostgresDatabase, folder: Path) -> Iterator[None]:
    """Run a worker that has begun what is due; it is killed at the end of the block."""
    command = [sys.executable, "-m", "tests.adapters.test_schedule_queue", postgres.owner_url, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "begun\n"
            yield
        finally:
            process.kill()


async def run_for_ever(url: str, folder: Path) -> None:
    """Begin whatever is due."""
    async with process(url, folder, Stuck(), HOUR):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(run_for_ever(sys.argv[1], Path(sys.argv[2])))
