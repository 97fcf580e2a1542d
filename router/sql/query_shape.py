"""The shape of a SELECT: what it reads, what one row of it stands for, what it groups by and what it adds up.

Without a schema, keys are known by their names alone: `customer_id` is the key of customers, and `id` of its own table.
Where the names do not tell, nothing is concluded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from router.sql.query_names import harmless, identifies, key_of, one, words


@dataclass(frozen=True, slots=True)
class Source:
    """A table or an inner query of a SELECT; `optional` where rows of it may be missing, by an outer join."""

    alias: str
    node: exp.Expr
    optional: bool = False
    query: exp.Expr | None = None
    """The query that makes it, where it is no table of the database."""

    @property
    def table(self) -> str:
        """Its name; empty of an inner query, and of a function."""
        plain = isinstance(self.node, exp.Table) and isinstance(self.node.this, exp.Identifier)
        return self.node.name if plain and self.query is None else ""


@dataclass(frozen=True, slots=True)
class Tie:
    """Columns of two sources that are equal: many rows of one source point to one row of another."""

    many: frozenset[str]
    """The source that points; several where the SQL does not say which of them it is."""
    one: str
    by: str
    """The column that points."""


class QueryShape:
    """What is read off a SELECT's syntax tree once, for whoever puts it into words."""

    def __init__(self, select: exp.Select, made: Mapping[str, exp.Expr]) -> None:
        """Read the sources, the ties among them, and the groups; `made` has the queries of WITH by their names."""
        self.select, self.made = select, made
        self.sources = {each.alias: each for each in _sources(select, made)}
        self.ties = list(_ties(select, self.sources))
        self.keys = group_keys(select)
        self.unmatched = {alias for alias in self.sources if self._asks_for_none(alias)}
        self.entity = self._entity()

    def _asks_for_none(self, alias: str) -> bool:
        """Tell whether a LEFT JOIN is there to find the rows without a match in this source."""
        source = self.sources[alias]
        if not source.optional or not source.table:
            return False
        tying = {
            side.table + "." + side.name for each in self.join_ties(alias) for side in (each.this, each.expression)
        }
        for part in conditions(self.select.args.get("where")):
            if isinstance(part, exp.Is) and isinstance(part.expression, exp.Null) and isinstance(part.this, exp.Column):
                column = part.this
                key = f"{column.table}.{column.name}" in tying or identifies(column.name, source.table) == 2
                if column.table.lower() == alias and key:
                    return True
        return False

    def join_ties(self, alias: str) -> list[exp.EQ]:
        """Return the conditions of a source's join that compare columns."""
        on = next(join.args.get("on") for join in self.select.args["joins"] if join.this.alias_or_name.lower() == alias)
        return [each for each in conditions(on) if isinstance(each, exp.EQ) and is_join_condition(each)]

    def _entity(self) -> str:
        """Return the alias of the source of which every row of the join is one row; "" where that is unknown."""
        inner = [alias for alias, source in self.sources.items() if not source.optional]
        joins = self.select.args.get("joins") or ()
        if any(join.side in ("RIGHT", "FULL") or join.method for join in joins):
            return ""
        for alias in inner:
            if self._reached(alias) >= set(self.sources) - self.unmatched:
                return alias
        return ""

    def _reached(self, start: str) -> set[str]:
        found, grown = {start}, True
        while grown:
            near = {tie.one for tie in self.ties if tie.many <= found} - found
            found, grown = found | near, bool(near)
        return found

    def source_of(self, column: exp.Column) -> Source | None:
        """Return the source that a column comes from, as far as the SQL tells."""
        if column.table:
            return self.sources.get(column.table.lower())
        return next(iter(self.sources.values())) if len(self.sources) == 1 else None

    def role(self, alias: str) -> str:
        """Return what rows of a source are called: "customer", or "manager" where the tables' own name is taken."""
        source = self.sources[alias]
        if not source.table:
            return ""
        same = [each for each in self.sources.values() if each.table.lower() == source.table.lower()]
        pointing = next((key_of(tie.by) for tie in self.ties if tie.one == alias and key_of(tie.by)), "")
        return pointing if len(same) > 1 and pointing and alias != self.entity else one(words(source.table))


def _sources(select: exp.Select, made: Mapping[str, exp.Expr]) -> Iterator[Source]:
    start = select.args.get("from_")
    nodes = [(start.this, False)] if start is not None else []
    nodes += [(join.this, join.side == "LEFT") for join in select.args.get("joins") or ()]
    for node, optional in nodes:
        query = node.this if isinstance(node, exp.Subquery) else made.get(node.name.lower())
        yield Source(node.alias_or_name.lower() or "?", node, optional, query)


def _ties(select: exp.Select, sources: dict[str, Source]) -> Iterator[Tie]:
    before: list[str] = list(sources)[:1]
    for join in select.args.get("joins") or ():
        here = join.this.alias_or_name.lower()
        for equality in _equalities(join.args.get("on")):
            yield from _tie(equality, sources, here, before)
        for name in join.args.get("using") or ():
            columns = (exp.column(name.name, table=here), exp.column(name.name, table=before[0]))
            if len(before) == 1:
                yield from _tie(exp.EQ(this=columns[0], expression=columns[1]), sources, here, before)
        before.append(here)
    where = select.args.get("where")
    for equality in _equalities(where.this if where else None):
        if equality.this.table and equality.expression.table:
            yield from _tie(equality, sources, "", [])


def _equalities(condition: exp.Expr | None) -> Iterator[exp.EQ]:
    parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
    for part in parts:
        part = part.unnest() if part is not None else None
        if isinstance(part, exp.EQ) and is_join_condition(part):
            yield part


def is_join_condition(node: exp.Expr) -> bool:
    """Tell whether a condition compares two columns."""
    return isinstance(node.this, exp.Column) and isinstance(node.args.get("expression"), exp.Column)


def _tie(equality: exp.EQ, sources: dict[str, Source], here: str, before: list[str]) -> Iterator[Tie]:
    left, right = equality.this, equality.expression
    owners = [_owners(column, other, here, before) for column, other in ((left, right), (right, left))]
    if owners[0] & owners[1] or not all(owners):
        return
    sure = [_sureness(column, owner, sources) for column, owner in zip((left, right), owners, strict=True)]
    if sure[0] == sure[1]:
        return
    place = 0 if sure[0] > sure[1] else 1
    (target,) = owners[place]
    yield Tie(frozenset(owners[1 - place]), target, (left, right)[1 - place].name)


def _owners(column: exp.Column, other: exp.Column, here: str, before: list[str]) -> set[str]:
    """Return the sources that a column of a join's condition may belong to."""
    if column.table:
        return {column.table.lower()}
    return set(before) if other.table.lower() == here else {here} if here else set()


def _sureness(column: exp.Column, owners: set[str], sources: dict[str, Source]) -> int:
    """Return how surely a column is the key of its source."""
    source = sources.get(next(iter(owners))) if len(owners) == 1 else None
    if source is None:
        return 0
    if source.table:
        return identifies(column.name, source.table)
    keys = group_keys(source.query) if isinstance(source.query, exp.Select) else []
    return 3 if len(keys) == 1 and isinstance(keys[0], exp.Column) and keys[0].name == column.name else 0


# Groups, and results that are taken over many rows.


def group_keys(select: exp.Select) -> list[exp.Expr]:
    """Return what a query groups by, with the results that numbers and names there stand for."""
    group = select.args.get("group")
    return [_unfilled(referred(select, key)) for key in group.expressions] if group else []


def referred(query: exp.Query, key: exp.Expr) -> exp.Expr:
    """Return the result that a number in GROUP BY or ORDER BY stands for, or the key itself."""
    if isinstance(key, exp.Literal) and key.is_int and isinstance(query, exp.Select):
        place = int(key.this)
        if 0 < place <= len(query.expressions):
            item: exp.Expr = query.expressions[place - 1].unalias()
            return item
    if isinstance(key, exp.Column) and not key.table and isinstance(query, exp.Select):
        # The name of a result may stand for it, unless a table could have a column of that name.
        found = [item.unalias() for item in query.expressions if item.alias.lower() == key.name.lower()]
        return found[0] if found and not isinstance(found[0], exp.Column) else key
    return key


def sums_up(item: exp.Expr) -> bool:
    """Tell whether a result is taken over many rows, not counting windows and inner queries."""
    found = item.find_all(exp.AggFunc)
    return any(not _windowed(node) and _owner(node) is _owner(item) for node in found)


def _windowed(node: exp.Expr) -> bool:
    window = node.find_ancestor(exp.Window, exp.Select)
    return isinstance(window, exp.Window) and (window.this is node or window.this.this is node)


def _owner(node: exp.Expr) -> exp.Expr | None:
    return node if isinstance(node, exp.Select) else node.find_ancestor(exp.Select)


def is_key(item: exp.Expr, keys: list[exp.Expr]) -> bool:
    """Tell whether a result is one of those that a query groups by."""
    named = any(isinstance(key, exp.Column) and key.name.lower() == item.alias.lower() for key in keys if item.alias)
    value = _unfilled(item.unalias())
    return named or value in keys or any(_same_column(value, key) for key in keys)


def _unfilled(node: exp.Expr) -> exp.Expr:
    """Return the value that a text stands for where it is missing; any other one as it is."""
    if not isinstance(node, exp.Coalesce) or not all(isinstance(each, exp.Literal) for each in node.expressions):
        return node
    value: exp.Expr = node.this.this if isinstance(node.this, exp.Cast) else node.this
    return value


def _same_column(left: exp.Expr, right: exp.Expr) -> bool:
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return False
    return left.name.lower() == right.name.lower() and "" in (left.table, right.table)


def conditions(node: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a WHERE, a HAVING or an ON that all hold."""
    if node is None:
        return []
    this = node.this if isinstance(node, exp.Where | exp.Having) else node
    parts = this.unnest().flatten() if isinstance(this.unnest(), exp.And) else [this]
    flat: list[exp.Expr] = []
    for part in parts:
        flat += conditions(part.unnest()) if isinstance(part.unnest(), exp.And) else [part.unnest()]
    return flat


def called(alias: str) -> str:
    """Return a name that the writer of the SQL made up, in quotes, as it claims what nobody checked."""
    return f"“{harmless(alias.replace('_', ' '))}”"


def result_of(shape: QueryShape, column: exp.Column) -> exp.Expr | None:
    """Return the expression that a column of an inner query is made by, or None."""
    source = shape.source_of(column)
    if source is None or not isinstance(source.query, exp.Select) or source.query is shape.select:
        return None
    found = [each for each in source.query.expressions if each.alias_or_name.lower() == column.name.lower()]
    return found[0].unalias() if len(found) == 1 else None
