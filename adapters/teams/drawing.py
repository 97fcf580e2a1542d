"""A drawn reply on its way to Teams, how much of it is drawn, and its size there."""

import json
from dataclasses import dataclass
from typing import Any

from adapters.rendering.attachment import Attached

Element = dict[str, Any]

VERSION = "1.5"
"""The newest version of Adaptive Cards that every client of Teams shows."""


@dataclass(frozen=True, slots=True)
class Detail:
    """The most that is drawn: rows of a table, characters of a cell, and those of a text or of SQL."""

    rows: int
    cell: int
    chars: int


DETAILS = (
    Detail(20, 120, 12_000),
    Detail(20, 60, 6_000),
    Detail(20, 30, 3_000),
    Detail(20, 12, 1_500),
    Detail(20, 12, 500),
    Detail(8, 12, 500),
    Detail(2, 12, 150),
)
"""From the best on: of a message, the first is taken that fits."""


@dataclass(frozen=True, slots=True)
class TeamsMessage:
    """A message: `card` is an Adaptive Card, None if the text is all of it.

    `text` is Markdown that shows literally what it says; `summary` is the same as plain text, for notifications;
    neither is ever empty. `files` are what belongs to it, each with a link in it if there are links.
    """

    text: str
    card: Element | None = None
    files: tuple[Attached, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class CardElements:
    """One card of the router as elements; `cut` if not all of it could be drawn, so that it must be attached."""

    elements: tuple[Element, ...] = ()
    files: tuple[Attached, ...] = ()
    cut: bool = False


def size_of(value: Any) -> int:
    """Return the bytes of a value's JSON in UTF-16, which is how Teams counts."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass"))


def adaptive(elements: list[Element], fallback: str = "") -> Element:
    """Return an Adaptive Card as wide as the chat; `fallback` is read if a client cannot show it."""
    return {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": VERSION,
        **({"fallbackText": fallback} if fallback else {}),
        "msteams": {"width": "Full"},
        "body": elements,
    }
