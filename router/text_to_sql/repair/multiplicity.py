"""Rows that joins multiply: which tables are joined by what, and whether a row of one meets several of another."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from router.catalog.schema import SchemaTable
from router.text_to_sql.repair.query import FromItem, Query, source_of


@dataclass(frozen=True, slots=True)
class Edge:
    """An equality that joins two tables of a query; `pair` are its columns in lower case."""

    left: FromItem
    right: FromItem
    pair: tuple[str, str]


def edges_of(query: Query, select: exp.Select) -> list[Edge]:
    """Return the equalities between columns of two tables that every row of a SELECT has to meet."""
    found = []
    for equal in select.find_all(exp.EQ):
        sides = equal.this, equal.expression
        if equal.find_ancestor(exp.Select) is not select or equal.find_ancestor(exp.Or):
            continue
        if not all(isinstance(side, exp.Column) for side in sides):
            continue
        left, right = (source_of(side, query.schema) for side in sides)
        if left and right and left.table and right.table and left.alias != right.alias:
            found.append(Edge(left, right, (sides[0].name.lower(), sides[1].name.lower())))
    return found


def multiplying(start: FromItem, edges: Sequence[Edge]) -> str:
    """Return a table of which several rows meet one of `start`, "" if none is joined."""
    seen, queue = {start.alias.lower()}, [start]
    while queue:
        here = queue.pop(0)
        for far, names in _meeting(here, edges).values():
            if far.alias.lower() in seen or far.table is None:
                continue
            if _is_no_key(far.table, names):
                return far.table.name
            seen.add(far.alias.lower())
            queue.append(far)
    return ""


def _is_no_key(table: SchemaTable, names: set[str]) -> bool:
    """Return whether several rows of a table may have the same values in these columns.

    If no key is declared, those of a foreign key may.
    """
    key = {name.lower() for name in table.primary_key}
    foreign = {name.lower() for each in table.foreign_keys for name in each.columns}
    return not key <= names if key else bool(names & foreign)


def _meeting(here: FromItem, edges: Sequence[Edge]) -> dict[str, tuple[FromItem, set[str]]]:
    """Return the tables that are joined to one, with their columns by which they are."""
    found: dict[str, tuple[FromItem, set[str]]] = {}
    for edge in edges:
        for near, far, name in ((edge.left, edge.right, edge.pair[1]), (edge.right, edge.left, edge.pair[0])):
            if near.alias == here.alias:
                found.setdefault(far.alias.lower(), (far, set()))[1].add(name)
    return found
