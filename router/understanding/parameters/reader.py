"""Reading one sentence: where a result shall be written to, or to whom it shall be e-mailed.

Rules read first, and a model is asked only where they found no place or nobody, and words are left that could be one.
What it says is believed where the sentence has it; and what was read is a wish: whoever uses it checks it against what
there is, and asks for the rest.

Measured with the embedded model on sentences that rules do not read: it finds tables, schemas, databases, and people
named in free words. It puts orders ("send a csv") into an e-mail's text, and invents names of jobs: it is not asked for
a job's name, and the text, which keeps such words out of the subject, is not believed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from pydantic import BaseModel, Field

from router.errors import AgentFailed
from router.llm.call import ModelCall, Requester, Shape
from router.text_to_sql.prompt import prompt
from router.text_to_sql.question import Model
from router.understanding.parameters.mailing import rules_of_mailing
from router.understanding.parameters.sentence import (
    NO_NAME,
    NO_VALUE,
    MailingWish,
    Rest,
    WritingWish,
    spoken,
    unknown_words,
    unused_parts,
)
from router.understanding.parameters.writing import rules_of_writing

REQUEST_MAX_CHARS = 1000
"""Characters of a sentence: of a longer text nothing is read."""

Wish = TypeVar("Wish", WritingWish, MailingWish)


class AskModel(Protocol):
    """A question to a model, for whoever waits for the answer."""

    def __call__(self, shape: type[Shape], system: str, user: str) -> Shape:
        """Return the answer; raises AgentFailed or Stopped."""


def read_writing(
    sentence: str, reader: Callable[[], Model], requester: Requester, connections: Mapping[str, str]
) -> WritingWish:
    """Return where the sentence wants rows written; `connections` are the labels, by name, of those it may name.

    `reader` gives the model, or raises AgentAway; without a model, what rules read is returned. Raises Stopped.
    """
    rest = Rest(sentence if len(sentence) <= REQUEST_MAX_CHARS else "")
    wish = rules_of_writing(rest, connections)
    if not (wish.table and (wish.schema or wish.connection)) and unknown_words(rest.left):
        wish = _completed(wish, lambda: ask_writing(rest, connections, _asking(reader, requester)))
    return replace(wish, unused=unused_parts(rest, (wish.connection, wish.schema, wish.table, wish.name)))


def read_mailing(sentence: str, reader: Callable[[], Model], requester: Requester) -> MailingWish:
    """Return to whom the sentence wants the result sent, and with what words; `reader` is as in `read_writing`."""
    rest = Rest(sentence if len(sentence) <= REQUEST_MAX_CHARS else "")
    wish = rules_of_mailing(rest)
    if not wish.recipients and unknown_words(rest.left):
        wish = _completed(wish, lambda: ask_mailing(rest, _asking(reader, requester)))
    return replace(wish, unused=unused_parts(rest, (*wish.recipients, wish.subject)))


def _asking(reader: Callable[[], Model], requester: Requester) -> AskModel:
    def ask(shape: type[Shape], system: str, user: str) -> Shape:
        return reader().fill(shape, ModelCall(system, user, requester, "params", temperature=0.0))

    return ask


def _completed(wish: Wish, said: Callable[[], Wish]) -> Wish:
    """Return the wish with what the model says for its empty fields; as it is where the model says nothing usable."""
    try:
        more = said()
    except AgentFailed:
        return wish
    return replace(wish, **{name: getattr(more, name) for name in wish.__slots__ if not getattr(wish, name)})


# A model's value is believed where the sentence has it, and returned as the sentence spells it.


def phrase_in(sentence: str, value: str) -> str:
    """Return the words as the sentence spells them; "" where it does not, or they are the request's."""
    wanted = " ".join(value.split()).strip(" .,;:\"'“”„«»`")
    if wanted.lower() in NO_VALUE or not unknown_words(wanted):
        return ""
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", " ".join(sentence.split()), re.IGNORECASE)
    return found[0] if found else ""


def name_in(sentence: str, value: str) -> str:
    """Return the name as the sentence spells it; "" where it does not have it, or it is a word that names nothing."""
    found = phrase_in(sentence, value)
    return "" if len(found) > 128 or all(word in NO_NAME for word in found.lower().split()) else found


def connection_in(sentence: str, value: str, connections: Mapping[str, str]) -> str:
    """Return the name of the connection, where it is one of those given and the sentence has its name or label."""
    wanted = value.casefold().strip()
    for name, label in connections.items():
        ways = list(spoken(name, label))
        if wanted in (way.casefold() for way in ways) and any(phrase_in(sentence, way) for way in ways):
            return name
    return ""


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


def ask_writing(rest: Rest, connections: Mapping[str, str], ask: AskModel) -> WritingWish:
    """Return what the model reads in words that are left; `connections` are labels by name."""
    databases = ", ".join(f"{name} ({label})" for name, label in connections.items())
    system = prompt("params_write").format(databases=databases or "none", example=next(iter(connections), "archive"))
    said = ask(TargetShape, system, f"Sentence: {rest.text}")
    connection = connection_in(rest.left, said.database, connections)
    table = name_in(rest.left, said.table)
    schema = name_in(rest.left, said.schema_)
    # A small model says a name twice where it knows one of two.
    return WritingWish(
        connection,
        "" if schema in ("", table) or connection_in(schema, schema, connections) else schema,
        "" if connection_in(table, table, connections) else table,
    )


def ask_mailing(rest: Rest, ask: AskModel) -> MailingWish:
    """Return what the model reads in words that are left."""
    said = ask(LetterShape, prompt("params_mail"), f"Sentence: {rest.text}")
    found = (phrase_in(rest.left, who) for who in said.to)
    return MailingWish(tuple(dict.fromkeys(who for who in found if who)), phrase_in(rest.left, said.subject))
