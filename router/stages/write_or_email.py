"""The fork between writing and e-mailing a result; what is missing decides which question comes next."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.catalog.targets import takes_rows
from router.jobs.results.cells import line
from router.machine import Work
from router.memory.thread import Mailing, Tasks, Writing
from router.policy import writable
from router.stages.send_email import NO_BCC, asks_bcc, checked, mail_rules, subject_of_answer
from router.stages.tasks import (
    LEAVE,
    DestinationAsk,
    NextOfMailing,
    NextOfWriting,
    left,
    mailing_of,
    next_of_mailing,
    next_of_writing,
    set_mailing,
    set_writing,
    writing_of,
)
from router.turn import Said, Turn
from router.understanding.parameters.reader import read_mailing, read_writing
from router.understanding.parameters.sentence import WritingWish
from router.understanding.steps import result_action_of

UNUSED_MAX_CHARS = 120
"""Characters that are shown of what was not used."""

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
    allowed = writable(turn.services.connections, turn.owner)
    wish = read_writing(
        sentence,
        turn.services.reader,
        turn.requester,
        {connection.name: connection.label for connection in allowed},
    )
    names = [wish.connection] if wish.connection else [connection.name for connection in allowed]
    _say_unused(turn, wish.unused)
    connection, schema = _place(turn, wish, names)
    if wish.schema and not schema:
        turn.note(f"There is no schema `{wish.schema}` that you may write to.", "quiet")
    return replace(
        writing_of(turn), connection=connection, schema=schema, table=wish.table, mode=wish.mode, name=wish.name
    )


def _say_unused(turn: Turn, unused: str) -> None:
    """Say which words of the sentence the card below does not have."""
    if unused:
        turn.note(f"Not used: “{line(unused, UNUSED_MAX_CHARS)}”.", "quiet")


def _place(turn: Turn, wish: WritingWish, names: list[str]) -> tuple[str, str]:
    """Return the only connection that can be meant, and the schema as it is spelled there; "" for what is not clear."""
    if not wish.schema:
        return (names[0], "") if len(names) == 1 else ("", "")
    found = [
        (name, schema)
        for name in names
        for schema in turn.services.catalog.schemas(name)
        if schema.casefold() == wish.schema.casefold() and takes_rows(turn.services.connections.demand(name), schema)
    ]
    if len(found) == 1:
        return found[0]
    return (names[0] if len(names) == 1 else "", "")


def _mailing(turn: Turn, sentence: str) -> Mailing:
    wish = read_mailing(sentence, turn.services.reader, turn.requester)
    if asks_bcc(sentence):
        turn.note(NO_BCC, "quiet")
    _say_unused(turn, wish.unused)
    known = mailing_of(turn)
    mailing = replace(
        known,
        to=", ".join(wish.recipients) or known.to,
        subject=wish.subject or known.subject,
        body=wish.body or known.body,
        form=wish.form or known.form,
        asked=True,  # whoever says "it" under a result means the result
    )
    if not wish.recipients:
        return mailing
    return checked(turn, replace(mailing, subject=subject_of_answer(turn, mailing)))
