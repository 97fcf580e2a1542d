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
from adapters.teams.cloud import openid_url_of
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, reference_of
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
