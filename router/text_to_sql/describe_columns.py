"""Descriptions of columns in the model's own words, where nobody described them; a person reviews them first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from router.catalog.schema import Column, Schema, SchemaTable
from router.language.wording import one_line
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm
from router.text_to_sql.prompt import prompt
from router.text_to_sql.repair.join_paths import hops
from router.text_to_sql.schema_linking import telling, words
from router.text_to_sql.schema_text import COMMENT_MAX_CHARS, folded, table_text

COLUMNS_AT_ONCE = 20
"""Columns that a model describes in one answer: a small one loses count of more."""

SYSTEM = "You explain the columns of a company's database to people who write queries."

_LINE = re.compile(r"""[\s*`"\-]*(?:\d+[.)]\s+)?[*`"]*([^:*`"]+?)[*`"]*\s*:[\s*`"]*(\S.*)""")
"""A name and what it holds, in a list or marked up as models like it."""
_EMPTY = frozenset(
    words(
        "associated column data each field foreign id identifier integer key number primary record reference related"
        " row string text unique value"
    )
)
"""Words that tell nothing of what a column holds."""


def describe_columns(schema: Schema, table: SchemaTable, model: Llm, requester: Requester) -> Iterator[tuple[str, str]]:
    """Yield a column of the table, which has no comment yet, with what it holds; raises AgentFailed and Stopped.

    Keys are left out: where they lead says more of them than a guess, and the worst guesses were about them. So is what
    only says the column's name again.
    """
    keys = {*table.primary_key, *(own for hop in hops(schema) if hop.near == table.name for own, _ in hop.pairs)}
    bare = [column for column in table.columns if not column.comment and column.name not in keys]
    for begin in range(0, len(bare), COLUMNS_AT_ONCE):
        columns = tuple(bare[begin : begin + COLUMNS_AT_ONCE])
        shown = table_text(schema, replace(table, columns=columns, foreign_keys=()))
        user = prompt("describe_columns").format(table=shown)
        answer = model.answer(ModelCall(SYSTEM, user, requester, "describe_columns", temperature=0.0))
        said = dict(_said(answer.text, columns))
        for column in columns:
            text = said.get(column.name, "")
            if _says_more(text, (table.name, column.name)):
                yield column.name, text


def _said(answer: str, columns: Iterable[Column]) -> Iterator[tuple[str, str]]:
    """Yield the lines of an answer that begin with a column's name."""
    names = {column.name.lower(): column.name for column in columns}
    for line in answer.splitlines():
        found = _LINE.match(line)
        if found and (name := names.get(found[1].lower())):
            yield name, folded(one_line(found[2]).strip("`*. "), COMMENT_MAX_CHARS)


def _says_more(text: str, names: Iterable[str]) -> bool:
    known = {word for name in names for word in words(name)}
    return not set(telling(words(text))) <= known | _EMPTY
