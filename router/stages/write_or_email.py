"""The fork between writing and e-mailing a result; what is missing decides which question comes next."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.machine import Work
from router.memory.thread import Mailing, Tasks, Writing
from router.policy import writable
from router.stages.send_email import NO_BCC, changed_mail, mail_rules, patched
from router.stages.shown import answer_of
from router.stages.tasks import (
    LEAVE,
    DestinationAsk,
    NextOfMailing,
    NextOfWriting,
    left,
    mailing_of,
    next_of_mailing,
    next_of_writing,
    say_unused,
    set_mailing,
    set_writing,
    writing_of,
)
from router.stages.write_patch import labels_of, with_values
from router.turn import Said, Turn
from router.understanding.steps import result_action_of
from router.understanding.values.forms import mail_values
from router.understanding.values.people import copies_blindly
from router.understanding.values.reader import read_writing

WRITE, EMAIL = Option("write", "Write"), Option("email", "Email")


class WriteOrEmail(DestinationAsk):
    """Lead to whatever is missing, and to the job once nothing is."""

    help = "Press Write to put the rows into a table, or Email to send them to people."

    def settle(self, turn: Turn) -> NextOfWriting | NextOfMailing | None:
        return _next(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Where should the result go?", (*ways(turn), LEAVE)),)

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


# The parameters of writing and e-mailing: read from a sentence by rules and a model, and checked.


class ReadParameters(Work):
    """Take what the sentence says and is there; the rest is asked for."""

    writes = True
    doing = "Reading what you wrote…"

    def work(self, turn: Turn) -> Literal["read"]:
        memory = turn.memory
        if memory.tasks.mailing is None:
            set_writing(turn, _writing(turn, memory.sentence))
        else:
            set_mailing(turn, _mailing(turn, memory.sentence))
        memory.sentence = ""
        return "read"

    def failed(self, turn: Turn) -> Literal["failed"]:
        turn.memory.sentence = ""
        return "failed"


def _writing(turn: Turn, sentence: str) -> Writing:
    names = [field.name for field in turn.results.fields(answer_of(turn).result)]
    values = read_writing(sentence, turn.services.reader, turn.requester, labels_of(turn), names)
    return with_values(turn, writing_of(turn), values)


def _mailing(turn: Turn, sentence: str) -> Mailing:
    values = mail_values(sentence)
    if copies_blindly(sentence):
        turn.note(NO_BCC, "quiet")
    say_unused(turn, values.unread.text)
    known = replace(mailing_of(turn), asked=True)  # whoever says "it" under a result means the result
    return changed_mail(turn, known, values) if values.recipients() else patched(turn, known, values)
