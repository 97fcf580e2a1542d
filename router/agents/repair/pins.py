"""Before a table is joined: names that mean one thing now must not mean two afterwards."""

from sqlglot import exp

from router.agents.repair.query import Query
from router.agents.repair.sources import Source, visible


def pin(query: Query, select: exp.Select) -> None:
    """Qualify what is bare in this SELECT and the queries within it; its star means the tables there are now."""
    own = query.sources(select)
    for column in list(select.find_all(exp.Column)):
        holder = _holder(query, column)
        if holder and any(holder.label is source.label for source in own) and not _is_result(select, column):
            column.set("table", holder.label.copy())
    items = []
    for item in select.expressions:
        if isinstance(item, exp.Star) and not item.args.get("except_"):
            items += [exp.Column(this=exp.Star(), table=source.label.copy()) for source in own]
        else:
            items.append(item)
    select.set("expressions", items)


def _holder(query: Query, column: exp.Column) -> Source | None:
    """Return the only source that a bare column can mean."""
    select = column.find_ancestor(exp.Select, exp.SetOperation)
    if column.table or not isinstance(select, exp.Select) or isinstance(column.this, exp.Star):
        return None
    for scope in visible(select, query.schema):
        found = [source for source in scope if source.has(column.name)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _is_result(select: exp.Select, column: exp.Column) -> bool:
    """Tell whether the clause that the column stands in takes it for the name of a result."""
    named = any(item.alias.lower() == column.name.lower() for item in select.expressions if item.alias)
    return named and column.find_ancestor(exp.Order, exp.Group, exp.Having, exp.Select) is not select
