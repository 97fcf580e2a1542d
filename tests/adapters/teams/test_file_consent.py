"""Files that are offered in Teams' stand-in: each for itself, whatever becomes of the others."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from adapters.chat.surface import Posted
from adapters.rendering.attachment import Attached
from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.file_consent import FileConsent, FileOffer
from adapters.teams.files import FILE_LIFETIME, Files
from adapters.teams.uploads import Uploads
from router.storage.database import Database, home_database
from router.storage.tables import file_consents
from tests.platforms.teams.stand_in import Teams

GONE, THERE = Attached("gone.csv", Path("/nowhere/gone.csv")), Attached("query.sql", "SELECT 1")


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams that asks for no tokens."""
    with Teams(anonymous=True) as teams:
        yield teams


@dataclass
class Hands:
    """What hands files over, the address of Ana's own chat, and the time."""

    file_consent: FileConsent
    home: Reference
    database: Database
    now: datetime

    async def offer(self, *files: Attached, message: str = "7", channel: str = "a:ana") -> None:
        """Offer files of one message to Ana."""
        offer = FileOffer(files, "teams:ana", "", self.home)
        await self.file_consent.offer(offer, self.home, Posted(channel, message))


@asynccontextmanager
async def hands(teams: Teams, folder: Path) -> AsyncIterator[Hands]:
    """Give what hands files over until the end of the block."""
    database = home_database(folder)
    references = References(database)
    home = Reference(teams.service_url, teams.conversation("ana").id)
    references.keep(home, "teams:ana", personal=True)
    async with session() as http:
        connector, uploads = Connector(Calls(http, None, pause=0.001)), Uploads(http, pause=0.001)
        files = Files(folder / "files", b"s" * 32, "")
        consent = FileConsent(connector, references, files, database, uploads, possible=True, clock=lambda: made.now)
        made = Hands(consent, home, database, datetime.now(UTC))
        yield made
    database.close()


def offered(teams: Teams) -> dict[str, str]:
    """Return the tokens of the files that are offered to Ana, by their names."""
    held = [message.attachments[0] for message in teams.messages("ana", by="bot") if message.attachments]
    return {each["name"]: each["content"]["acceptContext"]["token"] for each in held}


async def test_a_file_is_offered_once_with_a_message(teams: Teams, tmp_path: Path) -> None:
    """However often the message is drawn; with another one it is offered again. Tokens are long."""
    async with hands(teams, tmp_path) as made:
        for message in ("7", "7", "8"):
            await made.offer(THERE, message=message)
        sent = [each for each in teams.messages("ana", by="bot") if each.attachments]
        consent = made.file_consent.find(offered(teams)["query.sql"])
        assert len(sent) == 2
        assert consent
        assert len(consent.token) == 43
        assert (consent.person, consent.name, consent.conversation) == (
            "teams:ana",
            "query.sql",
            made.home.conversation,
        )
        assert made.file_consent.find("made up") is None


async def test_an_offer_that_may_have_been_made(teams: Teams, tmp_path: Path) -> None:
    """What a killed process was about to offer is offered by the next drawing, under a token that counts alone."""
    async with hands(teams, tmp_path) as made:
        await made.offer(THERE)
        before = offered(teams)["query.sql"]
        with made.database.writing() as connection:
            connection.execute(update(file_consents).values(message=""))
        await made.offer(THERE)
        now = offered(teams)["query.sql"]
        assert (made.file_consent.find(before), made.file_consent.find(now) is None) == (None, False)


async def test_a_day(teams: Teams, tmp_path: Path) -> None:
    """After a day an offer is not known any more, and goes by itself."""
    async with hands(teams, tmp_path) as made:
        await made.offer(THERE)
        token = offered(teams)["query.sql"]
        made.now += FILE_LIFETIME - timedelta(seconds=5)
        made.file_consent.expire()
        assert made.file_consent.find(token)
        made.now += timedelta(seconds=10)
        assert made.file_consent.find(token) is None
        made.file_consent.expire()
        made.now -= timedelta(hours=1)
        assert made.file_consent.find(token) is None
