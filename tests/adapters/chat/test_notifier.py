"""News in Slack: whether it is there is known, or it is said that it may be."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.chat.notifier import ChatNotifier
from adapters.event_loop_bridge import EventLoopBridge
from adapters.slack.clients import UNREACHED, Clients, is_lost
from router.cards import Reply, Text
from router.errors import JobFailed, NotAllowed, Unsure
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.notifier import Announcement
from tests.adapters.slack.running_bot import working
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack

ANA = User("slack:UANA", "Ana")


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack whose channels the bot may read; nothing is delivered."""
    with Slack(events=set()) as slack:
        slack.scopes |= {"channels:history", "users:read"}
        yield slack


@pytest.fixture
def model() -> Iterator[Ollama]:
    """A model that is not asked."""
    with Ollama() as model:
        yield model


def news_in(slack: Slack) -> Announcement:
    """Return news for a thread."""
    root = slack.say("C1", "which regions?")
    return Announcement("T-1 now", ThreadKey("slack", "T1", "C1", root.ts), ANA, True, Reply((Text("North"),)))


@pytest.mark.parametrize(("how", "raised"), [("500", Unsure), ("drop", Unsure), ("channel_not_found", JobFailed)])
async def test_an_answer_that_is_lost(
    tmp_path: Path, slack: Slack, model: Ollama, how: str, raised: type[JobFailed]
) -> None:
    """Where Slack never said what became of a message, it may be there; where it said no, it is not."""
    news = news_in(slack)
    async with working(tmp_path, slack, model) as work:
        notifier = ChatNotifier(work.service, EventLoopBridge(asyncio.get_running_loop()))
        slack.fail("chat.postMessage", how, times=50)
        with pytest.raises(JobFailed) as caught:
            await asyncio.to_thread(notifier.tell, news)
    assert raised is caught.type


async def test_a_slack_that_is_not_reached() -> None:
    """What never left this machine is not lost, so that it is tried again."""

    async def token(team: str) -> str:
        return "xoxb"

    clients = Clients(token, "http://127.0.0.1:1/")
    with pytest.raises(UNREACHED) as caught:
        await (await clients.poster("T1")).chat_postMessage(channel="C1", text="North")
    await clients.close()
    assert not is_lost(caught.value)


@pytest.mark.parametrize(("word", "raised"), [("user_not_found", NotAllowed), ("fatal_error", JobFailed)])
async def test_who_is_known(tmp_path: Path, slack: Slack, model: Ollama, word: str, raised: type[Exception]) -> None:
    """A stranger may nothing any more; where it is not known who somebody is, it is tried again."""
    async with working(tmp_path, slack, model) as work:
        notifier = ChatNotifier(work.service, EventLoopBridge(asyncio.get_running_loop()))
        slack.fail("users.info", word, times=50)
        with pytest.raises(raised):
            await asyncio.to_thread(notifier.known, ThreadKey("slack", "T1", "C1", "1.2"), ANA)
