"""Reads where a sentence wants rows written: by kinds of values, and with a model if they leave the place open.

What the model says is believed if it stands in the words that are left, and is not denied. Measured with the
embedded model on such sentences: it finds tables, schemas and databases that are named in free words.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace

from pydantic import BaseModel, Field

from router.errors import AgentFailed
from router.llm.call import ModelCall, Requester
from router.text_to_sql.prompt import prompt
from router.text_to_sql.question import Model
from router.understanding.unread import Unread
from router.understanding.values.connections import spoken
from router.understanding.values.forms import WriteValues, write_values
from router.understanding.values.sentence import Sentence, unknown_words

NAME_MAX_CHARS = 128


class TargetShape(BaseModel):
    """The shape of an answer about a table."""

    table: str = ""
    schema_: str = Field("", alias="schema")


def read_writing(
    sentence: str,
    reader: Callable[[], Model],
    requester: Requester,
    connections: Mapping[str, str],
    columns: Sequence[str] = (),
) -> WriteValues:
    """Return where the sentence wants rows written.

    `connections` are the labels, by name, of those it may name, `columns` those of the result.
    `reader` gives the model, or raises AgentAway; without a model, what was found is returned. Raises Stopped.
    """
    values = write_values(sentence, connections, columns=columns)
    if (values.table and (values.schema or values.connection)) or not values.unread.text or values.unread.holds:
        return values
    databases = ", ".join(f"{name} ({label})" for name, label in connections.items()) or "none"
    system = prompt("params_write").format(databases=databases, example=next(iter(connections), "archive"))
    call = ModelCall(system, f"Sentence: {sentence}", requester, "params", temperature=0.0)
    try:
        said = reader().fill(TargetShape, call)
    except AgentFailed:
        return values
    ways = {way.casefold() for name, label in connections.items() for way in spoken(name, label)}
    table, schema = (_standing(sentence, values.unread.text, each, ways) for each in (said.table, said.schema_))
    unused = re.sub("|".join(map(re.escape, filter(None, (table, schema)))), "", values.unread.text).strip(" ,")
    return replace(
        values,
        # A small model says a name twice if it knows one of two.
        schema=values.schema or (schema if schema != table else ""),
        table=values.table or table,
        unread=Unread(unused if unknown_words(unused) else ""),
    )


def _standing(sentence: str, left: str, value: str, databases: Set[str]) -> str:
    """Return a value as the words that are left spell it; "" if it is none of them, denied, or a database."""
    wanted = " ".join(value.split()).strip(" .,;:\"'“”„«»`")
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", left, re.IGNORECASE) if unknown_words(wanted) else None
    if not found or len(wanted) > NAME_MAX_CHARS or wanted.casefold() in databases:
        return ""
    typed = Sentence(sentence)
    place = typed.text.find(found[0])
    return "" if place >= 0 and typed.is_denied(place, place + len(wanted)) else found[0]
