"""The stand-in for Slack tells a real Bolt app of what happens, by HTTP and by socket, until it is acknowledged."""

import asyncio
import json

import pytest

from tests.platforms.bolt import bot
from tests.platforms.slack.stand_in import Slack


@pytest.fixture(params=["http", "socket"])
def by(request: pytest.FixtureRequest) -> str:
    """Both ways to be told."""
    return str(request.param)


async def test_what_is_not_subscribed_or_allowed_is_not_told() -> None:
    """Without the scope, the subscription or the bot in the channel, there is nothing to deliver."""
    with Slack() as slack:
        slack.say("C1", "no mention")
        slack.scopes.discard("app_mentions:read")
        slack.say("C1", "hello", mention=True)
        slack.scopes.add("app_mentions:read")
        slack.kick("C1")
        slack.say("C1", "hello", mention=True)
        slack.events.discard("app_home_opened")

        assert slack.open_home() is None
        assert slack.acks == []


async def test_an_unacknowledged_event_comes_again(by: str) -> None:
    """It comes four times in all, with one event_id, and says which try it is and why."""
    with Slack(ack_seconds=0.2, retries=(0.0, 0.01, 0.02)) as slack:
        slack.events.add("team_join")
        async with bot(slack, by):
            delivery = slack.emit(slack.teams["T1"], "team_join", {"type": "team_join"})
            assert delivery is not None
            await asyncio.to_thread(delivery.wait)

    assert [0, 1, 2, 3] == [attempt.number for attempt in delivery.attempts]
    assert ["http_error" if by == "http" else "timeout"] * 4 == [attempt.problem for attempt in delivery.attempts]
    assert [delivery] == slack.acks.late(3)


async def test_a_late_acknowledgement_is_none() -> None:
    """Who answers after the time that Slack gives is told again."""
    with Slack(ack_seconds=0.2, retries=(0.0,)) as slack:
        async with bot(slack, "http") as made:
            made.sleeps = 0.4
            slack.dm("U1", "hello")
            await slack.awaited.wait_delivered()
            await slack.awaited.wait(lambda: len(made.told) == 2)

    assert ["http_timeout", "http_timeout"] == [attempt.problem for attempt in slack.acks[0].attempts]
    assert len({body["event_id"] for body in made.told}) == 1


async def test_a_cut_socket_is_replaced_and_loses_nothing() -> None:
    """An event that was on its way is delivered through the next socket."""
    with Slack(retries=(0.0, 0.1, 0.2)) as slack:
        async with bot(slack, "socket") as made:
            await slack.awaited.drop_sockets()
            slack.dm("U1", "hello")
            await slack.awaited.wait(lambda: made.told)

    assert slack.sockets.opened == 2


async def test_http_requests_are_signed() -> None:
    """What is signed wrongly, too old or not at all is refused by the app; the address is verified."""
    with Slack() as slack:
        async with bot(slack, "http"):
            body = '{"type": "event_callback", "event": {"type": "message"}}'
            answers = [
                await slack.awaited.post_raw(body),
                await slack.awaited.post_raw(body, secret="wrong"),
                await slack.awaited.post_raw(body, timestamp=1_600_000_000),
                await slack.awaited.post_raw(body, secret=""),
            ]
            status, said = await slack.awaited.verify_url("abc")
            challenge = json.loads(said)["challenge"]

    assert [200, 401, 401, 401] == [answer[0] for answer in answers]
    assert (200, "abc") == (status, challenge)
