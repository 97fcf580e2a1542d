"""What a query is about, in a word."""

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import reading
from router.sql.dialect import Name


def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" where there are several, or none."""
    try:
        tree = reading.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return ""
    if isinstance(tree, str):
        return ""
    made = {each.alias for each in tree.find_all(exp.CTE)}
    names = {each.name for each in tree.find_all(exp.Table)} - made - {""}
    return names.pop() if len(names) == 1 else ""
