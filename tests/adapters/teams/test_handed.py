"""Cards that one person was handed are owed to everybody, until they have them too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.chat.surface import Posted
from adapters.teams.handed import Handed

AT = Posted("19:c@thread.tacv2", "7")
CARD = {"type": "AdaptiveCard"}


@pytest.fixture(name="handed")
def _handed(tmp_path: Path) -> Iterator[Handed]:
    handed = Handed(tmp_path / "handed.sqlite")
    yield handed
    handed.close()


async def test_a_card_of_ones_own_is_owed(handed: Handed) -> None:
    """What somebody was handed is owed until a drawing for everybody that was begun after it is done."""
    before = await handed.begin(AT, CARD, tells=True)
    handed.give(AT)
    handed.drawn(AT, before)
    owed = handed.owes(AT)
    handed.drawn(AT, await handed.begin(AT, CARD, tells=True))

    assert (True, False) == (owed, handed.owes(AT))


@pytest.mark.parametrize("first", ["drawn", "given"])
async def test_the_card_of_everybody_is_owed_until_they_have_it(handed: Handed, first: str) -> None:
    """The card that everybody gets is owed to nobody once they have it, whichever came first."""
    number = await handed.begin(AT, CARD, tells=True)
    if first == "drawn":
        handed.drawn(AT, number)
    handed.give(AT, number)
    owed = handed.owes(AT)
    handed.drawn(AT, number)

    assert (first == "given", False) == (owed, handed.owes(AT))


async def test_who_awaits_a_drawing_has_the_newest(handed: Handed) -> None:
    """A click hears of each drawing of its message that tells what became of it, and of no other."""
    with handed.awaited(AT) as drawing:
        await handed.begin(Posted("c", "8"), CARD, tells=True)
        await handed.begin(AT, CARD, tells=False)
        untold = drawing.begun.is_set()
        await handed.begin(AT, CARD, tells=True)
        newest = await handed.begin(AT, CARD | {"body": []}, tells=True)
    await handed.begin(AT, CARD, tells=True)

    assert not untold
    assert (True, newest, CARD | {"body": []}) == (drawing.begun.is_set(), drawing.number, drawing.card)


def test_notes_outlive_the_process(handed: Handed, tmp_path: Path) -> None:
    """What is noted is there for the next process, until it is struck out."""
    handed.note(AT, AT)
    handed.note(Posted("c", "8"), AT)
    handed.strike(AT)
    after = Handed(tmp_path / "handed.sqlite")

    assert [(Posted("c", "8"), AT)] == after.noted()
    after.close()
