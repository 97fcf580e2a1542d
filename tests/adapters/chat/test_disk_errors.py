"""An error of the disk shuts a thread for nobody, and what it stopped is taken up again."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from adapters.chat.surface import Heard
from adapters.tasks import LocalTasks
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.database import DATABASE_FILE
from router.turn import Said
from tests.adapters.chat.test_conversation_service import SQL, said_in
from tests.adapters.slack.running_bot import working
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.stand_in import Slack


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack whose channels the bot may read; nothing is delivered, the test says what is heard."""
    with Slack(events=set()) as slack:
        slack.scopes |= {"channels:history", "users:read"}
        yield slack


@pytest.fixture
def model() -> Iterator[Ollama]:
    """A model that answers at once, unless a test says otherwise."""
    with Ollama(script=lambda prompt: SQL) as model:
        yield model


async def test_a_thread_whose_answer_failed_takes_the_next_input(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A turn that ends in an error of the disk shuts its thread for nobody."""
    goes_on = Event()
    model.enqueue(Answer(SQL, waits=goes_on))
    root = slack.say("C1", "which regions?", mention=True)
    async with working(tmp_path, slack, model) as work:
        await work.hear(root)
        await slack.awaited.wait(lambda: said_in(slack, root))
        with sqlite3.connect(tmp_path / "home" / DATABASE_FILE) as file:
            file.execute("ALTER TABLE messages RENAME TO away")
        goes_on.set()
        await asyncio.wait(work.service.underway.tasks, timeout=20)
        with sqlite3.connect(tmp_path / "home" / DATABASE_FILE) as file:
            file.execute("ALTER TABLE away RENAME TO messages")
        await work.hear(root, event="T1:next")
        await asyncio.wait(work.service.underway.tasks, timeout=20)

        assert {} == work.service._running
    assert "SELECT" in said_in(slack, root)[-1]


async def test_what_was_left_behind_an_error_is_not_lost(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """Where taking up one input fails, those after it in its thread are taken up too, now or the next time."""
    root = slack.say("C1", "which regions?", mention=True)
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        for event in ("T1:1", "T1:2"):
            assert work.inbox.take(Heard(key, User("slack:U1"), Said("which regions?"), event))
        with sqlite3.connect(tmp_path / "home" / DATABASE_FILE) as file:
            file.execute("ALTER TABLE messages RENAME TO away")
        for table in ("away RENAME TO messages", ""):
            await work.service.queue.take_up()
            tasks = work.service.queue._tasks
            assert isinstance(tasks, LocalTasks)
            async with asyncio.timeout(20):
                while tasks._running:
                    await asyncio.wait(tasks._running)
            assert [] == tasks._known
            if table:
                with sqlite3.connect(tmp_path / "home" / DATABASE_FILE) as file:
                    file.execute(f"ALTER TABLE {table}")
        await work.rest()

    assert "SELECT" in said_in(slack, root)[-1]
