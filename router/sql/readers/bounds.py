"""A scope on its way to a child: plain values, and no more of them than the engines look at."""

from collections.abc import Mapping

from router.sql.scope import Key, Scope

Columns = Mapping[Key, tuple[str, ...]]

Bounds = tuple[str, tuple[Key, ...], Columns, Columns]
"""The default schema, the tables, and of those that hide columns the readable ones and the hidden ones."""


def bounds_of(scope: Scope | None) -> Bounds | None:
    """Return the scope as it travels."""
    if scope is None:
        return None
    columns = {key: scope.columns[key] for key in scope.hidden if key in scope.columns}
    return scope.default, tuple(scope.tables), columns, dict(scope.hidden)


def scope_of(bounds: Bounds | None) -> Scope | None:
    """Return the scope as it was, but for the columns of tables that hide none."""
    return None if bounds is None else Scope.of(*bounds)
