"""Reads one sentence: where a result is to be written to, or to whom it is to be e-mailed.

Values are found by kind, and a model is asked only where they leave place or people open, and words are left that could
be one. What it says is believed where it stands in these words and is not denied.

Measured with the embedded model on sentences whose values are not found: it finds tables, schemas, databases, and
people named in free words. It puts orders ("send a csv") into an e-mail's text, and invents names of jobs: it is asked
for neither.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, Field

from router.errors import AgentFailed
from router.llm.call import ModelCall, Requester
from router.text_to_sql.prompt import prompt
from router.text_to_sql.question import Model
from router.understanding.denials import is_denied
from router.understanding.values.forms import MailValues, WriteValues, mail_values, write_values
from router.understanding.values.sentence import spoken, unknown_words

NAME_MAX_CHARS = 128

Values = TypeVar("Values", WriteValues, MailValues)


class TargetShape(BaseModel):
    """The shape of an answer about a table."""

    table: str = ""
    schema_: str = Field("", alias="schema")
    database: str = ""


class LetterShape(BaseModel):
    """The shape of an answer about an e-mail."""

    to: list[str] = []
    subject: str = ""
    body: str = ""
    """Not believed, but it keeps such words out of the subject."""


def read_writing(
    sentence: str,
    reader: Callable[[], Model],
    requester: Requester,
    connections: Mapping[str, str],
    columns: Sequence[str] = (),
) -> WriteValues:
    """Return where the sentence wants rows written; `connections` are the labels, by name, of those it may name.

    `reader` gives the model, or raises AgentAway; without a model, what was found is returned. Raises Stopped.
    """
    values = write_values(sentence, connections, columns)
    if (values.table and (values.schema or values.connection)) or not values.unused:
        return values
    return _filled(values, lambda: ask_writing(sentence, values.unused, connections, reader(), requester))


def read_mailing(sentence: str, reader: Callable[[], Model], requester: Requester) -> MailValues:
    """Return to whom the sentence wants the result sent, and with what words; `reader` is as in `read_writing`."""
    values = mail_values(sentence)
    if values.dropped and not values.recipients():  # who is only left out is said, at least
        values = replace(values, unused=", ".join(filter(None, (*values.dropped, values.unused))))
    if values.recipients() or not values.unused:
        return values
    return _filled(values, lambda: ask_mailing(sentence, values.unused, reader(), requester))


def ask_writing(
    sentence: str, left: str, connections: Mapping[str, str], model: Model, requester: Requester
) -> WriteValues:
    """Return what the model reads in the words that are left of a sentence."""
    databases = ", ".join(f"{name} ({label})" for name, label in connections.items()) or "none"
    system = prompt("params_write").format(databases=databases, example=next(iter(connections), "archive"))
    said = model.fill(TargetShape, ModelCall(system, f"Sentence: {sentence}", requester, "params", temperature=0.0))
    connection = _connection(sentence, left, said.database, connections)
    table, schema = (_standing(sentence, left, each) for each in (said.table, said.schema_))
    # A small model says a name twice where it knows one of two.
    return WriteValues(
        connection,
        "" if schema == table or _connection(sentence, schema, schema, connections) else schema,
        "" if _connection(sentence, table, table, connections) else table,
    )


def ask_mailing(sentence: str, left: str, model: Model, requester: Requester) -> MailValues:
    """Return what the model reads in the words that are left of a sentence."""
    call = ModelCall(prompt("params_mail"), f"Sentence: {sentence}", requester, "params", temperature=0.0)
    said = model.fill(LetterShape, call)
    people = tuple(dict.fromkeys(filter(None, (_standing(sentence, left, who) for who in said.to))))
    return MailValues(people, subject=_standing(sentence, left, said.subject) or None)


def _filled(values: Values, ask: Callable[[], Values]) -> Values:
    """Return the values with what the model says for those that are empty; as they are where it says nothing usable."""
    try:
        said = ask()
    except AgentFailed:
        return values
    more = {name: getattr(said, name) for name in values.__slots__ if name != "unused" and not getattr(values, name)}
    used = [word for value in more.values() for word in ((value,) if isinstance(value, str) else value or ())]
    unused = values.unused
    for each in used:
        unused = unused.replace(each, "").strip(" ,") if each else unused
    return replace(values, **more, unused=unused if unknown_words(unused) else "")


def _standing(sentence: str, left: str, value: str) -> str:
    """Return a value as the words that are left spell it; "" where they do not have it, or the sentence denies it."""
    wanted = " ".join(value.split()).strip(" .,;:\"'“”„«»`")
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", left, re.IGNORECASE) if unknown_words(wanted) else None
    if not found or len(wanted) > NAME_MAX_CHARS:
        return ""
    place = " ".join(sentence.split()).find(found[0])
    return "" if place >= 0 and is_denied(" ".join(sentence.split()), place, place + len(wanted)) else found[0]


def _connection(sentence: str, left: str, value: str, connections: Mapping[str, str]) -> str:
    """Return the name of the connection, where it is one of those given and the words have its name or label."""
    for name, label in connections.items():
        ways = [way.casefold() for way in spoken(name, label)]
        if value.casefold().strip() in ways and any(_standing(sentence, left, way) for way in ways):
            return name
    return ""
