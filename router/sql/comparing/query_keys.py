"""The columns that tell a query's rows apart, as its text says: a table's primary key, or what it groups by."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import parsing
from router.sql.dialect import Name

_SEVERAL_GROUPS = ("grouping_sets", "cube", "rollup", "all")


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
        query = parsing.statement(sql, dialect)
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


def grouped_places(sql: str, dialect: Name, names: Sequence[str]) -> tuple[int, ...]:
    """Return where a query has the columns that it groups by, which tell its rows apart; empty where it lacks one."""
    try:
        query = parsing.statement(sql, dialect)
    except SqlglotError:
        return ()
    if not isinstance(query, exp.Select) or not isinstance(group := query.args.get("group"), exp.Group):
        return ()
    if len(query.expressions) != len(names) or any(group.args.get(name) for name in _SEVERAL_GROUPS):
        return ()
    shown = [each.unalias() for each in query.expressions]
    aliases = [each.alias_or_name.casefold() for each in query.expressions]
    places = [_place_of_group(each, shown, aliases) for each in group.expressions]
    return tuple(place for place in places if place is not None) if None not in places else ()


def _place_of_group(grouped: exp.Expr, shown: Sequence[exp.Expr], aliases: Sequence[str]) -> int | None:
    """Return which column is grouped by: it is named by its number, its expression or its alias."""
    if isinstance(grouped, exp.Literal) and grouped.is_int:
        place = int(grouped.name) - 1
        return place if 0 <= place < len(shown) else None
    if grouped in shown:
        return shown.index(grouped)
    unqualified = isinstance(grouped, exp.Column) and not grouped.table
    return aliases.index(grouped.name.casefold()) if unqualified and grouped.name.casefold() in aliases else None
