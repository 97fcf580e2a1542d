"""Names that are words of SQL: they mean a name only in quotes, which models forget."""

from sqlglot import exp

from router.agents.repair.names import is_reserved, meaning
from router.agents.repair.query import Query
from router.catalog.kept import kept
from router.catalog.schema import Schema


def quote_reserved(query: Query) -> None:
    """Quote the names of tables, columns and results that would be read as words of SQL."""
    own = {node.alias.lower() for node in query.tree.find_all(exp.Alias, exp.TableAlias, exp.CTE) if node.alias}
    own |= {alias.name.lower() for alias in query.tree.find_all(exp.TableAlias)}
    known = own | _names(query.schema)
    for node in query.tree.find_all(exp.Identifier):
        if not node.args.get("quoted") and is_reserved(node.name) and node.name.lower() in known:
            node.set("this", meaning(node, query.dialect))
            node.set("quoted", True)


@kept
def _names(schema: Schema) -> frozenset[str]:
    """Return the names of tables and columns that are words of SQL, in lower case."""
    every = (name for table in schema.tables for name in (table.name, *(column.name for column in table.columns)))
    return frozenset(name.lower() for name in every if is_reserved(name))
