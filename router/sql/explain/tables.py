"""Names the tables that a query reads."""

from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import parsing
from router.sql.dialect import Name


def tables_in(tree: exp.Expr) -> list[exp.Table]:
    """Return each mention of a table of the database, without the queries of WITH."""
    made = {each.alias.lower() for each in tree.find_all(exp.CTE)}
    tables = [each for each in tree.find_all(exp.Table) if isinstance(each.this, exp.Identifier)]
    return [each for each in tables if each.name and (each.db or each.name.lower() not in made)]


@lru_cache(maxsize=64)  # a comparison names its queries by them several times a card
def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" if there are several, or none."""
    names = {each.name for each in _tables_of(sql, dialect)}
    return names.pop() if len(names) == 1 else ""


def bare_tables(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return the tables that a query reads without a schema before their names, in lower case; none of what is none."""
    return tuple(dict.fromkeys(each.name.lower() for each in _tables_of(sql, dialect) if not each.db))


def _tables_of(sql: str, dialect: Name) -> list[exp.Table]:
    try:
        tree = parsing.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return []
    return tables_in(tree) if isinstance(tree, exp.Expr) else []
