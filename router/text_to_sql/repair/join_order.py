"""Joins that hang together: each names only tables before it, and no table stands beside the others without a link."""

from collections.abc import Iterable

from sqlglot import exp

from router.text_to_sql.repair.joins import link_by_key
from router.text_to_sql.repair.query import FromItem, Query, conjuncts, source_of


def order_joins(query: Query) -> None:
    """Put inner joins into an order in which each ON names tables before it alone, as most databases demand."""
    for select in query.selects():
        joins = select.args.get("joins") or []
        if len(joins) > 1 and all(_is_inner(join) for join in joins) and _names_later(query, joins):
            _reorder(query, select, joins)


def link_tables(query: Query) -> None:
    """Link a table that no condition links with the others by the only foreign key between them."""
    for select in query.selects():
        for _ in select.args.get("joins") or ():
            groups = _linked(query, select)
            if len(groups) == 1 or not _link(query, select, groups):
                break


def unlinked(query: Query, select: exp.Select) -> tuple[str, ...]:
    """Return the tables that no condition links with the first one: they multiply all its rows."""
    groups = _linked(query, select)[1:]
    return tuple(" and ".join(query.quoted(each.table.name) for each in group if each.table) for group in groups)


def _is_inner(join: exp.Join) -> bool:
    return (
        isinstance(join.this, exp.Table)
        and not any(join.args.get(key) for key in ("side", "method", "using"))
        and join.kind in ("", "INNER", "CROSS")
    )


def _alias(node: exp.Expr) -> str:
    return str(node.alias_or_name).lower()


def _names_later(query: Query, joins: list[exp.Join]) -> bool:
    """Return whether an ON names a table that is joined after it."""
    later = [_alias(join.this) for join in joins]
    return any(
        not _labels(query, condition).isdisjoint(later[at + 1 :])
        for at, join in enumerate(joins)
        for condition in conjuncts(join.args.get("on"))
    )


def _reorder(query: Query, select: exp.Select, joins: list[exp.Join]) -> None:
    own = {_alias(node) for node in (select.args["from_"].this, *(join.this for join in joins))}
    conditions = [condition for join in joins for condition in conjuncts(join.args.get("on"))]
    placed, left, ordered = {_alias(select.args["from_"].this)}, list(joins), []
    while left:
        # Names of the queries around this one are there already.
        best = next((join for join in left if _ready(query, join, conditions, placed, own)), left[0])
        left.remove(best)
        placed.add(_alias(best.this))
        taken = [each for each in conditions if (_labels(query, each) & own) <= placed]
        conditions = [each for each in conditions if each not in taken]
        best.set("on", exp.and_(*(each.copy() for each in taken), copy=False) if taken else exp.true())
        ordered.append(best)
    select.set("joins", ordered)
    query.note("join order", "The joins were put into another order: each names tables before it.")


def _ready(query: Query, join: exp.Join, conditions: Iterable[exp.Expr], placed: set[str], own: set[str]) -> bool:
    """Return whether a condition links the join's table with those that are placed."""
    alias = _alias(join.this)
    return any(alias in (names := _labels(query, each) & own) and names <= placed | {alias} for each in conditions)


Group = list[FromItem]


def _linked(query: Query, select: exp.Select) -> list[Group]:
    """Return the tables in groups that conditions link, the group of the first table first.

    They are one group if something else is joined than tables: a query of one row beside a table is meant so.
    """
    sources, joins = query.sources(select), select.args.get("joins") or []
    plain = all(source.table for source in sources) and all(map(_is_inner, joins)) and len(sources) == len(joins) + 1
    if not joins or not plain:
        return [list(sources)]
    groups: list[Group] = [[source] for source in sources]
    places = (select.args.get("where"), *(join.args.get("on") for join in joins))
    for condition in (each for place in places for each in conjuncts(place)):
        labels = _labels(query, condition)
        met = [group for group in groups if any(source.alias.lower() in labels for source in group)]
        if len(met) > 1:
            groups = [each for each in groups if each not in met[1:]]
            for other in met[1:]:
                met[0].extend(other)
    return groups


def _labels(query: Query, condition: exp.Expr) -> set[str]:
    """Return the aliases of the tables that a condition names, also by columns without one."""
    found = set()
    for column in condition.find_all(exp.Column):
        source = None if column.table else source_of(column, query.schema)
        found.add(column.table.lower() or (source.alias.lower() if source else ""))
    return found


def _link(query: Query, select: exp.Select, groups: list[Group]) -> bool:
    """Link a further group by a foreign key; returns whether there was one key to do it by."""
    for group in groups[1:]:
        others = [source for other in groups if other is not group for source in other]
        if any(link_by_key(query, select, source, others) for source in group):
            return True
    return False
