"""Columns: taken from the table that has them, spelt as the database spells them, or asked about."""

from collections.abc import Sequence

from sqlglot import exp

from router.agents.repair.homes import mend_home
from router.agents.repair.names import alike, exact, means, near
from router.agents.repair.query import Query
from router.agents.repair.sources import Source, visible

_BUILT_IN = ("rowid", "oid", "_rowid_", "ctid", "rownum", "level", "sysdate", "systimestamp", "user", "true", "false")


def mend_columns(query: Query) -> None:
    """Make every column one that its query sees, where only one can be meant; say what is wrong with the others."""
    for select in query.selects():
        for column in query.columns(select):
            if not column.args.get("db") and column.name.lower() not in _BUILT_IN:
                _mend(query, select, column)


def _mend(query: Query, select: exp.Select, column: exp.Column) -> None:
    scopes = list(visible(select, query.schema))
    if not column.table:
        _mend_bare(query, select, column, scopes)
        return
    source = next((s for scope in scopes for s in scope if s.alias.lower() == column.table.lower()), None)
    if source is None:
        source = _mend_qualifier(query, column, scopes)
    if source is None:
        if not any(s.has(column.table) for s in scopes[0]):  # else it may be a field of a structured column
            mend_home(query, select, column, None)
    elif source.columns is None:
        return
    elif source.has(column.name):
        _spell(query, column, exact(column.name, source.columns) or column.name)
    elif _is_output(select, column):
        column.set("table", None)
    else:
        mend_home(query, select, column, source)


def _mend_bare(query: Query, select: exp.Select, column: exp.Column, scopes: Sequence[tuple[Source, ...]]) -> None:
    own = scopes[0]
    holders = [source for source in own if source.has(column.name)]
    if len(holders) == 1:
        _spell(query, column, exact(column.name, holders[0].columns or ()) or column.name)
    elif holders:
        _mend_ambiguous(query, select, column, holders)
    elif own and not (
        any(source.columns is None for scope in scopes for source in scope)
        or any(source.has(column.name) for scope in scopes[1:] for source in scope)
        or _is_output(select, column)
    ):
        mend_home(query, select, column, None)


def _mend_qualifier(query: Query, column: exp.Column, scopes: Sequence[tuple[Source, ...]]) -> Source | None:
    """Put right a qualifier that is no alias, and return the source that it means, or None."""
    written = column.table
    everything = [source for scope in scopes for source in scope]
    ways = (
        [s for s in everything if s.table and s.table.name.lower() == written.lower()],
        [s for s in everything if alike(written, (s.alias, s.table.name if s.table else s.alias))],
        [s for s in everything if near(written, (s.alias, s.table.name if s.table else s.alias))],
    )
    for found in ways:
        if len(found) == 1:
            column.set("table", found[0].label.copy())
            query.note(written, f"`{written}` was read as `{found[0].alias}`.")
            return found[0]
        if found:
            return None
    if any(alike(written, (table.name,)) for table in query.schema.tables):
        return None
    holders = [source for source in scopes[0] if source.has(column.name)]
    if len(holders) == 1:
        column.set("table", holders[0].label.copy())
        query.note(column.name, f"`{column.name}` was taken from `{holders[0].alias}`.")
        return holders[0]
    return None


def _mend_ambiguous(query: Query, select: exp.Select, column: exp.Column, holders: list[Source]) -> None:
    """Say which table's column is meant where the joins make them equal, or one was chosen for the result."""
    name = column.name
    for join in select.args.get("joins") or ():
        if join.method or any(each.name.lower() == name.lower() for each in join.args.get("using") or ()):
            return
    shown = {item.unalias().table for item in select.expressions if _shows(item, name)}
    equal = _equated(select, name)
    chosen = next((s for s in holders if {s.alias} == shown), None)
    if chosen is None and all(s.alias.lower() in equal for s in holders):
        chosen = holders[0]
    if chosen is not None:
        column.set("table", chosen.label.copy())
        query.note(name, f"`{name}` was taken from `{chosen.alias}`.")
    else:
        listed = " and ".join(source.alias for source in holders)
        query.problem(f"{name} is in {listed}; write which one is meant.")


def _shows(item: exp.Expr, name: str) -> bool:
    inner = item.unalias()
    return isinstance(inner, exp.Column) and bool(inner.table) and inner.name.lower() == name.lower()


def _equated(select: exp.Select, name: str) -> set[str]:
    """Return the aliases whose column of this name is equated with another's in a join."""
    found: set[str] = set()
    for join in select.args.get("joins") or ():
        for equal in join.find_all(exp.EQ):
            sides = [side for side in (equal.this, equal.expression) if isinstance(side, exp.Column)]
            if len(sides) == 2 and all(side.name.lower() == name.lower() for side in sides):
                found |= {side.table.lower() for side in sides}
    return found


def _is_output(select: exp.Select, column: exp.Column) -> bool:
    """Tell whether the column is a name that this SELECT gives to one of its results."""
    return any(item.alias.lower() == column.name.lower() for item in select.expressions if item.alias)


def _spell(query: Query, column: exp.Column, name: str) -> None:
    if not means(column.this, name, query.dialect):
        column.set("this", query.identifier(name))
