"""Where a result can go from here; what is missing decides which question comes next."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.intents.errands import errand_of
from router.memory import Mailing, Writing
from router.policy import writable
from router.stages.errand import (
    LEAVE,
    Errand,
    NextOfMailing,
    NextOfWriting,
    left,
    next_of_mailing,
    next_of_writing,
)
from router.stages.send_email import office_of
from router.turn import Said, Turn

WRITE, EMAIL = Option("write", "Write"), Option("email", "Email")


class WriteOrEmail(Errand):
    """Lead to whatever is missing, and to the job once nothing is."""

    help = "Press Write to put the rows into a table, or Email to send them to people."

    def settle(self, turn: Turn) -> NextOfWriting | NextOfMailing | None:
        return _next(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Where shall the result go?", (*ways(turn), LEAVE)),)

    def answer(self, turn: Turn) -> NextOfWriting | NextOfMailing | Literal["sentence", "cancel"]:
        if left(turn):
            return "cancel"
        if wish := wished(turn):
            return wish
        begin(turn, turn.pick("write", "email"))
        found = _next(turn)
        assert found
        return found


def ways(turn: Turn) -> tuple[Option, ...]:
    """Return the buttons for where a result can go."""
    write = (WRITE,) if writable(turn.tools.connections, turn.owner) else ()
    return (*write, *((EMAIL,) if turn.tools.office else ()))


def begin(turn: Turn, word: Literal["write", "email"]) -> None:
    """Begin to ask where the result shall go; raises NotAllowed where it cannot."""
    turn.memory.repeating = None
    if word == "write":
        turn.memory.writing, turn.memory.mailing = Writing(), None
    else:
        office_of(turn)
        turn.memory.writing, turn.memory.mailing = None, Mailing()


def wished(turn: Turn) -> Literal["sentence"] | None:
    """Begin an errand that was typed as a sentence, and return the word for that; None where it is none."""
    given = turn.incoming.input
    if not isinstance(given, Said) or not (errand := errand_of(given.text)):
        return None
    begin(turn, errand)
    turn.memory.sentence = given.text
    return "sentence"


def _next(turn: Turn) -> NextOfWriting | NextOfMailing | None:
    memory = turn.memory
    if memory.writing:
        return next_of_writing(memory.writing)
    return next_of_mailing(memory.mailing, bool(memory.written)) if memory.mailing else None
