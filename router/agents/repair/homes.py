"""Where a column lives that is not in the table it was asked of: another one of the query, or one to be joined."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from sqlglot import exp

from router.agents.repair.joins import add_joins, through
from router.agents.repair.names import alike, near
from router.agents.repair.needless import desert
from router.agents.repair.paths import cost, route, routes
from router.agents.repair.query import Query
from router.agents.repair.sources import Source
from router.catalog.schema import Table

OFFERED = 25
"""How many columns a model is offered instead of one that does not exist."""


def mend_home(query: Query, select: exp.Select, column: exp.Column, source: Source | None) -> None:
    """Find the only place that the column can mean; `source` is the one it was asked of, where that is known."""
    own = query.sources(select)
    asked = [source] if source else list(own)
    others = [each for each in own if each.alias.lower() != _opposite(column)]
    ways = (
        _spellings(asked, column.name),
        [] if column.this.args.get("quoted") and not source else _spellings(others, column.name),
        _entities(others, column.name),
        _prefixed(asked, column.name),
    )
    for found in ways:
        if len(found) == 1:
            _take(query, column, *found[0])
            return
        if found:
            _complain(query, select, column, source)
            return
    if _is_value(query, column):
        column.replace(exp.Literal.string(column.name))
        query.note(column.name, f"'{column.name}' is a value, so it stands in single quotes.")
    elif not (_join_home(query, select, column, own) or _mend_spelling(query, column, asked)):
        _complain(query, select, column, source)


def _opposite(column: exp.Column) -> str:
    """Return the alias of the column that this one is equated with: moved there, it would equal itself."""
    parent = column.parent
    if not isinstance(parent, exp.EQ):
        return ""
    side = parent.expression if column.arg_key == "this" else parent.this
    return side.table.lower() if isinstance(side, exp.Column) else ""


def _spellings(sources: Iterable[Source], name: str) -> list[tuple[Source, str]]:
    """Return the columns that are `name` but for case, blanks, underscores and plural; the exact ones alone."""
    every = [(source, found) for source in sources for found in alike(name, source.columns or ())]
    same = [pair for pair in every if pair[1].lower() == name.lower()]
    return same or every


def _entities(sources: Iterable[Source], name: str) -> list[tuple[Source, str]]:
    """Return the columns that `name` means when a table's name is its first word: customer_name is customers.name."""
    return [(s, column) for s in sources if s.table for column in _of_entity(s.table, name)]


def _of_entity(table: Table, name: str) -> list[str]:
    for stem in dict.fromkeys((table.name, table.name.removesuffix("s"), table.name.removesuffix("es"))):
        rest = name.lower().removeprefix(stem.lower())
        if rest != name.lower():
            found = alike(rest.strip("_ "), [column.name for column in table.columns]) if rest.strip("_ ") else ()
            if found:
                return list(found[:1])
    return []


def _prefixed(sources: Iterable[Source], name: str) -> list[tuple[Source, str]]:
    """Return the columns that are `name` behind a piece of their table's name: name of customers is cust_name."""
    found = []
    for source in sources:
        for column in source.columns or ():
            piece, _, rest = column.lower().rpartition(f"_{name.lower()}")
            if source.table and piece and not rest and piece in source.table.name.lower():
                found.append((source, column))
    return found


def _take(query: Query, column: exp.Column, source: Source, name: str) -> None:
    written = f"{column.table}.{column.name}" if column.table else column.name
    if column.table.lower() != source.alias.lower():
        desert(query, column)
    column.set("this", query.identifier(name))
    if column.table or len(list(query.tree.find_all(exp.Table))) > 1:
        column.set("table", source.label.copy() if source.alias else None)
    query.note(written, f"`{written}` was read as `{source.alias}.{name}`.")


def _is_value(query: Query, column: exp.Column) -> bool:
    """Tell whether a name in double quotes is a value: compared with something, and no column anywhere."""
    if not column.this.args.get("quoted") or column.table:
        return False
    parent = column.parent
    compared = isinstance(parent, exp.Binary | exp.In | exp.Between) and column.arg_key != "this"
    known = any(alike(column.name, [c.name for c in table.columns]) for table in query.schema.tables)
    inner = isinstance(parent, exp.Func | exp.Binary | exp.In | exp.Between | exp.If)
    return compared or (inner and not known)


def _join_home(query: Query, select: exp.Select, column: exp.Column, own: tuple[Source, ...]) -> bool:
    """Join the nearest table that has the column, if one is nearest; True if that was done."""
    starts = {source.table.name: source for source in own if source.table}
    if len(starts) != len([source for source in own if source.table]):
        return False  # a table that is joined to itself: either could be meant
    homes = [(table, name) for table, name in _tables_with(query, column) if table.name not in starts]
    ways = routes(query.hops, starts, (table.name for table, _ in homes))
    chains = [(ways[table.name], name) for table, name in homes if table.name in ways]
    if not chains:
        return False
    cheapest = min(cost(chain) for chain, _ in chains)
    best = [(chain, name) for chain, name in chains if cost(chain) == cheapest]
    if len(best) != 1 or (any(hop.fans for hop in best[0][0]) and _would_multiply(select, column)):
        return False
    chain, name = best[0]
    label = add_joins(query, select, chain, starts[chain[0].near])
    written = f"{column.table}.{column.name}" if column.table else column.name
    home = chain[-1].far if name.lower() == column.name.lower() else f"{chain[-1].far}.{name}"
    query.note(written, f"`{written}` was taken from `{home}`, {through(chain) or 'which was joined'}.")
    column.set("this", query.identifier(name))
    column.set("table", label.copy())
    return True


def _tables_with(query: Query, column: exp.Column) -> list[tuple[Table, str]]:
    """Return the tables that have the column: the one it is qualified with, if it has it, else all that do."""
    tables = query.schema.tables
    named = [table for table in tables if alike(column.table, (table.name,))] if column.table else []
    for group in (named, tables):
        every = [(table, name) for table in group for name in alike(column.name, [c.name for c in table.columns])]
        every = every or [(table, name) for table in group for name in _of_entity(table, column.name)]
        if every:
            return [pair for pair in every if pair[1].lower() == column.name.lower()] or every
    return []


def _would_multiply(select: exp.Select, column: exp.Column) -> bool:
    """Tell whether more rows would make sums and averages of other columns wrong."""
    sums = [node for node in select.find_all(exp.Sum, exp.Avg) if node.find_ancestor(exp.Select) is select]
    return any(column not in list(node.find_all(exp.Column)) for node in sums)


def _mend_spelling(query: Query, column: exp.Column, asked: Iterable[Source]) -> bool:
    found = [(s, name) for s in asked if (name := near(column.name, s.columns or ()))]
    if len(found) == 1:
        _take(query, column, *found[0])
    return len(found) == 1


def _complain(query: Query, select: exp.Select, column: exp.Column, source: Source | None) -> None:
    """Say in words what is wrong with a column, and offer the right names and the way to them."""
    where = f"{source.table.name if source.table else source.alias} has" if source else "the tables of the query have"
    homes = _tables_with(query, column)
    if homes:
        named = " and in ".join(f"{table.name}.{name}" for table, name in homes[:4])
        starts = [each.table.name for each in query.sources(select) if each.table]
        chain = route(query.hops, starts, homes[0][0].name) if len(homes) == 1 else None
        way = f" {chain[0].near} is {through(chain)} to {chain[-1].far}." if chain and len(chain) > 1 else ""
        query.problem(f"{where} no column {column.name}; it is in {named}.{way}")
    elif source:
        query.problem(f"{where} no column {column.name}; it has {', '.join(_offered(column.name, source))}.")
    else:
        query.problem(f"{where} no column {column.name}.")


def _offered(name: str, source: Source) -> Sequence[str]:
    """Return columns of the source that a model is offered: all of them, or those of a wide one that are nearest."""
    columns = source.columns or ()
    near = get_close_matches(name, columns, OFFERED, 0.5) if len(columns) > OFFERED else []
    return near or columns[:OFFERED]
