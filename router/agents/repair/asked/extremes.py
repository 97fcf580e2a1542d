"""Comparisons with the extreme of another column: "faster than the car with the most power" compares speeds."""

from sqlglot import exp

from router.agents.repair.query import Query
from router.catalog.personal import split_words
from router.catalog.stems import stem

_COMPARED = (exp.GT, exp.GTE, exp.LT, exp.LTE)


def mend_extremes(query: Query, asked: str) -> None:
    """Compare with the same column of the row that has the extreme, where two columns of one table were compared."""
    for part in list(query.tree.find_all(*_COMPARED)):
        column, inner = part.this, part.expression
        inner = inner.unnest() if isinstance(inner, exp.Subquery) else None
        if not isinstance(column, exp.Column) or not isinstance(inner, exp.Select) or len(inner.expressions) != 1:
            continue
        extreme = inner.expressions[0].unalias()
        if not isinstance(extreme, exp.Max | exp.Min) or not isinstance(extreme.this, exp.Column):
            continue
        other = extreme.this
        sources = query.sources(inner)
        if other.name.lower() == column.name.lower() or len(sources) != 1 or not sources[0].has(column.name):
            continue
        if inner.args.get("group") or not (_named(column.name, asked) and _named(other.name, asked)):
            continue
        inner.set("expressions", [exp.Column(this=column.this.copy(), table=other.args.get("table"))])
        inner.set("order", exp.Order(expressions=[_ordered(other.copy(), isinstance(extreme, exp.Max))]))
        inner.set("limit", exp.Limit(expression=exp.Literal.number(1)))
        end = "highest" if isinstance(extreme, exp.Max) else "lowest"
        query.note("extreme", f"Compared with the `{column.name}` of the row that has the {end} `{other.name}`.")


def _ordered(node: exp.Expr, down: bool) -> exp.Ordered:
    return exp.Ordered(this=node, desc=down, nulls_first=False)


def _named(name: str, asked: str) -> bool:
    said, words = {stem(word) for word in split_words(asked)}, {stem(word) for word in split_words(name)}
    joined = "".join(split_words(name)).lower()
    return bool(words) and (words <= said or stem(joined) in said)
