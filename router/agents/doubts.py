"""A query that runs, but cannot be what was asked."""

import re

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.repair.names import alike
from router.catalog.schema import Schema

_EACH = re.compile(r"\b(?:by|per|for (?:each|every)|(?:in|of) (?:each|every))\s+(?:the\s+)?([a-z_]+)", re.IGNORECASE)


def doubt(question: str, sql: str, schema: Schema) -> str:
    """Return what speaks against the query as the answer, in a sentence, or "" where nothing does."""
    wanted = next((word for word in _EACH.findall(question) if _is_known(word, schema)), "")
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ""
    if not wanted or not isinstance(tree, exp.Select) or tree.args.get("group"):
        return ""
    if all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions):
        return f"It gives one number, but the question asks for each {wanted}: select the {wanted} and group by it."
    return ""


def _is_known(word: str, schema: Schema) -> bool:
    """Tell whether a word names a table or a column: "by region" does, "by now" does not."""
    return any(alike(word, (table.name, *(column.name for column in table.columns))) for table in schema.tables)
