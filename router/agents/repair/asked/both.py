"""Those who have the one and the other: a row has one value, so both must be looked for among the rows of each."""

import re

from sqlglot import exp

from router.agents.repair.query import Query

_BOTH = re.compile(r"\bboth\b|\bas well as\b|\band also\b", re.IGNORECASE)


def mend_both(query: Query, asked: str) -> None:
    """Demand as many different values for each as the question names, where one row would have to have them all."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("group") or tree.find(exp.AggFunc):
        return
    where = tree.args.get("where")
    items = [item.unalias() for item in tree.expressions]
    if where is None or not all(isinstance(item, exp.Column) and not item.is_star for item in items):
        return
    found = _contradiction(where) or (_listed(where) if _BOTH.search(asked) else None)
    if found is None:
        return
    column, values = found
    keys = [*items, *(_keys(query, tree, items, column))]
    different = exp.Count(this=exp.Distinct(expressions=[column.copy()]))
    tree.set("group", exp.Group(expressions=[key.copy() for key in keys]))
    tree.set("having", exp.Having(this=exp.EQ(this=different, expression=exp.Literal.number(len(values)))))
    tree.set("distinct", None)
    query.note("both", f"Only those with each of {' and '.join(f'“{value}”' for value in values)} are shown.")


def _contradiction(where: exp.Where) -> tuple[exp.Column, list[str]] | None:
    """Turn `c = 'a' AND c = 'b'`, which no row fulfils, into a list, and return its column and values."""
    equal: dict[str, list[exp.EQ]] = {}
    for part in where.this.flatten() if isinstance(where.this, exp.And) else ():
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Literal):
            equal.setdefault(part.this.sql().lower(), []).append(part)
    several = [parts for parts in equal.values() if len({part.expression.name for part in parts}) > 1]
    if len(several) != 1:
        return None
    first, *rest = several[0]
    column = first.this
    literals = [part.expression.copy() for part in several[0]]
    for part in rest:
        part.replace(exp.true())
    first.replace(exp.In(this=column.copy(), expressions=literals))
    kept = [part.copy() for part in where.this.flatten() if not isinstance(part, exp.Boolean)]
    where.set("this", exp.and_(*kept, copy=False))
    return column, [literal.name for literal in literals]


def _listed(where: exp.Where) -> tuple[exp.Column, list[str]] | None:
    """Return column and values of the one list of two texts, where it is demanded of every row."""
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    lists = [
        part
        for part in parts
        if isinstance(part, exp.In) and len(part.expressions) == 2 and isinstance(part.this, exp.Column)
    ]
    if len(lists) != 1 or not all(isinstance(value, exp.Literal) for value in lists[0].expressions):
        return None
    return lists[0].this, [value.name for value in lists[0].expressions]


def _keys(query: Query, tree: exp.Select, items: list[exp.Expr], column: exp.Column) -> list[exp.Expr]:
    """Return the key of the table that is shown, so that two of one name are not taken for one."""
    tables = {item.args["table"].name.lower(): item.args["table"] for item in items if item.args.get("table")}
    if len(tables) != 1 or column.table.lower() in tables:
        return []
    label = next(iter(tables.values()))
    source = next((each for each in query.sources(tree) if each.alias.lower() == label.name.lower()), None)
    shown = {item.name.lower() for item in items}
    key = source.table.primary_key if source and source.table else ()
    return [exp.Column(this=query.identifier(name), table=label.copy()) for name in key if name.lower() not in shown]
