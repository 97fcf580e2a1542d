"""Describes a query in one walk over its syntax tree."""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from router.language.wording import and_list
from router.sql.dialect import Name
from router.sql.explain.description import Description, Result, Source, is_short
from router.sql.explain.joins import conjuncts, entries_of, is_tie, sources_once
from router.sql.explain.names import WORDS, called, harmless, one, words
from router.sql.explain.phrases import Phrases
from router.sql.explain.references import group_keys, meant, sums_up

_PLAIN_PARTS = ("limit", "order", "offset", "joins")
"""Parts of a query in brackets that have no words."""


def describe(tree: exp.Expr, dialect: Name) -> tuple[Description, list[tuple[str, Description]]]:
    """Return what a query does, and what each query of its WITH does, by their names."""
    describer, named = _Describer(dialect, {}), []
    for each in tree.args["with_"].expressions if tree.args.get("with_") else ():
        named.append((each.alias, describer.describe(each.this)))
        describer.made[each.alias.lower()] = named[-1][1]
    return describer.describe(tree), named


@dataclass(frozen=True, slots=True)
class _Describer:
    """Describes queries; `made` are those of WITH by their names in lower case."""

    dialect: Name
    made: dict[str, Description]

    def describe(self, node: exp.Expr, around: Mapping[str, Source] | None = None) -> Description:
        """Return what a query does, given what the queries around it read."""
        match node:
            case exp.Subquery() | exp.Paren() if not any(map(node.args.get, _PLAIN_PARTS)):
                return self.describe(node.this, around)
            case exp.SetOperation():
                phrases = Phrases({}, {}, False, self.dialect, self.describe)
                return Description(
                    kind=type(node).__name__.lower(),
                    sides=tuple(self.describe(side, around) for side in _sides(node)),
                    is_distinct=bool(node.args.get("distinct")),
                    order=phrases.sorted_by(node.args.get("order"), node),
                    cut=_cut(node, phrases),
                )
            case exp.Select():
                return self._select(node, self._phrases(node, around or {}))
        return Description(f"`{harmless(node.sql(dialect=self.dialect, comments=False))}`")

    def _phrases(self, select: exp.Select, around: Mapping[str, Source]) -> Phrases:
        """Return the words for the expressions of a SELECT."""
        entries = entries_of(select)
        named = {each.table.lower() for each in select.find_all(exp.Column)} - entries.keys()
        sources: dict[str, Source] = {}
        known = ChainMap(sources, dict(around))
        is_alone = len(entries) == 1 and named.isdisjoint(around)
        phrases = Phrases(sources, known, is_alone, self.dialect, partial(self.describe, around=known))
        sides = {name: each.text("side").upper() for name, each in entries.items()}
        keeps_later = not {"RIGHT", "FULL"}.isdisjoint(sides.values())
        tables = {name: self._table(each.this) for name, each in entries.items()}
        once = set() if keeps_later else sources_once(select, tables)
        for name, entry in entries.items():
            sources[name] = replace(
                self._source(entry.this, phrases),
                side=sides[name],
                on=entry.args.get("on"),
                is_tied=any(map(entry.args.get, ("on", "using", "method"))),
                is_optional=keeps_later or bool(sides[name]),
                is_once=name in once or len(entries) == 1,
            )
        return phrases

    def _table(self, item: exp.Expr) -> str:
        """Return the name of the table of the database that is read, or ""."""
        is_table = isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier)
        return item.name if is_table and (item.text("db") or item.name.lower() not in self.made) else ""

    def _source(self, item: exp.Expr, phrases: Phrases) -> Source:
        """Return the words for what is read."""
        name, table = harmless(item.name), self._table(item)
        if isinstance(item, exp.Subquery):
            inner = phrases.describe(item.this)
            return Source(f"an inner query ({inner.inline()})", called(item.alias), inner.rows_out, query=inner)
        if not isinstance(item.this, exp.Identifier):
            return Source(phrases.code(item), words(item.alias))
        query = None if table else self.made[item.name.lower()]
        noun, rows = (called(name), query.rows_out) if query else (one(name), words(name))
        if noun in [each.noun for each in phrases.sources.values()]:
            noun = words(item.alias or item.text("db"))
            name = rows = f"{name} as {noun}"
        return Source(name, noun, f"rows of {rows}" if noun == rows else rows, table=table, query=query)

    def _select(self, select: exp.Select, phrases: Phrases) -> Description:
        """Return what a SELECT does."""
        where, having = conjuncts(select.args.get("where")), select.args.get("having")
        inner = [part for each in phrases.sources.values() if not each.is_optional for part in conjuncts(each.on)]
        if having:
            having = having.transform(partial(meant, select))
        return Description(
            sources=tuple(phrases.sources.values()),
            reads=tuple(_reads(select, phrases)),
            rows=phrases.rows(),
            results=tuple(_result(item, phrases) for item in select.expressions),
            groups=tuple(dict.fromkeys(map(phrases.phrase, group_keys(select)))),
            filters=phrases.conditions([part for part in (*where, *inner) if not is_tie(part, phrases.sources)]),
            having=phrases.conditions(conjuncts(having)),
            order=phrases.sorted_by(select.args.get("order"), select),
            cut=_cut(select, phrases),
            is_distinct=select.args.get("distinct") is not None,
            is_partial=any(map(phrases.matched, phrases.sources.values())),
        )


def _sides(node: exp.SetOperation) -> list[exp.Expr]:
    """Return the queries of a UNION, in a row if each is put together with the others in the same way."""
    sides: list[exp.Expr] = [node.left, node.right]
    while isinstance(sides[0], exp.Union) and [node.key, node.args["distinct"]] == ["union", sides[0].args["distinct"]]:
        sides[:1] = [sides[0].left, sides[0].right]
    return sides


def _reads(select: exp.Select, phrases: Phrases) -> Iterator[str]:
    """Yield what is read, how it is joined, and which rows without a match are kept."""
    if not phrases.sources:
        return
    first, *joined = phrases.sources.values()
    texts = []
    has_tie = any(is_tie(part, phrases.sources) for part in conjuncts(select.args.get("where")))
    for source in joined:
        matched = phrases.matched(source)
        is_crossed = (source.table or source.query) and not (source.is_tied or has_tie)
        note = (
            f" (matched with {and_list(matched)})" if matched else " (every row with every row)" if is_crossed else ""
        )
        texts.append(source.text + note)
    yield f"reads {first.text}" + (f", joined with {and_list(texts)}" if texts else "")
    yield from (WORDS["keeps"][each.side].format(each.text) for each in joined if each.side)


def _result(item: exp.Expr, phrases: Phrases) -> Result:
    if item.is_star:
        of = f" of {phrases.source_of(item).text}" if isinstance(item, exp.Column) and len(phrases.sources) > 1 else ""
        return Result("*", f"all columns{of}")
    text = phrases.phrase(item)
    name = item.alias_or_name if isinstance(item, exp.Alias | exp.Column) else ""
    is_called = isinstance(item, exp.Alias) or (name and not is_short(text))
    is_open = isinstance(item.unalias(), exp.Binary)
    return Result(name.lower(), text, called(name) if is_called else "", sums_up(item), is_open)


def _cut(query: exp.Expr, phrases: Phrases) -> str:
    """Return which of its rows a query keeps: "the first 5 rows"."""
    limit, offset = query.args.get("limit"), query.args.get("offset")
    count = (limit.args.get("expression") or limit.args.get("count")) if limit else None
    first = phrases.phrase(count.unnest()) if count else "1" if limit else ""
    rows = "row" if first == "1" else f"{first} rows".strip()
    if offset:
        return f"the {rows} after the first {phrases.phrase(offset.expression)}"
    return f"{'the first' if query.args.get('order') else 'any'} {rows}" if first else ""
