"""Progress is one message that is changed now and then, and nothing of it stays."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.chat.shown import Shown
from adapters.chat.surface import Place
from adapters.chat.ticker import Ticker
from adapters.slack.clients import Clients
from adapters.slack.people import People
from adapters.slack.surface import SlackSurface
from adapters.slack.writer import Writer
from router.cards import Progress
from router.memory import ThreadKey
from tests.platforms.slack import Slack, words_of

KEY = ThreadKey("slack", "T1", "C1", "")


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with nobody to tell."""
    with Slack(events=set()) as slack:
        slack.scopes |= {"channels:history"}
        yield slack


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Shown]:
    """What is noted on the disk."""
    shown = Shown(tmp_path / "shown.sqlite")
    yield shown
    shown.close()


@pytest.fixture
async def ticker(slack: Slack, shown: Shown) -> AsyncIterator[Ticker]:
    """A ticker that changes its message every 0.3 seconds at most."""

    async def token(team: str) -> str:
        return slack.bot_token

    clients = Clients(token, slack.url)
    surface = SlackSurface(clients, Writer(clients, pause=0.01), People(clients))
    yield Ticker(surface, Place("T1", "C1"), shown, KEY, "one progress", pace=0.3)
    await clients.close()


async def test_what_is_done_in_a_moment_shows_no_progress(slack: Slack, ticker: Ticker) -> None:
    """Nothing is posted for a turn that is over at once."""
    ticker.show(Progress("Writing…"))

    assert None is await ticker.end()
    assert [] == slack.calls


async def test_progress_is_one_message_that_keeps_its_pace(slack: Slack, ticker: Ticker, shown: Shown) -> None:
    """However often there is news, the message is changed once in a while, and shows the last of it."""
    for number in range(60):
        ticker.show(Progress(f"Rows so far: {number}"))
        await asyncio.sleep(0.02)
    await slack.awaited.wait(lambda: "so far: 59" in words_of(slack.messages("C1")[0].blocks))
    posted = await ticker.end()

    assert posted is not None
    assert [posted.id] == [message.ts for message in slack.messages("C1")]
    assert [("C1", posted.id)] == shown.begun(KEY)
    updates = [call.time for call in slack.asked("chat.update")]
    assert 1 <= len(updates) <= 5
    assert all(second - first >= 0.29 for first, second in pairwise(updates))


async def test_without_news_nothing_is_changed(slack: Slack, ticker: Ticker) -> None:
    """A message that would say the same is left alone."""
    ticker.show(Progress("Writing…"))
    await slack.awaited.wait_message("C1", contains="Writing")
    await asyncio.sleep(0.7)
    await ticker.end()

    assert [] == slack.asked("chat.update")


async def test_after_the_end_nothing_is_changed(slack: Slack, ticker: Ticker) -> None:
    """A call that is under way is waited for, and is the last."""
    slack.fail("chat.postMessage", "slow", seconds=0.3)
    ticker.show(Progress("Writing…"))
    await slack.awaited.wait_calls("chat.postMessage")
    ticker.show(Progress("Reading…"))
    posted = await ticker.end()
    count = len(slack.calls)
    await asyncio.sleep(0.5)

    assert posted is not None
    assert count == len(slack.calls)


async def test_a_lost_reply_leaves_no_second_message(slack: Slack, ticker: Ticker) -> None:
    """Progress whose posting was not confirmed is found, so that it can be taken away."""
    slack.fail("chat.postMessage", "lose", times=2)
    ticker.show(Progress("Writing…"))
    await slack.awaited.wait_message("C1", contains="Writing")
    posted = await ticker.end()

    assert posted is not None
    assert [posted.id] == [message.ts for message in slack.messages("C1")]


async def test_progress_that_cannot_be_posted_is_tried_again_with_the_next_news(slack: Slack, ticker: Ticker) -> None:
    """It is not missed, and the turn does not hear of it."""
    slack.fail("chat.postMessage", "500", times=2)
    ticker.show(Progress("Writing…"))
    await slack.awaited.wait_calls("chat.postMessage", 2)
    ticker.show(Progress("Reading…"))
    await slack.awaited.wait_message("C1", contains="Reading")

    assert None is not await ticker.end()
    assert len(slack.messages("C1")) == 1


async def test_whatever_goes_wrong_with_progress_the_answer_does_not_hear_of_it(
    slack: Slack, ticker: Ticker, shown: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    """Progress that is posted and cannot be noted is logged, and its message is known at the end."""
    shown.close()
    ticker.show(Progress("Writing…"))
    await slack.awaited.wait_message("C1", contains="Writing")
    posted = await ticker.end()

    assert ["progress could not be shown"] == [each.message for each in caplog.records if each.levelname == "ERROR"]
    assert posted is not None
    assert [posted.id] == [message.ts for message in slack.messages("C1")]
