"""Membership in another table: a column that the inner table lacks would silently be the outer one's."""

from sqlglot import exp

from router.agents.repair.paths import direct
from router.agents.repair.query import Query


def mend_membership(query: Query) -> None:
    """Compare along the foreign key where `c IN (SELECT c FROM t)` asks a table for a column that it lacks.

    The database would take the outer row's own `c`, so that the condition says nothing.
    """
    for part in list(query.tree.find_all(exp.In)):
        inner = part.args.get("query")
        inner = inner.unnest() if isinstance(inner, exp.Subquery) else inner
        outer = part.find_ancestor(exp.Select)
        if not isinstance(part.this, exp.Column) or not isinstance(inner, exp.Select) or outer is None:
            continue
        item = inner.expressions[0] if len(inner.expressions) == 1 else None
        own = query.sources(inner)
        if not isinstance(item, exp.Column) or len(own) != 1 or own[0].table is None or own[0].has(item.name):
            continue
        around = [source for source in query.sources(outer) if source.has(part.this.name) and source.table]
        around = [each for each in around if part.this.table.lower() in ("", each.alias.lower())]
        hop = (
            direct(query.hops, around[0].table.name, own[0].table.name)
            if len(around) == 1 and around[0].table
            else None
        )
        if hop is None or len(hop.pairs) != 1:
            continue
        near, far = hop.pairs[0]
        label = around[0].label.copy() if part.this.table else None
        column = exp.Column(this=query.identifier(near), table=label)
        part.set("this", column)
        item.replace(exp.Column(this=query.identifier(far)))
        if isinstance(part.parent, exp.Not) and not hop.fans:
            absent = exp.Is(this=column.copy(), expression=exp.Null())
            negated = part.parent
            negated.replace(exp.Paren(this=exp.Or(this=absent, expression=negated.copy())))
        query.note(f"in {far}", f"`{hop.near}` and `{hop.far}` were compared by `{near} = {hop.far}.{far}`.")
