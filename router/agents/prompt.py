"""What a model reads of a schema and a question: the schema first and always the same, the question last."""

from dataclasses import replace
from functools import cache
from importlib.resources import files

from router.agents.matches import values_in
from router.agents.named import told
from router.agents.options import SHIPPED, Options
from router.agents.periods import needs_today, periods
from router.agents.question import Question
from router.agents.repair.names import quoted
from router.agents.schema_text import folded, literal, schema_text
from router.catalog.schema import Schema
from router.knowledge.known import AT_ONCE, hint_of
from router.sql.dialect import DIALECTS


def prefix(schema: Schema, options: Options = SHIPPED) -> tuple[str, str]:
    """Return the system text and the empty beginning of the user's: what every question on this schema begins with."""
    shown = schema if options.samples else without_samples(schema)
    text = prompt("sql_system").format(dialect=DIALECTS[schema.dialect].label, schema=schema_text(shown))
    return text.rstrip("\n"), ""


def asked(
    question: Question,
    schema: Schema,
    tried: str = "",
    problem: str = "",
    *,
    near: Schema | None = None,
    number: int = 0,
    options: Options = SHIPPED,
) -> str:
    """Return the user's part of the prompt; with a query that was tried, what is wrong with it.

    `near` are tables to be shown beside the question; before this statement, `number` others were written.
    """
    known = _facts(question, schema, number, options)
    if near:
        known.insert(0, f"These tables matter:\n{schema_text(near if options.samples else without_samples(near))}")
    facts = "".join(f"{fact}\n" for fact in known)
    text = folded(question.text, 2000)
    if tried:
        wrong = folded(problem, 600)
        return prompt("sql_again").format(facts=facts, question=text, sql=tried[:4000], problem=wrong).rstrip("\n")
    return prompt("sql_question").format(facts=facts, question=text).rstrip("\n")


def without_samples(schema: Schema) -> Schema:
    """Return the schema as its CREATE TABLE statements say it: without values."""
    tables = (
        replace(table, columns=tuple(replace(column, samples=()) for column in table.columns))
        for table in schema.tables
    )
    return replace(schema, tables=tuple(tables))


@cache
def prompt(name: str) -> str:
    """Return the text of a prompt with its placeholders."""
    return (files("router.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


def _facts(question: Question, schema: Schema, number: int, options: Options) -> list[str]:
    """Return what the model must know for this question only: the hint, what was taught, values, dates."""
    facts = []
    if question.evidence:
        facts.append(f"Hint: {folded(question.evidence, 1000)}")
    facts += [hint_of(term) for term in question.known.terms]
    if options.examples:
        shown = question.known.examples[number * AT_ONCE : (number + 1) * AT_ONCE]
        facts += [f"Example: {folded(each.question, 300)}\n{each.sql[:1500]}" for each in shown]
    matched = values_in(question.text, schema) if options.values else ()
    if options.spellings:
        matched += told(question.named, question.text, schema, matched)
    if matched:
        named = (f"{quoted(t, schema.dialect)}.{quoted(c, schema.dialect)} = {literal(v)}" for t, c, v in matched)
        facts.append(f"Values: {', '.join(named)}")
    if needs_today(question.text):
        facts.append(f"Today is {question.today.isoformat()}.")
    times = periods(question.text, question.today)
    return [*facts, *(f"{time.words}: >= '{time.start}' AND < '{time.end}'" for time in times)]
