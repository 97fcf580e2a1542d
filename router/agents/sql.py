"""A question becomes SQL: the model writes, the schema repairs, the guard and the database judge."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from typing import Protocol

from router.agents.doubts import doubt
from router.agents.extract import extract
from router.agents.matches import cut_to_fit, fits, suggest_tables, values_in
from router.agents.periods import needs_today, periods
from router.agents.repair import repair
from router.agents.repair.names import quoted
from router.agents.schema_text import folded, schema_text
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.known import NOTHING, Known, Term
from router.sql.databases import Estimate
from router.sql.dialect import DIALECTS
from router.sql.guard import check

__all__ = ["Model", "Question", "Written", "asked", "fits", "prefix", "suggest_tables", "write_sql"]

ATTEMPTS = 3
WARMTH = (0.0, 0.2, 0.6)
"""The temperature of each attempt: at 0 a small model repeats its mistake."""

REPEATED = "This query was tried before; write another one."
"""What the model is told, and a person never."""


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
    """What is asked: `evidence` is a hint, `avoid` are queries that were tried already, `known` is what was taught."""

    text: str
    today: date
    evidence: str = ""
    avoid: tuple[str, ...] = ()
    known: Known = NOTHING


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
    """Return a query that passed the guard and the dry run; after three attempts the last one, with its problem.

    A query that runs but cannot be the answer is doubted once, and returned if nothing better comes.
    """
    shown = cut_to_fit(question.text, schema)
    system, _ = prefix(shown)
    tried, problem = question.avoid[-1] if question.avoid else "", "It does not answer the question."
    written, doubted = Written(""), None
    for attempt in range(1, ATTEMPTS + 1):
        warmth = WARMTH[min(attempt - 1 + len(question.avoid), ATTEMPTS - 1)]
        answer = model.text(
            system,
            asked(question, shown, tried, problem),
            asker=asker,
            progress=progress,
            stopped=stopped,
            agent="sql",
            temperature=warmth,
        )
        judged = _judge(answer, schema, dry_run, question)
        written = replace(judged if judged.sql or not written.sql else written, attempts=attempt)
        if written.problem is None:
            problem = "" if doubted else doubt(question.text, written.sql, schema)
            if not problem:
                return written
            doubted = written
        tried, problem = written.sql, written.problem or problem
        if attempt < ATTEMPTS:
            progress("Correcting the SQL…")
    if written.problem == REPEATED:
        same = "The model has no other idea: this is a query that you saw before."
        return replace(written, problem=None, notes=(*written.notes, same))
    return replace(doubted, attempts=written.attempts) if doubted else written


def prefix(schema: Schema) -> tuple[str, str]:
    """Return the system text and the empty beginning of the user's: what every question on this schema begins with."""
    text = _prompt("sql_system").format(dialect=DIALECTS[schema.dialect].label, schema=schema_text(schema))
    return text.rstrip("\n"), ""


def asked(question: Question, schema: Schema, tried: str = "", problem: str = "") -> str:
    """Return the user's part of the prompt; with a query that was tried, what is wrong with it."""
    facts = "".join(f"{fact}\n" for fact in _facts(question, schema))
    text = folded(question.text, 2000)
    if tried:
        wrong = folded(problem, 600)
        return _prompt("sql_again").format(facts=facts, question=text, sql=tried[:4000], problem=wrong).rstrip("\n")
    return _prompt("sql_question").format(facts=facts, question=text).rstrip("\n")


def _judge(answer: str, schema: Schema, dry_run: Callable[[str], Estimate], question: Question) -> Written:
    """Repair the SQL of one answer, and have it judged by the guard and the database."""
    found = extract(answer, schema.dialect)
    if found is None:
        return Written("", problem="The model wrote no SQL for this. Only what can be read can be asked here.")
    repaired = repair(found, schema, periods(question.text, question.today), question.text)
    notes, faults = repaired.notes, " ".join(fault[0].upper() + fault[1:] for fault in repaired.problems)
    verdict = check(repaired.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        return Written(repaired.sql, notes, problem=faults or verdict.reason)
    try:
        estimate = dry_run(verdict.sql)
        return Written(verdict.sql, notes, estimate, problem=REPEATED if verdict.sql in question.avoid else None)
    except JobFailed as error:
        return Written(verdict.sql, notes, problem=faults or str(error))


def _facts(question: Question, schema: Schema) -> list[str]:
    """Return what the model must know for this question only: the hint, values, dates."""
    facts = []
    if question.evidence:
        facts.append(f"Hint: {folded(question.evidence, 1000)}")
    facts += [_meaning(term) for term in question.known.terms]
    facts += [f"Example: {folded(each.question, 300)}\n{each.sql[:1500]}" for each in question.known.examples]
    matched = values_in(question.text, schema)
    if matched:
        shown = (f"{quoted(t, schema.dialect)}.{quoted(c, schema.dialect)} = '{folded(v, 40)}'" for t, c, v in matched)
        facts.append(f"Values: {', '.join(shown)}")
    if needs_today(question.text):
        facts.append(f"Today is {question.today.isoformat()}.")
    times = periods(question.text, question.today)
    return [*facts, *(f"{time.words}: >= '{time.start}' AND < '{time.end}'" for time in times)]


def _meaning(term: Term) -> str:
    """Return a term as the model is told it."""
    condition = f" ({folded(term.filter, 300)})" if term.filter else ""
    return f"Hint: {folded(term.name)} means {folded(term.meaning, 300)}{condition}"


def _prompt(name: str) -> str:
    return (files("router.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
