"""Inner joins that leave rows out of counts and sums: over a key that may be empty, or that may lead nowhere.

They are found in the tree and the schema's keys. A condition on the joined table leaves rows out on purpose: such a
join is none of these, nor is one inside IN or EXISTS, nor one beside which only the joined table's columns are counted.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from router.catalog.foreign_keys import links, type_family
from router.catalog.schema import Schema, SchemaTable
from router.sql.parsing import statement

log = logging.getLogger("icc_bot")

NO_PARTNER = "(none)"
"""Stands for the texts of a joined table in rows that have no partner there."""

_MANY = (exp.Sum, exp.Count, exp.Avg)
_BESIDE_COLUMNS = ("laterals", "pivots", "connect", "match")


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
        return _lossy(statement(sql, schema.dialect), schema, pretty="\n" in sql)
    except Exception as error:  # whatever a tree trips over, the answer is not lost by it
        log.info("the joins of a query were not understood: %s", type(error).__name__)
        return None


def _lossy(tree: exp.Expr | str, schema: Schema, *, pretty: bool) -> LossyStatement | None:
    if isinstance(tree, str) or not any(map(_counts, tree.find_all(exp.AggFunc))):
        return None
    found = [joined for scope in traverse_scope(tree) if (joined := _joined(scope, schema)) and joined.lost]
    queries = tuple(_query(joined, schema) for joined in found)
    for joined in found:
        _join_left(joined.select, joined)
        _name_missing(joined)
    return LossyStatement(queries, tree.sql(schema.dialect, pretty=pretty)) if found else None


def _query(joined: "JoinedTables", schema: Schema) -> LossyQuery:
    """Return the joins of one SELECT, and the query that counts what they leave out."""
    grain = joined.grain()
    found = tuple(
        LossyJoin(
            joined.tables[grain].name if grain else "",
            joined.tables[each.parent].name,
            f"{joined.tables[each.child].name}.{each.pairs[0][0].name}",
        )
        for each in joined.lost
    )
    count = joined.select.copy()
    filtered = _join_left(count, joined)
    missing = [
        exp.Sum(this=exp.Case(ifs=[exp.If(this=each.missing(joined), true=exp.Literal.number(1))], default=_ZERO))
        for each in joined.lost
    ]
    count.set("expressions", [exp.Count(this=exp.Star()), *missing])
    for clause in ("group", "having", "order", "limit", "offset", "distinct", "qualify", "windows"):
        count.set(clause, None)
    around = joined.select.parent
    while around is not None:  # a query inside sees the WITH queries of those around it
        if (with_ := around.args.get("with_")) is not None:
            own = count.args.get("with_")
            both = [*with_.expressions, *(own.expressions if own else ())]
            count.set("with_", exp.With(expressions=[each.copy() for each in both], recursive=with_.args["recursive"]))
        around = around.parent
    return LossyQuery(found, count.sql(schema.dialect), filtered)


_ZERO = exp.Literal.number(0)


# The tables of one SELECT, and what links them.


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """An entry of FROM: `table` if its rows are all rows of a table of the schema; `columns` are None if not known."""

    alias: str
    node: exp.Expr
    outer: bool
    table: SchemaTable | None
    columns: frozenset[str] | None

    @property
    def name(self) -> str:
        """The table's name, or else its alias."""
        return self.table.name if self.table else self.alias


@dataclass(frozen=True, slots=True)
class Partner:
    """Rows of `child` lead to one row of `parent` by pairs of columns; `gone` is all that hangs on the parent."""

    child: str
    parent: str
    pairs: tuple[tuple[exp.Column, exp.Column], ...]
    gone: frozenset[str]

    def missing(self, joined: "JoinedTables") -> exp.Expr:
        """Return the condition for rows without a partner, once all tables are joined LEFT."""
        none = exp.Is(this=joined.keys[self.parent].copy(), expression=exp.Null())
        if self.child not in joined.gone:
            return none
        return exp.and_(none, exp.Not(this=exp.Is(this=joined.keys[self.child].copy(), expression=exp.Null())))


@dataclass(slots=True)
class JoinedTables:
    """One SELECT over several tables; `leads` are pairs of a table and one that has a single row for each of its.

    `keys` are columns of the tables that others lead to: they are NULL where there is no row.
    """

    select: exp.Select
    tables: Mapping[str, JoinedTable]
    leads: frozenset[tuple[str, str]] = frozenset()
    keys: Mapping[str, exp.Column] = field(default_factory=dict)
    lost: tuple[Partner, ...] = ()

    @property
    def gone(self) -> frozenset[str]:
        """The tables of which a row without a partner has nothing."""
        return frozenset(alias for each in self.lost for alias in each.gone)

    def alias_of(self, column: exp.Column) -> str | None:
        """Return the table that a column is of: "" for none of these tables, None where that is not known."""
        if column.table:
            return column.table.lower() if column.table.lower() in self.tables else ""
        if column.find_ancestor(exp.Select) not in (None, self.select):
            return ""
        name = column.name.lower()
        found = [each.alias for each in self.tables.values() if each.columns and name in each.columns]
        return found[0] if len(found) == 1 else None

    def about(self, node: exp.Expr) -> frozenset[str | None]:
        """Return the tables that a part of the query is about."""
        return frozenset(self.alias_of(column) for column in node.find_all(exp.Column)) - {""}

    def grain(self) -> str:
        """Return the table that has one row for each row of the join, "" where there is none."""
        led = {parent for _, parent in self.leads}
        roots = [alias for alias in self.tables if alias not in led]
        return roots[0] if len(roots) == 1 else ""


def _joined(scope: Scope, schema: Schema) -> JoinedTables | None:
    """Return the tables that a SELECT counts over, with its lossy joins; None where it does not, or is not read."""
    select = scope.expression
    if not isinstance(select, exp.Select) or not select.args.get("joins") or not _is_plain(select):
        return None
    if select.find_ancestor(exp.In, exp.Exists, exp.Any, exp.All) or scope.is_correlated_subquery:
        return None
    sides = {join.this.alias_or_name.lower(): join.side == "LEFT" for join in select.args["joins"]}
    tables = {
        name.lower(): JoinedTable(name.lower(), node, sides.get(name.lower(), False), *_rows_of(source, schema))
        for name, (node, source) in scope.selected_sources.items()
    }
    if len(tables) != 1 + len(sides):
        return None
    joined = JoinedTables(select, tables)
    if not _spell_out(joined):
        return None
    pairs = _pairs(joined, outer=True)
    joined.leads = frozenset(ends for ends, columns in pairs.items() if _leads(joined, *ends, columns, schema))
    joined.keys = {ends[1]: pairs[ends][0][1] for ends in joined.leads}
    inner = {ends: columns for ends, columns in _pairs(joined, outer=False).items() if ends in joined.leads}
    links_ = [frozenset(joined.about(part)) for part in _conditions(joined, outer=True)]
    partners = (
        Partner(*ends, tuple(columns), _hanging(*ends, links_))
        for ends, columns in inner.items()
        if (ends[1], ends[0]) not in joined.leads and not _is_kept(joined, *ends, columns)
    )
    joined.lost = tuple(each for each in partners if _is_lossy(joined, each))
    return joined


def _is_plain(select: exp.Select) -> bool:
    """Tell whether FROM has nothing but tables and queries, joined INNER, CROSS or LEFT."""
    joins, start = select.args["joins"], select.args.get("from_")
    nodes = [start.this if start else None, *(join.this for join in joins)]
    return (
        not any(select.args.get(each) for each in _BESIDE_COLUMNS)
        and all(isinstance(node, exp.Table | exp.Subquery) and not node.args.get("joins") for node in nodes)
        and not any(isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table) for node in nodes)
        and all(
            not join.method and join.side in ("", "LEFT") and join.kind in ("", "INNER", "OUTER", "CROSS")
            for join in joins
        )
    )


def _rows_of(source: object, schema: Schema) -> tuple[SchemaTable | None, frozenset[str] | None]:
    """Return the table whose rows an entry of FROM gives, and the names of its columns in lower case."""
    if isinstance(source, exp.Table):
        table = schema.table(source.name) if source.db.lower() in ("", schema.name.lower()) else None
        return table, frozenset(column.name.lower() for column in table.columns) if table else None
    select = source.expression if isinstance(source, Scope) else None
    if not isinstance(select, exp.Select):
        return None, None
    inner = [_rows_of(each, schema) for _, each in source.selected_sources.values()]  # type: ignore[attr-defined]
    names = frozenset(name.lower() for name in select.named_selects)
    if len(inner) != 1:
        return None, None if select.is_star else names
    table, columns = inner[0]
    cut = any(select.args.get(each) for each in ("where", "group", "having", "limit", "distinct", "qualify", "offset"))
    named = all(item.is_star or isinstance(item, exp.Column) for item in select.expressions)
    return table if named and not cut else None, columns if select.is_star else names


def _conditions(joined: JoinedTables, outer: bool) -> Iterator[exp.Expr]:
    """Yield what every row has to meet, and with `outer` what LEFT JOINs look for."""
    yield from _parts(joined.select.args.get("where"))
    for join in joined.select.args["joins"]:
        if outer or not join.side:
            yield from _parts(join.args.get("on"))


def _parts(condition: exp.Expr | None) -> list[exp.Expr]:
    whole = condition.this if isinstance(condition, exp.Where) else condition
    return [] if whole is None else list(whole.flatten()) if isinstance(whole, exp.And) else [whole]


def _spell_out(joined: JoinedTables) -> bool:
    """Write USING as ON, as the columns of a LEFT JOIN have to be told apart; False where a star shows them."""
    select, before = joined.select, [joined.select.args["from_"].this.alias_or_name.lower()]
    for join in select.args["joins"]:
        alias = join.this.alias_or_name.lower()
        for name in (each.name for each in join.args.get("using") or ()):
            near = [each for each in before if name.lower() in (joined.tables[each].columns or ())]
            if not near or select.is_star:
                return False
            left, right = (exp.column(name, joined.tables[each].node.alias_or_name) for each in (near[0], alias))
            for column in select.find_all(exp.Column):
                if column.name.lower() == name.lower() and not column.table and column.parent_select is select:
                    column.replace(left.copy())
            join.on(exp.EQ(this=left, expression=right), copy=False)
        join.set("using", None)
        before.append(alias)
    return True


Pairs = dict[tuple[str, str], list[tuple[exp.Column, exp.Column]]]


def _pairs(joined: JoinedTables, outer: bool) -> Pairs:
    """Return the columns that are equal in two tables, by the names of both, each way."""
    found: Pairs = {}
    for part in _conditions(joined, outer):
        left, right = (part.this, part.expression) if isinstance(part, exp.EQ) else (None, None)
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            ends = joined.alias_of(left), joined.alias_of(right)
            if ends[0] and ends[1] and ends[0] != ends[1]:
                found.setdefault((ends[0], ends[1]), []).append((left, right))
                found.setdefault((ends[1], ends[0]), []).append((right, left))
    return found


def _leads(
    joined: JoinedTables, child: str, parent: str, pairs: Iterable[tuple[exp.Column, exp.Column]], schema: Schema
) -> bool:
    """Tell whether the columns are the parent's key, or what a foreign key of the child points to."""
    here, there = joined.tables[child].table, joined.tables[parent].table
    if there is None:
        return False
    near, far = ({pair[end].name.lower() for pair in pairs} for end in (0, 1))
    linked = [
        each
        for each in links(schema)
        if here and (each.table, each.target) == (here.name, there.name)
        if {name.lower() for name in each.columns} == near and {name.lower() for name in each.target_columns} == far
    ]
    key = {name.lower() for name in there.primary_key}
    backwards = here is not None and near == {name.lower() for name in here.primary_key}
    return bool(linked) or (far == key != set() and not backwards)


def _is_kept(joined: JoinedTables, child: str, parent: str, pairs: Iterable[tuple[exp.Column, exp.Column]]) -> bool:
    """Tell whether the database itself sees to it that each row has a partner."""
    here, there = joined.tables[child].table, joined.tables[parent].table
    near = {pair[0].name.lower() for pair in pairs}
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
    equal = {id(column.parent) for pair in partner.pairs for column in pair}
    having = joined.select.args.get("having")
    for part in (*_conditions(joined, outer=False), *_parts(having.this if having else None)):
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
    parts = [node for node in select.find_all(exp.AggFunc) if _counts(node) and node.parent_select is select]
    if not parts and select.parent is None:
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


def _join_left(select: exp.Select, joined: JoinedTables) -> bool:
    """Join what rows may have no partner in by LEFT JOINs, behind all else; tell whether conditions are left."""
    own, gone = JoinedTables(select, joined.tables), joined.gone
    where, joins = _parts(select.args.get("where")), select.args["joins"]
    entries = [exp.Join(this=select.args["from_"].this), *joins]
    inner = [entry for entry in entries if entry.this.alias_or_name.lower() not in gone]
    later = [entry for entry in entries if entry.this.alias_or_name.lower() in gone]
    pool: list[exp.Expr] = []
    for entry in entries:
        if not entry.side:
            parts = _parts(entry.args.get("on"))
            pool += [part for part in parts if entry in later or own.about(part) & gone]
            entry.set("on", _all([part for part in parts if part not in pool]))
            entry.set("kind", None if entry.args.get("on") else "CROSS")
    pool += [part for part in where if own.about(part) & gone]
    where = [part for part in where if part not in pool]
    where += [part for part in pool if not own.about(part) & gone]
    pool = [part for part in pool if own.about(part) & gone]
    start, *inner = inner
    where += _parts(start.args.get("on"))
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
    return bool(where) or any(len(own.about(part)) < 2 for join in inner for part in _parts(join.args.get("on")))


def _ready(own: JoinedTables, entry: exp.Join, pool: list[exp.Expr], placed: set[str]) -> list[exp.Expr]:
    """Return the conditions by which a table can be joined now, none where it is too early."""
    alias = entry.this.alias_or_name.lower()
    if entry.side:
        parts = _parts(entry.args.get("on"))
        return parts if all(own.about(part) <= placed for part in parts) else []
    return [part for part in pool if alias in own.about(part) and own.about(part) <= placed]


def _all(parts: list[exp.Expr]) -> exp.Expr | None:
    return exp.and_(*parts, copy=True) if parts else None


def _name_missing(joined: JoinedTables) -> None:
    """Show a word in place of the texts that rows without a partner lack."""
    for item in joined.select.expressions:
        column = item.unalias()
        alias = joined.alias_of(column) if isinstance(column, exp.Column) else None
        table = joined.tables[alias].table if alias in joined.gone and alias else None
        kinds = [each.type for each in table.columns if each.name.lower() == column.name.lower()] if table else []
        if kinds and type_family(kinds[0]) == "text":
            named = exp.Coalesce(this=column.copy(), expressions=[exp.Literal.string(NO_PARTNER)])
            name = item.args["alias"] if isinstance(item, exp.Alias) else column.this
            item.replace(exp.Alias(this=named, alias=name.copy()))
