"""A talk about rows of megabytes: what is shown, said and remembered of them."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from router.cards import File, Table, Text
from router.errors import AgentAway
from tests.support.talk import Talk

MB = 1_000_000


def _no_model() -> None:
    raise AgentAway("there is no model")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk about a shop whose customers have notes of 3 MB, and whose results may take 10."""
    talk = Talk(tmp_path, _no_model)  # type: ignore[arg-type]
    with sqlite3.connect(tmp_path / "shop.sqlite") as file:
        file.execute("UPDATE customers SET note = ? || name", ("x" * 3 * MB,))
    file.close()
    talk.change("shop", max_result_mb=10)
    talk.say("SELECT id, note FROM customers ORDER BY id")
    talk.press("yes")
    yield talk
    talk.close()


def test_the_rows_that_fit_are_shown_short_and_the_rest_is_named(talk: Talk) -> None:
    """The person reads how many there are, and why."""
    table = next(card for card in talk.replies[-1].cards if isinstance(card, Table))
    assert (table.total, table.capped, table.full) == (3, True, 10 * MB)
    assert all(len(cell or "") <= 200 for row in table.rows for cell in row)
    said = next(card for card in talk.replies[-1].cards if isinstance(card, Text))
    assert said.body == (
        "The first 3 rows are all that was read: one result takes at most 10 MB here. "
        "Ask for fewer columns or rows to see the others."
    )


def test_a_file_has_the_whole_cells_and_says_that_rows_are_missing(talk: Talk) -> None:
    """It is written below the file, too, since files are passed on."""
    talk.press("csv")
    reply = next(reply for reply in talk.replies if any(isinstance(card, File) for card in reply.cards))
    file, said = reply.cards
    assert isinstance(file, File)
    assert isinstance(said, Text)
    assert file.path.stat().st_size > 9 * MB
    assert said.body.startswith("About the file: The first 3 rows are all that was read")
