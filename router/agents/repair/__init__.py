"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.agents.repair.columns import mend_columns
from router.agents.repair.joins import mend_joins
from router.agents.repair.paths import hops
from router.agents.repair.query import Query
from router.agents.repair.tables import mend_tables
from router.catalog.schema import Schema


@dataclass(frozen=True, slots=True)
class Repaired:
    """The query after repair, a sentence for each repair, and one for each fault that is left."""

    sql: str
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def repair(sql: str, schema: Schema) -> Repaired:
    """Return the query with everything put right that can only mean one thing; unchanged where it cannot be read."""
    try:
        trees = parse(sql, read=schema.dialect)
    except SqlglotError:
        return Repaired(sql)
    tree = trees[0]
    if not isinstance(tree, exp.Query):
        return Repaired(sql)
    query = Query(tree, schema, hops(schema))
    mend_tables(query)
    mend_joins(query)
    mend_columns(query)
    if not query.notes and not query.problems:
        return Repaired(sql if query.tree == parse(sql, read=schema.dialect)[0] else tree.sql(schema.dialect))
    return Repaired(tree.sql(schema.dialect), tuple(query.notes), tuple(query.problems))
