"""Databases and schemas that are chosen by their place in the menu."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.memory.draft import Place
from router.memory.stage import Stage
from tests.platforms.ollama import Ollama
from tests.support.talk import Talk, llm_at


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    with Ollama(script=lambda prompt: "SELECT name FROM regions") as server:
        talk = Talk(tmp_path, partial(llm_at, server.url), ("shop", "archive"))
        yield talk
        talk.close()


def test_a_place_in_the_menu_is_an_answer(talk: Talk) -> None:
    """A number is the entry at this place, counted from 1, of a menu of databases or schemas; others are refused."""
    talk.say("which regions are there?")
    assert "That is not one of the databases." in talk.say("3")
    talk.say("2")
    assert (Stage.CHOOSE_SCHEMA, Place("archive")) == (talk.stage, talk.memory.place)
    for wrong in ("0", "4", "-1", "9" * 5000):
        assert "That is not one of the schemas." in talk.say(wrong)
    talk.say("1")

    assert Place("archive", "main") == talk.memory.place


@pytest.mark.parametrize(
    ("typed", "connection"),
    [("the archive", "archive"), ("first one", "shop"), ("the last", "archive"), ("arch", "archive")],
)
def test_a_part_of_a_name_is_an_answer(talk: Talk, typed: str, connection: str) -> None:
    """A database is chosen by a part of its name, or by its place in words."""
    talk.say("which regions are there?")
    talk.say(typed)

    assert connection == talk.memory.place.connection


def test_a_name_that_fits_several_is_asked_back(talk: Talk) -> None:
    """Where a part of a name fits several databases, these are named."""
    talk.change("archive", label="Old goods")
    talk.change("shop", label="New goods")
    talk.say("which regions are there?")

    assert "“the goods” fits New goods and Old goods. Type more of the name." in talk.say("the goods")
    talk.say("the old goods")
    assert "archive" == talk.memory.place.connection
