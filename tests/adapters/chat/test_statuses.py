"""Nothing that is out of date is said, and no answer waits for what is."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from adapters.chat.statuses import Statuses
from adapters.slack.clients import Clients
from adapters.slack.open_modals import OpenModals
from adapters.slack.surface import People, SlackSurface
from adapters.slack.writer import Writer
from router.memory.thread import Memory, ThreadKey
from router.storage.database import Database
from tests.adapters.slack.running_bot import working
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack

SLOW = 0.2


async def told(
    slack: Slack, database: Database, ask: Callable[[Statuses, list[ThreadKey]], None]
) -> list[tuple[int, str]]:
    """Return what Slack is told of four threads, two at once: the number of each thread, and its status."""

    async def token(team: str) -> str:
        return slack.bot_token

    clients, tasks = Clients(token, slack.url), set[asyncio.Task[None]]()

    def spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        tasks.add(task := asyncio.create_task(work))
        return task

    slack.channel("C1")
    roots = [slack.say("C1", f"question {n}", mention=True).ts for n in range(4)]
    surface = SlackSurface(clients, Writer(clients), People(clients), OpenModals(database))
    ask(Statuses(surface, spawn, at_once=2), [ThreadKey("slack", "T1", "C1", root) for root in roots])
    while pending := [task for task in tasks if not task.done()]:
        await asyncio.wait(pending)
    await clients.close()
    calls = [call.arguments for call in slack.asked("agents.sessions.setStatus")]
    return [(roots.index(call["thread_ts"]), call["status"]) for call in calls]


async def test_what_is_out_of_date_is_not_said(database: Database) -> None:
    """A thread whose work was over before its turn came is shown as over, and never as at work."""

    def ask(statuses: Statuses, keys: list[ThreadKey]) -> None:
        for key in keys:
            statuses.show(key, None, working=True)
        statuses.show(keys[3], Memory(), working=False)

    with Slack(events=set()) as slack:
        slack.fail("agents.sessions.setStatus", "slow", times=2, seconds=SLOW)
        said = await told(slack, database, ask)
    assert [(3, "active")] == [each for each in said if each[0] == 3]


async def test_several_questions_at_once_are_not_slowed(tmp_path: Path) -> None:
    """Where Slack takes its time over statuses, no answer of a channel waits for them."""
    with Slack(events=set()) as slack, Ollama() as model:
        slack.channel("C1")
        slack.fail("agents.sessions.setStatus", "slow", times=8, seconds=4.0)
        async with working(tmp_path, slack, model) as work:
            roots = [slack.say("C1", f"SELECT {n} AS n FROM regions", mention=True) for n in range(8)]
            for root in roots:
                await work.hear(root)
            await slack.awaited.wait(
                lambda: all(slack.messages("C1", root, by=slack.bot_user) for root in roots), seconds=20
            )
            said = {call.arguments["status"] for call in slack.asked("agents.sessions.setStatus")}
            assert {"processing"} == said  # the first of them are still on their way
            await work.rest()
