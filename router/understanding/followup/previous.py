"""The question asked before, and the full question that a message after it stands for."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.values import ValueIndex
from router.language.folding import fold, folds
from router.language.inflection import other_number, stem
from router.sql.dialect import Name

Kind = Literal[
    "time",
    "group",
    "filter",
    "exclude",
    "include",
    "order",
    "limit",
    "measure",
    "columns",
    "count",
    "extreme",
    "reverse",
    "share",
    "unit",
    "compare",
    "subject",
    "cause",
]
"""The part of the question before it that a follow-up changes; the first, where it changes several."""

Homes = Callable[[str], frozenset[str]]
"""Tells in which columns ("countries.name") a text is a value, in any spelling; none where it is no value."""


@dataclass(frozen=True, slots=True)
class PreviousQuestion:
    """A question that ran, in full words, and its SQL; `columns` are those of its result.

    `names` are the words that the database's tables and columns are made of, in lower case, singular or plural.
    """

    question: str
    sql: str = ""
    columns: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    dialect: Name = "sqlite"


@dataclass(frozen=True, slots=True)
class Understood:
    """The full question that a message asks; `confidence` from 0 to 1 tells how sure that is.

    `options` are other full questions that it may mean just as well; `problem` says what cannot be known.
    """

    question: str
    confidence: float
    kind: Kind
    options: tuple[str, ...] = ()
    problem: str = ""


def nowhere(_text: str) -> frozenset[str]:
    """Know of no value."""
    return frozenset()


# The vocabulary of a database: the words of its names, and the columns of its values.


def homes_in(index: ValueIndex) -> Homes:
    """Return what tells in which columns a text is a value; of values that nobody may be shown it knows nothing."""

    def homes(text: str) -> frozenset[str]:
        keys = {*folds(text), *other_number(fold(text))} if text.strip() else set()
        values = (value for key in keys for value in index.exactly(key) if value.shown)
        return frozenset(f"{value.table}.{value.column}".lower() for value in values)

    return homes


# The tables that a query reads, and the values that it compares with.


PREVIOUS_SQL_MAX_CHARS = 10_000
"""Characters of a query that is read."""


def tables_of(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return the tables of a query as words in the singular: "order_items" is "order item"."""
    tree = tree_of(sql, dialect)
    names = [table.name for table in tree.find_all(exp.Table)] if tree else []
    spaced = (re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s-]+", " ", name).lower() for name in names)
    return tuple(dict.fromkeys(stem(name) for name in spaced if name.strip()))


@lru_cache(maxsize=64)
def compared(sql: str, dialect: Name) -> tuple[tuple[str, str], ...]:
    """Return the columns that a query compares with texts, and these texts."""
    tree = tree_of(sql, dialect)
    found = []
    for text in tree.find_all(exp.Literal) if tree else ():
        test = text.find_ancestor(exp.EQ, exp.In, exp.Like, exp.ILike)
        column = test.find(exp.Column) if test else None
        if text.is_string and column and not re.fullmatch(r"[%\d:. -]*", text.name):
            tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)} if tree else {}
            home = tables.get(column.table) or (next(iter(tables.values())) if len(tables) == 1 else "")
            found.append((f"{home}.{column.name}".lower(), text.name.strip("%")))
    return tuple(found)


@lru_cache(maxsize=64)
def tree_of(sql: str, dialect: Name) -> exp.Expr | None:
    """Return the tree of a query, or None where it cannot be read."""
    try:
        return parse_one(sql, dialect=dialect) if 0 < len(sql) < PREVIOUS_SQL_MAX_CHARS else None
    except (SqlglotError, RecursionError):
        return None
