"""Describes a query in one walk over its syntax tree."""

from collections.abc import Mapping
from functools import partial

from sqlglot import exp

from router.language.wording import and_list
from router.sql.dialect import Name
from router.sql.explain.conditions import Conditions
from router.sql.explain.description import (
    CodeDescription,
    Description,
    Group,
    Limit,
    Result,
    SelectDescription,
    SetDescription,
    SetKind,
    SortKey,
    Source,
    is_short,
)
from router.sql.explain.expressions import Expressions
from router.sql.explain.names import called, harmless, is_time, key_of, words
from router.sql.explain.shape import (
    QueryShape,
    ShapeSource,
    conditions,
    is_join_condition,
    is_key,
    referred,
    sums_up,
)
from router.sql.explain.steps import inline
from router.sql.explain.times import part_of_date

Made = Mapping[str, exp.Expr]
"""The queries of WITH by their names."""


def describe(tree: exp.Expr, dialect: Name) -> tuple[Description, tuple[tuple[str, Description], ...]]:
    """Return what a query does, and what each query of its WITH does, by their names."""
    first = tree.args.get("with_")
    named = first.expressions if first else []
    made = {each.alias.lower(): each.this for each in named}
    return _describe(tree, dialect, made), tuple((each.alias, _describe(each.this, dialect, made)) for each in named)


def _describe(node: exp.Expr, dialect: Name, made: Made) -> Description:
    made = {name: query for name, query in made.items() if query is not node}  # a recursive one does not end
    match node:
        case exp.Subquery() | exp.Paren() if not any(map(node.args.get, ("limit", "order", "offset", "joins"))):
            return _describe(node.this, dialect, made)
        case exp.SetOperation():
            kind: SetKind = (
                "union" if isinstance(node, exp.Union) else "except" if isinstance(node, exp.Except) else "intersect"
            )
            walk = _SelectWalk(_first_select(node), dialect, made)
            sides = tuple(_describe(side, dialect, made) for side in _sides(node))
            return SetDescription(kind, sides, bool(node.args.get("distinct")), walk.order(node), walk.limit(node))
        case exp.Select():
            return _SelectWalk(node, dialect, made).described()
    return CodeDescription(f"`{node.sql(dialect=dialect, comments=False)}`")


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


class _SelectWalk:
    """Walks over one SELECT."""

    def __init__(self, select: exp.Select, dialect: Name, made: Made) -> None:
        self.select, self.shape = select, QueryShape(select, made)
        to_inner = partial(_describe, dialect=dialect, made=made)
        inner = {alias: to_inner(each.query) for alias, each in self.shape.sources.items() if each.query}
        in_words = lambda node, terms: Conditions(terms).condition(node)  # noqa: E731
        self.terms = Expressions(self.shape, inner, dialect, to_inner, in_words)
        self.brief = Expressions(self.shape, inner, dialect, to_inner, in_words, is_brief=True)
        self.filters = Conditions(self.terms).filters

    def described(self) -> SelectDescription:
        """Return what the SELECT does."""
        where, having = conditions(self.select.args.get("where")), self.select.args.get("having")
        on = [
            part
            for alias, each in self.shape.sources.items()
            if each.join and not each.join.side
            for part in self.shape.join_conditions(alias)
        ]
        sources = tuple(map(self._source, self.shape.sources.values()))
        return SelectDescription(
            sources=sources,
            results=tuple(map(self._result, self.select.expressions)),
            rows=self.terms.rows(),
            filters=self.filters(part for part in (*where, *on) if not self._ties(part)),
            groups=self._groups(),
            having=self.filters(conditions(having.this.transform(self._meant) if having else None)),
            order=self.order(self.select),
            limit=self.limit(self.select),
            is_distinct=self.select.args.get("distinct") is not None,
            is_loose=any(
                each.join and not self.shape.join_conditions(each.alias) and not each.join.method
                for each in self.shape.sources.values()
            )
            and not any(map(self._ties, where)),
            is_partial=any(each.matched for each in sources if each.name not in self.shape.unmatched),
        )

    def _source(self, source: ShapeSource) -> Source:
        query, side = self.terms.inner.get(source.alias), source.join.side if source.join else ""
        is_subquery = isinstance(source.node, exp.Subquery)
        name = harmless(source.node.name if not is_subquery else source.alias)
        text = (
            f"an inner query ({inline(query)})"
            if is_subquery and query
            else harmless(source.node.name) or self.terms.code(source.node)
        )
        same = [each for each in self.shape.sources.values() if each.node.name == source.node.name != ""]
        if len(same) > 1 and source.join:
            text += f" as {self.shape.role(source.alias)}"
        rest = [each for each in self.shape.join_conditions(source.alias) if not self._ties(each)]
        keeps = {
            "LEFT": f"keeps rows without a match in {name} too",
            "RIGHT": f"keeps all rows of {name}, with or without a match",
            "FULL": "keeps rows of both sides without a match too",
        }
        return Source(
            source.alias,
            text,
            self.terms.rows(source.alias),
            self.filters(rest if side else ()),
            keeps.get(side, ""),
            query,
        )

    def _result(self, item: exp.Expr) -> Result:
        if item.is_star:
            return Result("*", "all columns", "all columns", "all")
        node, alias = item.unalias(), item.alias
        is_column, is_group = isinstance(node, exp.Column), is_key(item, self.shape.keys)
        text = self.terms.phrase(item)
        short = self._group(node).short if is_group and not is_column else self.brief.title_of(item)
        stands_for = self.brief.thing(node) if isinstance(node, exp.Column) else short if is_group else ""
        some = self.terms.some(node)
        met = self.filters(conditions(some[1])) if some else ()
        if alias and harmless(alias.replace("_", " ")).lower() != text.lower():
            text = f"{text} as {called(alias)}"
        return Result(
            item.alias_or_name.lower(),
            text,
            short,
            "measure" if sums_up(item) else "group" if is_group else "column" if is_column else "calculated",
            stands_for,
            self._ranks(node),
            (some[0], met[0]) if some and len(met) == 1 else None,
        )

    def _ranks(self, node: exp.Expr) -> str:
        """Return what the first has of a rank: "highest revenue of each region"; or ""."""
        order, by = node.args.get("order"), node.args.get("partition_by") or []
        if not isinstance(node.this, exp.RowNumber | exp.Rank | exp.DenseRank) or order is None:
            return ""
        of = f" of each {and_list(self._group(each).short for each in by)}" if by else ""
        key = self._sorted(order.expressions[0])
        return f"{key.extreme}{of}" if key.extreme and len(order.expressions) == 1 else ""

    def _groups(self) -> tuple[Group, ...]:
        """Return what it groups by; in short, names and details of what has a key are left to the key."""
        keys = [each for each in self.shape.keys if isinstance(each, exp.Column)]
        whole = {each.table for each in keys if self.terms.is_key(each)}
        details = [
            each for each in keys if each.table in whole and not self.terms.is_key(each) and not key_of(each.name)
        ]
        return tuple(self._group(each) for each in self.shape.keys if each not in details) + tuple(
            Group(self.terms.phrase(each), "") for each in details
        )

    def _group(self, key: exp.Expr) -> Group:
        text = self.terms.phrase(key)
        if isinstance(key, exp.Column):
            return Group(text, self.brief.thing(key))
        part = part_of_date(key)
        named = next((each.alias for each in self.select.expressions if each.alias and is_key(each, [key])), "")
        return Group(
            text, part[0] if part else text if is_short(text) else called(named) if named else "a calculated value"
        )

    def order(self, query: exp.Expr) -> tuple[SortKey, ...]:
        """Return what the rows of a query are sorted by."""
        order = query.args.get("order")
        return tuple(map(self._sorted, order.expressions)) if order is not None else ()

    def _sorted(self, key: exp.Expr) -> SortKey:
        node, is_down = referred(self.select, key.this), bool(key.args.get("desc"))
        is_named = isinstance(key.this, exp.Column) and node is not key.this
        text = words(key.this.name) if is_named else self.terms.phrase(node)
        item = next((each for each in self.select.expressions if each.alias and each.unalias() == node), node)
        said = self.brief.title_of(item)
        result = self.terms.result(node) if isinstance(node, exp.Column) else None
        timed = node.this if isinstance(node, exp.Max | exp.Min) else node
        is_timely = isinstance(timed, exp.Column) and is_time(timed.name)
        most = ("latest", "earliest") if is_timely else ("highest", "lowest")
        if isinstance(node, exp.Count):
            most, said = ("most", "fewest"), self.brief.counted(node)
        is_figure = not isinstance(node, exp.Column) or not node.name.lower().endswith(("name", "title", "id", "code"))
        said = said.removeprefix(f"{most[0]} ")
        is_measure = sums_up(node) or (result is not None and result.kind == "measure")
        return SortKey(text, is_down, f"{most[not is_down]} {said}" if is_short(said) and is_figure else "", is_measure)

    def limit(self, query: exp.Expr) -> Limit | None:
        """Return how many rows of a query are kept."""
        limit, offset = query.args.get("limit"), query.args.get("offset")
        if limit is None and offset is None:
            return None
        count = (limit.args.get("expression") or limit.args.get("count")) if limit is not None else None
        options = limit.args.get("limit_options") if limit is not None else None
        is_exact = options is None or not (options.args.get("percent") or options.args.get("with_ties"))
        first, skipped = (
            self.terms.phrase(each) if each is not None else "" for each in (count, offset and offset.expression)
        )
        return Limit(first, skipped, is_exact)

    def _meant(self, node: exp.Expr) -> exp.Expr:
        """Return what a name in HAVING stands for, if it is that of a result taken over many rows."""
        found = referred(self.select, node) if isinstance(node, exp.Column) else node
        return found.copy() if found is not node and sums_up(found) else node

    def _ties(self, node: exp.Expr) -> bool:
        """Return whether a condition only says that columns of two sources are equal, or both empty, or is true."""
        node = node.unnest()
        if isinstance(node, exp.Or) and isinstance(node.expression.unnest(), exp.And):
            parts = node.expression.unnest().flatten()
            empty = [each.this for each in parts if isinstance(each, exp.Is) and isinstance(each.expression, exp.Null)]
            return self._ties(node.this) and empty == [node.this.this, node.this.expression]
        sides = [node.this, node.expression] if is_join_condition(node) else []
        tables = {side.text("table").lower() for side in sides}
        same = len(tables) == 2 and tables <= {"", *self.shape.sources}
        return same or (isinstance(node, exp.Boolean) and bool(node.this))
