"""Repair of SQL from the schema, without a model: most wrong queries ask a table for another table's column.

`repair` reads the tree, follows the foreign keys, and changes only what can mean one thing.
"""

from dataclasses import dataclass

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.sql.dialect import DIALECTS
from router.text_to_sql.periods import periods
from router.text_to_sql.question import Question
from router.text_to_sql.repair.functions import mend_dates, mend_functions, read_foreign, written
from router.text_to_sql.repair.groups import mend_groups, mend_membership
from router.text_to_sql.repair.join_paths import hops
from router.text_to_sql.repair.joins import mend_joins
from router.text_to_sql.repair.match_question import fit
from router.text_to_sql.repair.query import Query
from router.text_to_sql.repair.unknown_names import mend_columns, mend_tables, quote_reserved
from router.text_to_sql.repair.unused_joins import drop_unused_joins
from router.text_to_sql.repair.values import mend_division, mend_literals, mend_values

_STEPS = (
    quote_reserved,
    mend_functions,
    mend_tables,
    mend_joins,
    mend_columns,
    drop_unused_joins,
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


def repair(sql: str, schema: Schema, question: Question | None = None, meaning: bool = True) -> Repaired:
    """Return the query with everything put right that can only mean one thing; unchanged where it cannot be read.

    `meaning`: what the question does not ask for is changed, too.
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
    query = Query(trees[0], schema, hops(schema), notes)
    for mend in _STEPS:
        mend(query)
    mend_dates(query, periods(question.text, question.today) if question else ())
    if question and meaning:
        fit(query, question)
    return Repaired(written(query.tree, schema.dialect), tuple(query.notes), tuple(query.problems))
