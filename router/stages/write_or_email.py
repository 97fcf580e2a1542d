"""Where a result can go from here; what is missing decides which question comes next."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.memory import Writing
from router.stages.errand import LEAVE, Errand, NextOfWriting, left, next_of_writing
from router.turn import Turn


class WriteOrEmail(Errand):
    """Lead to whatever is missing, and to the job once nothing is."""

    help = "Press Write to put the rows into a table."

    def settle(self, turn: Turn) -> NextOfWriting | None:
        return next_of_writing(turn.memory.writing) if turn.memory.writing else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Where shall the result go?", (Option("write", "Write to a table"), LEAVE)),)

    def answer(self, turn: Turn) -> NextOfWriting | Literal["cancel"]:
        if left(turn):
            return "cancel"
        turn.pick("write")
        turn.memory.writing = Writing()
        return next_of_writing(turn.memory.writing)
