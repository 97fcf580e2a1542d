"""The parameters of writing and e-mailing: read from a sentence by rules and a model, and checked."""

from dataclasses import replace
from typing import Literal

from router.catalog.targets import takes_rows
from router.machine import Work
from router.memory.thread import Mailing, Writing
from router.policy import writable
from router.stages.send_email import checked, subject_of_answer
from router.stages.tasks import mailing_of, set_mailing, set_writing, writing_of
from router.turn import Turn
from router.understanding.parameters.reader import read_mailing, read_writing
from router.understanding.parameters.sentence import WritingWish


class ReadParameters(Work):
    """Take what the sentence says and is there; the rest is asked for."""

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
    connection, schema = _place(turn, wish, names)
    if wish.schema and not schema:
        turn.note(f"There is no schema `{wish.schema}` that you may write to.", "quiet")
    return replace(
        writing_of(turn), connection=connection, schema=schema, table=wish.table, mode=wish.mode, name=wish.name
    )


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
