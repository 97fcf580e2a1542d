"""What a query is about, in a word."""

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import reading
from router.sql.dialect import Name


def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" where there are several, or none."""
    names = tables_of(sql, dialect)
    return next(iter(names)) if len(names) == 1 else ""


def tables_of(sql: str, dialect: Name) -> frozenset[str]:
    """Return the names of the tables that a query reads; none where it cannot be read."""
    try:
        tree = reading.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return frozenset()
    if isinstance(tree, str):
        return frozenset()
    made = {each.alias for each in tree.find_all(exp.CTE)}
    return frozenset({each.name for each in tree.find_all(exp.Table)} - made - {""})
