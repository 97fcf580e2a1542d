"""Progress is one message that is changed now and then, and nothing of it stays."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise

import pytest
from sqlalchemy.schema import DropTable

from adapters.chat.progress import ProgressMessage
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import MessagePlace
from adapters.slack.clients import Clients
from adapters.slack.open_modals import OpenModals
from adapters.slack.surface import People, SlackSurface
from adapters.slack.writer import Writer
from router.cards import Progress
from router.memory.thread import ThreadKey
from router.storage.database import Database
from router.storage.tables import messages
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack

KEY = ThreadKey("slack", "T1", "C1", "")


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with nobody to tell."""
    with Slack(events=set()) as slack:
        slack.scopes |= {"channels:history"}
        yield slack


@pytest.fixture
def shown(database: Database) -> ShownMessages:
    """What is noted on the disk."""
    return ShownMessages(database, "slack")


@pytest.fixture
async def progress(slack: Slack, shown: ShownMessages, database: Database) -> AsyncIterator[ProgressMessage]:
    """A progress message that changes its message every 0.3 seconds at most."""

    async def token(team: str) -> str:
        return slack.bot_token

    clients = Clients(token, slack.url)
    surface = SlackSurface(clients, Writer(clients, pause=0.01), People(clients), OpenModals(database))
    surface.sessions.shown = False  # nobody is told in another way that the bot is at work
    yield ProgressMessage(surface, MessagePlace("T1", "C1"), shown, KEY, "one progress", pace=0.3)
    await clients.close()


async def test_what_is_done_in_a_moment_shows_no_progress(slack: Slack, progress: ProgressMessage) -> None:
    """Nothing is posted for a turn that is over at once."""
    progress.show(Progress("Writing…"))

    assert None is await progress.end()
    assert [] == slack.calls


async def test_progress_is_one_message_that_keeps_its_pace(
    slack: Slack, progress: ProgressMessage, shown: ShownMessages
) -> None:
    """However often there is news, the message is changed once in a while, and shows the last of it."""
    for number in range(60):
        progress.show(Progress(f"Rows so far: {number}"))
        await asyncio.sleep(0.02)
    await slack.awaited.wait(lambda: "so far: 59" in words_of(slack.messages("C1")[0].blocks))
    posted = await progress.end()

    assert posted is not None
    assert [posted.id] == [message.ts for message in slack.messages("C1")]
    assert [("C1", posted.id)] == shown.begun(KEY)
    updates = [call.time for call in slack.asked("chat.update")]
    assert 1 <= len(updates) <= 5
    assert all(second - first >= 0.29 for first, second in pairwise(updates))


async def test_after_the_end_nothing_is_changed(slack: Slack, progress: ProgressMessage) -> None:
    """A call that is under way is waited for, and is the last."""
    slack.fail("chat.postMessage", "slow", seconds=0.3)
    progress.show(Progress("Writing…"))
    await slack.awaited.wait_calls("chat.postMessage")
    progress.show(Progress("Reading…"))
    posted = await progress.end()
    count = len(slack.calls)
    await asyncio.sleep(0.5)

    assert posted is not None
    assert count == len(slack.calls)


async def test_whatever_goes_wrong_with_progress_the_answer_does_not_hear_of_it(
    slack: Slack, progress: ProgressMessage, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Progress that is posted and cannot be noted is logged, and its message is known at the end."""
    with database.transaction() as connection:
        connection.execute(DropTable(messages))
    progress.show(Progress("Writing…"))
    await slack.awaited.wait_message("C1", contains="Writing")
    posted = await progress.end()

    assert ["progress could not be shown"] == [each.message for each in caplog.records if each.levelname == "ERROR"]
    assert posted is not None
    assert [posted.id] == [message.ts for message in slack.messages("C1")]


async def test_whoever_waits_for_long_reads_for_how_long(slack: Slack, progress: ProgressMessage) -> None:
    """The step is told at once; after a few seconds the time is told, too, and again though there is no news."""
    progress.show(Progress("Writing the SQL…", step=2, steps=3))
    await slack.awaited.wait_message("C1", contains="Step 2 of 3 · Writing the SQL…")
    first = words_of(slack.messages("C1")[0].blocks)
    await slack.awaited.wait(lambda: "SQL… 6 s" in words_of(slack.messages("C1")[0].blocks))
    await progress.end()

    assert " s" not in first.replace("Stop", "")
    assert len(slack.messages("C1")) == 1
    updates = [call.time for call in slack.asked("chat.update")]
    assert all(second - first >= 0.29 for first, second in pairwise(updates))
