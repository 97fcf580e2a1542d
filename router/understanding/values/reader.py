"""Reads where a sentence wants rows written: by kinds of values, and with a model where they leave the place open.

What the model says is believed where it stands in the words that are left, and is not denied. Measured with the
embedded model on such sentences: it finds tables, schemas and databases that are named in free words.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from pydantic import BaseModel, Field

from router.errors import AgentFailed
from router.llm.call import ModelCall, Requester
from router.text_to_sql.prompt import prompt
from router.text_to_sql.question import Model
from router.understanding.values.connections import spoken
from router.understanding.values.forms import WriteValues, write_values
from router.understanding.values.sentence import Sentence, unknown_words

NAME_MAX_CHARS = 128


class TargetShape(BaseModel):
    """The shape of an answer about a table."""

    table: str = ""
    schema_: str = Field("", alias="schema")
    database: str = ""


def read_writing(
    sentence: str, reader: Callable[[], Model], requester: Requester, connections: Mapping[str, str]
) -> WriteValues:
    """Return where the sentence wants rows written; `connections` are the labels, by name, of those it may name.

    `reader` gives the model, or raises AgentAway; without a model, what was found is returned. Raises Stopped.
    """
    values = write_values(sentence, connections)
    if (values.table and (values.schema or values.connection)) or not values.unused:
        return values
    databases = ", ".join(f"{name} ({label})" for name, label in connections.items()) or "none"
    system = prompt("params_write").format(databases=databases, example=next(iter(connections), "archive"))
    call = ModelCall(system, f"Sentence: {sentence}", requester, "params", temperature=0.0)
    try:
        said = reader().fill(TargetShape, call)
    except AgentFailed:
        return values
    return _filled(values, said, sentence, connections)


def _filled(values: WriteValues, said: TargetShape, sentence: str, connections: Mapping[str, str]) -> WriteValues:
    """Return the values with what the model says for those that are empty, if it stands in the words that are left."""
    ways = {way.casefold(): name for name, label in connections.items() for way in spoken(name, label)}
    table, schema, database = (
        _standing(sentence, values.unused, each) for each in (said.table, said.schema_, said.database)
    )
    unused = values.unused
    for used in (table, schema, database):
        unused = unused.replace(used, "").strip(" ,") if used else unused
    # A small model says a name twice where it knows one of two.
    schema = "" if schema == table or schema.casefold() in ways else schema
    table = "" if table.casefold() in ways else table
    return replace(
        values,
        connection=values.connection or ways.get(database.casefold(), ""),
        schema=values.schema or schema,
        table=values.table or table,
        unused=unused if unknown_words(unused) else "",
    )


def _standing(sentence: str, left: str, value: str) -> str:
    """Return a value as the words that are left spell it; "" where they do not have it, or the sentence denies it."""
    wanted = " ".join(value.split()).strip(" .,;:\"'“”„«»`")
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", left, re.IGNORECASE) if unknown_words(wanted) else None
    if not found or len(wanted) > NAME_MAX_CHARS:
        return ""
    typed = Sentence(sentence)
    place = typed.text.find(found[0])
    return "" if place >= 0 and typed.is_denied(place, place + len(wanted)) else found[0]
