"""Columns that nobody may read: taken out of the tables, with the keys and views that would show them.

A view is kept only if the guard would let its text run as a query over what is shown: with names that are all resolved,
and functions that only compute. Any other view would be a way round.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.allowed import names_column
from router.catalog.schema import Table
from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope

log = logging.getLogger(__name__)


def without_hidden_columns(
    tables: Sequence[Table], patterns: Sequence[str], dialect: Name, definitions: Mapping[str, str]
) -> tuple[Table, ...]:
    """Return all tables of a schema without the columns that a pattern names.

    `definitions` are the texts of the views by their names; a view without one is left out.
    """
    shown = {table.name: _without_columns(table, patterns) for table in tables if not table.view}
    waiting = {table.name: _without_columns(table, patterns) for table in tables if table.view}
    while True:  # a view may read other views
        followed = [
            view for view in waiting.values() if _shows_none(definitions.get(view.name, ""), view, shown, dialect)
        ]
        if not followed:
            break
        for view in followed:
            shown[view.name] = waiting.pop(view.name)
    for name in sorted(waiting):
        log.warning("The view %s is left out: it reads columns that are hidden, or its text cannot be followed.", name)
    return tuple(shown[table.name] for table in tables if table.name in shown and shown[table.name].columns)


def _without_columns(table: Table, patterns: Sequence[str]) -> Table:
    hidden = tuple(c.name for c in table.columns if names_column(patterns, table.schema, table.name, c.name))
    keys = tuple(
        key
        for key in table.foreign_keys
        if not set(key.columns) & set(hidden)
        and not any(names_column(patterns, key.target_schema, key.target, name) for name in key.target_columns)
    )
    return replace(
        table,
        columns=tuple(column for column in table.columns if column.name not in hidden),
        primary_key=() if set(table.primary_key) & set(hidden) else table.primary_key,
        foreign_keys=keys,
        hidden=hidden,
    )


def _shows_none(definition: str, view: Table, shown: Mapping[str, Table], dialect: Name) -> bool:
    """Tell whether every name in a view's text is that of a column that may be read, in a table that is shown."""
    try:
        tree = parse_one(definition, dialect=dialect)
    except (SqlglotError, RecursionError):
        return False
    query = tree.expression if isinstance(tree, exp.Create) else tree
    if not isinstance(query, exp.Query):
        return False
    columns = {(table.schema, table.name): tuple(column.name for column in table.columns) for table in shown.values()}
    hidden = {(table.schema, table.name): table.hidden for table in shown.values()}
    verdict = check(query.sql(dialect), dialect, Scope.of(view.schema, columns, columns, hidden))
    # A star that reads hidden columns is written out.
    return verdict.allowed and _stars(parse_one(verdict.sql, dialect=dialect)) == _stars(query)


def _stars(query: exp.Expr) -> int:
    return sum(1 for _ in query.find_all(exp.Star))
