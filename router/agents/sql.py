"""A question becomes SQL: the model writes, the schema repairs, the guard and the database judge."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import Protocol

from router.agents.extract import extract
from router.agents.matches import cut_to_fit, fits, suggest_tables, values_in
from router.agents.periods import periods
from router.agents.repair import repair
from router.agents.repair.names import quoted
from router.agents.schema_text import folded, schema_text
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.sql.databases import Estimate
from router.sql.dialect import DIALECTS
from router.sql.guard import check

__all__ = ["Model", "Question", "Written", "fits", "prefix", "suggest_tables", "write_sql"]

ATTEMPTS = 3
WARMTH = (None, 0.4, 0.8)
"""The temperature of each attempt: at 0 a small model repeats its mistake."""


class Model(Protocol):
    """What this room needs of a model."""

    def text(
        self,
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None],
        stopped: Callable[[], bool],
        agent: str,
        temperature: float | None = None,
    ) -> str:
        """Return the model's answer; raises AgentFailed or Stopped."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `evidence` is a hint, `avoid` are queries that were tried already."""

    text: str
    today: date
    evidence: str = ""
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The query, a sentence for each repair, and what the database expects; `problem` says why it cannot run."""

    sql: str
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None
    attempts: int = 1
    problem: str | None = None


def write_sql(
    model: Model,
    question: Question,
    schema: Schema,
    *,
    dry_run: Callable[[str], Estimate],
    asker: str,
    progress: Callable[[str], None],
    stopped: Callable[[], bool],
) -> Written:
    """Return a query that passed the guard and the dry run; after three attempts the last one, with its problem."""
    shown = cut_to_fit(question.text, schema)
    system, _ = prefix(shown)
    written = Written("", problem="The model gave no SQL.")
    avoid = list(question.avoid)
    for attempt in range(ATTEMPTS):
        user = _user(question, shown, avoid[-1] if avoid else "", written.problem if attempt else None)
        warmth = WARMTH[min(attempt + len(question.avoid), ATTEMPTS - 1)]
        answer = model.text(
            system, user, asker=asker, progress=progress, stopped=stopped, agent="sql", temperature=warmth
        )
        written = _judge(answer, schema, dry_run, attempt + 1, tuple(question.avoid))
        if written.problem is None:
            return written
        if written.sql:
            avoid.append(written.sql)
        if attempt + 1 < ATTEMPTS:
            progress("Correcting the SQL…")
    return written


def prefix(schema: Schema) -> tuple[str, str]:
    """Return the system text and the empty beginning of the user's: what every question on this schema begins with."""
    text = _prompt("sql_system").format(dialect=DIALECTS[schema.dialect].label, schema=schema_text(schema))
    return text.rstrip("\n"), ""


def _judge(
    answer: str, schema: Schema, dry_run: Callable[[str], Estimate], attempt: int, avoid: tuple[str, ...]
) -> Written:
    """Repair the SQL of one answer, and have it judged by the guard and the database."""
    found = extract(answer, schema.dialect)
    if found is None:
        return Written("", attempts=attempt, problem="The model answered without SQL.")
    repaired = repair(found, schema)
    verdict = check(repaired.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        problem = " ".join(repaired.problems) or verdict.reason
        return Written(repaired.sql, repaired.notes, None, attempt, problem)
    if verdict.sql in avoid:
        return Written(verdict.sql, repaired.notes, None, attempt, "This query was tried before.")
    try:
        estimate = dry_run(verdict.sql)
    except JobFailed as error:
        problem = " ".join(repaired.problems) or str(error)
        return Written(verdict.sql, repaired.notes, None, attempt, problem)
    return Written(verdict.sql, repaired.notes, estimate, attempt)


def _user(question: Question, schema: Schema, tried: str, problem: str | None) -> str:
    facts = "".join(f"{fact}\n" for fact in _facts(question, schema))
    asked = folded(question.text, 2000)
    if not tried:
        text = _prompt("sql_question").format(facts=facts, question=asked)
    else:
        wrong = folded(problem or "It does not answer the question.", 600)
        text = _prompt("sql_again").format(facts=facts, question=asked, sql=tried[:4000], problem=wrong)
    return text.rstrip("\n")


def _facts(question: Question, schema: Schema) -> list[str]:
    """Return what the model must know for this question only: the hint, values, dates."""
    facts = []
    if question.evidence:
        facts.append(f"Hint: {folded(question.evidence, 1000)}")
    matched = values_in(question.text, schema)
    if matched:
        shown = (f"{quoted(t, schema.dialect)}.{quoted(c, schema.dialect)} = '{folded(v, 40)}'" for t, c, v in matched)
        facts.append(f"Values: {', '.join(shown)}")
    spoken = periods(question.text, question.today)
    facts.append(f"Today is {question.today.isoformat()}.")
    facts += [f"{p.words}: from '{p.start}' up to but not including '{p.end}'" for p in spoken]
    return facts


def _prompt(name: str) -> str:
    return (files("router.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
