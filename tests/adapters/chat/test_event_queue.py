"""Both queues of inputs hold to the same; what several processes do together is for the shared one alone."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep, time
from typing import Any

import pytest
from sqlalchemy import Connection, text

from adapters.chat.event_queue import REFUSAL_WAIT_SECONDS, RETRY_AFTER, EventQueue
from adapters.chat.inbox import Extras, Inbox
from adapters.chat.surface import Heard, NotTaken, Refusal
from adapters.ordered_calls import SLOW_SECONDS, call_in_order
from adapters.task_queue import TaskQueue
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.clock import now
from router.storage.database import Database, home_database
from router.turn import Said
from tests.support.postgres import PostgresDatabase

Does = Callable[[Heard, Refusal | None], Awaitable[bool]]


def heard(event: str, thread: str = "1.0", user: str = "U1") -> Heard:
    return Heard(ThreadKey("slack", "T1", "C1", thread), User(f"slack:{user}"), Said(event), event)


async def finishes(given: Heard, refusal: Refusal | None) -> bool:
    """Be done with an input at once."""
    return True


@dataclass
class Service:
    """The user of a queue: it notes what it is given, and does with it what the test says."""

    does: Does = finishes
    worked: list[str] = field(default_factory=list)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def work(self, given: Heard, extras: Extras, refusal: Refusal | None = None) -> bool:
        self.worked.append(f"{given.event} {extras.trigger}".strip())
        return await self.does(given, refusal)

    async def work_again(self, given: Heard) -> bool:
        self.worked.append(f"{given.event} again")
        return await self.does(given, None)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


@dataclass
class Process:
    """One process of the bot, as far as its queue goes; `later` is how far its clock is ahead."""

    queue: EventQueue
    service: Service
    inbox: Inbox


@dataclass
class Site:
    """Where processes are begun that share a database, or have one after the other."""

    open: Callable[[], Database]
    shared: bool
    later: timedelta = timedelta()

    def clock(self) -> datetime:
        return now() + self.later

    @asynccontextmanager
    async def process(
        self, does: Does = finishes, *, works: bool = True, concurrency: int = 20
    ) -> AsyncIterator[Process]:
        """Begin a process that ends with the block, and leaves what it is not done with."""
        async with AsyncExitStack() as stack:
            database = stack.enter_context(closing(self.open()))
            service, inbox = Service(does), Inbox(database, "slack", self.clock)
            if not self.shared:
                queue = EventQueue(inbox, service)
                await queue.take_up()
                yield Process(queue, service, inbox)
            else:
                tasks = TaskQueue(database, heartbeat=0.2, dead_after=1.5)
                await tasks.open()
                stack.push_async_callback(tasks.close)
                queue = EventQueue(inbox, service, tasks)
                if works:
                    tasks.work(["slack"], concurrency)
                yield Process(queue, service, inbox)
                tasks.drain()
            queue.drain()
            for task in list(service.tasks):
                task.cancel()
            await asyncio.gather(*service.tasks, return_exceptions=True)


@pytest.fixture(params=["local", "shared"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    """Where the queue is that of one process, and where it is that of several."""
    if request.param == "local":
        return Site(lambda: home_database(tmp_path), shared=False)
    return shared_site(request.getfixturevalue("postgres"))


def shared_site(postgres: PostgresDatabase) -> Site:
    return Site(lambda: Database(postgres.owner_url), shared=True)


async def until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


def waits_for(goes_on: asyncio.Event) -> Does:
    """Return what is done with an input: nothing, until the event is set."""

    async def does(given: Heard, refusal: Refusal | None) -> bool:
        await goes_on.wait()
        return True

    return does


async def test_an_event_is_worked_on_once(site: Site) -> None:
    """The same event again is dropped, while it is worked on and afterwards; its work tells its end."""
    goes_on = asyncio.Event()
    async with site.process(waits_for(goes_on)) as one:
        work = await one.queue.put(heard("a"), Extras(trigger="t"))
        assert work is not None
        await until(lambda: bool(one.service.worked))
        assert await one.queue.put(heard("a"), Extras()) is None
        goes_on.set()
        await work
        await until(lambda: one.inbox.find("a") is None)
        assert await one.queue.put(heard("a"), Extras()) is None
    assert ["a t"] == one.service.worked


async def test_what_comes_meanwhile_in_a_thread_is_heard_at_once(site: Site) -> None:
    """As a press of Stop has to be: it does not wait for what it is to end."""
    goes_on = asyncio.Event()
    async with site.process(waits_for(goes_on)) as one:
        await one.queue.put(heard("a"), Extras())
        await until(lambda: one.service.worked == ["a"])
        await one.queue.put(heard("b"), Extras())
        await until(lambda: one.service.worked == ["a", "b"])
        goes_on.set()
        await until(lambda: not one.inbox.left())
    assert ["a", "b"] == one.service.worked


async def test_what_an_ended_process_left_is_taken_up(site: Site) -> None:
    """The next one is told that it may have been begun."""
    async with site.process(waits_for(asyncio.Event())) as one:
        await one.queue.put(heard("a"), Extras())
        await until(lambda: one.service.worked == ["a"])
    async with site.process() as two:
        await until(lambda: not two.inbox.left())
    assert ["a again"] == two.service.worked


async def test_what_did_not_get_through_is_tried_again(site: Site) -> None:
    """An input that is not finished is taken up later, and not at once."""

    async def fails(given: Heard, refusal: Refusal | None) -> bool:
        return bool(site.later)

    async with site.process(fails) as one:
        await one.queue.put(heard("a"), Extras())
        await until(lambda: one.service.worked == ["a"])
        await asyncio.sleep(0.2)
        assert ["a"] == one.service.worked
        site.later = RETRY_AFTER
        async with asyncio.timeout(30):
            while not await _taken_up(one):
                await asyncio.sleep(0.01)
        await until(lambda: not one.inbox.left())
    assert len(one.service.worked) == 2
    assert ["a", "a again"] == one.service.worked


async def _taken_up(process: Process) -> bool:
    await process.queue.take_up()
    return len(process.service.worked) > 1


async def test_whoever_waits_hears_why_an_input_is_refused(site: Site) -> None:
    """What is wrong with a form arrives at the process that has it open."""
    why = NotTaken("A table name has no blanks.", 3, "table")

    async def refuses(given: Heard, refusal: Refusal | None) -> bool:
        assert refusal is not None
        refusal.set_result(why)
        return True

    async with site.process(refuses) as one:
        refusal: Refusal = asyncio.get_running_loop().create_future()
        await one.queue.put(heard("a"), Extras(waits=60.0), refusal)
        assert why == await asyncio.wait_for(refusal, 20)


async def test_a_thread_that_begins_with_an_input(site: Site) -> None:
    """The next input in it is heard by the process that works on the one that began it."""
    goes_on = asyncio.Event()
    async with site.process(waits_for(goes_on)) as one:
        begins = heard("a", thread="")
        await one.queue.put(begins, Extras())
        await until(lambda: one.service.worked == ["a"])
        await one.queue.moved(replace(begins, key=heard("b").key))
        await one.queue.put(heard("b"), Extras())
        await until(lambda: one.service.worked == ["a", "b"])
        assert [heard("b").key] * 2 == [each.key for each in one.inbox.left()]
        goes_on.set()
        await until(lambda: not one.inbox.left())


async def test_what_comes_while_a_thread_is_begun(postgres: PostgresDatabase) -> None:
    """Where the database is slow, a press of Stop is heard before its new thread is this worker's."""
    goes_on, begins, stop = asyncio.Event(), heard("a", thread=""), heard("b")
    async with shared_site(postgres).process(waits_for(goes_on)) as one:
        await one.queue.put(begins, Extras())
        await until(lambda: one.service.worked == ["a"])
        await call_in_order(sleep, SLOW_SECONDS + 0.1)  # calls are made in a thread from now on
        with closing(Database(postgres.owner_url)) as other:
            with other.writing() as connection:
                connection.execute(text("SELECT FROM procrastinate_jobs WHERE status = 'doing' FOR UPDATE"))
                moves = asyncio.create_task(one.queue.moved(replace(begins, key=stop.key)))
                await asyncio.sleep(0.1)
                Inbox(other, "slack", now).take(stop, Extras(), partial(defer, TaskQueue(other), stop))
                await asyncio.sleep(0.5)
                assert not moves.done()
            await moves
        await until(lambda: one.service.worked == ["a", "b"])
        goes_on.set()
        await until(lambda: not one.inbox.left())


def defer(tasks: TaskQueue, given: Heard, connection: Connection) -> None:
    """Defer the task of an input, as the process does that takes it."""
    tasks.add(connection, "work on slack", {"event": given.event}, queue="slack", lock=str(given.key))
    tasks.notify(connection, {"heard": given.event, "lock": str(given.key)})


# Several processes.


async def test_one_hears_and_another_works(postgres: PostgresDatabase) -> None:
    """The process that took an input sees its end and why it is refused, though another process works on it."""
    site, why = shared_site(postgres), NotTaken("No.", 1, "")

    async def refuses(given: Heard, refusal: Refusal | None) -> bool:
        if refusal:
            refusal.set_result(why)
        return True

    async with site.process(works=False) as front, site.process(refuses) as worker:
        refusal: Refusal = asyncio.get_running_loop().create_future()
        work = await front.queue.put(heard("a"), Extras(waits=60.0), refusal)
        assert work is not None
        assert list(front.queue.unfinished(heard("a").key)) == [work]
        assert why == await asyncio.wait_for(refusal, 20)
        await asyncio.wait_for(work, 20)
        assert [[], ["a"]] == [front.service.worked, worker.service.worked]
        assert not list(front.queue.unfinished(heard("a").key))


async def test_what_is_refused_late_is_told_in_the_talk(postgres: PostgresDatabase) -> None:
    """The process that works on an input knows that nobody waits for its refusal any more, and tells it another way."""
    site, told = shared_site(postgres), list[bool]()

    async def refuses(given: Heard, refusal: Refusal | None) -> bool:
        if given.event == "late":
            await asyncio.sleep(REFUSAL_WAIT_SECONDS + 2)
        told.append(refusal is not None and not refusal.done())
        return True

    async with site.process(works=False) as front, site.process(refuses):
        for event, at in (("late", time() + 1), ("later", time() - 60)):
            refusal: Refusal = asyncio.get_running_loop().create_future()
            await front.queue.put(heard(event), Extras(waits=REFUSAL_WAIT_SECONDS, at=at), refusal)
            assert NotTaken() == await asyncio.wait_for(refusal, 20)
    assert [False, False] == told


async def test_a_thread_is_one_workers_at_a_time(postgres: PostgresDatabase) -> None:
    """Of many workers, one works on all that comes in a thread while anything is done in it; others take others."""
    site, goes_on = shared_site(postgres), asyncio.Event()
    async with AsyncExitStack() as stack:
        front = await stack.enter_async_context(site.process(works=False))
        workers = [await stack.enter_async_context(site.process(waits_for(goes_on))) for _ in range(3)]
        for number in range(4):
            for thread in ("1.0", "2.0", "3.0"):
                await front.queue.put(heard(f"{thread} {number}", thread), Extras())
            await asyncio.sleep(0.3)  # so that the next ones come while these are worked on
        await until(lambda: sum(len(each.service.worked) for each in workers) == 12)
        for worker in workers:
            threads = {event.split()[0] for event in worker.service.worked}
            mine = [each for each in worker.service.worked if each.split()[0] in threads]
            assert len(mine) == 4 * len(threads)
            for thread in threads:
                assert [f"{thread} {n}" for n in range(4)] == [each for each in mine if each.startswith(thread)]
        goes_on.set()
        await until(lambda: not front.inbox.left())


async def test_what_a_dead_worker_left_is_begun_again(postgres: PostgresDatabase) -> None:
    """Also what it had begun beside another input; the order of the thread stays."""
    site = shared_site(postgres)
    async with site.process(works=False) as front:
        with child(postgres) as (process, worked):
            await front.queue.put(heard("a"), Extras())
            assert "a" == await asyncio.to_thread(worked)
            await front.queue.put(heard("b"), Extras())
            assert "b" == await asyncio.to_thread(worked)
            process.kill()
        async with site.process() as other:
            await until(lambda: not front.inbox.left(), 60)
    assert ["a again", "b again"] == other.service.worked


async def test_whoever_asked_less_comes_first(postgres: PostgresDatabase) -> None:
    """One person's many questions do not keep another's from being worked on; each thread keeps its order."""
    site = shared_site(postgres)
    async with site.process(works=False) as front:
        for number in range(20):
            await front.queue.put(heard(f"many {number}", f"{number % 10}.0", "UMANY"), Extras())
        await front.queue.put(heard("one", "99.0", "UONE"), Extras())
        async with site.process(concurrency=1) as worker:
            await until(lambda: not front.inbox.left())
    assert worker.service.worked.index("one") < 2
    places = {event: place for place, event in enumerate(worker.service.worked)}
    assert all(places[f"many {n}"] < places[f"many {n + 10}"] for n in range(10))


async def test_a_database_that_comes_back(postgres: PostgresDatabase) -> None:
    """Where all connections are cut, what is deferred afterwards is worked on, and heard of."""
    site = shared_site(postgres)
    async with site.process(works=False) as front, site.process() as worker:
        postgres.cut_off()
        work = await front.queue.put(heard("a"), Extras())
        assert work is not None
        await asyncio.wait_for(work, 60)
    assert ["a"] == worker.service.worked


async def test_a_stop_that_could_not_be_heard(postgres: PostgresDatabase) -> None:
    """It ends what runs as soon as the worker hears again; what was said before it waits for its turn."""
    goes_on = asyncio.Event()

    async def does(given: Heard, refusal: Refusal | None) -> bool:
        if given.event == "stop":
            goes_on.set()
        return await goes_on.wait()

    site = shared_site(postgres)
    async with site.process(works=False) as front, site.process(does) as worker:
        await front.queue.put(heard("a"), Extras())
        await until(lambda: worker.service.worked == ["a"])
        postgres.cut_off()
        for event in ("b", "stop"):
            await front.queue.put(heard(event), Extras())
        await until(goes_on.is_set)
        assert ["a", "stop"] == worker.service.worked
        await until(lambda: not front.inbox.left())
        assert ["a", "stop", "b"] == worker.service.worked


# A worker in a process of its own, which a test kills.


@contextmanager
def child(postgres: PostgresDatabase) -> Iterator[tuple["subprocess.Popen[str]", Callable[[], str]]]:
    """Run a worker that is never done with anything; what it begins is read one by one."""
    command = [sys.executable, "-m", "tests.adapters.chat.test_event_queue", postgres.owner_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    lines = process.stdout
    try:
        assert lines.readline() == "ready\n"
        yield process, lambda: lines.readline().strip()
    finally:
        process.kill()
        process.wait()
        lines.close()


async def work_for_ever(url: str) -> None:
    """Begin whatever comes, say so, and be done with none of it."""

    async def does(given: Heard, refusal: Refusal | None) -> bool:
        print(given.event, flush=True)
        await asyncio.Event().wait()
        return True

    async with Site(lambda: Database(url), shared=True).process(does):
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(work_for_ever(sys.argv[1]))
