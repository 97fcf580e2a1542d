"""Long texts are compressed in a file, and are texts on a server."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from sqlalchemy import select, text, update

from router.storage.database import Database, home_database
from router.storage.packed_text import PACKED_CHARS, packed, unpacked
from router.storage.tables import page_entries
from tests.support.postgres import PostgresDatabase

LONG = '{"turn": 3, "ä": "\u2028"}' * PACKED_CHARS


@given(some.text(some.characters(exclude_categories=["Cs"])))
@example(LONG)
@example("x" * (PACKED_CHARS - 1))
def test_each_text_comes_back(given: str) -> None:
    """Whatever is in it."""
    assert given == unpacked(packed(given))


def test_a_file_has_bytes(database: Database) -> None:
    """Only of long texts; what an earlier version stored as a text is read as such."""
    assert [(LONG, bytes), ("{}", str), (None, type(None))] == stored(database)
    with database.transaction() as connection:
        connection.execute(text("UPDATE page_entries SET reply = :old"), {"old": LONG})
        assert [LONG] * 3 == list(connection.execute(select(page_entries.c.reply)).scalars())
        connection.execute(update(page_entries).values(reply="[]" * PACKED_CHARS))
        assert ["[]" * PACKED_CHARS] * 3 == list(connection.execute(select(page_entries.c.reply)).scalars())


def test_a_server_has_texts(postgres: PostgresDatabase) -> None:
    """SQL can read them."""
    with closing(Database(postgres.owner_url)) as database:
        assert [(LONG, str), ("{}", str), (None, type(None))] == stored(database)


@pytest.fixture(name="database")
def _database(tmp_path: Path) -> Iterator[Database]:
    with closing(home_database(tmp_path)) as opened:
        yield opened


def stored(database: Database) -> list[tuple[str | None, type]]:
    """Return a long text, a short one, and none, as they are read, each with the type that the database has."""
    with database.transaction() as connection:
        entry = {"thread": "t"}
        connection.execute(page_entries.insert(), [{**entry, "reply": each} for each in (LONG, "{}", None)])
        read = connection.execute(select(page_entries.c.reply).order_by(page_entries.c.number)).scalars().all()
        raw = connection.execute(text("SELECT reply FROM page_entries ORDER BY number")).scalars().all()
    return [(each, type(value)) for each, value in zip(read, raw, strict=True)]
