"""Replies as JSON and back, each card under the name of its class.

The values of a result are left out, and so are fields that have their defaults.
"""

from dataclasses import replace
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from router.cards import Card, Chart, Progress, Reply, Table

# A plain union would be told apart by its fields, and several cards share theirs.
_CARDS: dict[str, TypeAdapter[Any]] = {card.__name__: TypeAdapter(card) for card in get_args(Card)}


def reply_json(reply: Reply) -> str:
    """Return the reply as JSON, without what it says about progress and without rows or values."""
    cards = [(type(card).__name__, card) for card in reply.cards if not isinstance(card, Progress)]
    written = [
        [name, _CARDS[name].dump_python(_bare(card), mode="json", exclude_defaults=True)] for name, card in cards
    ]
    suggested = {"suggestions": reply.suggestions} if reply.suggestions else {}
    return to_json({"turn": reply.turn, "cards": written, "sensitivity": reply.sensitivity, **suggested}).decode()


def reply_from_json(text: str) -> Reply:
    """Return the reply that was written; unknown kinds of cards are left out, and rows that an older version wrote."""
    stored = from_json(text)
    cards = tuple(_bare(_CARDS[name].validate_python(card)) for name, card in stored["cards"] if name in _CARDS)
    suggestions = tuple(stored.get("suggestions", ()))
    return Reply(cards, turn=stored["turn"], sensitivity=stored.get("sensitivity", ""), suggestions=suggestions)


def _bare(card: Card) -> Card:
    # Rows are kept in one place, the store of results, where they expire and where rights are asked for. A table that
    # is none of these says what the bot is about to do.
    if isinstance(card, Chart):
        return replace(card, labels=(), series=())
    return replace(card, rows=()) if isinstance(card, Table) and card.result else card
