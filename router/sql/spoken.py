"""What the words about a query cover; a query with anything beyond is said to hold more."""

from sqlglot import exp

_SELECT = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_"}
_SET = {"this", "expression", "distinct", "order", "limit", "offset", "with_"}
_COVERED: dict[type[exp.Expr], set[str]] = {
    exp.Select: _SELECT,
    exp.Union: _SET,
    exp.Intersect: _SET,
    exp.Except: _SET,
    exp.Subquery: {"this", "alias"},
    exp.Table: {"this", "db", "catalog", "alias"},
    exp.Join: {"this", "on", "using", "side", "kind"},
    exp.With: {"expressions", "recursive"},
    exp.CTE: {"this", "alias"},
    exp.Group: {"expressions"},
    exp.Distinct: {"expressions"},
    exp.Limit: {"expression", "limit_options"},
    exp.Fetch: {"direction", "count", "limit_options"},
    exp.LimitOptions: {"rows"},
    exp.Offset: {"expression"},
    exp.Star: set(),
}
_KINDS = {"", "INNER", "OUTER", "CROSS"}


def says_all(tree: exp.Expr) -> bool:
    """Tell whether the words for a query leave nothing out that changes its rows."""
    return all(_covered(node, tree) for node in tree.walk())


def _covered(node: exp.Expr, tree: exp.Expr) -> bool:
    known = _COVERED.get(type(node))
    if known is None:
        return not isinstance(node, exp.Query | exp.Rollup | exp.Cube | exp.GroupingSets)
    if isinstance(node, exp.Join) and node.kind.upper() not in _KINDS:
        return False
    inner_with = node is not tree and "with_" in known and bool(node.args.get("with_"))
    return not inner_with and not any(value and key not in known for key, value in node.args.items())
