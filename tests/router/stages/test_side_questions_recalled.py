"""The history of questions is told as they typed it, wherever they typed it."""

from collections.abc import Iterator

import pytest

from tests.platforms.ollama import Ollama
from tests.support.talk import Talk

RECALL = "what did I ask before?"


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: "SELECT id, name FROM regions") as server:
        yield server


def told(talk: Talk, *lines: str) -> list[str]:
    """Return what is listed after these lines were typed."""
    for line in lines:
        talk.say(line)
    said = talk.say(RECALL).partition("asked here:\n")[2].partition("\n\n")[0]
    return [each.partition(". ")[2] for each in said.splitlines()]


@pytest.mark.parametrize(
    ("lines", "listed"),
    [
        (
            ("compare two queries", "list the regions by number", "yes", "list the names of all regions"),
            ["list the regions by number", "list the names of all regions"],
        ),
        (("compare regions with customers",), ["compare regions with customers"]),
        (("compare two queries", "provide", "SELECT id FROM regions"), ["SELECT id FROM regions"]),
        (("only for Germany", "how many regions are there?"), ["only for Germany", "how many regions are there?"]),
        (
            ("what tables are there? How many customers are there?", "thanks"),
            ["what tables are there? How many customers are there?"],
        ),
        (("how many regions are there?", RECALL, "cancel", "is it raining?"), ["how many regions are there?"]),
    ],
)
def test_each_question_is_listed_once_as_it_was_typed(talk: Talk, lines: tuple[str, ...], listed: list[str]) -> None:
    """In a comparison, as SQL, in place of what was asked back about, or two in one message; asides are none."""
    assert listed == told(talk, *lines)
