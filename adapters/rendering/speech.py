"""A reply in a few lines, as a notification or a screen reader says it."""

from typing import assert_never

from adapters.rendering.plain_text import count_of
from adapters.rendering.text import named_in_words, remove_unseen, reveal, strip_marks, waits_for
from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    File,
    Form,
    Link,
    Option,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.language.wording import truncate

SPOKEN_CODE_MAX_CHARS = 200
SPOKEN_ENTRIES = 5
"""Options of a menu that are read out."""


def speak(reply: Reply, decided: bool = False) -> str:
    """Return a line a card, without markup; questions that were decided are left out."""
    said = [_said(card, decided) for card in reply.cards]
    lines = [" ".join(remove_unseen(line).split()) for line in said]
    return "\n".join(line for line in lines if line)


def _said(card: Card, decided: bool) -> str:
    match card:
        case Text(body, tone):
            return "" if tone == "quiet" else strip_marks(body)
        case Code(body, caption):
            sql = truncate(" ".join(reveal(body).split()), SPOKEN_CODE_MAX_CHARS)
            return f"{caption}: {sql}" if caption else sql
        case Table():
            return _rows(card)
        case Chart(title=name) | File(name=name):
            return f"{type(card).__name__}: {name}"
        case Buttons(prompt, options):
            return "" if decided else f"{strip_marks(prompt)} {_listed(options, len(options))}"
        case Choice(prompt, options):
            return "" if decided else f"{strip_marks(prompt)} {_listed(options, SPOKEN_ENTRIES)}"
        case Form(title):
            return "" if decided else strip_marks(title)
        case Waiting():
            return "" if decided else waits_for(card, named_in_words)
        case Link(text) | Progress(text):
            return strip_marks(text)
        case _:
            assert_never(card)


def _rows(table: Table) -> str:
    """Say that rows came, without any of them: a notification is read on locked screens."""
    counted = count_of(table) if table.rows or not table.total else f"{table.total:,} rows"
    return f"Your {strip_marks(table.source)} result is ready: {counted}." if table.source else f"{counted}."


def _listed(options: tuple[Option, ...], most: int) -> str:
    listed = " / ".join(option.label for option in options[:most])
    more = " / …" if len(options) > most else ""
    return f"[{listed}{more}]" if listed else ""
