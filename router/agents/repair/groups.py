"""GROUP BY: what is shown beside a sum must be grouped by, or the database refuses or shows one arbitrary row."""

from sqlglot import exp

from router.agents.repair.query import Query


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
