"""Names that the schema does not have as they are written: words of SQL without quotes, tables, columns."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from sqlglot import exp

from router.catalog.caches import weakly_cached
from router.catalog.schema import Schema, SchemaTable
from router.language.inflection import singular
from router.text_to_sql.repair.join_paths import nearest_chain
from router.text_to_sql.repair.joins import add_joins, through
from router.text_to_sql.repair.query import (
    FromItem,
    Query,
    alike,
    cte,
    exact,
    is_output,
    is_reserved,
    meaning,
    means,
    near,
    visible,
    words,
)

HABITUAL_SCHEMAS = ("public", "main", "dbo")
"""Schemas that models write before tables out of habit; no prompt has one."""

OFFERED_TABLES_MAX = 30
"""Tables that a model is offered instead of one that does not exist, at most."""

OFFERED_COLUMNS_MAX = 25
"""Columns that a model is offered instead of one that does not exist, at most."""


# Names that are words of SQL: they mean a name only in quotes, which models forget.


def quote_reserved(query: Query) -> None:
    """Quote the names of tables, columns and results that would be read as words of SQL."""
    own = {node.alias.lower() for node in query.tree.find_all(exp.Alias, exp.TableAlias, exp.CTE) if node.alias}
    own |= {alias.name.lower() for alias in query.tree.find_all(exp.TableAlias)}
    known = own | _names(query.schema)
    for node in query.tree.find_all(exp.Identifier):
        if not node.args.get("quoted") and is_reserved(node.name) and node.name.lower() in known:
            node.set("this", meaning(node, query.dialect))
            node.set("quoted", True)


@weakly_cached
def _names(schema: Schema) -> frozenset[str]:
    """Return the names of tables and columns that are words of SQL, in lower case."""
    every = (name for table in schema.tables for name in (table.name, *(column.name for column in table.columns)))
    return frozenset(name.lower() for name in every if is_reserved(name))


def mend_tables(query: Query) -> None:
    """Name every table of the FROMs and JOINs as the database spells it; return which could not be found."""
    names = tuple(table.name for table in query.schema.tables)
    for node in list(query.tree.find_all(exp.Table)):
        if not isinstance(node.this, exp.Identifier) or cte(node) is not None:
            continue
        if node.db and node.db.lower() != query.schema.name.lower() and not _mend_place(query, node):
            continue  # another schema is the guard's to judge
        _mend_table(query, node, names)


def _mend_place(query: Query, node: exp.Table) -> bool:
    """Read a.b as the table that has this name, dot and all, or as b if a model writes "public." by habit."""
    dotted = query.schema.table(f"{node.db}.{node.name}")
    if node.catalog or not (dotted or (node.db.lower() in HABITUAL_SCHEMAS and query.schema.table(node.name))):
        return False
    written = f"{node.db}.{node.name}"
    node.set("db", None)
    if dotted:
        node.set("this", query.identifier(dotted.name))
    else:
        query.note(written, f"`{written}` was read as `{node.name}`.")
    return True


def _mend_table(query: Query, node: exp.Table, names: tuple[str, ...]) -> None:
    written = node.name
    same = [name for name in names if name.lower() == written.lower()]
    meant = [name for name in same if name == written] or [n for n in same if means(node.this, n, query.dialect)]
    name = next(iter(meant or same), None) or near(written, names)
    if name is None:
        query.problem(f"There is no table {written}; {_offer(query, written, names)}.")
    elif not meant and len(same) > 1:
        query.problem(f"{written} may be {' or '.join(map(query.quoted, same))}; write which one is meant, in quotes.")
    elif not means(node.this, name, query.dialect):
        _rename_qualifiers(query, node, name)
        node.set("this", query.identifier(name))
        if not same:
            query.note(written, f"The table is named `{name}`, not `{written}`.")
    table = query.schema.table(name) if name and not node.db else None
    if table and table.schema in query.schema.others:  # a bare name would mean one of the default schema
        node.set("db", exp.Identifier(this=table.schema, quoted=True))


def _offer(query: Query, written: str, names: tuple[str, ...]) -> str:
    if not names:
        return "there are no tables at all"
    listed = (
        names
        if len(names) <= OFFERED_TABLES_MAX
        else get_close_matches(written, names, OFFERED_TABLES_MAX, 0.4) or names[:OFFERED_TABLES_MAX]
    )
    return f"the tables are {', '.join(map(query.quoted, listed))}"


def _rename_qualifiers(query: Query, node: exp.Table, name: str) -> None:
    """Let columns that were qualified with the wrong name follow, if no alias stands between."""
    if node.alias:
        return
    for column in query.tree.find_all(exp.Column):
        if column.table.lower() == node.name.lower():
            column.set("table", query.identifier(name))


# Columns: taken from the table that has them, spelt as the database spells them, or asked about.


def mend_home(query: Query, select: exp.Select, column: exp.Column, source: FromItem | None) -> None:
    """Find the only place that the column can mean; `source` is the one it was asked of, if that is known."""
    own = query.sources(select)
    if source and _join_named(query, select, column, source, own):
        return
    asked = [source] if source else list(own)
    others = [each for each in own if each.alias.lower() != _opposite(column)]
    ways = (
        _spellings(asked, column.name),
        [] if column.this.args.get("quoted") and not source else _spellings(others, column.name),
        [(s, name) for s in others if s.table for name in _of_entity(s.table, column.name)],
        _prefixed(asked, column.name),
    )
    for found in ways:
        same_name = len({name.lower() for _, name in found}) == 1
        if len(found) == 1 or (same_name and _are_equal(select, found[0][1], [each for each, _ in found])):
            _take(query, column, *found[0])
            return
        if found:
            _complain(query, column, source)
            return
    if _is_value(query, column):
        column.replace(exp.Literal.string(column.name))
        query.note(column.name, f"'{column.name}' is a value, so it stands in single quotes.")
    elif not (_join_home(query, select, column, source, own) or _mend_spelling(query, column, asked)):
        _complain(query, column, source)


def _opposite(column: exp.Column) -> str:
    """Return the alias of the column that this one is equated with: moved there, it would equal itself."""
    parent = column.parent
    if not isinstance(parent, exp.EQ):
        return ""
    side = parent.expression if column.arg_key == "this" else parent.this
    return side.table.lower() if isinstance(side, exp.Column) else ""


def _spellings(sources: Iterable[FromItem], name: str) -> list[tuple[FromItem, str]]:
    """Return the columns that are `name` but for case, blanks, underscores and plural; the exact ones alone."""
    every = [(source, found) for source in sources for found in alike(name, source.columns or ())]
    same = [pair for pair in every if pair[1].lower() == name.lower()]
    return same or every


def _of_entity(table: SchemaTable, name: str) -> list[str]:
    """Return the column that `name` means when the table's name is its first word: customer_name is customers.name."""
    for entity in dict.fromkeys((table.name, singular(table.name))):
        rest = name.lower().removeprefix(entity.lower())
        if rest != name.lower():
            found = alike(rest.strip("_ "), [column.name for column in table.columns]) if rest.strip("_ ") else ()
            if found:
                return list(found[:1])
    return []


def _prefixed(sources: Iterable[FromItem], name: str) -> list[tuple[FromItem, str]]:
    """Return the columns that are `name` behind a piece of their table's name: name of customers is cust_name."""
    found = []
    for source in sources:
        for column in source.columns or ():
            piece, _, rest = column.lower().rpartition(f"_{name.lower()}")
            if source.table and piece and not rest and piece in source.table.name.lower():
                found.append((source, column))
    return found


def _take(query: Query, column: exp.Column, source: FromItem, name: str) -> None:
    written = f"{column.table}.{column.name}" if column.table else column.name
    query.redirect(column, source.label, name)
    query.note(written, f"`{written}` was read as `{source.alias}.{name}`.")


def _is_value(query: Query, column: exp.Column) -> bool:
    """Return whether a name in double quotes is a value: compared with something, and no column anywhere."""
    if not column.this.args.get("quoted") or column.table:
        return False
    parent = column.parent
    compared = isinstance(parent, exp.Binary | exp.In | exp.Between) and column.arg_key != "this"
    known = any(alike(column.name, [c.name for c in table.columns]) for table in query.schema.tables)
    inner = isinstance(parent, exp.Func | exp.Binary | exp.In | exp.Between | exp.If)
    return compared or (inner and not known)


def _join_home(
    query: Query, select: exp.Select, column: exp.Column, source: FromItem | None, own: tuple[FromItem, ...]
) -> bool:
    """Join the nearest table that has the column, if one is nearest; True if that was done."""
    starts = {source.table.name: source for source in own if source.table}
    if len(starts) != len([source for source in own if source.table]):
        return False  # a table that is joined to itself: either could be meant
    homes = [(table.name, name) for table, name in _tables_with(query, column) if table.name not in starts]
    found = nearest_chain(query.hops, starts, homes)
    if found is None and source and source.table:  # of ways that are as good, that of the table which was asked
        found = nearest_chain(query.hops, (source.table.name,), homes)
    if found is None:
        return False
    chain, name = found
    others = [node for node in query.sums(select) if column not in list(node.find_all(exp.Column))]
    if others and any(hop.fans for hop in chain):
        return False  # more rows would make these sums and averages wrong
    label = add_joins(query, select, chain, starts[chain[0].near])
    written = f"{column.table}.{column.name}" if column.table else column.name
    home = chain[-1].far if name.lower() == column.name.lower() else f"{chain[-1].far}.{name}"
    query.note(written, f"`{written}` was taken from `{home}`, {through(chain) or 'which was joined'}.")
    column.set("this", query.identifier(name))
    column.set("table", label.copy())
    return True


def _join_named(
    query: Query, select: exp.Select, column: exp.Column, source: FromItem, own: tuple[FromItem, ...]
) -> bool:
    """Join the table that the question names, if the one that was asked for its column leads to it; True if done.

    "Physicians who prescribe Thesisin": the name that the prescriptions lack is the physician's, not the medication's.
    """
    if source.table is None or column.find_ancestor(exp.Join) or alike(column.name, source.columns or ()):
        return False
    present = {each.table.name for each in own if each.table}
    homes = [
        hop
        for hop in query.hops.leaving.get(source.table.name, ())
        if not hop.fans and (named := words(hop.far)) and named <= query.said
        if hop.far not in present or (id(select), source.alias, hop.far) in query.added
        if (table := query.schema.table(hop.far)) and exact(column.name, [each.name for each in table.columns])
    ]
    if len(homes) != 1:
        return False
    place = id(select), source.alias, homes[0].far
    if place not in query.added:
        query.added[place] = add_joins(query, select, (homes[0],), source)
    label = query.added[place]
    query.note(f"{column.table}.{column.name}", f"`{column.name}` was taken from `{homes[0].far}`, which was joined.")
    column.set("table", label.copy())
    return True


def _tables_with(query: Query, column: exp.Column) -> list[tuple[SchemaTable, str]]:
    """Return the tables that have the column: the one it is qualified with, if it has it, else all that do."""
    tables = query.schema.tables
    named = [table for table in tables if alike(column.table, (table.name,))] if column.table else []
    for group in (named, tables):
        every = [(table, name) for table in group for name in alike(column.name, [c.name for c in table.columns])]
        every = every or [(table, name) for table in group for name in _of_entity(table, column.name)]
        if every:
            return [pair for pair in every if pair[1].lower() == column.name.lower()] or every
    return []


def _mend_spelling(query: Query, column: exp.Column, asked: Iterable[FromItem]) -> bool:
    found = [(s, name) for s in asked if (name := near(column.name, s.columns or ()))]
    if len(found) == 1:
        _take(query, column, *found[0])
    return len(found) == 1


def _complain(query: Query, column: exp.Column, source: FromItem | None) -> None:
    """Say in words what is wrong with a column, and offer the right names."""
    where = f"{source.table.name if source.table else source.alias} has" if source else "the tables of the query have"
    homes = _tables_with(query, column)
    if homes:
        named = " and in ".join(f"{table.name}.{name}" for table, name in homes[:4])
        query.problem(f"{where} no column {column.name}; it is in {named}.")
    elif source:
        query.problem(f"{where} no column {column.name}; it has {', '.join(_offered(column.name, source))}.")
    else:
        query.problem(f"{where} no column {column.name}.")


def _offered(name: str, source: FromItem) -> Sequence[str]:
    """Return columns of the source that a model is offered: all of them, or those of a wide one that are nearest."""
    columns = source.columns or ()
    near = get_close_matches(name, columns, OFFERED_COLUMNS_MAX, 0.5) if len(columns) > OFFERED_COLUMNS_MAX else []
    return near or columns[:OFFERED_COLUMNS_MAX]


_BUILT_IN = ("rowid", "oid", "_rowid_", "ctid", "rownum", "level", "sysdate", "systimestamp", "user", "true", "false")


def mend_columns(query: Query) -> None:
    """Make every column one that its query sees, if only one can be meant; say what is wrong with the others."""
    for select in query.selects():
        for column in query.columns(select):
            if not column.args.get("db") and column.name.lower() not in _BUILT_IN:
                _mend_column(query, select, column)


def _mend_column(query: Query, select: exp.Select, column: exp.Column) -> None:
    scopes = list(visible(select, query.schema))
    if not column.table:
        _mend_bare(query, select, column, scopes)
        return
    source = next((s for scope in scopes for s in scope if s.alias.lower() == column.table.lower()), None)
    if source is None:
        source = _mend_qualifier(query, column, scopes)
    if source is None:
        if not any(s.has(column.table) for s in scopes[0]):  # else it may be a field of a structured column
            mend_home(query, select, column, None)
    elif source.columns is None:
        return
    elif source.has(column.name):
        _spell(query, column, exact(column.name, source.columns) or column.name)
    elif is_output(select, column):
        column.set("table", None)
    else:
        mend_home(query, select, column, source)


def _mend_bare(query: Query, select: exp.Select, column: exp.Column, scopes: Sequence[tuple[FromItem, ...]]) -> None:
    own = scopes[0]
    holders = [source for source in own if source.has(column.name)]
    if len(holders) == 1:
        _spell(query, column, exact(column.name, holders[0].columns or ()) or column.name)
    elif holders:
        _mend_ambiguous(query, select, column, holders)
    elif own and not (
        any(source.columns is None for scope in scopes for source in scope)
        or (not _is_member(select, column) and any(s.has(column.name) for scope in scopes[1:] for s in scope))
        or is_output(select, column)
    ):
        mend_home(query, select, column, None)


def _is_member(select: exp.Select, column: exp.Column) -> bool:
    """Return whether a column is what IN looks for in a subquery: taken from outside, every row would match."""
    shown = [item.unalias() for item in select.expressions]
    return shown == [column] and isinstance(select.parent, exp.In | exp.Subquery) and bool(select.find_ancestor(exp.In))


def _mend_qualifier(query: Query, column: exp.Column, scopes: Sequence[tuple[FromItem, ...]]) -> FromItem | None:
    """Put right a qualifier that is no alias, and return the source that it means, or None."""
    written = column.table
    everything = [source for scope in scopes for source in scope]
    ways = (
        [s for s in everything if s.table and s.table.name.lower() == written.lower()],
        [s for s in everything if alike(written, (s.alias, s.table.name if s.table else s.alias))],
        [s for s in everything if near(written, (s.alias, s.table.name if s.table else s.alias))],
    )
    for found in ways:
        if len(found) == 1:
            column.set("table", found[0].label.copy())
            query.note(written, f"`{written}` was read as `{found[0].alias}`.")
            return found[0]
        if found:
            return None
    if any(alike(written, (table.name,)) for table in query.schema.tables):
        return None
    holders = [source for source in scopes[0] if source.has(column.name)]
    if len(holders) == 1:
        column.set("table", holders[0].label.copy())
        query.note(column.name, f"`{column.name}` was taken from `{holders[0].alias}`.")
        return holders[0]
    return None


def _mend_ambiguous(query: Query, select: exp.Select, column: exp.Column, holders: list[FromItem]) -> None:
    """Say which table's column is meant if the joins make them equal, or one was chosen for the result."""
    name = column.name
    for join in select.args.get("joins") or ():
        if join.method or any(each.name.lower() == name.lower() for each in join.args.get("using") or ()):
            return
    items = [item.unalias() for item in select.expressions]
    columns = [item for item in items if isinstance(item, exp.Column) and item.name.lower() == name.lower()]
    shown = {each.table for each in columns if each.table}
    chosen = next((s for s in holders if {s.alias} == shown), None)
    if chosen is None and _are_equal(select, name, holders):
        chosen = holders[0]
    if chosen is not None:
        column.set("table", chosen.label.copy())
        query.note(name, f"`{name}` was taken from `{chosen.alias}`.")
    else:
        listed = " and ".join(source.alias for source in holders)
        query.problem(f"{name} is in {listed}; write which one is meant.")


def _are_equal(select: exp.Select, name: str, sources: Sequence[FromItem]) -> bool:
    """Return whether the columns of this name in several tables are the same, since the joins equate them."""
    return {source.alias.lower() for source in sources} <= _equated(select, name)


def _equated(select: exp.Select, name: str) -> set[str]:
    """Return the aliases whose column of this name is equated with another's in a join."""
    found: set[str] = set()
    for join in select.args.get("joins") or ():
        for equal in join.find_all(exp.EQ):
            sides = [side for side in (equal.this, equal.expression) if isinstance(side, exp.Column)]
            if len(sides) == 2 and all(side.name.lower() == name.lower() for side in sides):
                found |= {side.table.lower() for side in sides}
    return found


def _spell(query: Query, column: exp.Column, name: str) -> None:
    if not means(column.this, name, query.dialect):
        column.set("this", query.identifier(name))
