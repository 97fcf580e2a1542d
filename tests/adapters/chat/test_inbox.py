"""The inbox: what was taken is kept until it is done, and known again afterwards."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from adapters.chat.inbox import INPUT_LIFETIME, Inbox
from adapters.chat.surface import Heard, MessagePlace
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage import tables
from router.storage.clock import now
from router.storage.database import DATABASE_FILE, Database
from router.turn import Changed, Filled, Input, Opened, Pressed, Said
from tests.support.databases import FILE_ALONE, KINDS, database_of

KEY = ThreadKey("slack", "T1", "C/1", "1.0")
ANA = User("slack:U1", "Ana", "ana@example.com")


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The database, in a file and on a server."""
    with database_of(request, tmp_path) as opened:
        yield opened


def heard(given: Input, event: str = "e1") -> Heard:
    return Heard(KEY, ANA, given, event, addressed=False, place=MessagePlace("T1", "D1", "3.0"))


@pytest.mark.parametrize(
    "given", [Said("one"), Pressed("yes", 3, ("a", "b")), Filled({"sql": "SELECT 1"}, 4), Opened(), Changed("e0", "a")]
)
def test_what_was_taken_outlives_the_process(database: Database, given: Input) -> None:
    """Another process finds every kind of input as it was."""
    first = Inbox(database, "slack")
    first.take(heard(given))
    second = Inbox(database, "slack")

    assert [heard(given)] == second.left()


def test_what_it_knows(database: Database) -> None:
    """An event is known from when it is taken, also once it is done, on its own platform."""
    inbox = Inbox(database, "slack")
    before = inbox.knows("e1")
    inbox.take(heard(Said("one")))
    inbox.done("e1")
    assert (before, inbox.knows("e1"), Inbox(database, "teams").knows("e1")) == (False, True, False)


def test_a_thread_waits_for_what_is_not_done(database: Database) -> None:
    """A thread waits as long as any input of its own is not done, not for those of others in its channel."""
    inbox = Inbox(database, "slack")
    beside = ThreadKey("slack", "T1", "C/1", "2.0")
    before = inbox.waits(KEY)
    inbox.take(heard(Said("one")))
    taken = inbox.waits(KEY), inbox.waits(beside)
    inbox.done("e1")
    assert (before, taken, inbox.waits(KEY)) == (False, (True, False), False)


def test_an_event_is_taken_once(database: Database) -> None:
    """The same event again is not taken, before and after it was worked on."""
    inbox = Inbox(database, "slack")

    taken = [inbox.take(heard(Said("one"))), inbox.take(heard(Said("one")))]
    inbox.done("e1")
    taken.append(inbox.take(heard(Said("one"))))

    assert [True, False, False] == taken
    assert [] == inbox.left()


@FILE_ALONE
def test_what_is_done_leaves_no_words(database: Database, tmp_path: Path) -> None:
    """Once an input is worked on, its text is gone from the file."""
    inbox = Inbox(database, "slack")
    inbox.take(heard(Said("a very private question")))
    inbox.done("e1")
    database.close()
    path = tmp_path / DATABASE_FILE
    with closing(sqlite3.connect(path)) as file:
        file.execute("VACUUM")

    assert b"private question" not in path.read_bytes()


def test_a_moved_input_is_found_in_its_new_thread(database: Database) -> None:
    """An input whose thread was begun for it is left in that thread."""
    inbox = Inbox(database, "slack")
    inbox.take(heard(Said("one")))
    moved = Heard(ThreadKey("slack", "T1", "C2", "2.0"), ANA, Said("one"), "e1")
    inbox.move(moved)

    assert [moved] == inbox.left()


def test_a_team_is_forgotten(database: Database) -> None:
    """Nothing of a team is left, and another team's inputs are."""
    inbox = Inbox(database, "slack")
    other = Heard(ThreadKey("slack", "T2", "C", "1"), ANA, Said("two"), "e2")
    inbox.take(heard(Said("one")))
    inbox.take(other)
    inbox.forget("T1")

    assert [other] == inbox.left()


def test_a_channel_is_forgotten(database: Database) -> None:
    """Nothing is left to be done in a channel that the app was taken out of, and the team's others go on."""
    inbox = Inbox(database, "slack")
    stays, goes = (
        Heard(ThreadKey("teams", "T1", channel, channel), ANA, Said("one"), f"{channel}:1") for channel in ("c1", "c2")
    )
    inbox.take(stays)
    inbox.take(goes)
    inbox.forget("T1", "c2")

    assert [stays] == inbox.left()


def test_a_damaged_row_harms_no_other(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """What cannot be read is given up with a line in the log, and the rest is taken up."""
    inbox = Inbox(database, "slack")
    inbox.take(heard(Said("one")))
    inbox.take(heard(Said("two"), "e2"))
    with database.transaction() as connection:
        connection.execute(update(tables.inbox).where(tables.inbox.c.event == "e1").values(heard='{"kind": "Sung"}'))

    assert [heard(Said("two"), "e2")] == inbox.left()
    assert [heard(Said("two"), "e2")] == inbox.left()
    assert [record.getMessage() for record in caplog.records] == ["the input e1 cannot be read, and is given up"]


def test_what_cannot_be_answered_is_given_up(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """An input that nobody could answer for a day is left, and the log says so."""
    Inbox(database, "slack").take(heard(Said("one")))

    assert [] == Inbox(database, "slack", lambda: now() + INPUT_LIFETIME).left()
    assert "could not be answered for a day" in caplog.text
