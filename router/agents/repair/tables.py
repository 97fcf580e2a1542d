"""Tables that are misspelt, or quoted so that the database looks for another name."""

from sqlglot import exp

from router.agents.repair import sources
from router.agents.repair.names import exact, means, near
from router.agents.repair.query import Query


def mend_tables(query: Query) -> None:
    """Name every table of the FROMs and JOINs as the database spells it; say which could not be found."""
    names = tuple(table.name for table in query.schema.tables)
    for node in list(query.tree.find_all(exp.Table)):
        if not isinstance(node.this, exp.Identifier) or sources.cte(node) is not None:
            continue
        if node.db and node.db.lower() != query.schema.name.lower():
            continue  # another schema is the guard's to judge
        _mend(query, node, names)


def _mend(query: Query, node: exp.Table, names: tuple[str, ...]) -> None:
    written = node.name
    name = exact(written, names) or near(written, names)
    if name is None:
        query.problem(f"There is no table {written}; the tables are {', '.join(map(query.quoted, names[:30]))}.")
    elif not means(node.this, name, query.dialect):
        _rename_qualifiers(query, node, name)
        node.set("this", query.identifier(name))
        if exact(written, (name,)) is None:
            query.note(written, f"The table is named `{name}`, not `{written}`.")


def _rename_qualifiers(query: Query, node: exp.Table, name: str) -> None:
    """Let columns that were qualified with the wrong name follow, where no alias stands between."""
    if node.alias:
        return
    for column in query.tree.find_all(exp.Column):
        if column.table.lower() == node.name.lower():
            column.set("table", query.identifier(name))
