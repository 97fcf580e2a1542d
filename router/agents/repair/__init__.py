"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.agents.periods import Period
from router.agents.repair.asked import fit
from router.agents.repair.columns import mend_columns
from router.agents.repair.dates import mend_dates
from router.agents.repair.functions import mend_functions, read_foreign, written
from router.agents.repair.groups import mend_groups
from router.agents.repair.joins import mend_joins
from router.agents.repair.literals import mend_division, mend_literals
from router.agents.repair.membership import mend_membership
from router.agents.repair.needless import drop_needless
from router.agents.repair.paths import hops
from router.agents.repair.query import Query
from router.agents.repair.reserved import quote_reserved
from router.agents.repair.tables import mend_tables
from router.agents.repair.values import mend_values
from router.catalog.schema import Schema
from router.sql.dialect import DIALECTS

_STEPS = (
    quote_reserved,
    mend_functions,
    mend_tables,
    mend_joins,
    mend_columns,
    drop_needless,
    mend_literals,
    mend_values,
    mend_groups,
    mend_division,
    mend_membership,
)


@dataclass(frozen=True, slots=True)
class Repaired:
    """The query after repair, a sentence for each repair, and one for each fault that is left."""

    sql: str
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def repair(sql: str, schema: Schema, periods: Sequence[Period] = (), asked: str = "", hints: str = "") -> Repaired:
    """Return the query with everything put right that can only mean one thing; unchanged where it cannot be read.

    `periods` are the times that the question speaks of, `asked` is the question, `hints` is what was said about it.
    """
    label = DIALECTS[schema.dialect].label
    notes = []
    try:
        trees = parse(sql, read=schema.dialect)
    except SqlglotError:
        trees = [read_foreign(sql, schema.dialect)]
        notes.append(f"The query was written the way {label} knows it.")
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return Repaired(sql)
    query = Query(trees[0], schema, hops(schema), notes, hints=hints)
    for mend in _STEPS:
        mend(query)
    mend_dates(query, periods)
    fit(query, asked)
    return Repaired(written(query.tree, schema.dialect), tuple(query.notes), tuple(query.problems))
