"""Inner joins that leave rows out of counts and sums: over a key that may be empty, or that may lead nowhere.

They are looked for in one SELECT over tables that are joined by one equal column, each but one by its key: that one has
a row for each row of the join. Columns are told by the tables before their names. Nothing is found in any other query.
A condition on a joined table leaves rows out on purpose, and so does a count of its columns.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp, parse_one

from router.catalog.foreign_keys import identity, table_words, type_family
from router.catalog.schema import Schema, SchemaTable

log = logging.getLogger("icc_bot")

NO_PARTNER = "(none)"
"""Stands for the texts of a joined table in rows that have no partner there."""

Tables = Mapping[str, SchemaTable]
"""The tables of a SELECT, by their aliases in lower case."""

_CLAUSES = frozenset(
    {"expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset"}
)
_TABLE_PARTS, _JOIN_PARTS = frozenset({"this", "db", "alias"}), frozenset({"this", "on", "kind"})


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
        tables = _tables_of(select, schema) if isinstance(select, exp.Select) and _is_plain(select) else None
        return _lossy_query(select, tables, schema, pretty="\n" in sql) if tables else None
    except Exception as error:  # whatever a tree trips over, the answer is not lost by it
        log.info("the joins of a query were not understood: %s", type(error).__name__)
        return None


def _lossy_query(select: exp.Expr, tables: Tables, schema: Schema, *, pretty: bool) -> LossyQuery | None:
    links = _links_of(select, tables)
    roots = tables.keys() - {link.parent for link in links}
    if len(links) != len(tables) - 1 or len(roots) != 1:
        return None
    root, lossy = roots.pop(), [link for link in links if _is_lossy(link, links, select)]
    if not lossy:
        return None
    gone = {alias for link in lossy for alias in _reached(link.parent, links)}
    _join_left(select, root, links, gone)
    count = select.copy()
    count.set("expressions", [exp.Count(this=exp.Star()), *(_lost(link, links, gone) for link in lossy)])
    for clause in _CLAUSES - {"expressions", "from_", "joins", "where"}:
        count.set(clause, None)
    _name_missing(select, gone, tables)
    found = (
        LossyJoin(tables[root].name, tables[link.parent].name, f"{tables[link.child].name}.{link.near.name}")
        for link in lossy
    )
    filtered = select.args.get("where") is not None
    return LossyQuery(tuple(found), count.sql(schema.dialect), filtered, select.sql(schema.dialect, pretty=pretty))


# The tables of a SELECT, and which leads to which.


@dataclass(frozen=True, slots=True)
class Link:
    """Rows of `child` lead to one row of `parent`, where `near` of the one is `far` of the other, as `on` says.

    `sure`: the database itself sees to it that each row has a partner.
    """

    child: str
    parent: str
    near: exp.Column
    far: exp.Column
    on: exp.Expr
    sure: bool


def _is_plain(select: exp.Select) -> bool:
    """Return whether a query is one SELECT that joins tables INNER, each ON a condition."""
    joins = select.args.get("joins") or []
    return (
        bool(joins)
        and _given(select) <= _CLAUSES
        and not select.is_star
        and len(list(select.find_all(exp.Select))) == 1
        and all(_given(join) <= _JOIN_PARTS and join.kind in ("", "INNER") for join in joins)
        and all(_given(table) <= _TABLE_PARTS and not table.alias_column_names for table in _sources(select))
    )


def _given(node: exp.Expr) -> set[str]:
    return {name for name, value in node.args.items() if value}


def _sources(select: exp.Expr) -> list[exp.Expr]:
    return [select.args["from_"].this, *(join.this for join in select.args["joins"])]


def _tables_of(select: exp.Select, schema: Schema) -> Tables | None:
    """Return the tables that a SELECT joins; None where one of them is not of this schema."""
    found: dict[str, SchemaTable] = {}
    for source in _sources(select):
        table = schema.table(source.name) if source.text("db").lower() in ("", schema.name.lower()) else None
        if table is None:
            return None
        found[source.alias_or_name.lower()] = table
    return found


def _links_of(select: exp.Expr, tables: Tables) -> list[Link]:
    """Return the links that the joins follow; a join that follows none, or one either way, gives none."""
    links = []
    for join in select.args["joins"]:
        on = join.args.get("on")
        if isinstance(on, exp.EQ) and isinstance(on.this, exp.Column) and isinstance(on.expression, exp.Column):
            found = [_link(on.this, on.expression, on, tables), _link(on.expression, on.this, on, tables)]
            links += [link for link in found if link and None in found]
    return links


def _link(near: exp.Column, far: exp.Column, on: exp.Expr, tables: Tables) -> Link | None:
    """Return the link from the first column to the second one, if that is the key of its table."""
    child, parent = near.table.lower(), far.table.lower()
    if child == parent or not {child, parent} <= tables.keys():
        return None
    here, there, name, target = tables[child], tables[parent], [near.name.lower()], [far.name.lower()]
    declared = [
        key
        for key in here.foreign_keys
        if (key.target, _lower(key.columns), _lower(key.target_columns)) == (there.name, name, target)
    ]
    if not declared and (target != _key(there) or name == _key(here)):
        return None
    nullable = any(column.nullable for column in here.columns if column.name.lower() in name)
    return Link(child, parent, near, far, on, not nullable and any(key.sure == 1 and key.checked for key in declared))


def _key(table: SchemaTable) -> list[str]:
    """Return the columns that identify a table's rows: its primary key, or the one that is called like one."""
    named = None if table.primary_key or table.view else identity(table, table_words(table))
    return _lower(table.primary_key or ((named.name,) if named else ()))


def _lower(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _about(nodes: Iterable[exp.Expr]) -> set[str]:
    """Return the aliases of the tables that parts of the query are about; "" stands for what is not known."""
    return {column.table.lower() for node in nodes for column in node.find_all(exp.Column)}


def _reached(alias: str, links: Iterable[Link]) -> Iterator[str]:
    """Yield a table and those that it leads to."""
    yield alias
    for link in links:
        if link.child == alias:
            yield from _reached(link.parent, links)


def _is_lossy(link: Link, links: list[Link], select: exp.Expr) -> bool:
    """Return whether rows without this partner would count, were they not left out."""
    gone = {"", *_reached(link.parent, links)}
    conditions = filter(None, map(select.args.get, ("where", "having")))
    if link.sure or not gone.isdisjoint(_about(conditions)):
        return False
    counts = (node for item in select.expressions for node in item.find_all(exp.Count, exp.Sum, exp.Avg))
    return any(gone.isdisjoint(_about([count])) for count in counts)


# The same SELECT with all rows.


def _join_left(select: exp.Expr, root: str, links: list[Link], gone: set[str]) -> None:
    """Begin with the table that has a row for each row of the join, and join those that may have none LEFT."""
    sources = {source.alias_or_name.lower(): source for source in _sources(select)}
    placed, left, joins = {root}, list(links), []
    while left:
        link = next(each for each in left if each.child in placed)
        left.remove(link)
        placed.add(link.parent)
        joins.append(exp.Join(this=sources[link.parent], on=link.on, side="LEFT" if link.parent in gone else None))
    select.set("from_", exp.From(this=sources[root]))
    select.set("joins", joins)


def _lost(link: Link, links: list[Link], gone: set[str]) -> exp.Expr:
    """Return the number of rows without this partner, once all tables are joined LEFT."""
    keys = {each.parent: each.far for each in links if each.parent in gone}
    rows = keys.get(link.child, exp.Star())
    return exp.Sub(this=exp.Count(this=rows.copy()), expression=exp.Count(this=link.far.copy()))


def _name_missing(select: exp.Expr, gone: set[str], tables: Tables) -> None:
    """Show a word in place of the texts that rows without a partner lack."""
    for item in () if select.args.get("distinct") else select.expressions:  # it sorts by what it shows alone
        column = item.unalias()
        if not isinstance(column, exp.Column) or (alias := column.table.lower()) not in gone:
            continue
        kinds = {each.name.lower(): type_family(each.type) for each in tables[alias].columns}
        if kinds.get(column.name.lower()) == "text":
            named = exp.Coalesce(this=column.copy(), expressions=[exp.Literal.string(NO_PARTNER)])
            item.replace(exp.Alias(this=named, alias=item.args.get("alias") or column.this.copy()))
