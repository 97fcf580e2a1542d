"""Tables that a repair leaves over: they were only joined for a column that they do not have."""

from sqlglot import exp

from router.text_to_sql.repair import sources
from router.text_to_sql.repair.query import Query


def drop_unused_joins(query: Query) -> None:
    """Drop tables whose every column was moved to another one from under sums: they would only multiply the rows."""
    for select in query.selects():
        for source in query.sources(select) if query.sums(select) else ():
            if (id(select), source.alias.lower()) in query.deserted:
                drop(query, select, source.alias)


def drop(query: Query, select: exp.Select, alias: str) -> bool:
    """Drop a table of which nothing but its join is used; returns whether that was done."""
    joins = [join for join in select.args.get("joins") or () if isinstance(join, exp.Join)]
    if any(item.is_star for item in select.expressions) or any(join.side or join.args.get("using") for join in joins):
        return False
    used = [column for column in select.find_all(exp.Column) if column.table.lower() == alias.lower()]
    bare = any(not column.table for column in query.columns(select))
    linking = {id(join) for column in used if (join := column.find_ancestor(exp.Join, exp.Where)) in joins}
    inside = all(column.find_ancestor(exp.Join, exp.Where, exp.Select) in joins for column in used)
    if bare or not inside or len(linking) != 1:
        return False
    start = select.args["from_"]
    link = next(join for join in joins if id(join) in linking)
    on = link.args.get("on")
    if not isinstance(on, exp.EQ):
        return False
    if link.this.alias_or_name.lower() != alias.lower():
        if start.this.alias_or_name.lower() != alias.lower():
            return False
        start.set("this", link.this)
    select.set("joins", [join for join in joins if join is not link])
    query.note(f"drop {alias}", f"`{alias}` was left out, as nothing of it is used.")
    return True


def desert(query: Query, column: exp.Column) -> None:
    """Remember that a column was taken away from the table that it was asked of."""
    select = sources.owner(column)
    if column.table and select is not None:
        query.deserted.add((id(select), column.table.lower()))
