"""Calls to the stand-in for Slack go wrong in the ways a test wants."""

from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import ClientConnectionError, ClientSession
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack.stand_in import Slack


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with nobody connected; nothing is delivered."""
    with Slack(events=set()) as slack:
        yield slack


@pytest.fixture
async def client(slack: Slack) -> AsyncIterator[AsyncWebClient]:
    """The real client, without its retries."""
    async with ClientSession() as session:
        yield AsyncWebClient(slack.bot_token, base_url=slack.url, session=session, retry_handlers=[])


@pytest.mark.parametrize(("how", "status"), [("ratelimited", 429), ("500", 500), ("503", 503), ("fatal_error", 200)])
async def test_a_call_fails_as_the_test_wants(slack: Slack, client: AsyncWebClient, how: str, status: int) -> None:
    """The next call goes wrong before anything is done, the one after it does not."""
    slack.fail("chat.postMessage", how, retry_after=7)
    with pytest.raises(SlackApiError) as raised:
        await client.chat_postMessage(channel="C1", text="x")
    await client.chat_postMessage(channel="C1", text="y")

    assert raised.value.response.status_code == status
    assert raised.value.response.headers.get("Retry-After") == ("7" if status == 429 else None)
    assert ["y"] == [each.text for each in slack.messages("C1")]
    assert slack.refused == []


@pytest.mark.parametrize(("how", "posted"), [("drop", 0), ("lose", 1)])
async def test_a_connection_is_lost_before_or_after(
    slack: Slack, client: AsyncWebClient, how: str, posted: int
) -> None:
    """The client sees the same; only after `lose` the message stands in the channel."""
    slack.fail("*", how)
    with pytest.raises(ClientConnectionError):
        await client.chat_postMessage(channel="C1", text="x")

    assert len(slack.messages("C1")) == posted
