"""Files that are offered in Teams' stand-in: each for itself, whatever becomes of the others."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.chat.surface import Posted
from adapters.rendering.attachment import Attached
from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.downloads import Downloads
from adapters.teams.file_consent import FileConsentFlow, FileOffer, Upload
from adapters.teams.file_offers import Consent, Consents
from adapters.teams.uploads import Uploads
from router.storage.database import Database, home_database
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import File

GONE, THERE = Attached("gone.csv", Path("/nowhere/gone.csv")), Attached("query.sql", "SELECT 1")


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams that asks for no tokens."""
    with Teams(anonymous=True) as teams:
        yield teams


@dataclass
class Hands:
    """What hands files over, and the address of Ana's own chat."""

    file_consent: FileConsentFlow
    home: Reference

    @property
    def consents(self) -> Consents:
        """The offers."""
        return self.file_consent.consents

    async def offer(self, *files: Attached) -> None:
        """Offer files of one message to Ana."""
        await self.file_consent.offer(FileOffer(files, "teams:ana", "", self.home), self.home, Posted("a:ana", "7"))


@asynccontextmanager
async def hands(teams: Teams, folder: Path) -> AsyncIterator[Hands]:
    """Give what hands files over until the end of the block."""
    database = home_database(folder)
    references = References(database)
    home = Reference(teams.service_url, teams.conversation("ana").id)
    references.keep(home, "teams:ana", personal=True)
    consents = Consents(database, folder / "offered")
    async with session() as http:
        calls = Calls(http, None, pause=0.001)
        yield Hands(
            FileConsentFlow(Connector(calls), references, consents, Uploads(http, pause=0.001), possible=True), home
        )
    database.close()


def names(teams: Teams) -> list[str]:
    """Return the names of the files that are offered to Ana."""
    held = [message.attachments for message in teams.messages("ana", by="bot")]
    return [each[0]["name"] for each in held if each]


async def test_each_file_for_itself(teams: Teams, tmp_path: Path) -> None:
    """A file that is gone, or whose offer Teams refuses, is told of once, and the others are offered."""
    async with hands(teams, tmp_path) as made:
        await made.offer(GONE, THERE)
        assert names(teams) == ["query.sql"]
        teams.fail("send", "400")
        await made.offer(Attached("refused.sql", "SELECT 2"), Attached("taken.sql", "SELECT 3"))
    assert names(teams) == ["query.sql", "taken.sql"]
    told = [message.text for message in teams.messages("ana", by="bot") if "could not be offered" in message.text]
    assert len(told) == 2


async def test_an_offer_that_may_have_been_made(teams: Teams, tmp_path: Path) -> None:
    """What a killed process was about to offer is offered again, once; until then whoever saw it may allow it."""
    async with hands(teams, tmp_path) as made:
        seen = made.consents.offer(THERE, "teams:ana", made.home.conversation, "a:ana 7")
        lost = made.consents.offer(THERE, "teams:ana", made.home.conversation, "a:ana 8")
        assert seen
        assert lost
        await made.offer(THERE)
        assert names(teams) == []
    async with hands(teams, tmp_path) as made:
        assert made.consents.take(lost.token, "9", "")
        for _ in range(2):
            await made.offer(THERE)
        assert names(teams) == ["query.sql"]
        assert made.consents.find(seen.token) is None


async def test_what_an_earlier_process_left(teams: Teams, tmp_path: Path) -> None:
    """What cannot be read is given up, and the rest is put."""
    with teams.lock:
        teams.world.files["f"] = File("f", "query.sql", 8, teams.world.person("ana"))
    upload = Upload(f"{teams.root}/upload/f", "https://x.example/f", "f", "sql", "query.sql")
    spawned: list[asyncio.Task[None]] = []
    async with hands(teams, tmp_path) as made:
        for number, stored in enumerate(('{"other": 1}', "{", "[]", upload.to_json())):
            consent = made.consents.offer(THERE, "teams:ana", made.home.conversation, f"a:ana {number}")
            assert consent
            made.consents.take(consent.token, "", stored)

        def put(consent: Consent, upload: Upload) -> None:
            spawned.append(asyncio.create_task(made.file_consent.put(consent, upload)))

        await made.file_consent.resume(put)
        await asyncio.gather(*spawned)
        assert (len(spawned), made.consents.left()) == (1, [])
    assert [file.content for file in teams.files] == [b"SELECT 1"]


def test_what_is_too_old_goes_by_itself(database: Database, tmp_path: Path) -> None:
    """Texts go with their offers and links, though nobody asks for anything more."""
    now = [datetime.now(UTC)]
    consents = Consents(database, tmp_path / "offered", lambda: now[0])
    downloads = Downloads(tmp_path / "files", b"s" * 32, "https://bot.example", lambda: now[0])
    consents.offer(THERE, "teams:ana", "a:ana", "a:ana 7")
    downloads.attached(THERE, "a:ana")
    now[0] += timedelta(days=1, seconds=1)
    for chore in (consents.expire, downloads.expire):
        chore()
    assert [] == [*(tmp_path / "offered").iterdir(), *(tmp_path / "files").iterdir()]


async def test_a_channel_that_is_left(teams: Teams, tmp_path: Path) -> None:
    """What was offered about a channel's messages goes with the channel, wherever it was offered."""
    async with hands(teams, tmp_path) as made:
        here = made.consents.offer(THERE, "teams:ana", "a:ana", "19:shop 7")
        other = made.consents.offer(Attached("other.sql", "SELECT 2"), "teams:ana", "a:ana", "19:shopping 7")
        assert here
        assert other
        made.consents.forget("19:shop")
        assert [made.consents.find(each.token) is None for each in (here, other)] == [True, False]
        assert [each.path.exists() for each in (here, other)] == [False, True]
