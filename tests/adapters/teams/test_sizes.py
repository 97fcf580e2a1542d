"""Messages that Teams does not take as they are: they become smaller, and lose their buttons last."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.chat.surface import MessagePlace, Shape, Undelivered
from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.drawing import size_of
from adapters.teams.file_consent import FileConsent
from adapters.teams.files import Files
from adapters.teams.surface import TeamsSurface
from adapters.teams.uploads import Uploads
from router.cards import Buttons, Code, Option, Reply
from router.memory.thread import ThreadKey
from router.storage.database import home_database
from tests.platforms.teams.stand_in import Teams

SQL = "SELECT " + ", ".join(f"'{'x' * 90}' AS column_{number}" for number in range(100))
REPLY = Reply((Code(SQL, "Shop"), Buttons("Run this on Shop?", (Option("yes", "Run"),))), turn=1)


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams that asks for no tokens."""
    with Teams(anonymous=True) as teams:
        yield teams


@asynccontextmanager
async def drawing(teams: Teams, folder: Path, url: str) -> AsyncIterator[tuple[TeamsSurface, MessagePlace, Shape]]:
    """Give a surface, Ana's own chat, and a message for it, until the end of the block."""
    database = home_database(folder)
    references = References(database)
    home = Reference(teams.service_url, teams.conversation("ana").id, teams.tenant)
    references.keep(home, "teams:ana", personal=True)
    files = Files(folder / "files", b"s" * 32, url)
    async with session() as http:
        connector = Connector(Calls(http, None, pause=0.001))
        file_consent = FileConsent(connector, references, files, Uploads(http), possible=True)
        key = ThreadKey("teams", teams.tenant, home.conversation, home.conversation)
        surface = TeamsSurface(connector, references, files, file_consent, None)
        yield surface, MessagePlace(key.team, key.channel, key.thread), Shape(REPLY, key, asker="teams:ana")
    database.close()


@pytest.mark.parametrize("url", ["", "https://bot.example"])
@pytest.mark.parametrize("again", [False, True])
async def test_smaller_and_smaller(teams: Teams, tmp_path: Path, url: str, again: bool) -> None:
    """A card that is too large is cut, and in the end it is words with the rest as a file; so is one drawn again."""
    async with drawing(teams, tmp_path, url) as (surface, place, shape):
        whole = await surface.show(place, shape, "1")
        method, sizes = ("update" if again else "send"), []
        for refused in (1, 2):
            teams.fail(method, "413", times=refused)
            now = await (surface.redraw(place, whole, shape) if again else surface.show(place, shape, "1"))
            (message,) = [each for each in teams.messages("ana", by="bot") if each.id == now.id]
            sizes.append(size_of(message.activity))
            assert ("Run" in str(message.attachments)) == (refused == 1)
    assert sizes[1] < sizes[0] < 28_000
    assert "Run this on Shop?" in message.text
    assert ("message.txt](https://bot.example/files/" if url else "offered below") in message.text
    offered = [
        each.attachments[0]["name"] for each in teams.messages("ana", by="bot") if "consent" in str(each.activity)
    ]
    assert ("message.txt" in offered) == (url == "")


async def test_what_is_not_taken_at_all(teams: Teams, tmp_path: Path) -> None:
    """A message that is refused in each size will be refused again; one that was there cannot be changed."""
    async with drawing(teams, tmp_path, "https://bot.example") as (surface, place, shape):
        posted = await surface.show(place, shape, "1")
        teams.fail("send", "400", times=3)
        with pytest.raises(Undelivered) as refused:
            await surface.show(place, shape, "1")
        teams.fail("update", "400", times=3)
        with pytest.raises(Undelivered) as gone:
            await surface.redraw(place, posted, shape)
    found = [(each.value.refused, each.value.gone, each.value.outside) for each in (refused, gone)]
    assert found == [(True, False, False), (True, True, False)]
