"""Sets of rows that one condition cannot tell: whoever has both of two values, and whoever has none of a kind."""

import re

from sqlglot import exp

from router.text_to_sql.question import Question
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import Query, conjuncts, source_of

_HAS_NOT = re.compile(
    r"\b(?:do|does|did|have|has|had)(?: not| never|n['’]?t)\b|\bnever\b|\bwithout (?:a|an|any)\b", re.IGNORECASE
)
"""A thing that has none of a kind: "who have not taken a loan", and not "whose loan is not open"."""
_BOTH = re.compile(r"\bboth\b.+\band\b.*", re.IGNORECASE)


def intersect_both(query: Query, question: Question) -> None:
    """Take those that are in both sets where the question says "both A and B", and the query takes either, or nobody.

    Only where what is shown may have several rows with a value each: a customer with orders, not an order.
    """
    tree = query.tree
    asked = _BOTH.search(question.text)
    if not asked or not isinstance(tree, exp.Select) or any(tree.args.get(key) for key in ("group", "having", "limit")):
        return
    found = _two_values(tree)
    if found is None or any(item.find(exp.AggFunc) for item in tree.expressions):
        return
    part, column, values = found
    if not all(value.name.lower() in asked[0].lower() for value in values) or not _has_several(query, tree, column):
        return
    sides = []
    for value in values:
        side = tree.copy()
        place = next(node for node in side.find_all(type(part)) if node == part)
        place.replace(exp.EQ(this=column.copy(), expression=value.copy()))
        side.set("order", None)
        sides.append(side)
    query.tree = exp.Intersect(this=sides[0], expression=sides[1], distinct=True)
    query.note("both", f"Those are taken that are found for {' and for '.join(value.sql() for value in values)}.")


def exclude_owners(query: Query, question: Question) -> None:
    """Leave out whoever has a row of a kind where the question says "who have not", and the query asks for other rows.

    Customers with a loan of another kind may have one of this kind, too; those without any loan belong to the answer.
    """
    tree = query.tree
    if not _HAS_NOT.search(question.text) or not isinstance(tree, exp.Select) or tree.args.get("group"):
        return
    parts = conjuncts(tree.args.get("where"))
    unequal = [part for part in parts if isinstance(part, exp.NEQ) and isinstance(part.this, exp.Column)]
    join = _owned(query, tree, unequal[0]) if len(unequal) == 1 else None
    if join is None:
        return
    kind = exp.EQ(this=unequal[0].this.copy(), expression=unequal[0].expression.copy())
    row = exp.select("1").from_(join.this.copy()).where(exp.and_(join.args["on"].copy(), kind))
    kept = [part.copy() for part in parts if part is not unequal[0]]
    tree.set("joins", [each for each in tree.args["joins"] if each is not join])
    tree.set("where", exp.Where(this=exp.and_(*kept, exp.Not(this=exp.Exists(this=row)), copy=False)))
    query.note("has not", f"Whoever has a row with `{kind.sql(dialect=query.dialect)}` is left out.")


def _owned(query: Query, tree: exp.Select, unequal: exp.NEQ) -> exp.Join | None:
    """Return the join of a table of which nothing but this condition is used, and several rows of which have one owner.

    None where there is no such join.
    """
    held = source_of(unequal.this, query.schema)
    join = next(
        (
            each
            for each in tree.args.get("joins") or ()
            if held and each.this.alias_or_name.lower() == held.alias.lower() and not each.side
        ),
        None,
    )
    if join is None or held is None or not isinstance(join.args.get("on"), exp.EQ):
        return None
    own = [
        c for c in tree.find_all(exp.Column) if (source := source_of(c, query.schema)) and source.alias == held.alias
    ]
    inside = {id(column) for node in (join, unequal) for column in node.find_all(exp.Column)}
    others = [source for source in query.sources(tree) if source.alias != held.alias]
    if any(id(column) not in inside for column in own) or any(item.is_star for item in tree.expressions):
        return None
    edges = [edge for edge in edges_of(query, tree) if held.alias in (edge.left.alias, edge.right.alias)]
    return join if len(others) == 1 and others[0].table and multiplying(others[0], edges) else None


def _two_values(tree: exp.Select) -> tuple[exp.Expr, exp.Column, tuple[exp.Literal, ...]] | None:
    """Return the condition by which one column has either of two values, or both at once; with the column and them."""
    where = tree.args.get("where")
    parts = conjuncts(where)
    for part in parts:
        bare = part.unnest()
        if isinstance(bare, exp.In) and isinstance(bare.this, exp.Column):
            column, values = bare.this, tuple(bare.expressions)
        elif isinstance(bare, exp.Or) and (pair := _equal(list(bare.flatten()))):
            column, values = pair
        else:
            continue
        if len(values) == 2 and all(isinstance(value, exp.Literal) for value in values):
            return part, column, values
    if where and len(parts) == 2 and (pair := _equal(parts)):
        return where.this, *pair
    return None


def _equal(parts: list[exp.Expr]) -> tuple[exp.Column, tuple[exp.Literal, ...]] | None:
    """Return the one column that all of these conditions give a value, with the values."""
    bare = [part.unnest() for part in parts]
    equal = [each for each in bare if isinstance(each, exp.EQ) and isinstance(each.expression, exp.Literal)]
    columns = {each.this for each in equal if isinstance(each.this, exp.Column)}
    if len(equal) != len(bare) or len(columns) != 1:
        return None
    return columns.pop(), tuple(each.expression for each in equal)


def _has_several(query: Query, tree: exp.Select, column: exp.Column) -> bool:
    """Tell whether what is shown may be in several rows, each with a value of the column."""
    items = [item.unalias() for item in tree.expressions]
    shown = [source_of(item, query.schema) for item in items if isinstance(item, exp.Column)]
    held = source_of(column, query.schema)
    if held is None or held.table is None or len(shown) < len(items) or any(each is None for each in shown):
        return False
    edges = edges_of(query, tree)
    of_other = all(each and each.alias != held.alias and multiplying(each, edges) for each in shown)
    keys = {name.lower() for key in held.table.foreign_keys for name in key.columns}
    of_keys = all(isinstance(item, exp.Column) and item.name.lower() in keys for item in items)
    return of_other or (of_keys and all(each and each.alias == held.alias for each in shown))
