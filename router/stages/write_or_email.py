"""The fork between the tasks with a result; what is missing decides which question comes next."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.errors import NotAllowed
from router.machine import Work
from router.memory.thread import Mailing, Tasks, Writing
from router.policy import writable_connections
from router.stages.send_email import NO_BCC, changed_mail, mail_rules, patched
from router.stages.shown import fields_of
from router.stages.tasks import (
    LEAVE,
    DestinationAsk,
    abandon_task,
    mailing_of,
    say_unused,
    set_mailing,
    set_writing,
    writing_of,
)
from router.stages.write_patch import labels_of, with_values
from router.turn import Said, Turn
from router.understanding.steps import step_of
from router.understanding.values.forms import mail_values
from router.understanding.values.people import copies_blindly
from router.understanding.values.reader import read_writing

WRITE, EMAIL = Option("write", "Write"), Option("email", "Email")
NO_TARGET = "There's no database that you can write to. Your administrator can add you to its writers."


Missing = Literal[
    "ask_target", "fetch_schemas", "fetch_columns", "ask_columns", "write",
    "check_query", "ask_details", "email", "ask_repeating", "repeat",
]  # fmt: skip
"""The next step of a task: what is missing is looked up or asked for, else the task is shown."""


class WriteOrEmail(DestinationAsk):
    """Lead to whatever is missing of a task, and to its card once nothing is."""

    help = "Press Write to put the rows into a table, or Email to send them to people."

    def decide_unasked(self, turn: Turn) -> Missing | None:
        return _next(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Where should the result go?", (*ways(turn), LEAVE)),)

    def answer(self, turn: Turn) -> Missing | Literal["sentence", "cancel", "unclear"]:
        if abandon_task(turn):
            return "cancel"
        given = turn.incoming.input
        wish = step_of(given.text) if isinstance(given, Said) else None
        if isinstance(given, Said) and wish and (wish.step == "write" or wish.step == "email"):
            begin_task(turn, wish.step)
            turn.memory.sentence = given.text
            return "sentence"
        task: Literal["write", "email"] | None = turn.word("write", "email")
        if task:
            begin_task(turn, task)
        return _next(turn) or turn.unclear()


def ways(turn: Turn) -> tuple[Option, ...]:
    """Return the buttons for where a result can go."""
    write = (WRITE,) if writable_connections(turn.services.connections, turn.owner) else ()
    return (*write, *((EMAIL,) if turn.services.mail_config else ()))


def begin_task(turn: Turn, word: Literal["write", "email"]) -> None:
    """Begin to ask where the result is to go; raises NotAllowed if it cannot."""
    comparing = turn.memory.tasks.comparing
    if word == "write":
        allowed = writable_connections(turn.services.connections, turn.owner)
        if not allowed:
            raise NotAllowed(NO_TARGET)
        connection = allowed[0].name if len(allowed) == 1 else ""
        turn.memory.tasks = Tasks(writing=Writing(connection), comparing=comparing)
    else:
        mail_rules(turn)
        turn.memory.tasks = Tasks(mailing=Mailing(), comparing=comparing)


def _next(turn: Turn) -> Missing | None:
    """Return what comes next of the task at hand; None if there is none."""
    tasks = turn.memory.tasks
    if tasks.repeating:
        return "repeat" if tasks.repeating.whole else "ask_repeating"
    if mailing := tasks.mailing:
        if not (mailing.recipients and mailing.subject) or any(mailing.problem):
            return "ask_details"
        return "check_query" if mailing.of_table and turn.memory.written else "email"
    if writing := tasks.writing:
        if not writing.connection:
            return "ask_target"
        if not (writing.schema and writing.table):
            return "fetch_schemas"
        if writing.columns is None:
            return "fetch_columns"
        return "ask_columns" if writing.pairs is None or turn.memory.choosing == "columns" else "write"
    return None


# The parameters of writing and e-mailing: read from a sentence by rules and a model, and checked.


class ReadParameters(Work):
    """Take what the sentence says and is there; the rest is asked for."""

    drafts_sql = True
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
    names = [field.name for field in fields_of(turn)]
    values = read_writing(sentence, turn.services.reader, turn.requester, labels_of(turn), names)
    return with_values(turn, writing_of(turn), values)


def _mailing(turn: Turn, sentence: str) -> Mailing:
    values = mail_values(sentence)
    if copies_blindly(sentence):
        turn.note(NO_BCC, "quiet")
    say_unused(turn, values.unread.text)
    known = mailing_of(turn)
    return changed_mail(turn, known, values) if values.recipients() else patched(turn, known, values)
