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
    for wrong in ("0", "3", "-1", "9" * 5000, "²"):
        assert "That is not one of the schemas." in talk.say(wrong)
    talk.say("1")

    assert Place("archive", "main") == talk.memory.place
