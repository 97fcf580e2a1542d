"""Cards that one person was handed are owed to everybody, until they have them too."""

import pytest

from adapters.chat.surface import Posted
from adapters.teams.private_cards import PrivateCards
from router.storage.database import Database

AT = Posted("19:c@thread.tacv2", "7")
CARD = {"type": "AdaptiveCard"}


@pytest.fixture(name="private_cards")
def _handed(database: Database) -> PrivateCards:
    return PrivateCards(database)


async def test_a_card_of_ones_own_is_owed(private_cards: PrivateCards) -> None:
    """What somebody was handed is owed until a drawing for everybody that was begun after it is done."""
    before = await private_cards.begin(AT, CARD, tells=True)
    private_cards.give(AT)
    private_cards.drawn(AT, before)
    owed = private_cards.owes(AT)
    private_cards.drawn(AT, await private_cards.begin(AT, CARD, tells=True))

    assert (True, False) == (owed, private_cards.owes(AT))


@pytest.mark.parametrize("first", ["drawn", "given"])
async def test_the_card_of_everybody_is_owed_until_they_have_it(private_cards: PrivateCards, first: str) -> None:
    """The card that everybody gets is owed to nobody once they have it, whichever came first."""
    number = await private_cards.begin(AT, CARD, tells=True)
    if first == "drawn":
        private_cards.drawn(AT, number)
    private_cards.give(AT, number)
    owed = private_cards.owes(AT)
    private_cards.drawn(AT, number)

    assert (first == "given", False) == (owed, private_cards.owes(AT))


async def test_who_awaits_a_drawing_has_the_newest(private_cards: PrivateCards) -> None:
    """A click hears of each drawing of its message that tells what became of it, and of no other."""
    with private_cards.awaited(AT) as drawing:
        await private_cards.begin(Posted("c", "8"), CARD, tells=True)
        await private_cards.begin(AT, CARD, tells=False)
        untold = drawing.begun.is_set()
        await private_cards.begin(AT, CARD, tells=True)
        newest = await private_cards.begin(AT, CARD | {"body": []}, tells=True)
    await private_cards.begin(AT, CARD, tells=True)

    assert not untold
    assert (True, newest, CARD | {"body": []}) == (drawing.begun.is_set(), drawing.number, drawing.card)


def test_notes_outlive_the_process(database: Database, private_cards: PrivateCards) -> None:
    """What is noted is there for the next process, until it is struck out."""
    private_cards.note(AT, AT)
    private_cards.note(Posted("c", "8"), AT)
    private_cards.strike(AT)
    after = PrivateCards(database)

    assert [(Posted("c", "8"), AT)] == after.noted()
