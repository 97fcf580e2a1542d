"""The tables that one SELECT joins, and which of them leads to a row of which, as its tree and the schema say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from router.catalog.foreign_keys import identity, links, table_words
from router.catalog.schema import Schema, SchemaTable

_BESIDE_COLUMNS = ("laterals", "pivots", "connect", "match")
"""Clauses with which FROM has more than tables and queries."""


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

    @property
    def label(self) -> exp.Identifier:
        """The name that columns are qualified with."""
        alias = self.node.args.get("alias")
        named = alias.this if alias else self.node.this
        return named.copy() if isinstance(named, exp.Identifier) else exp.to_identifier(self.alias)


@dataclass(frozen=True, slots=True)
class JoinedTables:
    """One SELECT over several tables; `leads` are pairs of a table and one that has a single row for each of its.

    `keys` are columns of the tables that others lead to: they are NULL where there is no row.
    """

    select: exp.Select
    tables: Mapping[str, JoinedTable]
    leads: frozenset[tuple[str, str]] = frozenset()
    keys: Mapping[str, exp.Column] = field(default_factory=dict)

    def alias_of(self, column: exp.Column) -> str | None:
        """Return the table that a column is of: "" for none of these tables, None where that is not known."""
        if column.table:
            return column.table.lower() if column.table.lower() in self.tables else ""
        if column.find_ancestor(exp.Select) not in (None, self.select):
            return ""
        name = column.name.lower()
        found = [each.alias for each in self.tables.values() if each.columns and name in each.columns]
        return found[0] if len(found) == 1 else None

    def table_of(self, column: exp.Column) -> SchemaTable | None:
        """Return the table of the schema that a column is of, None where that is not known."""
        alias = self.alias_of(column)
        return self.tables[alias].table if alias else None

    def about(self, node: exp.Expr) -> frozenset[str | None]:
        """Return the tables that a part of the query is about."""
        return frozenset(self.alias_of(column) for column in node.find_all(exp.Column)) - {""}

    def grain(self) -> str:
        """Return the table that has one row for each row of the join, "" where there is none."""
        led = {parent for _, parent in self.leads}
        roots = [alias for alias in self.tables if alias not in led]
        return roots[0] if len(roots) == 1 else ""


def joined_tables(scope: Scope, schema: Schema) -> JoinedTables | None:
    """Return the tables that a SELECT joins, its USING written as ON; None where FROM has more in it."""
    select = scope.expression
    if not isinstance(select, exp.Select) or not select.args.get("joins") or not _is_plain(select):
        return None
    sides = {join.this.alias_or_name.lower(): join.side == "LEFT" for join in select.args["joins"]}
    tables = {
        name.lower(): JoinedTable(name.lower(), node, sides.get(name.lower(), False), *_rows_of(source, schema))
        for name, (node, source) in scope.selected_sources.items()
    }
    joined = JoinedTables(select, tables)
    if len(tables) != 1 + len(sides) or not _spell_out(joined):
        return None
    pairs = equal_pairs(joined, outer=True)
    leads = frozenset(ends for ends, columns in pairs.items() if _leads(joined, *ends, columns, schema))
    return JoinedTables(select, tables, leads, {ends[1]: pairs[ends][0][1] for ends in leads})


def _is_plain(select: exp.Select) -> bool:
    """Tell whether FROM has nothing but tables and queries, joined INNER, CROSS or LEFT."""
    joins, start = select.args["joins"], select.args.get("from_")
    nodes = [start.this if start else None, *(join.this for join in joins)]
    return (
        not any(select.args.get(each) for each in _BESIDE_COLUMNS)
        and all(isinstance(node, exp.Table | exp.Subquery) and not node.args.get("joins") for node in nodes)
        and not any(isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table) for node in nodes)
        and all(
            join.method in ("", "NATURAL")
            and join.side in ("", "LEFT")
            and join.kind in ("", "INNER", "OUTER", "CROSS")
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


def _spell_out(joined: JoinedTables) -> bool:
    """Write USING and NATURAL as ON, as the columns of a LEFT JOIN have to be told apart.

    False where a star shows these columns, or they are not known.
    """
    select, before = joined.select, [joined.select.args["from_"].this.alias_or_name.lower()]
    for join in select.args["joins"]:
        alias = join.this.alias_or_name.lower()
        for name in _shared(joined, join, before):
            near = [each for each in before if name.name.lower() in (joined.tables[each].columns or ())]
            if not near or select.is_star:
                return False
            left, right = (exp.Column(this=name.copy(), table=joined.tables[each].label) for each in (near[0], alias))
            for column in select.find_all(exp.Column):
                if column.name.lower() == name.name.lower() and not column.table and column.parent_select is select:
                    column.replace(left.copy())
            join.on(exp.EQ(this=left, expression=right), copy=False)
        if join.method and not join.args.get("on"):
            return False
        join.set("using", None)
        join.set("method", None)
        before.append(alias)
    return True


def _shared(joined: JoinedTables, join: exp.Join, before: list[str]) -> list[exp.Identifier]:
    """Return the columns that a join names once for both sides."""
    if not join.method:
        return join.args.get("using") or []
    here = joined.tables[join.this.alias_or_name.lower()].table
    known = {name for each in before for name in joined.tables[each].columns or ()}
    columns = here.columns if here else ()
    return [exp.to_identifier(column.name) for column in columns if column.name.lower() in known]


# Conditions, and the columns that they say are equal.

Pair = tuple[exp.Column, exp.Column, exp.Expr]
"""Two columns that are equal, and the condition that says so."""

Pairs = dict[tuple[str, str], list[Pair]]


def conditions_of(joined: JoinedTables, outer: bool) -> Iterator[exp.Expr]:
    """Yield what every row has to meet, and with `outer` what LEFT JOINs look for."""
    yield from conjuncts(joined.select.args.get("where"))
    for join in joined.select.args["joins"]:
        if outer or not join.side:
            yield from conjuncts(join.args.get("on"))


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    whole = condition.this if isinstance(condition, exp.Where) else condition
    return [] if whole is None else list(whole.flatten()) if isinstance(whole, exp.And) else [whole]


def equal_pairs(joined: JoinedTables, outer: bool) -> Pairs:
    """Return the columns that are equal in two tables, by the names of both, each way."""
    found: Pairs = {}
    for part in conditions_of(joined, outer):
        columns = _equal_columns(part)
        ends = tuple(map(joined.alias_of, columns))
        if len(columns) == 2 and all(ends) and ends[0] != ends[1]:
            for near, far in ((0, 1), (1, 0)):
                found.setdefault((ends[near] or "", ends[far] or ""), []).append((columns[near], columns[far], part))
    return found


def _equal_columns(part: exp.Expr) -> list[exp.Column]:
    """Return the columns of an equation, one a side, as they are or within a function: a cast, a trim."""
    sides = (part.this, part.expression) if isinstance(part, exp.EQ) else ()
    found = [list(side.find_all(exp.Column)) for side in sides]
    return [columns[0] for columns in found] if [len(columns) for columns in found] == [1, 1] else []


def _leads(joined: JoinedTables, child: str, parent: str, pairs: Iterable[Pair], schema: Schema) -> bool:
    """Tell whether the columns are the parent's key, or what a foreign key of the child points to."""
    here, there = joined.tables[child].table, joined.tables[parent].table
    if there is None:
        return False
    near, far = {near.name.lower() for near, _, _ in pairs}, {far.name.lower() for _, far, _ in pairs}
    linked = [
        each
        for each in links(schema)
        if here and (each.table, each.target) == (here.name, there.name)
        if {name.lower() for name in each.columns} == near and {name.lower() for name in each.target_columns} == far
    ]
    return bool(linked) or (far == _key(there) and (here is None or near != _key(here)))


def _key(table: SchemaTable) -> set[str]:
    """Return the columns that identify a table's rows: its primary key, or the one that is called like one."""
    named = None if table.primary_key or table.view else identity(table, table_words(table))
    return {name.lower() for name in table.primary_key or ((named.name,) if named else ("",))}


def ids_of(table: SchemaTable) -> set[str]:
    """Return the columns of a table that identify its rows, or those of others."""
    return _key(table) | {name.lower() for key in table.foreign_keys for name in key.columns}
