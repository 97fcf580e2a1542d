"""Rows that tell nothing: it is said, with what to do instead."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.cards import Text
from tests.platforms.ollama import Ollama
from tests.support.talk import Talk, llm_at


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url))
    yield talk
    talk.close()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT name FROM customers WHERE id < 0", "no rows: nothing in the data meets all of its conditions at once"),
        ("SELECT MAX(id) AS last FROM customers WHERE id < 0", "All of its values are empty"),
        ("SELECT COUNT(*) AS customers FROM customers WHERE id < 0", ""),
    ],
)
def test_rows_that_tell_nothing(talk: Talk, sql: str, said: str) -> None:
    """It is said, with what to ask instead; a number of nothing is an answer."""
    talk.say(sql)
    talk.press("yes")
    cards = talk.replies[-1].cards
    told = " ".join(card.body for card in cards if isinstance(card, Text) and card.tone == "plain")
    assert said in told if said else told == ""
