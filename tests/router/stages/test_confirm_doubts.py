"""What a person is told to look at before SQL runs."""

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


def plain(talk: Talk) -> list[str]:
    """Return the plain sentences of the last answer."""
    return [card.body for card in talk.replies[-1].cards if isinstance(card, Text) and card.tone == "plain"]


def test_the_card_says_what_to_look_at(talk: Talk, server: Ollama) -> None:
    """What the question says and the SQL does not is told above the buttons; SQL of one's own is not doubted."""
    server.enqueue("SELECT name FROM customers")
    talk.say("How many customers are there in the list?")
    assert ["Please check: The question says “How many”, but the SQL counts nothing."] == plain(talk)
    server.enqueue("SELECT COUNT(*) FROM customers")
    talk.say("ask: How many customers are there in the list?")
    assert [] == plain(talk)
    talk.press("edit")
    talk.fill(sql="SELECT name FROM customers")
    assert [] == plain(talk)
