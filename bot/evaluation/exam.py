"""One question put to the model, its query run, and the rows compared with those of the right queries."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from time import perf_counter
from typing import Any

import sqlglot
from sqlglot.errors import SqlglotError

from bot.evaluation.answers import MeasuredAnswer
from bot.evaluation.questions import Golden
from router.catalog.catalog import Catalog
from router.catalog.schema import Schema
from router.errors import AgentAway, AgentFailed, JobFailed, NotAllowed
from router.knowledge.example_store import KeptExample, normal_question
from router.knowledge.examples import nearest
from router.knowledge.knowledge import Example, Known
from router.language.folding import caseless
from router.llm.call import Requester
from router.llm.client import Llm
from router.llm.prompt_log import ModelExchange
from router.sql.databases.session import Estimate, PooledDatabase
from router.text_to_sql.named_values import named_in
from router.text_to_sql.question import Question, SqlTask
from router.text_to_sql.write_sql import WrittenSql, write_sql
from router.understanding.classifier import weigh

# Examples for a question that is measured: never the question itself, nor another wording of it.


Near = Callable[[Golden, Schema], tuple[Example, ...]]


def near_in(questions: Iterable[Golden]) -> Near:
    """Return what finds, among these questions, those on the same database that are near to one that is asked."""
    given = list(questions)

    def near(golden: Golden, schema: Schema) -> tuple[Example, ...]:
        answers = set(map(_folded, golden.right))
        others = [
            KeptExample(each.place, schema.name, each.question, each.right[0])
            for each in given
            if each.place == golden.place
            and normal_question(each.question) != normal_question(golden.question)
            and not answers & set(map(_folded, each.right))
        ]
        return nearest(others, golden.question, schema, weigh)

    return near


def _folded(sql: str) -> str:
    return "".join(sql.casefold().split()).rstrip(";")


# Equality of two results: the same rows as often, in the same order if that was asked for.


Rows = Sequence[Sequence[Any]]

COMPARED_DIGITS = 6
"""Digits to which numbers are compared."""


def has_same_rows(right: Rows, found: Rows, in_order: bool) -> bool:
    """Return whether two results hold the same rows; columns are compared by place, numbers to six digits."""
    ours, theirs = [_row(row) for row in right], [_row(row) for row in found]
    return ours == theirs if in_order else Counter(ours) == Counter(theirs)


def is_ordered(sql: str, dialect: str) -> bool:
    """Return whether a query ends in ORDER BY, so that the order of its rows is part of the answer."""
    try:
        return sqlglot.parse_one(sql, dialect=dialect).args.get("order") is not None
    except SqlglotError:
        return False


def _row(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(_value(value) for value in row)


def _value(value: Any) -> Any:
    """Return a value as it is compared: 1, 1.0, True and Decimal(1) are one number, dates are texts."""
    match value:
        case bool() | int() | float() | Decimal():
            number = float(value)
            return float(f"{number:.{COMPARED_DIGITS}g}") if number == number else "nan"
        case datetime() | date() | time():
            return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case None:
            return None
    return str(value)


# The question and its answer.


COMPARED_ROWS_MAX = 50_000
"""Rows of a result that are compared."""

PROBLEM_KINDS = {
    "no such column": r"no such column|has no column|have no column|no column named|column .* does not exist",
    "no such table": r"no such table|there is no table|relation .* does not exist|table with name .* does not exist",
    "ambiguous": r"ambiguous|write which one is meant",
    "no such function": r"no such function|function .* does not exist",
    "syntax error": r"syntax error|cannot be read as sql",
    "wrong aggregate": r"aggregate|must appear in the group by",
}
"""Faults that are counted by themselves, by words of databases and of the repair."""

Write = Callable[[SqlTask], WrittenSql]
"""Turns a question into SQL: `router.text_to_sql.write_sql.write_sql`, or a plainer way to measure it against."""


class WrongAnswer(Exception):
    """A right query of the questions does not run."""


@dataclass(slots=True)
class Meter:
    """Counts what the model read and wrote."""

    calls: int = 0
    read: int = 0
    evaluated: int = 0
    written: int = 0

    def hear(self, exchange: ModelExchange) -> None:
        """Add one call."""
        self.calls += 1
        self.read += exchange.read or 0
        self.evaluated += (exchange.read or 0) - exchange.cached
        self.written += exchange.written or 0


@dataclass(slots=True)
class Exam:
    """Asks questions, one after the other, as the bot would for a person."""

    catalog: Catalog
    llm: Llm
    today: date
    write: Write = write_sql
    near: Near | None = None
    _seen: set[str] = field(default_factory=set)

    def ask(self, golden: Golden, follows: Example | None = None) -> MeasuredAnswer:
        """Return what came of a question that `follows` another one, or none; raises WrongAnswer.

        Raises JobFailed for the database, and AgentAway if no question can be answered before somebody mends
        something.
        """
        name = golden.place
        schema, database = self.catalog.schema(name), self.catalog.database(name)
        right = [(self._right(database, sql, golden), is_ordered(sql, schema.dialect)) for sql in golden.right]
        meter, first = Meter(), name not in self._seen
        self._seen.add(name)
        began = perf_counter()
        with self.llm.heard(meter.hear):
            try:
                written = self._written(golden, schema, database, follows)
            except AgentAway:
                raise
            except (AgentFailed, JobFailed, NotAllowed) as error:
                written = WrittenSql("", problem=str(error))
        seconds = perf_counter() - began
        fault, problem, runs = self._judged(written, schema, database, right)
        return MeasuredAnswer(
            golden.id,
            golden.place,
            golden.question,
            written.sql,
            fault,
            runs,
            round(seconds, 3),
            first,
            problem,
            meter.calls,
            meter.read,
            meter.evaluated,
            meter.written,
            written.notes,
            written.signs,
            None if written.surprisal is None else round(written.surprisal, 3),
            round(written.sure, 3),
            written.doubts,
        )

    def _written(self, golden: Golden, schema: Schema, database: PooledDatabase, follows: Example | None) -> WrittenSql:
        def dry_run(sql: str) -> Estimate:
            with database.session(schema.scope) as session:
                return session.check(sql)

        known = Known(examples=self.near(golden, schema) if self.near else ())
        named = named_in(golden.question, self.catalog.values(schema.connection))
        question = Question(golden.question, self.today, golden.evidence, known=known, named=named, follows=follows)
        return self.write(SqlTask(question, schema, self.llm, dry_run, Requester("eval")))

    def _judged(
        self, written: WrittenSql, schema: Schema, database: PooledDatabase, right: list[tuple[Rows, bool]]
    ) -> tuple[str, str, bool]:
        """Return the class of fault, the database's words, and whether the query runs."""
        if not written.sql:
            return "no SQL", written.problem or "", False
        if written.problem:
            return _kind(written.problem), written.problem, False
        try:
            found = _rows(database, written.sql, schema)
        except JobFailed as error:
            return _kind(str(error)), str(error), False
        if any(has_same_rows(rows, found, in_order) for rows, in_order in right):
            return "", "", True
        return _difference(right[0][0], found), "", True

    def _right(self, database: PooledDatabase, sql: str, golden: Golden) -> Rows:
        try:
            return _rows(database, sql)
        except JobFailed as error:
            raise WrongAnswer(f"A right query of {golden.id} does not run: {error}") from error


def _rows(database: PooledDatabase, sql: str, schema: Schema | None = None) -> Rows:
    with database.session(schema.scope if schema else None) as session:
        _, batches = session.stream(sql)
        return list(islice((row for batch in batches for row in batch), COMPARED_ROWS_MAX))


def _kind(problem: str) -> str:
    said = caseless(problem)
    return next((kind for kind, words in PROBLEM_KINDS.items() if re.search(words, said)), "does not run")


def _difference(right: Rows, found: Rows) -> str:
    if not found:
        return "no rows"
    if not right or len(right[0]) != len(found[0]):
        return "other columns"
    if has_same_rows(right, found, in_order=False):
        return "other order"
    return "other rows" if len(right) != len(found) else "other values"
