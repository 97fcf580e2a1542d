"""Text as elements that show it literally: TextBlock reads Markdown and is never used, RichTextBlock reads nothing."""

import re
from typing import Any

from adapters.fitting import split
from adapters.markup import Mark, pieces
from adapters.teams.drawn import Element, Part, size_of
from adapters.unseen import clean
from router.cards import Text

LEAST_ROOM = 1_000
"""Bytes below which it makes no sense to begin a card."""

MOST_LINES = 40
"""Lines of a text that are elements of their own; the others share the last one."""

_MARKS: dict[Mark, dict[str, Any]] = {"": {}, "code": {"fontType": "Monospace"}, "bold": {"weight": "Bolder"}}
_SMALL: dict[str, Any] = {"size": "Small", "isSubtle": True}
_ALARM: dict[str, Any] = {"color": "Attention"}


def draw_text(card: Text, room: int) -> Part:
    """Draw a Text card in at most `room` bytes."""
    body = clean(card.body).strip()
    if not body:
        return Part()
    if room < LEAST_ROOM:
        return Part(cut=True)
    look = {"quiet": _SMALL, "problem": _ALARM, "plain": {}}[card.tone]
    body = ("⚠️ " if card.tone == "problem" else "") + body
    most = room // 2
    while True:
        parts = split(body[: most + 1], most)
        drawn = paragraphs(parts[0].strip() + (" …" if len(parts) > 1 else ""), **look)
        if (size := size_of(drawn)) <= room or most < 10:
            break
        most = min(most, len(body)) * room // (size + 1) * 9 // 10
    return Part(tuple(drawn), cut=len(parts) > 1) if size <= room else Part(cut=True)


def paragraphs(body: str, **look: Any) -> list[Element]:
    """Return the body of a Text card, a line an element; an empty line is seen as a wider gap."""
    drawn: list[Element] = []
    gap = True
    lines = clean(body).strip().split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "\n".join(lines[MOST_LINES - 1 :])]
    for line in lines:
        runs = [run(text, **look, **_MARKS[mark]) for text, mark in pieces(line.strip())]
        if runs:
            drawn.append(block(*runs) if gap else block(*runs) | {"spacing": "None"})
        gap = not runs
    return drawn


def block(*runs: Element) -> Element:
    """Return an element of some texts in one line."""
    return {"type": "RichTextBlock", "inlines": list(runs)}


def run(text: str, **look: Any) -> Element:
    """Return a piece of text."""
    return {"type": "TextRun", "text": literal(text), **look}


def small(text: str) -> Element:
    """Return a line of small print, without markup; its lines may be several."""
    return block(run(clean(text), **_SMALL))


def bold(text: str) -> Element:
    """Return a heading, without markup."""
    return block(run(clean(text), weight="Bolder"))


def alarm(text: str) -> Element:
    """Return what is wrong, without markup."""
    return block(run(f"⚠️ {clean(text)}", **_ALARM))


def literal(text: str) -> str:
    """Return the text with a joiner in what clients would read as a date of their own: {{DATE(...)}}."""
    return re.sub(r"\{(?=\{(?:DATE|TIME)\()", "{\u2060", text)
