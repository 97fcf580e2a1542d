"""Describes a query in one walk over its syntax tree."""

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from sqlglot import exp

from router.language.wording import and_list
from router.sql.dialect import Name
from router.sql.explain.description import DESCENDING, QueryWords, Result, Source, is_short
from router.sql.explain.joins import alias_of, conjuncts, entries_of, joins_of, table_of, ties_of
from router.sql.explain.names import WORDS, called, harmless, one, words
from router.sql.explain.phrases import Phrases
from router.sql.explain.times import find_periods

Made = Mapping[str, QueryWords]
"""The queries of WITH by their names in lower case."""


def describe(tree: exp.Expr, dialect: Name) -> tuple[QueryWords, list[tuple[str, QueryWords]]]:
    """Return what a query does, and what each query of its WITH does, by their names."""
    first, made = tree.args.get("with_"), dict[str, QueryWords]()
    for each in first.expressions if first else ():
        made[each.alias.lower()] = _describe(each.this, dialect, made)
    named = [(each.alias, made[each.alias.lower()]) for each in first.expressions] if first else []
    return _describe(tree, dialect, made), named


def _describe(node: exp.Expr, dialect: Name, made: Made, around: Mapping[str, Source] | None = None) -> QueryWords:
    match node:
        case exp.Subquery() | exp.Paren() if not any(map(node.args.get, ("limit", "order", "offset", "joins"))):
            return _describe(node.this, dialect, made, around)
        case exp.SetOperation():
            phrases = _phrases(_first_select(node), dialect, made, around or {})
            return QueryWords(
                kind=type(node).__name__.lower(),
                sides=tuple(_describe(side, dialect, made, around) for side in _sides(node)),
                is_distinct=bool(node.args.get("distinct")),
                order=_order(node, _first_select(node), phrases),
                cut=_cut(node, phrases),
            )
        case exp.Select():
            select = _untied(node, made, around or {})
            return _select(select, _phrases(select, dialect, made, around or {}, is_tied=select is not node))
    return QueryWords(f"`{harmless(node.sql(dialect=dialect, comments=False))}`")


def _first_select(node: exp.Expr) -> exp.Select:
    """Return the query whose results name those of a UNION and its kin."""
    while isinstance(node, exp.SetOperation | exp.Subquery):
        node = node.this
    return node if isinstance(node, exp.Select) else exp.Select()


def _sides(node: exp.SetOperation) -> list[exp.Expr]:
    """Return the queries of a UNION, in a row if each is put together with the others in the same way."""
    left = node.left
    if isinstance(left, exp.Union) and isinstance(node, exp.Union):
        odd = any(map(left.args.get, ("order", "limit", "offset", "with_")))
        if not odd and left.args.get("distinct") == node.args.get("distinct"):
            return [*_sides(left), node.right]
    return [left, node.right]


# What a SELECT reads.


def _phrases(
    select: exp.Select, dialect: Name, made: Made, around: Mapping[str, Source], *, is_tied: bool = False
) -> Phrases:
    """Return the words for the expressions of a SELECT; `is_tied`: only of rows that belong to a row around it."""
    sources: dict[str, Source] = {}
    joins = joins_of(select, made)
    named = {each.table.lower() for each in select.find_all(exp.Column)} - joins.tables.keys()
    outer = {alias: each for alias, each in around.items() if alias in named}
    inner = partial(_describe, dialect=dialect, made=made, around=ChainMap(sources, dict(around)))
    phrases = Phrases(sources, outer, joins, dialect, inner)
    for entry in entries_of(select):
        source = _source(phrases, entry, made)
        sources[source.alias] = replace(source, rows=f"matching {source.rows}") if is_tied else source
    return phrases


def _untied(select: exp.Select, made: Made, around: Mapping[str, Source]) -> exp.Select:
    """Return a plain inner query without the conditions that only say which row around it its rows belong to."""
    is_plain = not any(map(select.args.get, ("joins", "group", "having", "limit", "offset", "distinct")))
    own = {alias_of(each): table_of(each, made) for each in entries_of(select)}
    tables = {alias: each.table for alias, each in around.items()} | own
    parts = conjuncts(select.args.get("where"))
    rest = [part for part in parts if not any((tie.one in own) != (tie.many in own) for tie in ties_of(part, tables))]
    if rest == parts or not is_plain or not len(own) == len(select.expressions) == 1 or not all(own.values()):
        return select
    return select.copy().where(*rest, append=False) if rest else select.copy().where(exp.true(), append=False)


def _source(phrases: Phrases, entry: exp.Expr, made: Made) -> Source:
    item, name, alias = entry.this, harmless(entry.this.name), alias_of(entry)
    if isinstance(item, exp.Subquery):
        inner = phrases.describe(item.this)
        return Source(
            alias, f"an inner query ({inner.inline()})", called(item.alias), inner.rows_out, entry, query=inner
        )
    if not isinstance(item, exp.Table) or not isinstance(item.this, exp.Identifier):
        return Source(alias, phrases.code(item), words(item.alias), "rows", entry)
    table = phrases.joins.tables[alias]
    if not table:
        query = made[item.name.lower()]
        return Source(alias, name, called(name), query.rows_out, entry, query=query)
    noun = phrases.joins.role(alias) or one(name)
    noun = words(item.alias) if noun in [each.noun for each in phrases.sources.values()] else noun
    rows = words(name) if one(name) != words(name) else f"rows of {words(name)}"
    return Source(alias, name if noun == one(name) else f"{name} as {noun}", noun, rows, entry, table)


# What it does with the rows.


def _select(select: exp.Select, phrases: Phrases) -> QueryWords:
    """Return what a SELECT does."""
    sources, keys = tuple(phrases.sources.values()), group_keys(select)
    inner = [part for each in sources if not each.side for part in conjuncts(each.entry.args.get("on"))]
    where, having = conjuncts(select.args.get("where")), select.args.get("having")
    kept = [part for part in (*where, *inner) if not phrases.is_tie(part)]
    periods = find_periods(kept)[0]
    return QueryWords(
        sources=sources,
        reads=_reads(where, phrases),
        rows=phrases.rows(),
        results=tuple(_result(item, phrases) for item in select.expressions),
        groups=tuple(dict.fromkeys(map(phrases.phrase, keys))),
        filters=phrases.conditions(kept),
        having=phrases.conditions(conjuncts(having.transform(partial(_meant, select)) if having else None)),
        period=periods[0][1] if len(periods) == 1 else "",
        order=_order(select, select, phrases),
        cut=_cut(select, phrases),
        is_distinct=select.args.get("distinct") is not None,
        is_partial=any(phrases.matched(each) for each in sources if each.alias not in phrases.joins.unmatched),
    )


def _reads(where: list[exp.Expr], phrases: Phrases) -> tuple[str, ...]:
    if not phrases.sources:
        return ()
    first, *joined = phrases.sources.values()
    parts = [
        f"{each.text} (matched with {and_list(matched)})" if (matched := phrases.matched(each)) else each.text
        for each in joined
    ]
    tied = [each for each in joined if each.entry.args.get("on") or each.entry.args.get("using")]
    bare = [each for each in joined if each not in tied and (each.table or each.query)]
    ties = {
        frozenset((part.this.text("table"), part.expression.text("table"))) for part in where if phrases.is_tie(part)
    }
    every = " (every row with every row)" if len(ties) < len(bare) else ""
    keeps = (WORDS["keeps"][each.side].format(each.text) for each in joined if each.side)
    return (f"reads {first.text}" + (f", joined with {and_list(parts)}{every}" if parts else ""), *keeps)


def _result(item: exp.Expr, phrases: Phrases) -> Result:
    node = item.unalias()
    if item.is_star:
        of = "" if isinstance(item, exp.Star) or len(phrases.sources) == 1 else f" of {phrases.source_of(item).text}"
        return Result("*", f"all columns{of}", is_plain=True)
    return Result(
        item.alias_or_name.lower(),
        phrases.phrase(item),
        called(item.alias) if item.alias else "",
        _sums_up(item),
        isinstance(node, exp.Column),
        phrases.rank(node),
    )


def _sums_up(item: exp.Expr) -> bool:
    """Return whether a result is taken over many rows, not counting windows and inner queries."""
    return any(
        each.parent_select is item.parent_select and not isinstance(each.parent, exp.Window | exp.IgnoreNulls)
        for each in item.find_all(exp.AggFunc)
    )


def _order(query: exp.Expr, select: exp.Select, phrases: Phrases) -> tuple[str, ...]:
    """Return what the rows of a query are sorted by."""
    order, said = query.args.get("order"), []
    for key in order.expressions if order else ():
        found = _referred(select, key.this)
        text = phrases.phrase(found)
        is_named = found is not key.this and isinstance(key.this, exp.Column) and not is_short(text)
        said.append((called(key.name) if is_named else text) + DESCENDING * bool(key.args.get("desc")))
    return tuple(said)


def _cut(query: exp.Expr, phrases: Phrases) -> str:
    """Return which of the rows are kept: "the first 5 rows", "the 10 rows after the first 20"; "" if all are."""
    limit, offset = query.args.get("limit"), query.args.get("offset")
    count = (limit.args.get("expression") or limit.args.get("count")) if limit else None
    first = phrases.phrase(count.unnest()) if count else "1" if limit else ""
    rows = "row" if first == "1" else f"{first} rows".strip()
    if offset:
        return f"the {rows} after the first {phrases.phrase(offset.expression)}"
    return f"{'the first' if query.args.get('order') else 'any'} {rows}" if first else ""


def group_keys(select: exp.Select) -> list[exp.Expr]:
    """Return what a query groups by, with the results that numbers and names there stand for."""
    group = select.args.get("group")
    return [_referred(select, key) for key in group.expressions] if group else []


def _referred(select: exp.Select, key: exp.Expr) -> exp.Expr:
    """Return the result that a number or a name in GROUP BY or ORDER BY stands for, or the key itself."""
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.this) <= len(select.expressions):
        item: exp.Expr = select.expressions[int(key.this) - 1]
        return item.unalias()
    named = [item.unalias() for item in select.expressions if item.alias.lower() == key.name.lower()]
    # The name of a result may stand for it, unless a table could have a column of that name.
    is_name = isinstance(key, exp.Column) and not key.table and named and not isinstance(named[0], exp.Column)
    return named[0] if is_name else key


def _meant(select: exp.Select, node: exp.Expr) -> exp.Expr:
    """Return what a name in HAVING stands for, if it is that of a result taken over many rows."""
    found = _referred(select, node) if isinstance(node, exp.Column) else node
    return found.copy() if found is not node and _sums_up(found) else node
