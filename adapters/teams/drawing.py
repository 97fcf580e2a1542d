"""A drawn reply on its way to Teams, and its size there."""

import json
from dataclasses import dataclass
from typing import Any

from adapters.rendering.attachment import Attached

Element = dict[str, Any]

VERSION = "1.5"
"""The newest version of Adaptive Cards that every client of Teams shows."""


@dataclass(frozen=True, slots=True)
class TeamsMessage:
    """A message: `card` is an Adaptive Card, None where the text is all of it.

    `text` is Markdown that shows literally what it says, for old clients and for messages without a card; `summary` is
    the same as plain text, for notifications; neither is ever empty. `files` are what the card holds no link to.
    """

    text: str
    card: Element | None = None
    files: tuple[Attached, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class CardElements:
    """One card of the router as elements; `cut` where not all of it could be drawn, so that it must be attached."""

    elements: tuple[Element, ...] = ()
    files: tuple[Attached, ...] = ()
    cut: bool = False


def size_of(value: Any) -> int:
    """Return the bytes of a value's JSON in UTF-16, which is how Teams counts."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass"))


def adaptive(elements: list[Element], fallback: str, refresh: Element | None = None) -> Element:
    """Return an Adaptive Card as wide as the chat; `fallback` is read where a client cannot show it."""
    return {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": VERSION,
        "fallbackText": fallback,
        "msteams": {"width": "Full"},
        **({"refresh": refresh} if refresh else {}),
        "body": elements,
    }
