"""The edge against the stand-in for Teams: who is let in, and what is written in a Teams where things go wrong."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import SecretStr

from adapters.serving import LOOPBACK, served
from adapters.teams.access import TeamsAccess
from adapters.teams.authentication import Authentication, SigningKeys
from adapters.teams.calls import Calls, session
from adapters.teams.check import check
from adapters.teams.cloud import openid_url_of
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.failures import Dead, Declined, MessageGone
from adapters.teams.server import MESSAGES, application
from adapters.teams.tokens import BotTokens
from tests.platforms.teams.forging import HEADERS, RIGHT
from tests.platforms.teams.stand_in import Teams


@dataclass
class Bot:
    """A bot that only listens, and the hand with which it writes."""

    connector: Connector
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def reference(self) -> Reference:
        """Where it was last spoken to."""
        return reference_of(self.heard[-1])


def access(teams: Teams) -> TeamsAccess:
    return TeamsAccess(
        app_id=teams.app_id,
        kind="SingleTenant",
        tenant=teams.tenant,
        password=SecretStr(teams.app_password),
        login_url=teams.login_url,
        openid_url=teams.openid_url,
    )


@asynccontextmanager
async def listening(teams: Teams) -> AsyncIterator[Bot]:
    """Run a bot in this Teams until the end of the block."""
    given = access(teams)
    async with session() as asking:
        bot = Bot(Connector(Calls(asking, BotTokens(asking, given), pause=0.001)))

        async def hear(activity: dict[str, Any]) -> None:
            bot.heard.append(activity)

        gate = Authentication(given, SigningKeys(asking, openid_url_of(given)))
        async with served(application(gate, hear), 0, LOOPBACK) as port:
            teams.bot_url = f"http://{LOOPBACK}:{port}{MESSAGES}"
            yield bot


async def spoken_to(teams: Teams, bot: Bot, where: str = "General") -> Reference:
    """Have somebody write to the bot there, and return the reference."""
    heard = len(bot.heard)
    teams.say(where, "how many orders?")
    await teams.awaited.wait(lambda: len(bot.heard) > heard)
    return bot.reference


async def test_every_header() -> None:
    """B4, B5, B12: of all the headers that the stand-in can make, the right one comes in, and no other one."""
    with Teams() as teams:
        async with listening(teams) as bot:
            await spoken_to(teams, bot)
            message = bot.heard[-1]
            statuses = {name: (await teams.awaited.post_raw(message, name))[0] for name in HEADERS}

    assert statuses.pop("unknown kid") == 503  # it may be a new one
    assert {name: 200 if name == RIGHT else 401 for name in statuses} == statuses


async def test_a_stranger_and_an_outage() -> None:
    """People of another tenant are 403; while the keys cannot be fetched everything is 503, and then well again."""
    with Teams() as teams:
        async with listening(teams) as bot:
            teams.fail("openid", "500")
            teams.say("General", "lost?")
            await teams.awaited.wait(lambda: bool(teams.posts and teams.posts[0].latency))
            assert 503 == teams.posts[0].attempts[0].status
        async with listening(teams) as bot:
            await spoken_to(teams, bot)
            other = bot.heard[-1] | {"channelData": {"tenant": {"id": "99999999-0000-0000-0000-000000000000"}}}
            assert 403 == (await teams.awaited.post_raw(other))[0]


async def test_the_check_is_well() -> None:
    """The settings of a bot in this Teams are found to be right."""
    with Teams() as teams:
        assert {"ok"} == {finding.grade async for finding in check(access(teams))}


async def test_a_talk_in_a_thread() -> None:
    """What is sent stands in the thread it is for, can be changed and taken away, and people have an address."""
    with Teams() as teams:
        async with listening(teams) as bot:
            thread = await spoken_to(teams, bot)
            id = await bot.connector.send(thread, {"text": "Working"})
            await bot.connector.update(thread, id, {"text": "7"})
            asker = await bot.connector.member(thread, bot.heard[-1]["from"]["id"])
            direct = await bot.connector.create_direct(thread, asker["id"])
            await bot.connector.send(direct, {"text": "for you alone"})

            assert ["7"] == [message.text for message in teams.messages("General") if message.from_bot]
            assert ("Alex Wilber", "alex@example.com") == (asker["name"], asker["email"])
            assert ["for you alone"] == [message.text for message in teams.messages("alex")]

            await bot.connector.delete(thread, id)
            await bot.connector.delete(thread, id)
            with pytest.raises(MessageGone):
                await bot.connector.update(thread, id, {"text": "8"})


async def test_what_teams_does_not_take() -> None:
    """Too large a message, a chat that is gone, and one that the bot was taken from, are errors of their own."""
    with Teams() as teams:
        async with listening(teams) as bot:
            thread = await spoken_to(teams, bot)
            with pytest.raises(Declined, match="413"):
                await bot.connector.send(thread, {"text": "x" * 60_000})
            for how in ("403", "404"):
                teams.fail("send", how)
                with pytest.raises(Dead):
                    await bot.connector.send(thread, {"text": "7"})


async def test_tokens_that_teams_has_forgotten() -> None:
    """When no token of the bot is known any more, it fetches another, and nothing is lost."""
    with Teams() as teams:
        async with listening(teams) as bot:
            thread = await spoken_to(teams, bot)
            await bot.connector.send(thread, {"text": "one"})
            teams.revoke_tokens()
            await bot.connector.send(thread, {"text": "two"})

            assert ["one", "two"] == [message.text for message in teams.messages("General") if message.from_bot]


@pytest.mark.parametrize("seed", range(5))
async def test_a_bad_day(seed: int) -> None:
    """B7: among errors and lost answers, each message is there, twice at most where an answer was lost.

    What is posted and then updated is there as what it became.
    """
    with Teams() as teams:
        async with listening(teams) as bot:
            thread = await spoken_to(teams, bot)
            teams.fail_some(0.3, seed, retry_after=0)
            for number in range(30):
                await bot.connector.send(thread, {"text": f"message {number}"})
            lost = sum(call.status == 0 for call in teams.calls)
            for number in range(10):
                id = await bot.connector.send(thread, {"text": "…"})
                await bot.connector.update(thread, id, {"text": f"update {number}"})
            teams.fail_some(0, seed)
            stands = Counter(message.text for message in teams.messages("General") if message.from_bot)

    assert {f"message {number}" for number in range(30)} <= stands.keys()
    assert sum(times - 1 for text, times in stands.items() if text.startswith("message")) <= lost
    assert {f"update {number}" for number in range(10)} <= stands.keys()
