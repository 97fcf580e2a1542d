"""The prompt for SQL, the schema first and always the same, the question last; and the SQL in a model's answer."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

from sqlglot import exp, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from router.catalog.schema import Schema
from router.knowledge.knowledge import EXAMPLES_AT_ONCE, hint_of
from router.language.wording import one_line
from router.sql.dialect import DIALECTS, Name
from router.text_to_sql.named_values import told
from router.text_to_sql.periods import needs_today
from router.text_to_sql.question import DEFAULT_OPTIONS, Options, SqlTask
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_linking import values_in
from router.text_to_sql.schema_text import folded, literal, schema_text


def prefix(schema: Schema, options: Options = DEFAULT_OPTIONS) -> str:
    """Return the system text, which every question on this schema begins with."""
    text = prompt("sql_system").format(dialect=DIALECTS[schema.dialect].label, schema=_shown(schema, options))
    return text.rstrip("\n")


def asked(task: SqlTask, tried: str = "", problem: str = "", *, number: int = 0) -> str:
    """Return the user's part of the prompt; with a query that was tried, what is wrong with it.

    Before this statement, `number` others were written.
    """
    facts = "".join(f"{fact}\n" for fact in _facts(task, number))
    text = folded(task.question.text, 2000)
    if tried:
        wrong = folded(problem, 600)
        return prompt("sql_again").format(facts=facts, question=text, sql=tried[:4000], problem=wrong)
    return prompt("sql_question").format(facts=facts, question=text)


def _shown(schema: Schema, options: Options) -> str:
    return schema_text(schema if options.samples else without_samples(schema))


def without_samples(schema: Schema) -> Schema:
    """Return the schema as its CREATE TABLE statements say it: without values."""
    tables = (
        replace(table, columns=tuple(replace(column, samples=()) for column in table.columns))
        for table in schema.tables
    )
    return replace(schema, tables=tuple(tables))


@cache
def prompt(name: str) -> str:
    """Return the text of a prompt with its placeholders, without the end of its last line."""
    return (files("router.text_to_sql") / "prompts" / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def _facts(task: SqlTask, number: int) -> list[str]:
    """Return what the model must know for this question only: the hint, what was taught, values, dates."""
    question, schema, options = task.question, task.schema, task.options
    facts = []
    if question.evidence:
        facts.append(f"Hint: {folded(question.evidence, 1000)}")
    facts += [hint_of(term) for term in question.known.terms]
    if question.follows:
        facts.append(f"Asked before: {folded(question.follows.question, 300)}\n{one_line(question.follows.sql)[:1500]}")
    if options.examples:
        shown = question.known.examples[number * EXAMPLES_AT_ONCE : (number + 1) * EXAMPLES_AT_ONCE]
        facts += [f"Example: {folded(each.question, 300)}\n{each.sql[:1500]}" for each in shown]
    matched = values_in(question.text, schema)
    matched += told(question.named, question.text, schema, matched)
    if matched and options.values:
        named = (f"{quoted(t, schema.dialect)}.{quoted(c, schema.dialect)} = {literal(v)}" for t, c, v in matched)
        facts.append(f"Values: {', '.join(named)}")
    if needs_today(question.text):
        facts.append(f"Today is {question.today:%A}, {question.today}; a week begins on Monday.")
    return [*facts, *(f"{time.words}: {time.condition}" for time in question.times)]


# A model's answer holds SQL somewhere: between fences, after "Here is the query:", or before an explanation.

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)
_WITH = re.compile(r"WITH\s+(?:RECURSIVE\s+)?(?:[\w$]+|\"[^\"]+\"|`[^`]+`)\s*(?:\([^)]*\)\s*)?AS\b", re.IGNORECASE)
_SELECT = re.compile(r"SELECT\s+[^\s,.;:]", re.IGNORECASE)
_WRITES = re.compile(
    r"\b(?:(?:INSERT|MERGE|REPLACE)\s+INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|CREATE\s+(?:TEMP\w*\s+)?(?:TABLE|VIEW))\b",
    re.IGNORECASE,
)
_EXTRACTED_MAX_CHARS = 20_000


def extract(answer: str, dialect: Name) -> str | None:
    """Return the first query in a model's answer without its semicolon, or None if there is none."""
    text = _THOUGHT.sub(" ", answer)[:_EXTRACTED_MAX_CHARS]
    fenced = [match.group(1) for match in _FENCE.finditer(text)]
    for part in (*fenced, text if not fenced else _FENCE.sub("\n", text)):
        query = _query(part, dialect)
        if query:
            return query
    return None


def _query(text: str, dialect: Name) -> str | None:
    """Return the first statement of `text` that begins like a query."""
    for match in _START.finditer(text):
        before, rest = text[: match.start()], text[match.start() :]
        if _begins(before) and (_WITH.match(rest) or _SELECT.match(rest)):
            ticked = before.endswith("`") and "`" in rest  # it stands in single back-ticks within a sentence
            return _first_statement(rest[: rest.rfind("`")] if ticked else rest, dialect)
    return None


def _begins(before: str) -> bool:
    """Return whether a query can start after `before`: not amid prose, nor within a statement that writes."""
    line = before[before.rfind("\n") + 1 :].strip()
    return (not line or line[-1] in ";:`>") and not _WRITES.search(before[before.rfind(";") + 1 :])


def _first_statement(text: str, dialect: Name) -> str | None:
    """Cut `text` at its first semicolon outside quotes, or at the blank line where prose begins."""
    paragraphs = re.split(r"\n\s*\n", text)
    for count in range(len(paragraphs), 0, -1):
        candidate = "\n\n".join(paragraphs[:count])
        try:
            tokens = tokenize(candidate, read=dialect)
        except SqlglotError:
            continue
        end = next((token.start for token in tokens if token.token_type is TokenType.SEMICOLON), len(candidate))
        cut = candidate[:end].strip()
        if count == 1 or len(cut) < len(candidate.rstrip()) or _parses(cut, dialect):
            return cut or None
    return paragraphs[0].split(";")[0].strip() or None


def _parses(text: str, dialect: Name) -> bool:
    try:
        return isinstance(exp.maybe_parse(text, dialect=dialect), exp.Query)
    except SqlglotError:
        return False
