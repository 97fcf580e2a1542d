"""What a repair put into a query and a model may not see: values that nobody typed, of columns that are not shown."""

import re
from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.tree.node import Node
from router.catalog.schema import Schema
from router.catalog.spelling import fold

HELD_BACK = "…"

_WORD = re.compile(r"[^\W_]+")
_QUOTES = "\"'`“”„‘’«»"


def discreet(node: Node, schema: Schema) -> Node:
    """Return a node without the values, in what was tried before, that only the database can have told."""

    def held(sql: str, *sentences: str) -> tuple[str, ...]:
        values, without = _without(sql, schema, node.question.text)
        return (without, *(_silent(sentence, values) for sentence in sentences))

    tries = []
    for each in node.tries:
        sql, problem, doubt = held(each.sql, each.problem, each.doubt)
        tries.append(replace(each, sql=sql, problem=problem, doubt=doubt))
    avoid = tuple(held(sql)[0] for sql in node.question.avoid)
    return replace(node, tries=tuple(tries), question=replace(node.question, avoid=avoid))


def _without(sql: str, schema: Schema, typed: str) -> tuple[list[str], str]:
    """Return the values that are held back, and the query without them; as it is where there are none."""
    columns = [column for table in schema.tables for column in table.columns]
    hidden = [column.values for column in columns if column.values and not column.shown]
    if not hidden or not sql:
        return [], sql
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return [], sql  # what cannot be read was not repaired
    words = [fold(word) for word in _WORD.findall(typed)]
    values = dict[str, None]()
    for text in list(tree.find_all(exp.Literal, exp.National, exp.RawString)):
        if isinstance(text, exp.Literal) and not text.is_string:
            continue
        value = text.name
        told = any(value in column.samples for column in columns) or _is_typed(value, words)
        if not told and any(value in of_column for of_column in hidden):
            values[value] = None
            text.replace(exp.Literal.string(HELD_BACK))
    return list(values), tree.sql(schema.dialect) if values else sql


def _is_typed(value: str, words: list[str]) -> bool:
    """Tell whether some of these words, one after another, are the value: "annual" does not say Ann."""
    wanted = fold(value)
    if not wanted:
        return True  # nothing but signs
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if joined == wanted:
                return True
            if not wanted.startswith(joined):
                break
    return False


def _silent(sentence: str, values: list[str]) -> str:
    """Return a sentence without the values that stand in quotes there; a short one may be a part of other words."""
    for value in values:
        ways = {value, value.replace("'", "''"), value.replace("\\", "\\\\").replace("'", "\\'")}
        either = "|".join(sorted(map(re.escape, ways), key=len, reverse=True))
        sentence = re.sub(rf"(?<=[{_QUOTES}])(?:{either})(?=[{_QUOTES}])", HELD_BACK, sentence)
    return sentence
