"""The name under which a job is listed: proposed, and changed by whoever asked for the job."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Field, Form
from router.errors import Unclear
from router.intents.words import CONFIRMATIONS, folded
from router.memory import Writing
from router.stages.errand import LEAVE, Errand, left
from router.stages.target import writing_of
from router.turn import Turn

LONGEST = 80


class NameJob(Errand):
    """Ask for another name of the job."""

    help = "Type the name under which the job is listed."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        field = Field("name", "Name", value=name_of(turn, writing_of(turn)))
        return (Form("Which name shall the job have?", (field,)), Buttons("Or:", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["named", "cancel"]:
        if left(turn):
            return "cancel"
        name = turn.text
        if not name or folded(name) in CONFIRMATIONS or len(name) > LONGEST or not name.isprintable():
            raise Unclear(f"That is no name for a job. It needs one line of at most {LONGEST} characters.")
        turn.memory.writing = replace(writing_of(turn), name=name)
        return "named"


def name_of(turn: Turn, writing: Writing) -> str:
    """Return the name that was given, or else the table's with the day."""
    return writing.name or f"{writing.table} {turn.tools.clock():%Y-%m-%d}"
