"""Forms of a comparison: sent, or typed as a line; what is wrong with a field is said there, and the rest is kept."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from router.cards import Field
from router.errors import Unclear
from router.stages.compare_sides import comparing_of
from router.turn import Turn

_PARTS = re.compile(r"[,;\n]+(?!\d)")


class WrongField(Unclear):
    """What was put into a field cannot be taken; the sentence says why."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name = name


def filled(turn: Turn, fields: Sequence[Field]) -> tuple[Field, ...]:
    """Return the fields with what was put into them last, where something of it was wrong."""
    comparing = comparing_of(turn)
    wrong, said = comparing.problem
    return tuple(
        replace(field, value=comparing.filled.get(field.name, field.value), problem=said if field.name == wrong else "")
        for field in fields
    )


def keep(turn: Turn, values: Mapping[str, str], error: WrongField) -> None:
    """Remember what was put into a form, and what is wrong with it."""
    turn.memory.comparing = replace(comparing_of(turn), filled=dict(values), problem=(error.name, str(error)))


def forget_filled(turn: Turn) -> None:
    """Have the next form begin with what holds."""
    turn.memory.comparing = replace(comparing_of(turn), filled={}, problem=("", ""))


def parts_of(text: str) -> list[str]:
    """Return what a typed line says, one thing each; a comma within a number divides nothing."""
    return [part.strip() for part in _PARTS.split(text) if part.strip()]
