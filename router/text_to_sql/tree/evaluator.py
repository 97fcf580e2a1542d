"""The SQL evaluator: what is wrong with a statement, said by the schema, the guard and the database."""

import re

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.catalog.sensitive_columns import split_words
from router.errors import JobFailed
from router.sql.databases.session import Estimate
from router.sql.guard import check
from router.text_to_sql.question import SqlTask
from router.text_to_sql.repair.query import alike
from router.text_to_sql.repair.repair import Repaired, repair
from router.text_to_sql.tree.generator import REPEATED_PROBLEM
from router.text_to_sql.tree.node import Try, View

# Queries that run, but cannot be what was asked.


_GROUPED_BY = re.compile(r"\bby\s+(?:the\s+)?([a-z_]+)", re.IGNORECASE)
_UNITS = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}
_EVERY = re.compile(rf"\b({'|'.join(_UNITS)})\s+(?:average|total|number|count|sum|mean)", re.IGNORECASE)
_FOR_EACH = re.compile(
    r"\b(?:per|each|every|for (?:all )?(?:the )?different)\s+(?:the |number of )?([a-z_]+)", re.IGNORECASE
)


def doubt(question: str, sql: str, schema: Schema) -> str:
    """Return what speaks against the query as the answer, in a sentence, or "" where nothing does."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ""
    if not isinstance(tree, exp.Select) or tree.args.get("group"):
        return ""
    if not all(item.find(exp.AggFunc) and not item.find(exp.Window) for item in tree.expressions):
        return ""
    wanted = _wanted(question, schema)
    return (
        f"It gives one number, but the question asks for each {wanted}: select the {wanted} and group by it."
        if wanted
        else ""
    )


def _wanted(question: str, schema: Schema) -> str:
    """Return what the question wants a number for each of, "" where that is nothing of the schema."""
    wanted = next((word for word in _FOR_EACH.findall(question) if _is_part(word, schema)), "")
    wanted = wanted or next((_UNITS[word.lower()] for word in _EVERY.findall(question)), "")
    return wanted or next((word for word in _GROUPED_BY.findall(question) if _is_known(word, schema)), "")


def _is_known(word: str, schema: Schema) -> bool:
    """Tell whether a word names a table or a column: "by region" does, "by now" does not."""
    return any(alike(word, (table.name, *(column.name for column in table.columns))) for table in schema.tables)


def _is_part(word: str, schema: Schema) -> bool:
    """Tell whether a word is one of those that a column's or table's name is made of: "country" of country_name."""
    names = (name for table in schema.tables for name in (table.name, *(column.name for column in table.columns)))
    return any(alike(word, split_words(name)) for name in names)


NO_SQL_PROBLEM = "The model wrote no SQL for this. Only what can be read can be asked here."


def evaluate(task: SqlTask, draft: str, tries: tuple[Try, ...] = (), view: View | None = None) -> Try:
    """Return the statement after its repair, with what speaks against it; one that runs is doubted once a question."""
    if not draft:
        return Try("", NO_SQL_PROBLEM, view=view)
    question, options = task.question, task.options
    repaired = repair(draft, task.schema, question, options.meaning) if options.repair else Repaired(draft)
    sql, problem, estimate = judge(task, repaired.sql)
    faults = " ".join(fault[0].upper() + fault[1:] for fault in repaired.problems)
    if problem:
        again = any(each.sql == sql and each.problem for each in tries)
        return Try(sql, faults or problem, notes=repaired.notes, view=view, again=again)
    if sql in question.avoid:
        return Try(sql, REPEATED_PROBLEM, notes=repaired.notes, estimate=estimate, view=view, again=True)
    once = options.doubts and not any(each.doubt for each in tries)
    against = doubt(question.text, sql, task.schema) if once else ""
    return Try(sql, "", against, repaired.notes, estimate, view)


def judge(task: SqlTask, sql: str) -> tuple[str, str, Estimate | None]:
    """Return the statement as it would run, what guard or database have against it ("": nothing), and the estimate."""
    verdict = check(sql, task.schema.dialect, task.schema.scope)
    if not verdict.allowed:
        return sql, verdict.reason, None
    try:
        return verdict.sql, "", task.dry_run(verdict.sql)
    except JobFailed as error:
        return verdict.sql, str(error), None
