"""Forms of a comparison: sent, or typed as a line; what is wrong with a field is said there, and the rest is kept."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from router.cards import Field, Option
from router.errors import Unclear
from router.stages.compare.queries import change
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Filled, Turn

_PARTS = re.compile(r"[,;\n]+(?!\d)")

# Ways out of a comparison that several of its questions offer: back to a query, or to the result it began with.


def queries() -> tuple[Option, Option]:
    """Return the buttons that lead back to either query."""
    first = Option("first", "Edit the first query", overflow=True)
    return first, Option("second", "Edit the second query", overflow=True)


def edited(turn: Turn) -> Literal["first", "second"] | None:
    """Put a query back on the table where the person wants to change it."""
    word: Literal["first", "second"] | None = turn.word("first", "second")
    if word:
        change(turn, "left" if word == "first" else "right")
    return word


class WrongField(Unclear):
    """A field of a form cannot be taken as it is; the sentence says why."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name = name


def filled(turn: Turn, fields: Sequence[Field]) -> tuple[Field, ...]:
    """Return the fields with what was put into them last, where something of it was wrong."""
    comparing = comparing_of(turn)
    name, said = comparing.problem
    return tuple(
        replace(field, value=comparing.filled.get(field.name, field.value), problem=said if field.name == name else "")
        for field in fields
    )


def wrong(turn: Turn, values: Mapping[str, str], error: WrongField) -> Literal["wrong", "unclear"]:
    """Remember what was put into a form, and what is wrong with it; a line that was typed is wrong as a whole."""
    if not isinstance(turn.incoming.input, Filled):
        return turn.unclear(str(error))
    set_comparing(turn, replace(comparing_of(turn), filled=dict(values), problem=(error.name, str(error))))
    return "wrong"


def forget_filled(turn: Turn) -> None:
    """Have the next form begin with what holds."""
    set_comparing(turn, replace(comparing_of(turn), filled={}, problem=("", "")))


def parts_of(text: str) -> list[str]:
    """Return what a typed line says, one thing each; a comma within a number divides nothing."""
    return [part.strip() for part in _PARTS.split(text) if part.strip()]
