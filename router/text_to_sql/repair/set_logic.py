"""Sets of rows that one condition cannot tell: whoever has both of two values, and whoever has none of a kind."""

import re
from collections.abc import Sequence
from itertools import combinations

from sqlglot import exp

from router.text_to_sql.question import Question
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import Query, Source, conjuncts, source_of, words


def split_union(query: Query) -> None:
    """Show in each part of a UNION what its own tables have, where the parts are alike then: small models list all."""
    for union in query.tree.find_all(exp.SetOperation):
        sides = [side for side in (union.this, union.expression) if isinstance(side, exp.Select)]
        kept = [[item for item in side.expressions if not _is_of_others(query, side, item)] for side in sides]
        names = [{item.alias_or_name.lower() for item in items} for items in kept]
        dropped = [
            {item.alias_or_name.lower() for item in side.expressions} - own
            for side, own in zip(sides, names, strict=True)
        ]
        if len(sides) < 2 or not 0 < len(kept[0]) == len(kept[1]) or names[0] & names[1]:
            continue
        if any(dropped) and dropped[0] <= names[1] and dropped[1] <= names[0]:
            for side, items in zip(sides, kept, strict=True):
                side.set("expressions", items)
            query.note("union", "Each part shows what its own tables have.")


def _is_of_others(query: Query, side: exp.Select, item: exp.Expr) -> bool:
    """Tell whether a column is shown that no table of this part has, and one of the schema does."""
    column = item.unalias()
    if not isinstance(column, exp.Column) or any(source.has(column.name) for source in query.sources(side)):
        return False
    return any(column.name.lower() == each.name.lower() for table in query.schema.tables for each in table.columns)


_HAS_NOT = re.compile(
    r"\b(?:do|does|did|have|has|had)(?: not| never|n['’]?t)\b|\bnever\b|\bwithout (?:a|an|any)\b", re.IGNORECASE
)
"""A thing that has none of a kind: "who have not taken a loan", and not "whose loan is not open"."""
_BOTH = re.compile(r"\bboth\b.+\band\b.*|\ban? (\w+)\b.+\band (?:an?|another) \1\b.*", re.IGNORECASE)
"""Two at once: "both A and B", and "a book of A and a book of B"."""
_WHO_HAS_BOTH = re.compile(
    r"\b(?:that|which|who|with|ha[sd]|have|having)\b(?:\W+\w+){0,2}\W+both\b"
    r"|\b(?:that|which|who|with|ha[sd]|have|having)\W+an?\b(?!.*\beither\b)",
    re.IGNORECASE,
)
"""Both of them belong to one thing: "headquarters that have both", and not "amounts of both"."""
_THAT_HAS_NOT = re.compile(
    r"\b(\w+)\W+(?:that|which|who)\W+(?:do|does|did|have|has|had)(?: not| never|n['’]?t)\b", re.IGNORECASE
)


def intersect_both(query: Query, question: Question) -> None:
    """Take those that are in both sets where the question says "both A and B", and the query takes either, or nobody.

    Only where what is shown may have several rows with a value each: a customer with orders, not an order.
    """
    tree = query.tree
    asked = _BOTH.search(question.text)
    if not asked or not isinstance(tree, exp.Select) or any(tree.args.get(key) for key in ("group", "having", "limit")):
        return
    order = _by_shown(tree)
    if order is None:
        return
    found = _two_conditions(tree)
    if found is None or any(item.find(exp.AggFunc) for item in tree.expressions):
        return
    kept, column, pair = found
    values = [literal.name for each in pair for literal in each.find_all(exp.Literal)]
    if not _WHO_HAS_BOTH.search(question.text) or not all(_said(value, asked[0]) for value in values):
        return
    if not _is_shared(query, tree, column) and not _has_several(query, tree, column):
        return
    sides = []
    for each in pair:
        side = tree.copy()
        side.set("where", exp.Where(this=exp.and_(*(part.copy() for part in kept), each.copy(), copy=False)))
        side.set("order", None)
        sides.append(side)
    query.tree = exp.Intersect(this=sides[0], expression=sides[1], distinct=True)
    if order:
        query.tree.set("order", exp.Order(expressions=order))
    said = [" ".join(literal.sql() for literal in each.find_all(exp.Literal)) for each in pair]
    query.note("both", f"Those are taken that are found for {' and for '.join(said)}.")


def _by_shown(tree: exp.Select) -> list[exp.Expr] | None:
    """Return the order of the rows by names of what is shown, as sets are ordered; None where it is another one."""
    found = []
    for key in tree.args["order"].expressions if tree.args.get("order") else ():
        if not isinstance(key.this, exp.Column) or key.this not in [item.unalias() for item in tree.expressions]:
            return None
        bare = key.copy()
        bare.set("this", exp.Column(this=key.this.this.copy()))
        found.append(bare)
    return found


def _said(value: str, words: str) -> bool:
    """Tell whether a question says a value; a year may be the one before, as 2006 in "after 2005"."""
    around = {value, *(str(int(value) + step) for step in (-1, 1) if value.isdigit())}
    return any(each.lower() in words.lower() for each in around)


def exclude_owners(query: Query, question: Question) -> None:
    """Leave out whoever has a row of a kind where the question says "who have not", and the query asks for other rows.

    Customers with a loan of another kind may have one of this kind, too; those without any loan belong to the answer.
    """
    tree = query.tree
    asked = _HAS_NOT.search(question.text)
    if not asked or not isinstance(tree, exp.Select) or any(tree.args.get(key) for key in ("group", "order", "limit")):
        return
    if any(item.find(exp.AggFunc) for item in tree.expressions):
        return
    parts = conjuncts(tree.args.get("where"))
    unequal = [part for part in parts if isinstance(part, exp.NEQ) and isinstance(part.this, exp.Column)]
    if len(unequal) != 1:
        return
    join = _owned(query, tree, unequal[0])
    kind = exp.EQ(this=unequal[0].this.copy(), expression=unequal[0].expression.copy())
    kept = [part.copy() for part in parts if part is not unequal[0]]
    said = f"Whoever has a row with `{kind.sql(dialect=query.dialect)}` is left out."
    if join is not None and not _subject(question.text[: asked.start()]) & words(join.this.name):
        row = exp.select("1").from_(join.this.copy()).where(exp.and_(join.args["on"].copy(), kind))
        tree.set("joins", [each for each in tree.args["joins"] if each is not join])
        tree.set("where", exp.Where(this=exp.and_(*kept, exp.Not(this=exp.Exists(this=row)), copy=False)))
        query.note("has not", said)
    elif join is None and _is_what_has_not(tree, question) and _is_shared(query, tree, unequal[0].this):
        without, those = tree.copy(), tree.copy()
        without.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
        those.set("where", exp.Where(this=kind))
        for side in (without, those):
            side.set("distinct", None)
        query.tree = exp.Except(this=without, expression=those, distinct=True)
        query.note("has not", said)


_NOT = re.compile(r"\b(?:not|never|\w+n['’]t|except(?: for)?|excluding|other than)\b(?! only\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"[^,.;?]*?(?=[,.;?]|\b(?:and|or|but|nor)\b|$)", re.IGNORECASE)


def negate_named(query: Query, question: Question) -> None:
    """Leave out what the question does not want where the query wants just that: "who are not from Berlin".

    Where the value belongs to another table, whoever has a row with it is left out.
    """
    tree, said = query.tree, list(_NOT.finditer(question.text))
    if len(said) != 1 or not isinstance(tree, exp.Select) or tree.args.get("group") or _leaves_out(tree):
        return
    before, after = question.text[: said[0].start()].lower(), question.text[said[0].end() :].lower()
    clause = _CLAUSE.match(after)
    parts = conjuncts(tree.args.get("where"))
    unwanted = [part for part in parts if isinstance(part, exp.EQ) and _all_in(part, clause[0] if clause else "")]
    others = [node.name.lower() for part in parts if part not in unwanted for node in part.find_all(exp.Literal)]
    if not unwanted or any(other in after and other not in before for other in others):
        return
    places = {place.alias if (place := _place(query, part)) else "" for part in unwanted}
    shown = {
        source.alias
        for item in tree.find_all(exp.Column)
        if _is_shown(item) and (source := source_of(item, query.schema))
    }
    kept = [part.copy() for part in parts if part not in unwanted]
    condition = exp.and_(*(part.copy() for part in unwanted), copy=False)
    join = next((each for each in tree.args.get("joins") or () if {each.this.alias_or_name} == places), None)
    if places & shown or len(places) != 1 or "" in places:
        if places != shown or len(unwanted) != 1:
            return
        kept.append(exp.NEQ(this=unwanted[0].this.copy(), expression=unwanted[0].expression.copy()))
    elif (
        join is not None
        and join.args.get("on") is not None
        and not join.side
        and _used_by_these(tree, join, unwanted, query)
    ):
        row = exp.select("1").from_(join.this.copy()).where(exp.and_(join.args["on"].copy(), condition))
        tree.set("joins", [each for each in tree.args["joins"] if each is not join])
        kept.append(exp.Not(this=exp.Exists(this=row)))
    else:
        return
    tree.set("where", exp.Where(this=exp.and_(*kept, copy=False)))
    query.note(
        "not", f"Rows with `{condition.sql(dialect=query.dialect)}` are left out, as the question says “{said[0][0]}”."
    )


def _leaves_out(tree: exp.Expr) -> bool:
    return tree.find(exp.Not, exp.NEQ, exp.Except) is not None or any(
        node.args.get("negate") for node in tree.find_all(exp.Predicate)
    )


def _all_in(part: exp.Expr, clause: str) -> bool:
    """Tell whether a part of a question has all values of a condition."""
    values = [node.name.lower() for node in part.find_all(exp.Literal)]
    return bool(values) and all(re.search(rf"\b{re.escape(value)}\b", clause) for value in values)


def _place(query: Query, part: exp.EQ) -> Source | None:
    return source_of(part.this, query.schema) if isinstance(part.this, exp.Column) else None


def _is_shown(column: exp.Column) -> bool:
    node: exp.Expr = column
    while node.parent is not None and not isinstance(node.parent, exp.Select):
        node = node.parent
    return node.arg_key == "expressions" and node.parent is not None and node.parent.parent is None


def _used_by_these(tree: exp.Select, join: exp.Join, parts: Sequence[exp.Expr], query: Query) -> bool:
    """Tell whether nothing but its own join and these conditions uses a table."""
    alias = join.this.alias_or_name
    inside = {id(column) for node in (join, *parts) for column in node.find_all(exp.Column)}
    used = (c for c in tree.find_all(exp.Column) if (source := source_of(c, query.schema)) and source.alias == alias)
    return all(id(column) in inside for column in used)


def _subject(before: str) -> frozenset[str]:
    """Return what stands before a negation: in "orders that have not been paid", the orders."""
    said = [word for word in re.findall(r"[a-z]+", before.lower()) if word not in _BETWEEN]
    return words(said[-1]) if said else frozenset()


_BETWEEN = frozenset({"that", "which", "who", "was", "were", "is", "are", "has", "have", "had", "been", "yet"})


def _is_what_has_not(tree: exp.Select, question: Question) -> bool:
    """Tell whether a query shows the very thing of which the question says that it has not: "studios that have not"."""
    asked = _THAT_HAS_NOT.search(question.text)
    return asked is not None and all(words(asked[1]) <= words(item.alias_or_name) for item in tree.expressions)


def _is_shared(query: Query, tree: exp.Select, column: exp.Column) -> bool:
    """Tell whether several rows of the one table may show the same, each with a value of its own in a column."""
    items = [item.unalias() for item in tree.expressions]
    own = query.sources(tree)
    if len(own) != 1 or own[0].table is None or tree.args.get("limit"):
        return False
    keys = {name.lower() for name in own[0].table.primary_key}
    shown = {item.name.lower() for item in items if isinstance(item, exp.Column)}
    return len(shown) == len(items) == 1 and not keys & shown and column.name.lower() not in shown


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
    others = [source for source in query.sources(tree) if source.alias != held.alias]
    if not _used_by_these(tree, join, [unequal], query) or any(item.is_star for item in tree.expressions):
        return None
    edges = [edge for edge in edges_of(query, tree) if held.alias in (edge.left.alias, edge.right.alias)]
    return join if len(others) == 1 and others[0].table and multiplying(others[0], edges) else None


def _two_conditions(tree: exp.Select) -> tuple[list[exp.Expr], exp.Column, tuple[exp.Expr, exp.Expr]] | None:
    """Return two conditions on one column of which one row meets one alone, the column, and the other conditions."""
    parts = conjuncts(tree.args.get("where"))
    for part in parts:
        bare = part.unnest()
        pair: list[exp.Expr] = []
        if inside := _two_within(bare):
            return [each for each in parts if each is not part], *inside
        if isinstance(bare, exp.In) and isinstance(bare.this, exp.Column):
            pair = [exp.EQ(this=bare.this.copy(), expression=each.copy()) for each in bare.expressions]
        elif isinstance(bare, exp.Or):
            pair = list(bare.flatten())
        if _one_column(pair) is not None:
            column = bare.this if isinstance(bare, exp.In) else pair[0].unnest().this
            return [each for each in parts if each is not part], column, (pair[0], pair[1])
    for first, second in combinations(parts, 2):
        column = _one_column([first, second])
        if column is not None and _exclude_another(first.unnest(), second.unnest()):
            return [each for each in parts if each is not first and each is not second], column, (first, second)
    return None


def _two_within(part: exp.Expr) -> tuple[exp.Column, tuple[exp.Expr, exp.Expr]] | None:
    """Return two conditions such that a query within this one asks for the one or the other, and their column."""
    inner = part.args.get("query") if isinstance(part, exp.In) else None
    select = inner.unnest() if inner else None
    found = _two_conditions(select) if isinstance(select, exp.Select) and isinstance(part.this, exp.Column) else None
    if found is None:
        return None
    kept, _, pair = found
    sides = []
    for each in pair:
        side = part.copy()
        narrowed = side.args["query"].unnest()
        narrowed.set("where", exp.Where(this=exp.and_(*(other.copy() for other in kept), each.copy(), copy=False)))
        sides.append(side)
    return part.this, (sides[0], sides[1])


def _one_column(pair: list[exp.Expr]) -> exp.Column | None:
    """Return the column that two conditions compare with a value each."""
    compared = [each.unnest() for each in pair]
    if len(pair) != 2 or not all(
        isinstance(each, _COMPARISONS)
        and isinstance(each.this, exp.Column)
        and isinstance(each.expression, exp.Literal)
        for each in compared
    ):
        return None
    first, second = (each.this for each in compared)
    return first if first == second else None


_COMPARISONS = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def _exclude_another(first: exp.Expr, second: exp.Expr) -> bool:
    """Tell whether no value meets both of two conditions."""
    if isinstance(first, exp.EQ) and isinstance(second, exp.EQ):
        return bool(first.expression != second.expression)
    for low, high in ((first, second), (second, first)):
        if isinstance(low, exp.GT | exp.GTE) and isinstance(high, exp.LT | exp.LTE):
            try:
                return float(low.expression.name) >= float(high.expression.name)
            except ValueError:
                return False
    return False


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
