"""Messages in Teams that quote a card of the bot: what is typed is about that card."""

import pytest

from router.interactions.validation import QUOTES_EARLIER, QUOTES_UNKNOWN
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.world import Message

WHERE = pytest.mark.parametrize("where", ["ana", "board", "General"], ids=["personal", "group", "channel"])


def reply(site: TeamsSite, card: Message, words: str, user: str = "ana", *also: Message) -> Message:
    """Have somebody reply to a card with a quote, in its thread."""
    thread = card if card.conversation.kind == "channel" else None
    return site.teams.say(card.conversation, words, user=user, thread=thread, quotes=(*also, card))


@WHERE
def test_ok_to_a_card(site: TeamsSite, where: str) -> None:
    """It runs exactly the SQL of the card that is quoted."""
    card = site.offered(site.ask(f"revenue by region, quoted in {where}?", where=where), "Run on Shop")
    runs = site.runs()
    said = reply(site, card, "ok")
    site.offered(said, "CSV")
    assert site.runs() == runs + 1


@WHERE
def test_ok_to_an_earlier_card(site: TeamsSite, where: str) -> None:
    """It runs nothing, least of all the card that stands now; neither does one that quotes what is not known."""
    asked = site.ask("SELECT name FROM regions", where=where)
    earlier = site.offered(asked, "Run on Shop")
    again = site.ask("SELECT id FROM regions", where=where, thread=asked)
    now = site.offered(again, "Run on Shop")
    runs = site.runs()
    told = site.shown(reply(site, earlier, "ok"), QUOTES_EARLIER, 20)
    site.shown(reply(site, again, "run", "ana"), QUOTES_UNKNOWN, 20)
    assert site.runs() == runs
    assert now.id != earlier.id != told.id


def test_ok_of_an_approver(site: TeamsSite) -> None:
    """In a group chat, each has a talk of their own: a quote says which one an approver's word is about."""
    runs = site.runs()
    card = site.shown(site.ask("revenue by region, for payroll?", "otto", "board"), "Waiting for")
    reply(site, card, "ok", "bob")
    site.teams.wait_message("bob", "Otto started this conversation")  # what comes before that is told to wait
    assert site.runs() == runs
    said = reply(site, card, "ok", "carla")
    site.shown(said, "CSV")
    assert site.runs() == runs + 1
