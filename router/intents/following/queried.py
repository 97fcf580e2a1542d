"""What a query says of itself: the tables it reads, and the values it compares with."""

import re
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.stems import stem
from router.sql.dialect import Name

LONGEST = 10_000
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
        return parse_one(sql, dialect=dialect) if 0 < len(sql) < LONGEST else None
    except (SqlglotError, RecursionError):
        return None
