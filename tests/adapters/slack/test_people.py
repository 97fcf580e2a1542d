"""Who acts, as their workspace says, and nobody else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from slack_sdk.errors import SlackApiError

from adapters.chat.surface import Undelivered
from adapters.slack.clients import Clients, NotInstalled
from adapters.slack.open_modals import OpenModals
from adapters.slack.surface import People, SlackSurface
from adapters.slack.writer import Writer
from router.memory.draft import User
from router.storage.database import Database
from tests.platforms.slack.stand_in import Slack


@asynccontextmanager
async def people_of(slack: Slack, patience: float = 10.0) -> AsyncIterator[People]:
    async def token(team: str) -> str:
        return slack.bot_token

    clients = Clients(token, slack.url)
    try:
        yield People(clients, patience)
    finally:
        await clients.close()


async def asked(slack: Slack, id: str) -> tuple[str, str, bool]:
    """Return the name, the address and the strangeness of a person."""
    async with people_of(slack) as people:
        person = await people.person("T1", id, "somebody")
    return person.user.name, person.user.email, person.stranger


async def test_without_the_scope_for_addresses() -> None:
    """Without users:read.email, a person has a name and no address."""
    with Slack() as slack:
        slack.user("U1", "Ana", "ana@example.com")
        assert await asked(slack, "U1") == ("Ana", "", False)


async def test_somebody_in_a_shared_channel() -> None:
    """A person of another workspace is a stranger, whatever address they say they have."""
    with Slack() as slack:
        slack.scopes |= {"users:read.email"}
        slack.team("T2")
        slack.user("U2", "Eve", "ana@example.com", team="T2")
        slack.world.channels["C1"].members.add("U2")
        assert await asked(slack, "U2") == ("Eve", "", True)


@pytest.mark.parametrize(("kind", "guest"), [("", False), ("multi", True), ("single", True)])
async def test_guests(kind: str, guest: bool) -> None:
    """Guests of the workspace, of one channel or of several, are known as guests, and are no strangers."""
    with Slack() as slack:
        slack.user("U1", "Gina").guest = kind
        async with people_of(slack) as people:
            person = await people.person("T1", "U1")

    assert (guest, False) == (person.user.guest, person.stranger)


async def test_somebody_whom_the_workspace_does_not_know() -> None:
    """Somebody whom Slack does not show to the workspace is a stranger."""
    with Slack() as slack:
        assert await asked(slack, "UNOBODY") == ("somebody", "", True)


@pytest.mark.parametrize("word", ["missing_scope", "fatal_error", "invalid_auth"])
async def test_nobody_is_let_in_on_a_guess(word: str) -> None:
    """Where Slack refuses to say who it is, nobody is named, and the next time it is asked again."""
    with Slack() as slack:
        slack.user("U1", "Ana")
        slack.fail("users.info", word)
        async with people_of(slack) as people:
            with pytest.raises(SlackApiError, match=word):
                await people.person("T1", "U1", "somebody")
            person = await people.person("T1", "U1", "somebody")

    assert ("Ana", False) == (person.user.name, person.stranger)


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (NotInstalled("T1"), Undelivered),
        (TimeoutError(), Undelivered),
        (ConnectionResetError(), Undelivered),
        (KeyError("T1"), KeyError),
        (FileNotFoundError("rows.csv"), FileNotFoundError),
    ],
)
async def test_our_own_mistakes_are_no_trouble_of_slack(
    trouble: Exception, told: type[Exception], database: Database
) -> None:
    """Where the app was taken away or the network fails, the service hears so; a mistake of ours keeps its trace."""

    async def token(team: str) -> str:
        raise trouble

    clients = Clients(token)
    surface = SlackSurface(clients, Writer(clients), People(clients), OpenModals(database))
    with pytest.raises(told):
        await surface.person("T1", User("slack:U1"))
    await clients.close()


async def test_a_person_is_asked_for_once() -> None:
    """Those who wait for the same person share one call, also if one of them goes away; then it is remembered."""
    with Slack() as slack:
        slack.user("U1", "Ana")
        slack.fail("users.info", "slow", seconds=0.2)
        async with people_of(slack) as people:
            waiting = [asyncio.create_task(people.person("T1", "U1")) for _ in range(5)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            found = await asyncio.gather(*waiting[1:])
            found.append(await people.person("T1", "U1"))
        calls = len(slack.asked("users.info"))

    assert (["Ana"] * 5, 1) == ([person.user.name for person in found], calls)
