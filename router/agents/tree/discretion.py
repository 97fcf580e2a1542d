"""What a repair put into a query and a model may not see: values that nobody typed, of columns that are not shown."""

from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.tree.node import Node
from router.catalog.schema import Schema
from router.catalog.spelling import fold

HELD_BACK = "…"


def discreet(node: Node, schema: Schema) -> Node:
    """Return a node without the values, in what was tried before, that only the database can have told."""

    def held(sql: str, *texts: str) -> tuple[str, ...]:
        for value in _withheld(sql, schema, node.question.text):
            sql = sql.replace("'" + value.replace("'", "''") + "'", f"'{HELD_BACK}'")
            texts = tuple(text.replace(value, HELD_BACK) for text in texts)
        return (sql, *texts)

    tries = []
    for each in node.tries:
        sql, problem, doubt = held(each.sql, each.problem, each.doubt)
        tries.append(replace(each, sql=sql, problem=problem, doubt=doubt))
    avoid = tuple(held(sql)[0] for sql in node.question.avoid)
    return replace(node, tries=tuple(tries), question=replace(node.question, avoid=avoid))


def _withheld(sql: str, schema: Schema, typed: str) -> list[str]:
    columns = [column for table in schema.tables for column in table.columns]
    hidden = [column.values for column in columns if column.values and not column.shown]
    if not hidden or not sql:
        return []
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return []  # what cannot be read was not repaired
    texts = dict.fromkeys(literal.name for literal in tree.find_all(exp.Literal) if literal.is_string)
    said = fold(typed)
    return [
        text
        for text in texts
        if fold(text) not in said
        and any(text in values for values in hidden)
        and not any(text in column.samples for column in columns)
    ]
