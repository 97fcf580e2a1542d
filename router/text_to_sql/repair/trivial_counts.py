"""Counts that are 1 in every group: of rows by the key of their own table."""

from collections.abc import Iterable

from sqlglot import exp

from router.sql.explain.references import group_keys
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import FromItem, Query, source_of


def always_one(query: Query, select: exp.Select) -> FromItem | None:
    """Return the table whose rows are counted one by one, as they are grouped by its key: every count is 1."""
    if not query.nodes(select, exp.Count):
        return None
    keys = _places(query, group_keys(select))
    edges = edges_of(query, select)
    sources = query.sources(select)
    if any(source.table is None for source in sources) or len(edges) < len(sources) - 1:
        return None
    for source in sources:
        own = {(source.alias.lower(), name.lower()) for name in source.table.primary_key} if source.table else set()
        if own and own <= keys and not multiplying(source, edges):
            return source
    return None


def _places(query: Query, nodes: Iterable[exp.Expr]) -> set[tuple[str, str]]:
    """Return the tables and names of columns, by their aliases, in lower case."""
    columns = [node for node in nodes if isinstance(node, exp.Column)]
    found = [(source_of(column, query.schema), column.name.lower()) for column in columns]
    return {(source.alias.lower(), name) for source, name in found if source}
