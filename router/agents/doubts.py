"""A query that runs, but cannot be what was asked."""

import re

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.agents.repair.names import alike
from router.catalog.personal import split_words
from router.catalog.schema import Schema

_BY = re.compile(r"\bby\s+(?:the\s+)?([a-z_]+)", re.IGNORECASE)
_UNITS = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}
_EVERY = re.compile(rf"\b({'|'.join(_UNITS)})\s+(?:average|total|number|count|sum|mean)", re.IGNORECASE)
_EACH = re.compile(
    r"\b(?:per|each|every|for (?:all )?(?:the )?different)\s+(?:the |number of )?([a-z_]+)", re.IGNORECASE
)


def doubt(question: str, sql: str, schema: Schema) -> str:
    """Return what speaks against the query as the answer, in a sentence, or "" where nothing does."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ""
    if not isinstance(tree, exp.Select) or tree.args.get("group"):
        return ""
    if not all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions):
        return ""
    wanted = _wanted(question, schema)
    return (
        f"It gives one number, but the question asks for each {wanted}: select the {wanted} and group by it."
        if wanted
        else ""
    )


def _wanted(question: str, schema: Schema) -> str:
    """Return what the question wants a number for each of, "" where that is nothing of the schema."""
    wanted = next((word for word in _EACH.findall(question) if _is_part(word, schema)), "")
    wanted = wanted or next((_UNITS[word.lower()] for word in _EVERY.findall(question)), "")
    return wanted or next((word for word in _BY.findall(question) if _is_known(word, schema)), "")


def _is_known(word: str, schema: Schema) -> bool:
    """Tell whether a word names a table or a column: "by region" does, "by now" does not."""
    return any(alike(word, (table.name, *(column.name for column in table.columns))) for table in schema.tables)


def _is_part(word: str, schema: Schema) -> bool:
    """Tell whether a word is one of those that a column's or table's name is made of: "country" of country_name."""
    names = (name for table in schema.tables for name in (table.name, *(column.name for column in table.columns)))
    return any(alike(word, split_words(name)) for name in names)
