"""The log of a command, and the housekeeping that several commands share."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from adapters.task_queue import TaskQueue
from bot.commands.service import JsonLines, alone, share_housekeeping
from bot.settings.environment import read_settings
from router.errors import JobFailed, SettingsError
from router.observing.talk import present, working_on
from router.storage.database import Database
from router.storage.housekeeping import Housekeeping
from tests.support.postgres import PostgresDatabase


def line(message: str, *values: object, error: bool = False) -> dict[str, str]:
    """Return what a line of JSON says."""
    exception = None
    if error:
        try:
            raise ValueError("a\nb")
        except ValueError as raised:
            exception = (type(raised), raised, raised.__traceback__)
    record = logging.LogRecord("icc_bot", logging.WARNING, __file__, 1, message, values, exception)
    text = JsonLines().format(record)
    assert "\n" not in text
    found: dict[str, str] = json.loads(text)
    return found


def test_lines_of_json() -> None:
    """One line each, also with a trace of an error; the talk stands only where there is one."""
    found = line('%s was "late"', "ä", error=True)
    assert ('ä was "late"', "WARNING", "icc_bot") == (found["message"], found["level"], found["logger"])
    assert "ValueError: a\nb" in found["error"]
    assert not {"talk", "trace"} & set(found)


def test_the_talk_and_its_trace() -> None:
    """Each input has a trace of its own; what is done within another talk does not mix with it."""
    with working_on("slack/T1/C1/1") as first:
        assert ("slack/T1/C1/1", first.trace) == (line("x")["talk"], line("x")["trace"])
        with working_on("slack/T1/C1/2") as second:
            assert "slack/T1/C1/2" == line("x")["talk"]
        assert first == present()
    assert len({first.trace, second.trace}) == 2
    assert all(len(each.trace) == 32 and int(each.trace, 16) for each in (first, second))


@asynccontextmanager
async def process(postgres: PostgresDatabase, *queues: str, cron: str) -> AsyncIterator[tuple[Housekeeping, TaskQueue]]:
    """Be a process that keeps house, and may work on these queues."""
    async with AsyncExitStack() as stack:
        database = stack.enter_context(closing(Database(postgres.owner_url)))
        housekeeping = stack.enter_context(closing(Housekeeping()))
        tasks = TaskQueue(database, heartbeat=0.2, dead_after=1.5)
        share_housekeeping(housekeeping, tasks, queues, cron)
        await tasks.open()
        stack.push_async_callback(tasks.close)
        yield housekeeping, tasks


async def test_what_is_shared_is_done_by_one_process(
    postgres: PostgresDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """Once, whatever fails before; what is a process's own is done in each, also in one that works on nothing."""
    # What was due within the last ten minutes is done at the start, and this again in a year.
    now = datetime.now(UTC)
    cron, done, own = f"{now.minute} {now.hour} {now.day} {now.month} *", list[str](), [Event() for _ in range(3)]

    def fail() -> None:
        raise JobFailed("Away.")

    async with (
        process(postgres, "slack", cron=cron) as one,
        process(postgres, "slack", cron=cron) as two,
        process(postgres, cron=cron) as front,
    ):
        for name, (house, _), local in zip(("one", "two", "front"), (one, two, front), own, strict=True):
            house.add(fail, shared=True)
            house.add(lambda name=name: done.append(name), now=True, shared=True)  # type: ignore[misc]
            house.add(local.set, now=True)
        for _, tasks in (one, two):
            tasks.work(["slack"], 2)
            tasks.work(["schedules slack"], 2)  # what one process works on has several who defer
        await asyncio.sleep(1.5)
    assert 1 == len(done)
    assert done[0] != "front"
    assert all(each.is_set() for each in own)
    assert "Away." in caplog.text


def test_a_second_process_over_one_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused in a sentence, until the first one ends; another queue, and a shared server, are no matter."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    settings = read_settings()
    with alone(settings, ["slack"]):
        with pytest.raises(SettingsError, match="`icc-bot slack` is at work over"), alone(settings, ["slack"]):
            pass
        monkeypatch.setenv("ICC_BOT_DATABASE_URL", "postgresql://bot@db.example/bot")
        with alone(settings, ["web"]), alone(read_settings(), ["slack"]):
            pass
    with alone(settings, ["slack", "web"]):
        pass
