"""The shape of a SELECT: what it reads, what one row of it stands for, what it groups by and what it adds up.

Without a schema, keys are known by their names alone: `customer_id` is the key of customers, and `id` of its own table.
Nothing is concluded from names that do not tell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from router.sql.explain.names import identifies, key_of, one, words


@dataclass(frozen=True, slots=True)
class ShapeSource:
    """A table or an inner query of a SELECT."""

    alias: str
    node: exp.Expr
    join: exp.Join | None = None
    query: exp.Expr | None = None
    """The query that makes it, if it is no table of the database."""

    @property
    def is_optional(self) -> bool:
        """True if rows of it may be missing, by an outer join."""
        return self.join is not None and self.join.side == "LEFT"

    @property
    def table(self) -> str:
        """Its name; empty of an inner query, and of a function."""
        return self.node.name if self.query is None and isinstance(self.node.this, exp.Identifier) else ""


@dataclass(frozen=True, slots=True)
class Tie:
    """Columns of two sources that are equal: many rows of one source point to one row of another, by a column."""

    many: str
    one: str
    by: str


class QueryShape:
    """What is read off a SELECT's syntax tree once, before it is put into words."""

    def __init__(self, select: exp.Select, made: Mapping[str, exp.Expr]) -> None:
        """Read the sources, the ties among them, and the groups; `made` has the queries of WITH by their names."""
        self.select = select
        self.sources = {each.alias: each for each in _sources(select, made)}
        self.keys = group_keys(select)
        where = conditions(select.args.get("where"))
        on = [part for alias in self.sources for part in self.join_conditions(alias)]
        self.ties = [tie for part in (*on, *where) if is_join_condition(part) for tie in self._tie(part)]
        self.unmatched = {each.alias for part in where if is_null_test(part) for each in self._missing(part.this)}
        self.entity = self._entity()

    def join_conditions(self, alias: str) -> list[exp.Expr]:
        """Return the conditions of a source's join."""
        join = self.sources[alias].join
        if join is None or not join.args.get("using"):
            return conditions(join.args.get("on")) if join is not None else []
        first = next(iter(self.sources)) if len(self.sources) == 2 else None
        names = [each.name for each in join.args["using"]]
        return [exp.EQ(this=exp.column(name, table=first), expression=exp.column(name, table=alias)) for name in names]

    def _tie(self, part: exp.Expr) -> Iterator[Tie]:
        columns = (part.this, part.expression)
        left, right = map(self.source_of, columns)
        if len(self.sources) == 2:  # a column without a table is of the other one
            left, right = left or self._other(right, part.this), right or self._other(left, part.expression)
        if left and right and left is not right:
            ends = zip((left, right), columns, strict=True)
            keys = [bool(end.table) and identifies(column.name, end.table) for end, column in ends]
            if keys == [False, True]:
                yield Tie(left.alias, right.alias, part.this.name)
            elif keys == [True, False]:
                yield Tie(right.alias, left.alias, part.expression.name)

    def _other(self, source: ShapeSource | None, column: exp.Column) -> ShapeSource | None:
        found = [each for each in self.sources.values() if each is not source]
        return found[0] if len(found) == 1 and not column.table else None

    def _missing(self, column: exp.Column) -> Iterator[ShapeSource]:
        """Yield the source that a LEFT JOIN found no row of, if this column is asked to be NULL for that."""
        source = self.source_of(column)
        if source is not None and source.is_optional and source.table:
            tied = [each for part in self.join_conditions(source.alias) for each in part.find_all(exp.Column)]
            if column in tied or identifies(column.name, source.table):
                yield source

    def _entity(self) -> str:
        """Return the alias of the source of which every row of the join is one row; "" if that is unknown."""
        joins = [each.join for each in self.sources.values() if each.join]
        if any(join.side in ("RIGHT", "FULL") or join.method for join in joins):
            return ""
        needed = set(self.sources) - self.unmatched
        inner = [alias for alias, source in self.sources.items() if not source.is_optional]
        return next((alias for alias in inner if self._reached(alias) >= needed), "")

    def _reached(self, start: str) -> set[str]:
        found = {start}
        for _ in self.sources:
            found |= {tie.one for tie in self.ties if tie.many in found}
        return found

    def source_of(self, column: exp.Column) -> ShapeSource | None:
        """Return the source that a column comes from, as far as the SQL tells."""
        if column.table or len(self.sources) != 1:
            return self.sources.get(column.table.lower())
        return next(iter(self.sources.values()))

    def role(self, alias: str) -> str:
        """Return what a row of a source is called: "customer", or "manager" if the table is read twice."""
        name = self.sources[alias].node.name or alias
        same = [each for each in self.sources.values() if each.node.name.lower() == name.lower()]
        pointing = next((key_of(tie.by) for tie in self.ties if tie.one == alias and key_of(tie.by)), "")
        return pointing if len(same) > 1 and pointing and alias != self.entity else one(words(name))


def _sources(select: exp.Select, made: Mapping[str, exp.Expr]) -> Iterator[ShapeSource]:
    start = select.args.get("from_")
    for join in ([start] if start else []) + (select.args.get("joins") or []):
        node = join.this
        query = (
            node.this
            if isinstance(node, exp.Subquery)
            else made.get(node.name.lower())
            if not node.args.get("db")
            else None
        )
        yield ShapeSource(node.alias_or_name.lower() or "?", node, join if join is not start else None, query)


# Conditions.


def conditions(node: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a WHERE, a HAVING or an ON that all hold."""
    if node is None:
        return []
    bare = (node.this if isinstance(node, exp.Where | exp.Having) else node).unnest()
    return [each for part in bare.flatten() for each in conditions(part)] if isinstance(bare, exp.And) else [bare]


def is_join_condition(node: exp.Expr) -> bool:
    """Return whether a condition says that two columns are equal."""
    equal = isinstance(node, exp.EQ | exp.NullSafeEQ | exp.Is)
    return equal and isinstance(node.this, exp.Column) and isinstance(node.expression, exp.Column)


def is_null_test(node: exp.Expr) -> bool:
    """Return whether a condition is `column IS NULL`."""
    return isinstance(node, exp.Is) and isinstance(node.expression, exp.Null) and isinstance(node.this, exp.Column)


# Groups, and results that are taken over many rows.


def group_keys(select: exp.Select) -> list[exp.Expr]:
    """Return what a query groups by, with the results that numbers and names there stand for."""
    group = select.args.get("group")
    return [_unfilled(referred(select, key)) for key in group.expressions] if group else []


def referred(query: exp.Expr, key: exp.Expr) -> exp.Expr:
    """Return the result that a number or a name in GROUP BY or ORDER BY stands for, or the key itself."""
    items = query.expressions if isinstance(query, exp.Select) else []
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.this) <= len(items):
        item: exp.Expr = items[int(key.this) - 1].unalias()
        return item
    if isinstance(key, exp.Column) and not key.table:
        # The name of a result may stand for it, unless a table could have a column of that name.
        found = [item.unalias() for item in items if item.alias.lower() == key.name.lower()]
        return found[0] if found and not isinstance(found[0], exp.Column) else key
    return key


def sums_up(item: exp.Expr) -> bool:
    """Return whether a result is taken over many rows, not counting windows and inner queries."""
    return any(not _is_windowed(node) and _owner(node) is _owner(item) for node in item.find_all(exp.AggFunc))


def _is_windowed(node: exp.Expr) -> bool:
    window = node.find_ancestor(exp.Window, exp.Select)
    return isinstance(window, exp.Window) and node in (window.this, window.this.this)


def _owner(node: exp.Expr) -> exp.Expr | None:
    return node if isinstance(node, exp.Select) else node.find_ancestor(exp.Select)


def is_key(item: exp.Expr, keys: list[exp.Expr]) -> bool:
    """Return whether a result is one of those that a query groups by."""
    value, named = _unfilled(item.unalias()), [key for key in keys if isinstance(key, exp.Column)]
    if value in keys or any(item.alias.lower() == key.name.lower() for key in named):
        return True
    same = [key for key in named if isinstance(value, exp.Column) and value.name.lower() == key.name.lower()]
    return any("" in (value.table, key.table) for key in same if isinstance(value, exp.Column))


def _unfilled(node: exp.Expr) -> exp.Expr:
    """Return the value that a text stands for if it is missing; any other one as it is."""
    if not isinstance(node, exp.Coalesce) or not all(isinstance(each, exp.Literal) for each in node.expressions):
        return node
    value: exp.Expr = node.this.this if isinstance(node.this, exp.Cast) else node.this
    return value
