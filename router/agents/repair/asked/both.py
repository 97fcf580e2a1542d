"""Those who have the one and the other: a row has one value, so both must be looked for among the rows of each."""

import re

from sqlglot import exp

from router.agents.repair.query import Query, conditions
from router.agents.repair.sources import Source

_BOTH = re.compile(r"\bboth\b|\bas well as\b|\band also\b", re.IGNORECASE)


def mend_both(query: Query, asked: str) -> None:
    """Demand as many different values for each as the question names, where one row would have to have them all."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("group") or tree.find(exp.AggFunc):
        return
    items = [item.unalias() for item in tree.expressions]
    parts = _contradiction(tree) or (_listed(tree) if _BOTH.search(asked) else [])
    shown = _shown(query, tree, items)
    if not parts or shown is None or not _has_several(query, tree, shown, parts[0].this):
        return
    column = parts[0].this
    values = [value for part in parts for value in (part.expressions or [part.expression])]
    listed = exp.In(this=column.copy(), expressions=[value.copy() for value in values])
    kept = [each.copy() for each in conditions(tree) if not any(each is part for part in parts)]
    tree.set("where", exp.Where(this=exp.and_(*kept, listed, copy=False)))
    tree.set("group", exp.Group(expressions=[each.copy() for each in (*items, *_keys(query, shown, items))]))
    different = exp.Count(this=exp.Distinct(expressions=[column.copy()]))
    tree.set("having", exp.Having(this=exp.EQ(this=different, expression=exp.Literal.number(len(values)))))
    tree.set("distinct", None)
    query.note("both", f"Only those with each of {' and '.join(f'“{value.name}”' for value in values)} are shown.")


def _contradiction(tree: exp.Select) -> list[exp.Expr]:
    """Return the conditions `c = 'a'` and `c = 'b'` on one column, which no row fulfils together."""
    equal: dict[str, list[exp.Expr]] = {}
    for part in conditions(tree):
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Literal):
            equal.setdefault(part.this.sql().lower(), []).append(part)
    several = [parts for parts in equal.values() if len({part.expression.name for part in parts}) > 1]
    return several[0] if len(several) == 1 else []


def _listed(tree: exp.Select) -> list[exp.Expr]:
    """Return the one list of two values that is demanded of every row."""
    lists: list[exp.Expr] = [
        part for part in conditions(tree) if isinstance(part, exp.In) and isinstance(part.this, exp.Column)
    ]
    values = lists[0].expressions if len(lists) == 1 else []
    return lists if len(values) == 2 and all(isinstance(value, exp.Literal) for value in values) else []


def _shown(query: Query, tree: exp.Select, items: list[exp.Expr]) -> Source | None:
    """Return the only table of which columns are shown, and nothing else."""
    labels = {item.table.lower() if isinstance(item, exp.Column) and not item.is_star else "" for item in items}
    found = [source for source in query.sources(tree) if {source.alias.lower()} == labels]
    return found[0] if len(found) == 1 and found[0].table else None


def _has_several(query: Query, tree: exp.Select, shown: Source, column: exp.Column) -> bool:
    """Tell whether a row of the table that is shown may have several values of a column of another one."""
    sources = {source.alias.lower(): source.table.name for source in query.sources(tree) if source.table}
    goal, start = sources.get(column.table.lower()), shown.table.name if shown.table else ""
    present, several = set(sources.values()), {start: False}
    while goal not in several:
        ways = [hop for hop in query.hops if hop.near in several and hop.far in present - several.keys()]
        if not ways:
            return False
        several |= {hop.far: several[hop.near] or hop.fans for hop in ways}
    return several[goal] if goal else False


def _keys(query: Query, shown: Source, items: list[exp.Expr]) -> list[exp.Expr]:
    """Return the key of the table that is shown, so that two of one name are not taken for one."""
    names = {item.name.lower() for item in items}
    key = shown.table.primary_key if shown.table else ()
    return [
        exp.Column(this=query.identifier(name), table=shown.label.copy()) for name in key if name.lower() not in names
    ]
