"""One question put to the model, its query run, and the rows compared with those of the right queries."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from bot.evaluation.answers import Answer
from bot.evaluation.equality import Rows, ordered, same
from bot.evaluation.near import Near, no_examples
from bot.evaluation.questions import Golden
from router.agents.call import never, silent
from router.agents.llm import Llm
from router.agents.named import named_in
from router.agents.prompt_log import Exchange
from router.agents.sql import Question, Written, write_sql
from router.catalog.catalog import Catalog
from router.catalog.schema import Schema
from router.errors import AgentAway, AgentFailed, JobFailed, NotAllowed
from router.knowledge.known import Known
from router.sql.databases import Database, Estimate

MOST_ROWS = 50_000
"""Rows of a result that are compared."""

KINDS = {
    "no such column": r"no such column|has no column|have no column|no column named|column .* does not exist",
    "no such table": r"no such table|there is no table|relation .* does not exist|table with name .* does not exist",
    "ambiguous": r"ambiguous|write which one is meant",
    "no such function": r"no such function|function .* does not exist",
    "syntax error": r"syntax error|cannot be read as sql",
    "wrong aggregate": r"aggregate|must appear in the group by",
}
"""What databases, and the repair, say of a query that does not run, as far as it is worth counting by itself."""

Write = Callable[..., Written]
"""What turns a question into SQL: `router.agents.sql.write_sql`, or a plainer way to measure it against."""


class WrongAnswer(Exception):
    """A right query of the questions does not run."""


@dataclass(slots=True)
class Meter:
    """Counts what the model read and wrote."""

    calls: int = 0
    read: int = 0
    evaluated: int = 0
    written: int = 0

    def hear(self, exchange: Exchange) -> None:
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
    near: Near = no_examples
    _seen: set[str] = field(default_factory=set)

    def ask(self, golden: Golden, name: str) -> Answer:
        """Return what came of a question to the connection `name`; raises WrongAnswer, JobFailed for the database.

        Raises AgentAway where no question can be answered before somebody mends something.
        """
        schema, database = self.catalog.schema(name), self.catalog.database(name)
        right = [(self._right(database, sql, golden), ordered(sql, schema.dialect)) for sql in golden.right]
        meter, first = Meter(), name not in self._seen
        self._seen.add(name)
        began = time.perf_counter()
        with self.llm.heard(meter.hear):
            try:
                written = self._written(golden, schema, database)
            except AgentAway:
                raise
            except (AgentFailed, JobFailed, NotAllowed) as error:
                written = Written("", problem=str(error))
        seconds = time.perf_counter() - began
        fault, problem, runs = self._judged(written, schema, database, right)
        return Answer(
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
        )

    def _written(self, golden: Golden, schema: Schema, database: Database) -> Written:
        def dry_run(sql: str) -> Estimate:
            with database.session(schema.scope) as session:
                return session.check(sql)

        known = Known(examples=self.near(golden, schema))
        named = named_in(golden.question, self.catalog.values(schema.connection))
        question = Question(golden.question, self.today, golden.evidence, known=known, named=named)
        return self.write(self.llm, question, schema, dry_run=dry_run, asker="eval", progress=silent, stopped=never)

    def _judged(
        self, written: Written, schema: Schema, database: Database, right: list[tuple[Rows, bool]]
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
        if any(same(rows, found, in_order) for rows, in_order in right):
            return "", "", True
        return _difference(right[0][0], found), "", True

    def _right(self, database: Database, sql: str, golden: Golden) -> Rows:
        try:
            return _rows(database, sql)
        except JobFailed as error:
            raise WrongAnswer(f"A right query of {golden.id} does not run: {error}") from error


def _rows(database: Database, sql: str, schema: Schema | None = None) -> Rows:
    with database.session(schema.scope if schema else None) as session:
        _, batches = session.stream(sql)
        return list(islice((row for batch in batches for row in batch), MOST_ROWS))


def _kind(problem: str) -> str:
    said = " ".join(problem.casefold().split())
    return next((kind for kind, words in KINDS.items() if re.search(words, said)), "does not run")


def _difference(right: Rows, found: Rows) -> str:
    if not found:
        return "no rows"
    if not right or len(right[0]) != len(found[0]):
        return "other columns"
    if same(right, found, in_order=False):
        return "other order"
    return "other rows" if len(right) != len(found) else "other values"
