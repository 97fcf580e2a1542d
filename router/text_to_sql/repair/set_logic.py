"""Sets of rows that one condition cannot tell: whoever has both of two values, and the parts of a UNION."""

from itertools import combinations

from sqlglot import exp

from router.language.phrases import find_phrases, phrase_at, places_behind, tokens_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import Query, conjuncts, source_of


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


def _both(text: str) -> str:
    """Return a question from where it asks for two at once: "both A and B", "a book of A and a book of B"."""
    tokens = tokens_of(text)
    said = [each.word for each in tokens]
    ands = [found.first for found in find_phrases("text_to_sql.and", tokens)]
    for at in range(len(tokens)):
        both = phrase_at("text_to_sql.both", tokens, at) and any(at + 1 < place for place in ands)
        twice = phrase_at("text_to_sql.a", tokens, at) and any(
            phrase_at("text_to_sql.another", tokens, place + 1) and said[place + 2 : place + 3] == said[at + 1 : at + 2]
            for place in ands
            if place > at + 1
        )
        if both or twice:
            return text[tokens[at].begin :]
    return ""


def _has_both(text: str) -> bool:
    """Return whether both belong to one thing: "headquarters that have both", and not "amounts of both"."""
    tokens = tokens_of(text)
    return any(
        any(phrase_at("text_to_sql.both", tokens, at) for at in range(end, end + 3))
        or (phrase_at("text_to_sql.a", tokens, end) and not find_phrases("text_to_sql.either", tokens[end:]))
        for end in places_behind("text_to_sql.has", tokens)
    )


_MORE = ("group", "having", "limit")


def intersect_both(query: Query, question: Question) -> None:
    """Take those that are in both sets where the question says "both A and B", and the query takes either, or nobody.

    Only where what is shown may have several rows with a value each: a customer with orders, not an order.
    """
    tree = query.tree
    asked = _both(question.text)
    if not asked or not isinstance(tree, exp.Select) or any(tree.args.get(key) for key in ("with_", *_MORE)):
        return
    order = _by_shown(tree)
    if order is None:
        return
    found = _two_conditions(tree)
    if found is None or any(item.find(exp.AggFunc) for item in tree.expressions):
        return
    kept, column, pair = found
    values = [literal.name for each in pair for literal in each.find_all(exp.Literal)]
    if not _has_both(question.text) or not all(_said(value, asked) for value in values):
        return
    within = isinstance(pair[0], exp.In)  # a key in several sets is no value of several rows
    if (within or not is_shared(query, tree, column)) and not _has_several(query, tree, column):
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


def is_shared(query: Query, tree: exp.Select, column: exp.Column) -> bool:
    """Tell whether several rows of the one table may show the same, each with a value of its own in a column."""
    items = [item.unalias() for item in tree.expressions]
    own = query.sources(tree)
    if len(own) != 1 or own[0].table is None or tree.args.get("limit"):
        return False
    keys = {name.lower() for name in own[0].table.primary_key}
    shown = {item.name.lower() for item in items if isinstance(item, exp.Column)}
    return len(shown) == len(items) == 1 and not keys & shown and column.name.lower() not in shown


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
    if not isinstance(select, exp.Select) or any(select.args.get(key) for key in _MORE):
        return None
    found = _two_conditions(select)
    if found is None or not isinstance(part.this, exp.Column):
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
