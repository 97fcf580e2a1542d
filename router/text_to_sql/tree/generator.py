"""The schema linker and the SQL generator: the tables that a statement is written from, and the statement."""

from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.language.wording import NAME_WORD
from router.llm.call import ModelCall
from router.text_to_sql.prompt import asked, extract, prefix
from router.text_to_sql.question import Question, SqlTask
from router.text_to_sql.repair.join_paths import Ways, hops, leading
from router.text_to_sql.repair.query import exact, near
from router.text_to_sql.schema_text import schema_text
from router.text_to_sql.table_ranking import SCHEMA_MAX_CHARS, cut_to_fit, fits, ranked
from router.text_to_sql.tree.node import Try, View

SUGGESTED_TABLES_MAX = 2
"""Tables that the words of a question suggest after a failure, at most."""

SECOND_VIEW_MAX_CHARS = 4_000
"""Characters of schema that are shown once more; a model reads them before each further statement."""

TEMPERATURES = (0.0, 0.2, 0.6)
"""The temperature of each statement: at 0 a small model repeats its mistake."""

REPEATED_PROBLEM = "This query was tried before; write another one."
"""A problem that the model is told, and a person never."""


def link(task: SqlTask, tries: tuple[Try, ...]) -> View:
    """Return what the next statement is written from: after each failure other tables are put beside the question.

    The first time after a failure these are the tables of the failed statement, of what was wrong with it and of the
    question, with those that link them; then their neighbours, too.
    """
    question, schema, views = task.question.text, task.schema, task.options.views
    shown = cut_to_fit(question, schema)
    if not tries or views == "off" or (views == "wide" and fits(schema)):
        return View(shown)
    ways = hops(schema)
    chosen = _linked(ways, _named(question, schema, tries[-1]))
    if len(tries) > 1:
        chosen = [*chosen, *dict.fromkeys(way.far for way in ways if way.near in chosen and way.far not in chosen)]
    kept = _kept(schema, chosen)
    beside = schema.only(tuple(kept))
    if not kept or set(beside.tables) >= set(shown.tables):
        return View(beside if kept else shown)
    if len(schema_text(shown)) + len(schema_text(beside)) > SCHEMA_MAX_CHARS:
        return View(beside)  # both would not fit
    return View(shown, beside)


def _named(question: str, schema: Schema, last: Try) -> list[str]:
    """Return the tables that a failed statement and its problem name, and the likeliest by the question."""
    names = [table.name for table in schema.tables]
    words = set(NAME_WORD.findall(last.problem.lower()))
    told = [name for name in names if name.lower() in words]
    return list(
        dict.fromkeys(
            [
                *_used(last.sql, schema),
                *told,
                *(name for name, score in ranked(question, schema)[:SUGGESTED_TABLES_MAX] if score),
            ]
        )
    )


def _used(sql: str, schema: Schema) -> list[str]:
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return []
    names = [table.name for table in schema.tables]
    return [name for node in tree.find_all(exp.Table) if (name := exact(node.name, names) or near(node.name, names))]


def _linked(ways: Ways, names: list[str]) -> list[str]:
    """Return the tables with those that lie between them, in an order in which each can be joined."""
    chosen: list[str] = []
    for name in names:
        chosen += leading(ways, chosen, name)
    return chosen


def _kept(schema: Schema, chosen: list[str]) -> list[str]:
    """Return as many of the tables, from the first, as may be shown once more."""
    kept: list[str] = []
    for name in chosen:
        if len(schema_text(schema.only((*kept, name)))) > SECOND_VIEW_MAX_CHARS:
            break
        kept.append(name)
    return kept


def generate(task: SqlTask, view: View, tries: tuple[Try, ...]) -> str:
    """Return the statement that the model writes, "" where it writes none; `tries` are what it wrote before."""
    tried, problem = _failed(task.question, tries)
    user = asked(replace(task, schema=view.schema), tried, problem, near=view.near, number=len(tries))
    warmth = TEMPERATURES[min(len(tries) + len(task.question.avoid), len(TEMPERATURES) - 1)]
    call = ModelCall(prefix(view.schema, task.options), user, task.requester, "sql", warmth)
    return extract(task.model.text(call), view.schema.dialect) or ""


def _failed(question: Question, tries: tuple[Try, ...]) -> tuple[str, str]:
    """Return the last statement that did not do, and what is wrong with it in words."""
    last = next((each for each in reversed(tries) if each.sql), None)
    if last is None:
        return (question.avoid[-1], "It does not answer the question.") if question.avoid else ("", "")
    wrong = last.problem or last.doubt
    return last.sql, f"{REPEATED_PROBLEM} {wrong}" if last.again and wrong != REPEATED_PROBLEM else wrong
