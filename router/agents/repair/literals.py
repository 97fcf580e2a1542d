"""Values: spelt as the database spells them, of the type they are compared with, and not mistaken for names."""

from sqlglot import exp

from router.agents.repair.names import exact
from router.agents.repair.query import Query
from router.agents.repair.sources import column_of
from router.catalog.samples import SHOWN

_WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%w": 1}


def mend_literals(query: Query) -> None:
    """Put values right where the samples, or what they are compared with, leave no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.In)):
        others = node.expressions if isinstance(node, exp.In) else [node.args["expression"]]
        for literal in others:
            _spell(query, node.this, literal)
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)):
        _match_type(query, node)
    for select in query.selects():
        _unquote_names(query, select)


def mend_division(query: Query) -> None:
    """Divide counts as decimals where the database would cut the share to a whole number."""
    if query.dialect not in ("sqlite", "postgres", "tsql"):
        return
    for node in list(query.tree.find_all(exp.Div)):
        if _counts(node.this) and _counts(node.expression) and not isinstance(node.expression, exp.Literal):
            left = node.this
            node.set("this", exp.Mul(this=exp.Literal.number("1.0"), expression=left.copy()))
            query.note(
                "division", "The counts are divided as decimals, so that the share is not cut to a whole number."
            )


def _spell(query: Query, side: exp.Expr, literal: exp.Expr) -> None:
    """Write a value as the only sample is written that differs from it in case alone."""
    if not isinstance(side, exp.Column) or not isinstance(literal, exp.Literal) or not literal.is_string:
        return
    column = column_of(side, query.schema)
    value = literal.name
    if column is None or value in column.samples or len(column.samples) >= SHOWN:
        return  # where not every value is known, this one may exist as it is written
    same = [sample for sample in column.samples if sample.strip().casefold() == value.strip().casefold()]
    if len(same) == 1:
        literal.replace(exp.Literal.string(same[0]))
        query.note(value, f"“{value}” is spelt “{same[0]}” in `{column.name}`.")


def _match_type(query: Query, node: exp.Expr) -> None:
    """Compare a part of a date, which SQLite gives as text, with text."""
    side = node.this
    if query.dialect != "sqlite" or not isinstance(side, exp.TimeToStr):
        return
    width = _WIDTHS.get(side.text("format"), 0)
    for key in ("expression", "low", "high", "expressions"):
        values = node.args.get(key)
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, exp.Literal) and not value.is_string and width:
                value.replace(exp.Literal.string(value.name.zfill(width)))
                query.note(value.name, f"{value.name} is compared as text, as SQLite gives parts of a date.")


def _unquote_names(query: Query, select: exp.Select) -> None:
    """Read 'name' as the column where a mere value would make no sense: as a result, in GROUP BY, in ORDER BY."""
    group, order = select.args.get("group"), select.args.get("order")
    places = list(select.expressions) + (list(group.expressions) if group else [])
    places += [each.this for each in order.expressions] if order else []
    for node in places:
        if isinstance(node, exp.Literal) and node.is_string:
            names = [name for source in query.sources(select) for name in source.columns or ()]
            names += [item.alias for item in select.expressions if item.alias]
            found = exact(node.name, names)
            if found:
                node.replace(exp.Column(this=query.identifier(found)))
                query.note(found, f"'{node.name}' was read as the column `{found}`.")


def _counts(node: exp.Expr) -> bool:
    """Tell whether a value is surely a whole number that counts something."""
    match node:
        case exp.Paren():
            return _counts(node.this)
        case exp.Count():
            return True
        case exp.Sum():
            case = node.this
            return isinstance(case, exp.Case | exp.If) and all(_whole(value) for value in _results(case))
        case exp.Mul():
            sides = (node.this, node.expression)
            return any(_counts(side) for side in sides) and all(_counts(side) or _whole(side) for side in sides)
    return False


def _results(case: exp.Expr) -> list[exp.Expr]:
    branches = case.args.get("ifs") or [case]
    default = case.args.get("default") or case.args.get("false")
    return [branch.args["true"] for branch in branches] + ([default] if default else [])


def _whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_int)
