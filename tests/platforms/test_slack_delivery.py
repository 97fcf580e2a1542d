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


async def test_a_mention_is_answered(by: str) -> None:
    """What is typed arrives escaped, and the answer stands in the thread."""
    with Slack() as slack:
        async with bot(slack, by):
            asked = slack.say("C1", "a < b & c", mention=True)
            answer = await slack.awaited.wait_message("C1", thread=asked)
            await slack.awaited.wait_delivered()

    assert answer.text == f"You said <@{slack.bot_user}> a &lt; b &amp; c"
    assert [True] == [delivery.acked for delivery in slack.acks]
    assert slack.refused == []


async def test_with_the_history_scope_a_mention_arrives_twice(by: str) -> None:
    """It is an app_mention and a message, of one ts and two event_ids; the bot's own posts and edits come back."""
    with Slack() as slack:
        slack.scopes |= {"channels:history"}
        async with bot(slack, by) as made:
            asked = slack.say("C1", "hello", mention=True)
            await slack.awaited.wait_message("C1", thread=asked)
            await slack.awaited.wait_delivered()
            subjects = [delivery.type for delivery in slack.acks]

    assert subjects == ["app_mention", "message", "message"]
    assert [asked.ts] * 2 == [body["event"]["ts"] for body in made.told]
    assert len({body["event_id"] for body in made.told}) == 2
    assert slack.acks[2].payload["event"]["bot_id"] == "B1"


async def test_a_dm_has_no_thread(by: str) -> None:
    """A message of its own to the bot has no thread_ts; a reply has that of the first one."""
    with Slack() as slack:
        async with bot(slack, by) as made:
            first = slack.dm("U1", "hello")
            await slack.awaited.wait(lambda: made.told)
            slack.dm("U1", "and?", thread=first)
            await slack.awaited.wait(lambda: len(made.told) == 2)

    assert [None, first.ts] == [body["event"].get("thread_ts") for body in made.told]
    assert ["im", "im"] == [body["event"]["channel_type"] for body in made.told]


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


async def test_an_event_is_copied_on_demand(by: str) -> None:
    """Copies have the same event_id, and so has a delivery that is repeated later."""
    with Slack(copies=2) as slack:
        async with bot(slack, by) as made:
            slack.dm("U1", "hello")
            await slack.awaited.wait_delivered()
            slack.redeliver(slack.acks[0])
            await slack.awaited.wait(lambda: len(made.told) == 3)

    assert len({body["event_id"] for body in made.told}) == 1


async def test_a_cut_socket_is_replaced_and_loses_nothing() -> None:
    """An event that was on its way is delivered through the next socket."""
    with Slack(retries=(0.0, 0.1, 0.2)) as slack:
        async with bot(slack, "socket") as made:
            await slack.awaited.drop_sockets()
            slack.dm("U1", "hello")
            await slack.awaited.wait(lambda: made.told)

    assert slack.sockets.opened == 2


async def test_a_socket_is_refreshed() -> None:
    """After a warning the app comes through a new socket, and hears through it."""
    with Slack() as slack:
        async with bot(slack, "socket") as made:
            await slack.awaited.refresh_sockets()
            await slack.awaited.wait(lambda: slack.sockets.opened == 2)
            slack.dm("U1", "hello")
            await slack.awaited.wait(lambda: made.told)

    assert slack.sockets.pings > 0


async def test_sockets_take_turns() -> None:
    """Of two sockets each gets some of what happens, and nothing comes through both."""
    with Slack() as slack:
        async with bot(slack, "socket") as one, bot(slack, "socket") as other:
            await slack.awaited.wait_socket(2)
            for number in range(4):
                slack.dm("U1", str(number))
            await slack.awaited.wait(lambda: len(one.told) + len(other.told) == 4)

    assert (2, 2) == (len(one.told), len(other.told))


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


async def test_other_events_have_their_shapes(by: str) -> None:
    """The app hears of its tabs, of the stop button and of its own end."""
    with Slack() as slack:
        async with bot(slack, by) as made:
            asked = slack.dm("U1", "hello")
            slack.open_home()
            slack.open_messages_tab()
            slack.stop_session(asked.channel, asked)
            await slack.awaited.wait(lambda: len(made.told) == 4)
            slack.uninstall()
            await slack.awaited.wait(lambda: len(made.told) == 6)
            await slack.awaited.wait_delivered()

    assert ["home", "messages"] == [each.payload["event"]["tab"] for each in slack.acks.of("app_home_opened")]
    assert asked.ts == made.of("agent_session_stopped")[0]["event"]["thread_ts"]
    assert {"app_uninstalled", "tokens_revoked"} == {body["event"]["type"] for body in made.told[4:]}
    assert all(delivery.acked for delivery in slack.acks)


async def test_hundreds_of_events_are_answered() -> None:
    """It stands a flood: nothing is lost, late or refused."""
    with Slack() as slack:
        async with bot(slack, "socket", ping=30):  # what is on its way in a socket that is left is lost
            for number in range(300):
                slack.say("C1", str(number), mention=True)
            await slack.awaited.wait(lambda: len(slack.messages("C1", by=slack.bot_user)) == 300, 300)
            await slack.awaited.wait_delivered()

    assert [True] * 300 == [each.acked for each in slack.acks]
    assert slack.refused == []
