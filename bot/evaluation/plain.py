"""Plain prompting, which everything else is measured against: the tables, the question, one call, nothing mended."""

from collections.abc import Callable
from typing import Any

from router.agents.extract import extract
from router.agents.prompt import without_samples
from router.agents.schema_text import schema_text
from router.agents.sql import Model, Question, Written
from router.agents.tree.evaluator import judge
from router.agents.tree.node import State
from router.catalog.schema import Schema
from router.sql.databases import Estimate
from router.sql.dialect import DIALECTS

SYSTEM = (
    "You write one {dialect} query that answers a question about this database. Answer with the SQL alone.\n\n{schema}"
)


def write_plainly(
    model: Model, question: Question, schema: Schema, *, dry_run: Callable[[str], Estimate], **how: Any
) -> Written:
    """Return the query as the model wrote it, with its problem where it does not run."""
    bare = without_samples(schema)
    system = SYSTEM.format(dialect=DIALECTS[schema.dialect].label, schema=schema_text(bare))
    hint = f"Hint: {question.evidence}\n" if question.evidence else ""
    answer = model.text(system, f"{hint}Question: {question.text}", agent="sql", temperature=0.0, **how)
    sql = extract(answer, schema.dialect)
    if sql is None:
        return Written("", problem="The model wrote no SQL.")
    sql, problem, estimate = judge(sql, schema, dry_run)
    return Written(sql, (), estimate, problem=problem or None, status=State.BAD_SQL if problem else State.GOOD_SQL)
