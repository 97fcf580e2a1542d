"""Values that a column does not have: spelt as it has them, or looked for in the column that does."""

from sqlglot import exp

from router.agents.repair.joins import add_joins
from router.agents.repair.names import near
from router.agents.repair.paths import cost, routes
from router.agents.repair.query import Query
from router.agents.repair.sources import Source, column_of, owner
from router.catalog.schema import Column, Table
from router.catalog.spelling import folds


def mend_values(query: Query) -> None:
    """Compare each column with a value that it has, where what is known of the values leaves no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ)):
        literal = node.expression
        if isinstance(node.this, exp.Column) and isinstance(literal, exp.Literal) and literal.is_string:
            _mend(query, node.this, literal)


def _mend(query: Query, side: exp.Column, literal: exp.Literal) -> None:
    column, value = column_of(side, query.schema), literal.name
    if column is None or value in column.values or not value.strip():
        return
    if spelt := _spelt(value, column) or _accented(value, column):
        _respell(query, literal, column, spelt)
    elif column.whole or _is_number(column, value):
        _look_elsewhere(query, side, literal, column)


def _spelt(value: str, column: Column) -> str:
    """Return the only value of the column that differs in case and blanks alone, or ""."""
    found = [each for each in column.values if _folded(each) == _folded(value)]
    return found[0] if len(found) == 1 else ""


def _accented(value: str, column: Column) -> str:
    """Return the only value of the column that differs in accents, hyphens and points as well, or ""."""
    typed = set(folds(value)) - {""}
    found = [each for each in column.values if typed.intersection(folds(each))]
    return found[0] if len(found) == 1 else ""


def _respell(query: Query, literal: exp.Literal, column: Column, spelt: str) -> None:
    query.note(literal.name, f"“{literal.name}” is spelt “{spelt}” in `{column.name}`.")
    literal.replace(exp.Literal.string(spelt))


def _is_number(column: Column, value: str) -> bool:
    """Tell whether a column cannot hold the value, as it holds numbers."""
    kind = column.type.upper()
    return any(word in kind for word in ("INT", "NUM", "REAL", "DEC", "FLOA", "DOUB")) and not _numeric(value)


def _numeric(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _look_elsewhere(query: Query, side: exp.Column, literal: exp.Literal, column: Column) -> None:
    """Take the column that has the value: of the same table, of the query's others, or of one that is to be joined."""
    select = owner(side)
    if not isinstance(select, exp.Select):
        return
    sources = [source for source in query.sources(select) if source.table]
    own = next((source for source in sources if source.alias.lower() == side.table.lower()), None)
    own = own or (sources[0] if len(sources) == 1 else None)
    if own is None:
        return
    for group in ([own], [source for source in sources if source is not own]):
        found = [(source, *pair) for source in group for pair in _holding(source.table, literal.name)]
        if len(found) == 1:
            source, name, spelt = found[0]
            _take(query, side, literal, source.label, name, spelt)
            return
        if found:
            return
    if _join(query, select, side, literal, sources):
        return
    if column.whole and (nearest := near(literal.name, column.values)):
        _respell(query, literal, column, nearest)


def _join(query: Query, select: exp.Select, side: exp.Column, literal: exp.Literal, sources: list[Source]) -> bool:
    starts = {source.table.name: source for source in sources if source.table}
    if len(starts) != len(sources):
        return False
    homes = [(t, *pair) for t in query.schema.tables if t.name not in starts for pair in _holding(t, literal.name)]
    chains = routes(query.hops, starts, (table.name for table, _, _ in homes))
    ways = [(chains[table.name], name, spelt) for table, name, spelt in homes if table.name in chains]
    ways = [way for way in ways if not any(hop.fans for hop in way[0])]
    if not ways:
        return False
    least = min(cost(chain) for chain, _, _ in ways)
    best = [way for way in ways if cost(way[0]) == least]
    if len(best) != 1:
        return False
    chain, name, spelt = best[0]
    label = add_joins(query, select, chain, starts[chain[0].near])
    _take(query, side, literal, label, name, spelt)
    return True


def _holding(table: Table | None, value: str) -> list[tuple[str, str]]:
    """Return the columns of a table that have the value, each with its spelling."""
    columns = table.columns if table else ()
    return [(column.name, spelt) for column in columns if (spelt := _spelt(value, column))]


def _take(query: Query, side: exp.Column, literal: exp.Literal, label: exp.Identifier, name: str, spelt: str) -> None:
    query.note(f"{literal.name}+{name}", f"“{spelt}” is a value of `{name}`, not of `{side.name}`.")
    side.set("this", query.identifier(name))
    if side.table or len(list(query.tree.find_all(exp.Table))) > 1:
        side.set("table", label.copy())
    literal.replace(exp.Literal.string(spelt))


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())
