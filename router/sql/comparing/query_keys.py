"""The columns that tell a query's rows apart, as its text says: a table's primary key, or what it groups by."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import parsing
from router.sql.dialect import Name

_SEVERAL_TABLES = ("with_", "joins", "laterals", "group", "connect", "pivots")
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
    query = _select(sql, dialect)
    if query is None or any(query.args.get(part) for part in _SEVERAL_TABLES) or query.find(exp.Unnest):
        return None
    source = query.args.get("from_")
    table = source.this if source else None
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    shown = [each.unalias() for each in query.expressions]
    columns = [each.name if isinstance(each, exp.Column) else "" for each in shown]
    if len(shown) == 1 and shown[0].is_star:
        columns = list(names)
    return PlainTable(table.db, table.name, tuple(columns)) if len(columns) == len(names) else None


def grouped_places(sql: str, dialect: Name, names: Sequence[str]) -> tuple[int, ...]:
    """Return where a query has the columns that it groups by, which tell its rows apart; empty where it lacks one."""
    query = _select(sql, dialect)
    group = query.args.get("group") if query else None
    if query is None or group is None or len(query.expressions) != len(names):
        return ()
    if any(group.args.get(part) for part in _SEVERAL_GROUPS):
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


def _select(sql: str, dialect: Name) -> exp.Select | None:
    try:
        query = parsing.statement(sql, dialect)
    except SqlglotError:
        return None
    return query if isinstance(query, exp.Select) else None
