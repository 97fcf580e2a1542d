"""Tables that are misspelt, or written so that the database looks for another name."""

from difflib import get_close_matches

from sqlglot import exp

from router.agents.repair import sources
from router.agents.repair.names import means, near
from router.agents.repair.query import Query
from router.sql.system import is_system

HABITS = ("public", "main", "dbo")
"""Schemas that models write before tables out of habit; no prompt has one."""

LISTED = 30
"""How many tables a model is offered instead of one that does not exist."""


def mend_tables(query: Query) -> None:
    """Name every table of the FROMs and JOINs as the database spells it; say which could not be found."""
    names = tuple(table.name for table in query.schema.tables)
    for node in list(query.tree.find_all(exp.Table)):
        if not isinstance(node.this, exp.Identifier) or sources.cte(node) is not None:
            continue
        if node.db and node.db.lower() != query.schema.name.lower() and not _mend_place(query, node):
            continue  # another schema is the guard's to judge
        _mend(query, node, names)


def _mend_place(query: Query, node: exp.Table) -> bool:
    """Read a.b as the table that has this name, dot and all, or as b where a model writes "public." by habit."""
    dotted = query.schema.table(f"{node.db}.{node.name}")
    if node.catalog or not (dotted or (node.db.lower() in HABITS and query.schema.table(node.name))):
        return False
    written = f"{node.db}.{node.name}"
    node.set("db", None)
    if dotted:
        node.set("this", query.identifier(dotted.name))
    else:
        query.note(written, f"`{written}` was read as `{node.name}`.")
    return True


def _mend(query: Query, node: exp.Table, names: tuple[str, ...]) -> None:
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
    if name and not node.db and is_system("", name, query.dialect):
        # A bare name would mean the database's own table, or a file.
        node.set("db", exp.Identifier(this=query.schema.name, quoted=True))


def _offer(query: Query, written: str, names: tuple[str, ...]) -> str:
    if not names:
        return "there are no tables at all"
    listed = names if len(names) <= LISTED else get_close_matches(written, names, LISTED, 0.4) or names[:LISTED]
    return f"the tables are {', '.join(map(query.quoted, listed))}"


def _rename_qualifiers(query: Query, node: exp.Table, name: str) -> None:
    """Let columns that were qualified with the wrong name follow, where no alias stands between."""
    if node.alias:
        return
    for column in query.tree.find_all(exp.Column):
        if column.table.lower() == node.name.lower():
            column.set("table", query.identifier(name))
