"""Schedules that any process runs: several timers over one PostgreSQL."""

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

import pytest

from router.jobs.lease_table import HOLDER_TIMEOUT
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.schedules.schedule import Schedule
from router.schedules.scheduler import PARALLEL_RUNS
from router.storage.database import Database
from tests.router.schedules.conftest import model
from tests.router.schedules.test_lost_runs import Slow
from tests.router.schedules.test_repeating import HOUR, repeated, schedules_of
from tests.support.postgres import PostgresDatabase
from tests.support.shop import build_shop
from tests.support.talk import Heard, Talk

CONNECTIONS = '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n'

MOMENT = timedelta(seconds=1)


def furnish(folder: Path) -> None:
    """Put into a new folder what a process needs there."""
    folder.mkdir()
    build_shop(folder / "shop.sqlite")
    (folder / "connections.toml").write_text(CONNECTIONS)


@asynccontextmanager
async def process(
    url: str, folder: Path, notifier: Heard | None = None, at: timedelta = timedelta()
) -> AsyncIterator[Talk]:
    """Be a process that runs schedules, and looks for what is due, until the end of the block.

    Its clock stands, `at` so much later than that of others: no lease ever ends by itself.
    """
    furnish(folder)
    async with AsyncExitStack() as stack:
        database = Database(url)
        talk = stack.enter_context(closing(Talk(folder, model, database=database)))
        talk.numbers = count(secrets.randbelow(10**9))
        talk.notifier = notifier or talk.notifier
        talk.clock.now += at
        talk.timer.open("test", talk.notifier)
        yield talk
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
    """Return whether what was due by now was run, and nobody has anything to do with it."""
    found = schedules_of(talk).get(schedule.id)
    return found.due > talk.clock.now and not found.holder


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
    """It puts off what it runs, for the next process that looks."""
    slow = Slow()
    async with AsyncExitStack() as first:
        one = await first.enter_async_context(process(postgres.owner_url, tmp_path / "one", slow))
        schedule = await asyncio.to_thread(repeated, one)
        later(one)
        assert await asyncio.to_thread(slow.inside.wait, 20)
        async with process(postgres.owner_url, tmp_path / "two", at=HOUR) as two:
            await first.aclose()
            two.timer.wake()
            await until(lambda: is_over(two, schedule))
    assert (0, 1) == (len(slow.news), len(two.notifier.news))


@pytest.mark.thorough
async def test_what_a_process_ran_that_dies_is_run_by_another(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """Once its sign of life is too old, and not before."""
    async with process(postgres.owner_url, tmp_path / "one") as one:
        schedule = await asyncio.to_thread(repeated, one)
    with child(postgres, tmp_path / "two"):
        pass
    async with process(postgres.owner_url, tmp_path / "three", at=HOUR) as three:
        await asyncio.to_thread(three.timer.look)
        assert schedules_of(three).get(schedule.id).holder
        assert [] == three.notifier.news
        three.clock.now += HOLDER_TIMEOUT + MOMENT
        three.timer.wake()
        await until(lambda: is_over(three, schedule))
    assert 1 == len(three.notifier.news)


async def test_a_process_that_was_only_paused(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """Once its run was taken over, it tells nobody of it."""
    slow = Slow()
    async with (
        process(postgres.owner_url, tmp_path / "one", slow) as one,
        process(postgres.owner_url, tmp_path / "two") as two,
    ):
        schedule = await asyncio.to_thread(repeated, one)
        later(one)
        assert await asyncio.to_thread(slow.inside.wait, 20)
        two.clock.now += HOUR
        assert [] == await asyncio.to_thread(two.timer.look)
        two.clock.now += HOLDER_TIMEOUT + MOMENT
        two.timer.wake()
        await until(lambda: is_over(two, schedule))
        slow.go.set()
    assert (0, 1) == (len(slow.news), len(two.notifier.news))


async def test_nobody_claims_more_than_they_can_run(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """What has no place in one process is another's at once."""
    slow = Slow(always=True)
    async with (
        process(postgres.owner_url, tmp_path / "one", slow) as one,
        process(postgres.owner_url, tmp_path / "two") as two,
    ):
        first = await asyncio.to_thread(repeated, one)
        for number in range(PARALLEL_RUNS):
            await asyncio.to_thread(schedules_of(one).add, replace(first.plan, key=f"plan {number}"))
        one.clock.now += HOUR
        await asyncio.to_thread(one.timer.look)
        two.clock.now += HOUR
        (last,) = await asyncio.to_thread(two.timer.look)
        await asyncio.wrap_future(last)
        slow.go.set()
        await until(lambda: len(slow.news) >= PARALLEL_RUNS)
    assert (PARALLEL_RUNS, 1) == (len(slow.news), len(two.notifier.news))


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
    command = [sys.executable, "-m", "tests.router.schedules.test_several_processes", postgres.owner_url, str(folder)]
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
