"""Several processes of the page in one: each has its own connections to one PostgreSQL, and hears the others."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from sqlalchemy.exc import OperationalError

from adapters.task_queue import TaskQueue
from adapters.turns import Turns
from adapters.web.log import GONE, LogEntry
from adapters.web.talks import STOPPING_PROGRESS, Talk, Talks
from bot.commands.web import at_work, page_talks
from router.cards import Buttons, Option, Progress, Reply, Text
from router.errors import JobFailed
from router.jobs.cancellation import STOPPED_AS_ASKED, Stopping
from router.memory.draft import User
from router.storage.database import Database, home_database
from router.turn import Incoming, Said
from tests.adapters.web.scripted_core import Scripted, bot_of
from tests.support.postgres import PostgresDatabase

ME = User("os:me", "Me")
QUEUE = "web"


class Core(Scripted):
    """Answers each word with a card; "slow" tells what it does, and waits until it may go on, or is stopped."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.taken, self.may_go_on = list[str](), Event()

    def turn(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        said = incoming.input.text if isinstance(incoming.input, Said) else type(incoming.input).__name__
        self.taken.append(said)
        if said == "slow":
            post(Reply((Progress("Thinking…"),), working=True))
            while not self.may_go_on.wait(0.02) and not stopping.asked.is_set():
                pass
        asked = Buttons("", (Option("ok", "OK"),))
        post(Reply((Text("Stopped." if stopping.asked.is_set() else f"Answer to {said}"), asked), turn=len(self.taken)))


@dataclass(eq=False)
class Tab:
    """A tab that notes what it is shown."""

    shown: dict[int, str] = field(default_factory=dict)
    progress: Progress | None = None
    listed: int = 0
    left: bool = False
    talks: Talks | None = None
    talk: Talk | None = None

    def show(self, entry: LogEntry) -> None:
        self.shown[entry.number] = entry.said or " ".join(c.body for c in entry.reply.cards if isinstance(c, Text))

    def drop(self, number: int) -> None:
        del self.shown[number]

    def show_progress(self, progress: Progress | None) -> None:
        self.progress = progress

    def notify(self, remark: str) -> None:
        pass

    async def look_again(self) -> None:
        assert self.talks
        assert self.talk
        for entry in await self.talks.latest(self.talk.thread, ME, 100):
            self.show(entry)

    async def list_threads(self) -> None:
        self.listed += 1

    def leave_deleted(self) -> None:
        self.left = True

    @property
    def texts(self) -> list[str]:
        """What stands there, in its order."""
        return list(self.shown.values())

    def look(self, talks: Talks, thread: str) -> "Tab":
        self.talks, self.talk = talks, talks.look(thread, ME, self)
        talks.enter(self, ME)
        return self

    async def say(self, words: str) -> bool:
        assert self.talks
        assert self.talk
        return await self.talks.take(self.talk, Said(words), self)

    async def stop(self) -> bool:
        return await self.say("stop")


@dataclass
class Site:
    """Where processes are begun; all have the same core, as if they were one program."""

    postgres: PostgresDatabase
    core: Core

    @asynccontextmanager
    async def process(self, *, works: bool = False) -> AsyncIterator[Talks]:
        async with AsyncExitStack() as stack:
            database = stack.enter_context(closing(Database(self.postgres.owner_url)))
            turns = Turns(cast(Any, self.core))
            stack.callback(turns.close)
            tasks = TaskQueue(database, heartbeat=0.5, dead_after=2)
            await tasks.open()
            stack.push_async_callback(tasks.close)
            bot = bot_of(cast(Any, self.core), database)
            talks = page_talks(bot, turns, tasks)
            talks.begin_hearing()
            await stack.enter_async_context(at_work(talks, bot))
            if works:
                tasks.work([QUEUE], 20)
            yield talks
            tasks.drain()


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return Core(tmp_path)


@pytest.fixture
def site(postgres: PostgresDatabase, core: Core) -> Site:
    return Site(postgres, core)


async def until(found: Callable[[], bool], seconds: float = 15) -> None:
    async with asyncio.timeout(seconds):
        while not found():  # it comes from elsewhere
            await asyncio.sleep(0.02)


async def test_words_at_two_processes_at_once_are_both_answered(site: Site) -> None:
    """One after the other, in the same order in each tab."""
    async with site.process() as one, site.process() as other, site.process(works=True):
        thread = await one.begin(ME, "a")
        here, there = Tab().look(one, thread), Tab().look(other, thread)
        assert await here.say("a")
        assert await there.say("b")
        await until(lambda: len(here.shown) == 4 and len(there.shown) == 4)
        assert {"a", "b", "Answer to a", "Answer to b"} == set(here.texts)
        assert sorted(site.core.taken) == ["a", "b"]
        assert here.shown == there.shown
        await until(lambda: not (here.talk and here.talk.running) and there.progress is None)


async def test_stop_before_anybody_works(site: Site) -> None:
    """Words that were stopped while they waited are not worked on; what is said afterwards is."""
    async with site.process() as one:
        here = Tab().look(one, await one.begin(ME, "a"))
        assert await here.say("a")
        await here.stop()
        assert here.progress == STOPPING_PROGRESS
        async with site.process(works=True):
            await until(lambda: here.texts == ["a", STOPPED_AS_ASKED] and here.progress is None)
            assert site.core.taken == []
            assert await here.say("b")
            await until(lambda: here.texts[2:] == ["b", "Answer to b"])


async def test_a_process_that_heard_nothing_of_the_beginning(site: Site, postgres: PostgresDatabase) -> None:
    """As soon as it is connected again its tab shows that the talk is worked on, and can stop it."""
    async with site.process() as one, site.process() as other, site.process(works=True):
        thread = await one.begin(ME, "slow")
        here, there = Tab().look(one, thread), Tab().look(other, thread)
        postgres.cut_off()
        await repeated(lambda: here.say("slow"))
        await until(lambda: bool(there.talk and there.talk.running and there.progress))
        await repeated(there.stop)
        ends = {"Stopped.", STOPPED_AS_ASKED}  # the latter where the worker had not begun yet
        await until(lambda: bool(ends & {*here.texts} and ends & {*there.texts}))
        await until(lambda: here.progress is None and there.progress is None)


async def repeated(take: Callable[[], Awaitable[bool]]) -> None:
    """Do something until it is taken: what the database did not take may be sent again."""
    async with asyncio.timeout(10):
        while True:
            try:
                if await take():
                    return
            except OperationalError:
                await asyncio.sleep(0.1)


async def test_a_talk_that_was_deleted_while_nothing_was_heard(site: Site, postgres: PostgresDatabase) -> None:
    """The other tab leaves it, and nothing is taken there any more."""
    async with site.process() as one, site.process() as other:
        thread = await one.begin(ME, "a")
        there, hears = Tab().look(other, thread), other._changes
        heard, hears._hears = hears._hears, None
        assert await one.delete(thread, ME)
        await asyncio.sleep(0.3)
        assert not there.left
        with pytest.raises(JobFailed, match=GONE[:20]):
            await there.say("b")
        hears._hears = heard
        postgres.cut_off()
        await until(lambda: there.left and there.listed > 0)


@contextmanager
def one_process(core: Core, folder: Path) -> Iterator[Talks]:
    """Give the talks of a process over a file, in the running event loop."""
    with closing(home_database(folder)) as database, closing(Turns(cast(Any, core))) as turns:
        talks = page_talks(bot_of(cast(Any, core), database), turns, None)
        talks.begin_hearing()
        yield talks


async def test_an_error_of_the_disk_leaves_no_talk_at_work(core: Core, tmp_path: Path, monkeypatch: Any) -> None:
    """The answer is there, and the talk goes on, in one process over a file as well."""
    with one_process(core, tmp_path) as talks:
        here = Tab().look(talks, await talks.begin(ME, "a"))

        def full(*given: object) -> None:
            raise OperationalError("UPDATE", {}, Exception("disk full"))

        with monkeypatch.context() as patched:
            patched.setattr(talks.service.reply_sender.shown, "add", full)
            assert await here.say("a")
            await until(lambda: here.texts == ["a", "Answer to a"])
            await until(lambda: bool(here.talk and not here.talk.running))
        assert await here.say("b")
        await until(lambda: here.texts[2:] == ["b", "Answer to b"])
        await until(lambda: bool(here.talk and not here.talk.running))


async def test_a_talk_is_deleted_or_goes_on(core: Core, tmp_path: Path) -> None:
    """Of words and a deletion at one moment, one comes first: nothing is left of what is deleted."""
    with one_process(core, tmp_path) as talks:
        for number in range(12):
            thread = await talks.begin(ME, "a")
            here = Tab().look(talks, thread)
            saying = asyncio.create_task(here.say("a"))
            await asyncio.sleep(number / 1_000)
            deleted = await talks.delete(thread, ME)
            (said,) = await asyncio.gather(saying, return_exceptions=True)
            assert deleted or said is True
            assert here.talk
            await asyncio.wait_for(here.talk.resting.wait(), 10)
            assert bool(await asyncio.to_thread(talks.log.latest, thread, 9)) is not deleted
