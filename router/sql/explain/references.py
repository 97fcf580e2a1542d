"""Finds what the names and numbers in GROUP BY, HAVING and ORDER BY stand for."""

from sqlglot import exp


def group_keys(select: exp.Select) -> list[exp.Expr]:
    """Return what a query groups by, with the results that numbers and names there stand for."""
    group = select.args.get("group")
    if group and group.args.get("all") and not group.expressions:
        return [item.unalias() for item in select.selects if not sums_up(item)]
    return [referred(select, key) for key in group.expressions] if group else []


def referred(query: exp.Query, key: exp.Expr) -> exp.Expr:
    """Return the result that a number or a name in GROUP BY or ORDER BY stands for, or the key itself."""
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.this) <= len(query.selects):
        return query.selects[int(key.this) - 1].unalias()
    named = [item.unalias() for item in query.selects if item.alias.lower() == key.name.lower()]
    # The name of a result may stand for it, unless a table could have a column of that name.
    is_name = isinstance(key, exp.Column) and not key.table and named and not isinstance(named[0], exp.Column)
    return named[0] if is_name else key


def meant(query: exp.Query, node: exp.Expr) -> exp.Expr:
    """Return what a name in HAVING stands for."""
    return referred(query, node).copy() if isinstance(node, exp.Column) else node


def sums_up(item: exp.Expr) -> bool:
    """Return whether a result is taken over many rows, not counting windows and inner queries."""
    found = item.find_all(exp.AggFunc)
    return any(each.find_ancestor(exp.Window, exp.Select) is item.parent_select for each in found)
