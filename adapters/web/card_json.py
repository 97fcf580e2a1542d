"""Replies as JSON and back, each card under the name of its class."""

from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from router.cards import Card, Progress, Reply

# A plain union would be told apart by its fields, and several cards share theirs.
_CARDS: dict[str, TypeAdapter[Any]] = {card.__name__: TypeAdapter(card) for card in get_args(Card)}


def reply_json(reply: Reply) -> str:
    """Return the reply as JSON, without what it says about progress."""
    cards = [(type(card).__name__, card) for card in reply.cards if not isinstance(card, Progress)]
    written = [[name, _CARDS[name].dump_python(card, mode="json")] for name, card in cards]
    return to_json({"turn": reply.turn, "cards": written}).decode()


def reply_from_json(text: str) -> Reply:
    """Return the reply that was written; cards of a kind that this version does not know are left out."""
    stored = from_json(text)
    cards = tuple(_CARDS[name].validate_python(card) for name, card in stored["cards"] if name in _CARDS)
    return Reply(cards, turn=stored["turn"])
