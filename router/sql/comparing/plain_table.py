"""The one table that a query reads row by row, so that the table's primary key is the query's too."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import reading
from router.sql.dialect import Name


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table, and for each column of the query the column of the table that it is, "" for one that is computed."""

    schema: str
    name: str
    columns: tuple[str, ...]

    def places(self, key: Sequence[str]) -> tuple[int, ...]:
        """Return where the query has the columns of a key; empty where it lacks one of them."""
        folded = [column.casefold() for column in self.columns]
        wanted = [column.casefold() for column in key]
        return tuple(map(folded.index, wanted)) if set(wanted) <= set(folded) else ()


def plain_table(sql: str, dialect: Name, names: Sequence[str]) -> PlainTable | None:
    """Return the table of a query that gives rows of one table and columns called `names`, None for any other."""
    try:
        query = reading.statement(sql, dialect)
    except SqlglotError:
        return None
    if not isinstance(query, exp.Select) or not _row_by_row(query):
        return None
    table = query.args["from_"].this
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    columns: list[str] = []
    for each in query.expressions:
        if each.is_star:
            columns = [] if columns or len(query.expressions) > 1 else list(names)
            break
        inner = each.unalias()
        columns.append(inner.name if isinstance(inner, exp.Column) else "")
    return PlainTable(table.db, table.name, tuple(columns)) if len(columns) == len(names) else None


def _row_by_row(query: exp.Select) -> bool:
    """Tell whether each row of the result is one of the table, and none is there twice."""
    several = ("with_", "joins", "laterals", "group", "connect", "pivots")
    return "from_" in query.args and not any(query.args.get(name) for name in several) and not query.find(exp.Unnest)
