"""Inner joins that leave rows out of counts and sums: over a key that may be empty, or that may lead nowhere.

They are found in the tree and the schema's keys. A condition on the joined table leaves rows out on purpose: such a
join is none of these, nor is one inside IN or EXISTS, nor one beside which only the joined table's columns are counted.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.scope import Scope, traverse_scope

from router.catalog.foreign_keys import type_family
from router.catalog.schema import Schema
from router.jobs.joined_tables import (
    JoinedTables,
    Pair,
    conditions_of,
    conjuncts,
    equal_pairs,
    ids_of,
    joined_tables,
)

log = logging.getLogger("icc_bot")

NO_PARTNER = "(none)"
"""Stands for the texts and ids of a joined table in rows that have no partner there."""

ID_MAX_CHARS = 60

_CHOOSING = (exp.In, exp.Exists, exp.Any, exp.All)
_MANY = (exp.Sum, exp.Count, exp.Avg)


@dataclass(frozen=True, slots=True)
class LossyJoin:
    """A join without the rows of `rows` ("": the joined rows) that have none in `table`; `key` leads there."""

    rows: str
    table: str
    key: str


@dataclass(frozen=True, slots=True)
class LossyQuery:
    """One SELECT with such joins; `count` gives its rows, and for each join those of them that have no partner.

    `filtered`: only rows that meet conditions are counted.
    """

    joins: tuple[LossyJoin, ...]
    count: str
    filtered: bool


@dataclass(frozen=True, slots=True)
class LossyStatement:
    """The SELECTs of a statement that have lossy joins; `kept` is the statement with all rows, by LEFT JOINs."""

    queries: tuple[LossyQuery, ...]
    kept: str


def lossy_joins(sql: str, schema: Schema) -> LossyStatement | None:
    """Return what the joins of a statement may leave out of its counts and sums; asks no database."""
    try:
        return _lossy(parse_one(sql, read=schema.dialect), schema, pretty="\n" in sql)
    except Exception as error:  # whatever a tree trips over, the answer is not lost by it
        log.info("the joins of a query were not understood: %s", type(error).__name__)
        return None


def _lossy(tree: exp.Expr, schema: Schema, *, pretty: bool) -> LossyStatement | None:
    if not any(map(_counts, tree.find_all(exp.AggFunc))):
        return None
    found = [losses for scope in traverse_scope(tree) if (losses := _losses(scope, schema))]
    queries = tuple(_query(losses, schema) for losses in found)
    for losses in found:
        _join_left(losses.joined.select, losses)
        _name_missing(losses, schema.dialect)
    return LossyStatement(queries, tree.sql(schema.dialect, pretty=pretty)) if found else None


def _query(losses: "Losses", schema: Schema) -> LossyQuery:
    """Return the joins of one SELECT, and the query that counts what they leave out."""
    joined, grain = losses.joined, losses.joined.grain()
    found = tuple(
        LossyJoin(
            joined.tables[grain].name if grain else "",
            joined.tables[each.parent].name,
            f"{joined.tables[each.child].name}.{each.pairs[0][0].name}",
        )
        for each in losses.lost
    )
    count = joined.select.copy()
    filtered = _join_left(count, losses)
    missing = [
        exp.Sum(
            this=exp.Case(ifs=[exp.If(this=losses.missing(each), true=exp.Literal.number(1))], default=_ZERO.copy())
        )
        for each in losses.lost
    ]
    count.set("expressions", [exp.Count(this=exp.Star()), *missing])
    for clause in ("group", "having", "order", "limit", "offset", "distinct", "qualify", "windows"):
        count.set(clause, None)
    withs = list(joined.select.root().find_all(exp.With))  # a query inside sees those of the queries around it
    if withs:
        made = {each.alias.lower(): each.copy() for with_ in withs for each in with_.expressions}
        recursive = any(with_.args.get("recursive") for with_ in withs)
        count.set("with_", exp.With(expressions=list(made.values()), recursive=recursive))
    return LossyQuery(found, count.sql(schema.dialect), filtered)


_ZERO = exp.Literal.number(0)


# The joins of one SELECT.


@dataclass(frozen=True, slots=True)
class Partner:
    """Rows of `child` lead to one row of `parent` by pairs of columns; `gone` is all that hangs on the parent."""

    child: str
    parent: str
    pairs: tuple[Pair, ...]
    gone: frozenset[str]


@dataclass(frozen=True, slots=True)
class Losses:
    """The tables of a SELECT, and those of its joins that may leave rows out."""

    joined: JoinedTables
    lost: tuple[Partner, ...]

    @property
    def gone(self) -> frozenset[str]:
        """The tables of which a row without a partner has nothing."""
        return frozenset(alias for each in self.lost for alias in each.gone)

    def missing(self, partner: Partner) -> exp.Expr:
        """Return the condition for rows without a partner, once all tables are joined LEFT."""
        none = exp.Is(this=self.joined.keys[partner.parent].copy(), expression=exp.Null())
        if partner.child not in self.gone:
            return none
        return exp.and_(none, exp.Not(this=exp.Is(this=self.joined.keys[partner.child].copy(), expression=exp.Null())))


def _losses(scope: Scope, schema: Schema) -> Losses | None:
    """Return what the joins of a SELECT may leave out of counts and sums, None where that is nothing."""
    joined = None if _only_chooses(scope) else joined_tables(scope, schema)
    if joined is None:
        return None
    inner = {ends: columns for ends, columns in equal_pairs(joined, outer=False).items() if ends in joined.leads}
    linked = [frozenset(joined.about(part)) for part in conditions_of(joined, outer=True)]
    partners = (
        Partner(*ends, tuple(columns), _hanging(*ends, linked))
        for ends, columns in inner.items()
        if (ends[1], ends[0]) not in joined.leads and not joined.tables[ends[0]].outer
        if not _is_kept(joined, *ends, columns)
    )
    lost = tuple(each for each in partners if _is_lossy(joined, each))
    return Losses(joined, lost) if lost else None


def _only_chooses(scope: Scope) -> bool:
    """Tell whether a SELECT says which rows of others count, by IN or EXISTS, itself or as a WITH query."""
    select = scope.expression
    if scope.is_correlated_subquery or select.find_ancestor(*_CHOOSING):
        return True
    entry = select.parent if isinstance(select.parent, exp.CTE) else None
    if entry is None:
        return False
    users = [table for table in select.root().find_all(exp.Table) if table.name.lower() == entry.alias.lower()]
    return bool(users) and all(table.find_ancestor(*_CHOOSING) for table in users)


def _is_kept(joined: JoinedTables, child: str, parent: str, pairs: Iterable[Pair]) -> bool:
    """Tell whether the database itself sees to it that each row has a partner."""
    here, there = joined.tables[child].table, joined.tables[parent].table
    near = {column.name.lower() for column, _, _ in pairs}
    if here is None or there is None:
        return False
    if any(column.nullable for column in here.columns if column.name.lower() in near):
        return False
    return any(
        key.sure == 1 and key.checked and key.target == there.name and {name.lower() for name in key.columns} == near
        for key in here.foreign_keys
    )


def _hanging(child: str, parent: str, conditions: list[frozenset[str | None]]) -> frozenset[str]:
    """Return the parent and the tables that only it leads to."""
    return _reached(parent, child, conditions) - _reached(child, parent, conditions)


def _reached(start: str, without: str, conditions: list[frozenset[str | None]]) -> frozenset[str]:
    found = {start}
    while more := {
        alias
        for part in conditions
        if without not in part and not found.isdisjoint(part)
        for alias in part
        if alias and alias not in found
    }:
        found |= more
    return frozenset(found)


def _is_lossy(joined: JoinedTables, partner: Partner) -> bool:
    """Tell whether rows without this partner would count, were they not left out."""
    equal = {id(part) for _, _, part in partner.pairs}
    having = joined.select.args.get("having")
    for part in (*conditions_of(joined, outer=False), *conjuncts(having.this if having else None)):
        about = joined.about(part)
        if None in about or (id(part) not in equal and not about.isdisjoint(partner.gone) and not _links(part, about)):
            return False  # it is asked for some rows of the joined table, or what is asked for is not known
        if id(part) not in equal and _links(part, about) and 0 < len(about & partner.gone) < len(about):
            return False  # a second way leads there
    return _is_counted(joined, partner)


def _links(part: exp.Expr, about: frozenset[str | None]) -> bool:
    """Tell whether a condition only says how two tables belong together."""
    return isinstance(part, exp.EQ) and len(about) == 2 and isinstance(part.this, exp.Column)


def _is_counted(joined: JoinedTables, partner: Partner) -> bool:
    """Tell whether a count or sum of this SELECT, or of one around it, is about rows that have no partner."""
    select = joined.select
    shown = (node for item in select.expressions for node in item.find_all(exp.AggFunc))
    parts = [node for node in shown if _counts(node) and node.parent_select is select]
    if not parts and (select.parent is None or select.args.get("group")):
        return False
    return any(_stays(joined, partner, part) for part in parts or select.expressions)


def _stays(joined: JoinedTables, partner: Partner, part: exp.Expr) -> bool:
    """Tell whether a count, a sum or a column has a value for rows that have no partner."""
    whole = part.parent if isinstance(part.parent, exp.Filter) else part
    about = joined.about(whole)
    if about.isdisjoint(partner.gone):
        return True
    chosen = [node for node in whole.find_all(exp.Case, exp.If, exp.Where) if joined.about(node) & partner.gone]
    return bool(about - partner.gone) and not chosen


def _counts(node: exp.Expr) -> bool:
    """Tell a count or a sum from a function over a window that shows other rows."""
    return isinstance(node, exp.AggFunc) and (isinstance(node, _MANY) or not isinstance(node.parent, exp.Window))


# The same SELECT with all rows.


def _join_left(select: exp.Select, losses: Losses) -> bool:
    """Join what rows may have no partner in by LEFT JOINs, behind all else; tell whether conditions are left."""
    own, gone = JoinedTables(select, losses.joined.tables), losses.gone
    where, joins = conjuncts(select.args.get("where")), select.args["joins"]
    entries = [exp.Join(this=select.args["from_"].this), *joins]
    inner = [entry for entry in entries if entry.this.alias_or_name.lower() not in gone]
    later = [entry for entry in entries if entry.this.alias_or_name.lower() in gone]
    pool: list[exp.Expr] = []
    for entry in entries:
        if not entry.side:
            parts = conjuncts(entry.args.get("on"))
            pool += [part for part in parts if entry in later or own.about(part) & gone]
            entry.set("on", _all([part for part in parts if part not in pool]))
            entry.set("kind", None if entry.args.get("on") else "CROSS")
    pool += [part for part in where if own.about(part) & gone]
    where = [part for part in where if part not in pool]
    where += [part for part in pool if not own.about(part) & gone]
    pool = [part for part in pool if own.about(part) & gone]
    start, *inner = inner
    where += conjuncts(start.args.get("on"))
    placed = {entry.this.alias_or_name.lower() for entry in (start, *inner)}
    while later:
        entry, on = next(
            (each, parts)
            for each in later
            if (parts := _ready(own, each, pool, placed | {each.this.alias_or_name.lower()}))
        )
        later.remove(entry)
        pool = [part for part in pool if part not in on]
        placed.add(entry.this.alias_or_name.lower())
        inner.append(exp.Join(this=entry.this, side="LEFT", on=_all(on)))
    select.set("from_", exp.From(this=start.this))
    select.set("joins", inner)
    select.set("where", exp.Where(this=_all(where)) if where else None)
    return bool(where) or any(len(own.about(part)) < 2 for join in inner for part in conjuncts(join.args.get("on")))


def _ready(own: JoinedTables, entry: exp.Join, pool: list[exp.Expr], placed: set[str]) -> list[exp.Expr]:
    """Return the conditions by which a table can be joined now, none where it is too early."""
    alias = entry.this.alias_or_name.lower()
    if entry.side:
        parts = conjuncts(entry.args.get("on"))
        return parts if all(own.about(part) <= placed for part in parts) else []
    return [part for part in pool if alias in own.about(part) and own.about(part) <= placed]


def _all(parts: list[exp.Expr]) -> exp.Expr | None:
    return exp.and_(*parts, copy=True) if parts else None


def _name_missing(losses: Losses, dialect: str) -> None:
    """Show a word in place of the texts and ids that rows without a partner lack.

    Other numbers and times keep their type. What is grouped and sorted by stays what it was: an id that is a text now
    would be sorted as one.
    """
    joined, select = losses.joined, losses.joined.select
    if select.args.get("distinct"):  # it sorts by what it shows alone
        return
    for place, item in enumerate(select.expressions, 1):
        value, about = item.unalias(), joined.about(item)
        if not about or not about <= losses.gone or value.find(exp.AggFunc, exp.Window, exp.Case, exp.Coalesce):
            continue
        columns = [column for column in value.find_all(exp.Column) if joined.alias_of(column)]
        for column in columns:
            column.set("table", joined.tables[joined.alias_of(column) or ""].label)
        text = _as_text(joined, value, dialect)
        if text is None:
            continue
        for clause in filter(None, map(select.args.get, ("group", "order"))):
            for part in clause.expressions:
                named = part.this if isinstance(part, exp.Ordered) else part
                if named.sql().lower() in (str(place), item.alias_or_name.lower()):
                    named.replace(value.copy())
        named = exp.Coalesce(this=text, expressions=[exp.Literal.string(NO_PARTNER)])
        name = item.args.get("alias") or (columns[0].this if len(columns) == 1 else None)
        item.replace(exp.Alias(this=named, alias=name.copy()) if name else named)


def _as_text(joined: JoinedTables, value: exp.Expr, dialect: str) -> exp.Expr | None:
    """Return a value of a joined table as a text; None for what is neither a text nor, in the rows shown, an id."""

    def typed(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        table = joined.table_of(node)
        kinds = {each.name.lower(): type_family(each.type) for each in table.columns} if table else {}
        return exp.cast(exp.null(), "text" if kinds.get(node.name.lower()) == "text" else "int")

    if annotate_types(value.copy().transform(typed), dialect=dialect).is_type(*exp.DataType.TEXT_TYPES):
        return value.copy()
    table = joined.table_of(value) if isinstance(value, exp.Column) and joined.select.parent is None else None
    return exp.cast(value.copy(), f"VARCHAR({ID_MAX_CHARS})") if table and value.name.lower() in ids_of(table) else None
