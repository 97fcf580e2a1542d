"""Streams against Teams' stand-in: when there is one, and what is left of it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.streams import NO_STREAM_SECONDS, Streams, is_stream, line_of
from router.cards import Progress, Reply, Text
from router.storage.database import home_database
from tests.platforms.teams.stand_in import Teams

AT_WORK = Reply((Progress("Writing the `SQL`…"),), working=True)


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams that asks for no tokens."""
    with Teams(anonymous=True) as teams:
        yield teams


class Hours:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds since its start."""
        return self.now


@asynccontextmanager
async def writing(teams: Teams, folder: Path, hours: Hours) -> AsyncIterator[tuple[Streams, Reference, Reference]]:
    """Give streams without a pause between their parts, and the addresses of Ana's own chat and of a group's."""
    database = home_database(folder)
    references = References(database)
    own, group = (Reference(teams.service_url, teams.conversation(name).id) for name in ("ana", "board"))
    references.keep(own, "teams:ana", personal=True)
    references.keep(group, "teams:ana")
    async with session() as http:
        yield Streams(Connector(Calls(http, None)), references, pace=0.0, clock=hours), own, group
    database.close()


async def test_there_is_one_stream_a_personal_chat(teams: Teams, tmp_path: Path) -> None:
    """A second one, one that could not be stopped and one in a group are ordinary messages; a line is plain text."""
    async with writing(teams, tmp_path, Hours()) as (streams, own, group):
        assert await streams.begin(own, Reply((Progress("Stopping…", stoppable=False),))) is None
        assert await streams.begin(group, AT_WORK) is None
        assert teams.calls == []
        posted = await streams.begin(own, AT_WORK)
        assert posted is not None
        assert (posted.open, is_stream(posted)) == (True, True)
        assert await streams.begin(own, AT_WORK) is None
        assert [each.chunks for each in teams.streams] == [["Writing the SQL…"]]


@pytest.mark.parametrize("refused", [0, 1])
async def test_nothing_is_left_of_a_stream_that_is_removed(teams: Teams, tmp_path: Path, refused: int) -> None:
    """It is deleted, and ended before where Teams deletes nothing that is being written; then another may begin."""
    async with writing(teams, tmp_path, Hours()) as (streams, own, _):
        posted = await streams.begin(own, AT_WORK)
        assert posted is not None
        teams.fail("delete", "403", refused, code="ContentStreamNotAllowed")
        await streams.remove(own, posted.id)
        assert teams.messages("ana", by="bot") == []
        assert [each.final for each in teams.streams] == [bool(refused)]
        assert await streams.begin(own, AT_WORK) is not None


async def test_a_refusal_is_remembered_for_a_while(teams: Teams, tmp_path: Path) -> None:
    """Where Teams allowed no stream, none is asked for during some minutes, and then again."""
    hours = Hours()
    async with writing(teams, tmp_path, hours) as (streams, own, _):
        teams.fail("send", "403", code="ContentStreamNotAllowed")
        for _ in range(2):
            assert await streams.begin(own, AT_WORK) is None
            assert not await streams.at_home(own)
        assert len(teams.calls) == 1
        hours.now += NO_STREAM_SECONDS
        assert await streams.begin(own, AT_WORK) is not None


async def test_a_message_that_somebody_deleted_is_posted_anew(teams: Teams, tmp_path: Path) -> None:
    """Where nothing is left of a stream, neither the stream nor its message, the answer is a message of its own."""
    async with writing(teams, tmp_path, Hours()) as (streams, own, _):
        posted = await streams.begin(own, AT_WORK)
        assert posted is not None
        stream = teams.streams[0]
        stream.message.deleted = True
        teams.world.streams.clear()
        answer = await streams.write(own, posted, {"type": "message", "text": "42"})
        assert answer.id != stream.id
        assert [(each.id, each.text) for each in teams.messages("ana", by="bot")] == [(answer.id, "42")]


def test_the_line_of_progress() -> None:
    """It has fewer than the thousand characters that Teams takes; a reply with anything else has none."""
    assert len(line_of(Reply((Progress("a word " * 1_000),)))) == 300
    assert line_of(Reply((Progress(" "),))) == "…"
    assert line_of(Reply((Progress("Writing"), Text("Done.")))) == ""
