"""GROUP BY: what is shown beside a sum must be grouped by, or the database refuses or shows one arbitrary row."""

from sqlglot import exp

from router.text_to_sql.repair.join_paths import direct
from router.text_to_sql.repair.query import Query

# Membership: a column that the inner table lacks would silently be the outer one's.


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


def mend_groups(query: Query) -> None:
    """Group by the columns that stand beside sums where they were forgotten."""
    if isinstance(query.tree, exp.Select):
        _label(query, query.tree)
    for select in query.selects():
        sums = [node for node in _own(select, exp.AggFunc) if not node.find_ancestor(exp.Window)]
        group = select.args.get("group")
        # SQLite and MySQL take the row of the maximum, or any row, for what is not grouped by: that may be meant.
        lenient = query.dialect in ("sqlite", "mysql")
        if not sums or (lenient and (group or all(isinstance(node, exp.Max | exp.Min) for node in sums))):
            continue
        keys = list(group.expressions) if group else []
        if group and (len(group.args) > 1 or any(not isinstance(key, exp.Column) for key in keys)):
            continue  # numbers, expressions and subtotals are left to the database
        missing = [item.unalias() for item in select.expressions if _is_plain(select, item) and not _has(keys, item)]
        if missing:
            select.set("group", exp.Group(expressions=[*keys, *(node.copy() for node in missing)]))
            names = " and ".join(f"`{node.sql(dialect=query.dialect)}`" for node in missing)
            query.note(f"group {names}", f"The rows are grouped by {names}.")


def _label(query: Query, select: exp.Select) -> None:
    """Show what the rows are grouped by where nothing but sums is shown: numbers without names tell nothing."""
    group = select.args.get("group")
    keys = list(group.expressions) if group else []
    if any(not item.find(exp.AggFunc) for item in select.expressions):
        return
    if keys and all(isinstance(key, exp.Column | exp.Func) for key in keys):
        select.set("expressions", [*(key.copy() for key in keys), *select.expressions])
        names = " and ".join(f"`{key.sql(dialect=query.dialect)}`" for key in keys)
        query.note(f"label {names}", f"{names} is shown beside the numbers.")


def _own(select: exp.Select, kind: type[exp.Expr]) -> list[exp.Expr]:
    """Return the nodes in the results, in HAVING and in ORDER BY of this SELECT itself."""
    places = [*select.expressions, select.args.get("having"), select.args.get("order")]
    found = [node for place in places if place for node in place.find_all(kind)]
    return [node for node in found if node.find_ancestor(exp.Select) is select]


def _is_plain(select: exp.Select, item: exp.Expr) -> bool:
    """Tell whether a result is a column, or computed from columns, without a sum, a window or an inner query."""
    if item.is_star or item.find(exp.AggFunc, exp.Window, exp.Query):
        return False
    return item.find(exp.Column) is not None


def _has(keys: list[exp.Expr], item: exp.Expr) -> bool:
    node = item.unalias()
    names = {key.name.lower() for key in keys}
    return node in keys or (isinstance(node, exp.Column) and node.name.lower() in names) or item.alias.lower() in names
