"""A scope on its way to a child: plain values, and no more of them than the engines look at."""

from collections.abc import Mapping

from router.sql.scope import Key, Scope

Bounds = tuple[str, tuple[Key, ...], Mapping[Key, tuple[str, ...]], tuple[Key, ...]]
"""The default schema, the tables, the columns of those that hide some, and which these are."""


def bounds_of(scope: Scope | None) -> Bounds | None:
    """Return the scope as it travels."""
    if scope is None:
        return None
    columns = {key: scope.columns.get(key, ()) for key in scope.hidden}
    return scope.default, tuple(scope.tables), columns, tuple(scope.hidden)


def scope_of(bounds: Bounds | None) -> Scope | None:
    """Return the scope as it was, but for the columns of tables that hide none."""
    return None if bounds is None else Scope.of(*bounds)
