"""Sums within a query that are taken of the row around it, and are meant to be of a whole table."""

from sqlglot import exp

from router.text_to_sql.repair.query import FromItem, Query, visible


def mend_outer_sums(query: Query) -> None:
    """Take a sum over the table of its column: `WHERE t.a < (SELECT AVG(t.a) FROM other)` takes it of one row.

    Most databases refuse that; what else stands in the inner query has to be of the same table.
    """
    for select in query.selects():
        sums = query.nodes(select, exp.Avg, exp.Sum, exp.Min, exp.Max)
        own, *around = visible(select, query.schema)
        if not sums or len(own) != 1 or own[0].table is None or not around:
            continue
        columns = query.columns(select)
        named = {column.table.lower() for node in sums for column in node.find_all(exp.Column)}
        meant = _named(named, around[0]) if own[0].alias.lower() not in named else None
        if meant is None or meant.table is None or any(column.table.lower() not in named for column in columns):
            continue
        if any(not meant.has(column.name) for column in columns):
            continue
        label = exp.Identifier(this="")
        select.args["from_"].set("this", exp.Table(this=query.identifier(meant.table.name)))
        for column in columns:
            query.redirect(column, label, column.name)
        query.note(f"sum of {meant.alias}", f"The total is taken of all rows of `{meant.table.name}`.")


def _named(names: set[str], among: tuple[FromItem, ...]) -> FromItem | None:
    return next((source for source in among if {source.alias.lower()} == names), None)
