"""Calls to the stand-in for Slack go wrong in the ways a test wants."""

from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import ClientConnectionError, ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
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


async def test_a_chance_fails_the_same_calls_each_time(slack: Slack, client: AsyncWebClient) -> None:
    """The seed decides, and a client that waits gets through."""
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=20))
    runs = []
    for _ in range(2):
        slack.calls.clear()
        slack.fail_some(0.3, seed=4, hows=("ratelimited",), retry_after=0)
        slack.fail("chat.postMessage", "ratelimited", retry_after=0)
        await client.chat_postMessage(channel="C1", text="x")
        runs.append([call.status for call in slack.calls])

    assert runs[0] == runs[1]
    assert runs[0][-1] == 200


async def test_a_slow_call_is_done_all_the_same(slack: Slack, client: AsyncWebClient) -> None:
    """What a client does not wait for may have happened."""
    slack.fail("chat.postMessage", "slow", seconds=30.0)
    async with ClientSession(timeout=ClientTimeout(total=0.2)) as session:
        client.session = session
        with pytest.raises(TimeoutError):
            await client.chat_postMessage(channel="C1", text="x")

    assert ["x"] == [each.text for each in slack.messages("C1")]
