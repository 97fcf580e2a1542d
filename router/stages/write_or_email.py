"""The fork between writing and e-mailing a result; what is missing decides which question comes next."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.memory.thread import Mailing, Tasks, Writing
from router.policy import writable
from router.stages.send_email import mail_rules
from router.stages.tasks import (
    LEAVE,
    DestinationAsk,
    NextOfMailing,
    NextOfWriting,
    left,
    next_of_mailing,
    next_of_writing,
)
from router.turn import Said, Turn
from router.understanding.result_actions import result_action_of

WRITE, EMAIL = Option("write", "Write"), Option("email", "Email")


class WriteOrEmail(DestinationAsk):
    """Lead to whatever is missing, and to the job once nothing is."""

    help = "Press Write to put the rows into a table, or Email to send them to people."

    def settle(self, turn: Turn) -> NextOfWriting | NextOfMailing | None:
        return _next(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Where shall the result go?", (*ways(turn), LEAVE)),)

    def answer(self, turn: Turn) -> NextOfWriting | NextOfMailing | Literal["sentence", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        if wish := wished(turn):
            return wish
        task: Literal["write", "email"] | None = turn.word("write", "email")
        if task is None:
            return turn.unclear()
        begin(turn, task)
        found = _next(turn)
        assert found
        return found


def ways(turn: Turn) -> tuple[Option, ...]:
    """Return the buttons for where a result can go."""
    write = (WRITE,) if writable(turn.services.connections, turn.owner) else ()
    return (*write, *((EMAIL,) if turn.services.mail_config else ()))


def begin(turn: Turn, word: Literal["write", "email"]) -> None:
    """Begin to ask where the result shall go; raises NotAllowed where it cannot."""
    comparing = turn.memory.tasks.comparing
    if word == "write":
        turn.memory.tasks = Tasks(writing=Writing(), comparing=comparing)
    else:
        mail_rules(turn)
        turn.memory.tasks = Tasks(mailing=Mailing(), comparing=comparing)


def wished(turn: Turn) -> Literal["sentence"] | None:
    """Begin a task that was typed as a sentence, and return the word for that; None where it is none."""
    given = turn.incoming.input
    if not isinstance(given, Said) or not (task := result_action_of(given.text)):
        return None
    begin(turn, task)
    turn.memory.sentence = given.text
    return "sentence"


def _next(turn: Turn) -> NextOfWriting | NextOfMailing | None:
    tasks = turn.memory.tasks
    if tasks.writing:
        return next_of_writing(tasks.writing)
    return next_of_mailing(tasks.mailing, bool(turn.memory.written)) if tasks.mailing else None
