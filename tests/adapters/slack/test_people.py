"""Who acts, as their workspace says."""

from adapters.slack.clients import Clients
from adapters.slack.people import People
from tests.platforms.slack import Slack


async def asked(slack: Slack, id: str) -> tuple[str, str, bool]:
    """Return the name, the address and the strangeness of a person."""

    async def token(team: str) -> str:
        return slack.bot_token

    clients = Clients(token, slack.url)
    try:
        person = await People(clients).person("T1", id, "somebody")
    finally:
        await clients.close()
    return person.user.name, person.user.email, person.stranger


async def test_a_person_of_the_workspace() -> None:
    """With its scopes, the bot knows names and addresses."""
    with Slack() as slack:
        slack.scopes |= {"users:read", "users:read.email"}
        slack.user("U1", "Ana", "ana@example.com")
        assert await asked(slack, "U1") == ("Ana", "ana@example.com", False)


async def test_without_the_scope() -> None:
    """Without users:read, a person is whom Slack's payload names, without an address."""
    with Slack() as slack:
        slack.user("U1", "Ana", "ana@example.com")
        assert await asked(slack, "U1") == ("somebody", "", False)


async def test_somebody_in_a_shared_channel() -> None:
    """A person of another workspace is a stranger, whatever address they say they have."""
    with Slack() as slack:
        slack.scopes |= {"users:read", "users:read.email"}
        slack.team("T2")
        slack.user("U2", "Eve", "ana@example.com", team="T2")
        slack.world.channels["C1"].members.add("U2")
        assert await asked(slack, "U2") == ("Eve", "", True)


async def test_somebody_whom_the_workspace_does_not_know() -> None:
    """Somebody whom Slack does not show to the workspace is a stranger."""
    with Slack() as slack:
        slack.scopes |= {"users:read"}
        assert await asked(slack, "UNOBODY") == ("somebody", "", True)
