"""Inner joins that leave rows out of counts and sums: over a key that may be empty, or that may lead nowhere.

They are looked for in the outermost SELECT, if equal columns join what it reads, each source but one by its key: that
one has a row for each row of the join. Nothing is found in any other query. A condition on a joined table leaves rows
out on purpose, and so does a count of its columns.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations

from sqlglot import exp, parse_one

from router.catalog.foreign_keys import identity, table_words, type_family
from router.catalog.schema import Schema, SchemaTable
from router.sql.explain.joins import conjuncts, entries_of, is_tie, reached

log = logging.getLogger("icc_bot")

NO_PARTNER = "(none)"
"""Stands for the texts of a joined table in rows that have no partner there."""

Tables = Mapping[str, SchemaTable | None]
"""The tables that a SELECT reads, by their aliases in lower case; None stands for a query."""

_CLAUSES = frozenset(
    {"with_", "expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset"}
)
_PARTS = frozenset({"this", "db", "alias", "on", "kind"})


@dataclass(frozen=True, slots=True)
class LossyJoin:
    """A join without the rows of `rows` that have none in `table`; `key` leads there."""

    rows: str
    table: str
    key: str


@dataclass(frozen=True, slots=True)
class LossyQuery:
    """A query with such joins; `count` gives its rows, and for each join those of them that have no partner.

    `filtered`: only rows that meet conditions are counted. `kept` is the query with all rows, by LEFT JOINs.
    """

    joins: tuple[LossyJoin, ...]
    count: str
    filtered: bool
    kept: str


def lossy_joins(sql: str, schema: Schema) -> LossyQuery | None:
    """Return what the joins of a query may leave out of its counts and sums; asks no database."""
    try:
        select = parse_one(sql, read=schema.dialect)
        if isinstance(select, exp.Select) and _is_plain(select):
            return _lossy_query(select, schema, pretty="\n" in sql)
    except Exception as error:  # whatever a tree trips over, the answer is not lost by it
        log.info("the joins of a query were not understood: %s", type(error).__name__)
    return None


def _lossy_query(select: exp.Select, schema: Schema, *, pretty: bool) -> LossyQuery | None:
    tables = _tables_of(select, schema)
    _name_tables(select, tables)
    parts = conjuncts(select.args.get("where"))
    for join in select.args["joins"]:
        parts += conjuncts(join.args.get("on"))
    ties = [part for part in parts if isinstance(part, exp.EQ) and is_tie(part, tables)]
    conditions = [part for part in parts if part not in ties]
    links = _links_of(ties, tables)
    roots = tables.keys() - {link.parent for link in links}
    if len(links) != len(tables) - 1 or len(links) != len(ties) or len(roots) != 1:
        return None
    root, lossy = roots.pop(), [link for link in links if _is_lossy(link, links, select, conditions)]
    if not lossy:
        return None
    gone = {alias for link in lossy for alias in _gone(link, links)}
    names = {alias: entry.this.name or alias for alias, entry in entries_of(select).items()}
    _join_left(select, root, links, gone)
    select.set("where", exp.Where(this=exp.and_(*conditions, copy=False)) if conditions else None)
    count = select.copy()
    count.set("expressions", [exp.Count(this=exp.Star()), *(_lost(link, links, gone) for link in lossy)])
    for clause in _CLAUSES - {"with_", "expressions", "from_", "joins", "where"}:
        count.set(clause, None)
    _name_missing(select, gone, tables)
    found = (LossyJoin(names[root], names[link.parent], f"{names[link.child]}.{link.near.name}") for link in lossy)
    kept = select.sql(schema.dialect, pretty=pretty)
    return LossyQuery(tuple(found), count.sql(schema.dialect), bool(conditions), kept)


# What a SELECT reads, and which columns are equal.


def _is_plain(select: exp.Select) -> bool:
    """Return whether a query joins all that it reads INNER, and names its columns."""
    joins = select.args.get("joins") or []
    return (
        bool(joins)
        and _given(select) <= _CLAUSES
        and not select.is_star
        and all(join.text("kind") in ("", "INNER", "CROSS") for join in joins)
        and all(_given(each) | _given(each.this) <= _PARTS for each in entries_of(select).values())
    )


def _given(node: exp.Expr) -> set[str]:
    return {name for name, value in node.args.items() if value}


def _tables_of(select: exp.Select, schema: Schema) -> Tables:
    """Return what a SELECT reads; its WITH queries are no tables."""
    made = {each.alias.lower() for each in select.find_all(exp.CTE)}
    found: dict[str, SchemaTable | None] = {}
    for alias, entry in entries_of(select).items():
        is_table = isinstance(entry.this, exp.Table) and entry.this.text("db").lower() in ("", schema.name.lower())
        is_known = is_table and entry.this.name.lower() not in made and not entry.this.alias_column_names
        found[alias] = schema.table(entry.this.name) if is_known else None
    return found


def _name_tables(select: exp.Select, tables: Tables) -> None:
    """Give columns the names of their tables, if only one of these has such a column, and no result is called so.

    The columns of inner queries stay as they are.
    """
    made = {item.alias.lower() for item in select.selects}
    for column in () if None in tables.values() else select.find_all(exp.Column):
        owners = [alias for alias, table in tables.items() if table and table.column(column.name)]
        is_outer = column.parent_select is select
        if is_outer and len(owners) == 1 and not column.table and column.name.lower() not in made:
            column.set("table", exp.to_identifier(owners[0]))


# Which of the sources leads to which.


@dataclass(frozen=True, slots=True)
class Link:
    """Rows of `child` lead to one row of `parent`, if `near` of the one is `far` of the other, as `on` says.

    `sure`: the database itself sees to it that each row has a partner.
    """

    child: str
    parent: str
    near: exp.Expr
    far: exp.Expr
    on: exp.Expr
    sure: bool


def _links_of(ties: Iterable[exp.Expr], tables: Tables) -> list[Link]:
    """Return the links that equal columns follow; a tie that follows none, or one either way, gives none."""
    links = []
    for tie in ties:
        found = [_link(near, far, tie, tables) for near, far in permutations(tie.unnest_operands())]
        links += [link for link in found if link and None in found]
    return links


def _link(near: exp.Expr, far: exp.Expr, on: exp.Expr, tables: Tables) -> Link | None:
    """Return the link from the first column to the second one, if that is the key of its table."""
    child, parent = near.text("table").lower(), far.text("table").lower()
    here, there, name, target = tables.get(child), tables.get(parent), [near.name.lower()], [far.name.lower()]
    if there is None:
        return None
    declared = [
        key
        for key in (here.foreign_keys if here else ())
        if (key.target, _lower(key.columns), _lower(key.target_columns)) == (there.name, name, target)
    ]
    if not declared and (target != _key(there) or (here and name == _key(here))):
        return None
    nullable = any(column.nullable for column in (here.columns if here else ()) if column.name.lower() in name)
    is_sure = not nullable and any(key.sure == 1 and key.checked for key in declared)
    return Link(child, parent, near, far, on, is_sure)


def _key(table: SchemaTable) -> list[str]:
    """Return the columns that identify a table's rows: its primary key, or the one that is called like one."""
    named = None if table.primary_key or table.view else identity(table, table_words(table))
    return _lower(table.primary_key or ((named.name,) if named else ()))


def _lower(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _about(nodes: Iterable[exp.Expr]) -> set[str]:
    """Return the aliases of the tables that parts of the query are about; "" stands for what is not known."""
    return {column.table.lower() for node in nodes for column in node.find_all(exp.Column)}


def _gone(link: Link, links: Iterable[Link]) -> set[str]:
    """Return the sources without a row where a row has no partner: the one that its key leads to, and those beyond."""
    return reached(link.parent, [(each.child, each.parent) for each in links])


def _is_lossy(link: Link, links: list[Link], select: exp.Select, conditions: list[exp.Expr]) -> bool:
    """Return whether rows without this partner would count, were they not left out."""
    gone = {"", *_gone(link, links)}
    having = select.args.get("having")
    if link.sure or not gone.isdisjoint(_about([*conditions, having] if having else conditions)):
        return False
    # What an inner query counts are rows of its own.
    own = (node for item in select.expressions for node in item.walk(prune=lambda node: isinstance(node, exp.Query)))
    return any(gone.isdisjoint(_about([node])) for node in own if isinstance(node, exp.Count | exp.Sum | exp.Avg))


# The same SELECT with all rows.


def _join_left(select: exp.Select, root: str, links: list[Link], gone: set[str]) -> None:
    """Begin with the table that has a row for each row of the join, and join those that may have none LEFT."""
    sources = {alias: entry.this for alias, entry in entries_of(select).items()}
    ties, joins = [(link.child, link.parent) for link in links], []
    for link in sorted(links, key=lambda link: len(reached(link.parent, ties)), reverse=True):
        side = "LEFT" if link.parent in gone else None
        joins.append(exp.Join(this=sources[link.parent], on=link.on, side=side))
    select.set("from_", exp.From(this=sources[root]))
    select.set("joins", joins)


def _lost(link: Link, links: list[Link], gone: set[str]) -> exp.Expr:
    """Return the number of rows without this partner, once all tables are joined LEFT."""
    keys = {each.parent: each.far for each in links if each.parent in gone}
    rows = keys.get(link.child, exp.Star())
    return exp.Sub(this=exp.Count(this=rows.copy()), expression=exp.Count(this=link.far.copy()))


def _name_missing(select: exp.Select, gone: set[str], tables: Tables) -> None:
    """Show a word in place of the texts that rows without a partner lack."""
    for item in () if select.args.get("distinct") else select.expressions:  # it sorts by what it shows alone
        column = item.unalias()
        alias = column.text("table").lower()
        table = tables.get(alias) if isinstance(column, exp.Column) and alias in gone else None
        known = table and table.column(column.name)
        if known and type_family(known.type) == "text":
            named = exp.Coalesce(this=column.copy(), expressions=[exp.Literal.string(NO_PARTNER)])
            item.replace(exp.Alias(this=named, alias=item.args.get("alias") or column.this.copy()))
