"""What an answer may have to wait for in Teams."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.chat.surface import MessagePlace, Shape, Undelivered
from adapters.teams.calls import BRIEF_CALL_TRIES, CALL_TRIES, Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.file_consent import FileConsent
from adapters.teams.files import Files
from adapters.teams.surface import TeamsSurface
from adapters.teams.uploads import Uploads
from router.cards import Progress, Reply, Text
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.database import home_database
from tests.platforms.teams.stand_in import Teams


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams that asks for no tokens."""
    with Teams(anonymous=True) as teams:
        yield teams


@asynccontextmanager
async def surface_of(teams: Teams, folder: Path, name: str) -> AsyncIterator[tuple[TeamsSurface, ThreadKey]]:
    """Give a surface of what is only this conversation."""
    database = home_database(folder)
    references, files = References(database), Files(folder / "files", b"x" * 32, "")
    here = Reference(teams.service_url, teams.conversation(name).id)
    references.keep(here, "teams:ana", personal=name == "ana")
    async with session() as http:
        connector = Connector(Calls(http, None, pause=0.001))
        file_consent = FileConsent(connector, references, files, Uploads(http), possible=True)
        surface = TeamsSurface(connector, references, files, file_consent, None)
        yield surface, ThreadKey("teams", "", here.conversation, here.conversation)
    database.close()


async def test_progress_is_given_up_soon(teams: Teams, tmp_path: Path) -> None:
    """It is posted and drawn in few tries; an answer has all of them."""
    async with surface_of(teams, tmp_path, "board") as (surface, key):
        place = MessagePlace(key.team, key.channel, key.thread)
        working = Shape(Reply((Progress("Writing…"),), working=True), key)
        answer = Shape(Reply((Text("42"),)), key)
        teams.fail("send", "500", BRIEF_CALL_TRIES, retry_after=-1)
        with pytest.raises(Undelivered):
            await surface.show(place, working, "1", brief=True)
        assert len(teams.calls) == BRIEF_CALL_TRIES

        posted = await surface.show(place, answer, "2")
        teams.fail("update", "500", BRIEF_CALL_TRIES, retry_after=-1)
        with pytest.raises(Undelivered):
            await surface.redraw(place, posted, working)
        assert len(teams.asked("update")) == BRIEF_CALL_TRIES

        teams.fail("update", "500", CALL_TRIES - 1, retry_after=-1)
        await surface.redraw(place, posted, answer)
        assert len(teams.asked("update")) == BRIEF_CALL_TRIES + CALL_TRIES


@pytest.mark.parametrize("taken", [True, False])
async def test_a_whisper_where_there_is_no_own_chat(teams: Teams, tmp_path: Path, taken: bool) -> None:
    """It is for that one person's eyes in the conversation; everybody reads it only if that is refused."""
    teams.say("board", "Hello", user="ana", mention=False)
    ana = teams.person("ana")
    async with surface_of(teams, tmp_path, "board") as (surface, key):
        surface.references.keep(Reference(teams.service_url, key.channel), f"teams:{ana.aad}")
        teams.fail("create", "403")
        if not taken:
            teams.fail("send", "400", code="BadArgument")
        user = User(f"teams:{ana.aad}", "Ana")
        await surface.whisper(MessagePlace(key.team, key.channel, key.thread), user, "Only you may know.")

    (said,) = teams.messages("board", by="bot")
    assert ("Only you may know.", ana.id if taken else "") == (said.text, said.to)
