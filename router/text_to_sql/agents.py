"""The agents that work on a question: analyzer, schema linker, SQL generator and SQL evaluator."""

import re
from dataclasses import replace

from pydantic import BaseModel, Field

from router.catalog.schema import Schema
from router.errors import AgentFailed, AnswerCut, DatabaseAway, JobFailed
from router.language.inflection import stem
from router.language.phrases import has_phrase, in_order, listed, phrase_before, tokens_of
from router.language.wording import NAME_WORD
from router.llm.call import ModelCall, Shape
from router.observing.spans import span
from router.sql.databases.session import Estimate
from router.sql.guard import check
from router.text_to_sql.confidence import surprisal
from router.text_to_sql.critic import signs_of
from router.text_to_sql.periods import periods
from router.text_to_sql.prompt import asked, extract, prefix, prompt
from router.text_to_sql.question import Question, SqlTask, Try
from router.text_to_sql.repair.repair import Repaired, repair
from router.text_to_sql.schema_linking import cut_to_fit
from router.text_to_sql.schema_text import folded

# The query analyzer: the smaller questions that a question consists of, told by a model, believed with care.
#
# Rules tell a comparison of several results from a simple question; in doubt it is simple.


_SENTENCES = re.compile(r"[.?!;]\s+\S")
DIVIDED_QUESTION_MAX_CHARS = 300
"""Characters of a question that is divided: a longer one says more than its parts would."""


def is_comparison(text: str) -> bool:
    """Return whether a question compares several results, so that it may be divided."""
    if len(text) > DIVIDED_QUESTION_MAX_CHARS or _SENTENCES.search(text.strip()):
        return False
    if has_phrase("text_to_sql.ordered", text):
        return False
    return in_order(text, "text_to_sql.compare", "text_to_sql.with") or has_phrase("text_to_sql.versus", text)


PARTS_MIN, PARTS_MAX = 2, 3
"""Parts of a question."""


class Smaller(BaseModel):
    """The shape of one part."""

    name: str
    question: str


class QuestionParts(BaseModel):
    """The shape of the answer."""

    parts: list[Smaller] = Field(min_length=PARTS_MIN, max_length=PARTS_MAX)


Parts = tuple[tuple[str, str], ...]
"""The names and texts of a question's parts."""


def fill(task: SqlTask, shape: type[Shape], user: str) -> Shape:
    """Return what a model answers after the beginning that SQL is written after, so that it is read only once.

    Raises AgentFailed and Stopped.
    """
    system = prefix(cut_to_fit(task.question.said, task.schema), task.options)
    return task.model.fill(shape, ModelCall(system, user, task.requester, "sql_tree", temperature=0.0))


def analyse(task: SqlTask) -> Parts:
    """Return the parts of a comparison; none for a simple question, which costs no call, or if nothing fits.

    Raises Stopped.
    """
    question = task.question
    if not is_comparison(question.text):
        return ()
    try:
        said = fill(task, QuestionParts, prompt("sql_parts").format(question=folded(question.text, 500)))
    except AgentFailed:  # if it is away, the call for SQL says so
        return ()
    parts = _grouped(question.text, [(folded(part.name), folded(part.question, 300)) for part in said.parts])
    return parts if _is_believable(question, [text for _, text in parts]) else ()


def _grouped(text: str, parts: list[tuple[str, str]]) -> Parts:
    """Return the parts, each with what the question's rows are for: a small model says "by category" once."""
    said = tokens_of(text)
    last = len(said) - 1
    grouping = phrase_before("text_to_sql.grouping", said, last)
    each = text[said[last - grouping].begin :].rstrip("?. ") if grouping else ""
    return tuple(
        (name, part if each.lower() in part.lower() else f"{part.rstrip('?. ')} {each}") for name, part in parts
    )


def _is_believable(question: Question, parts: list[str]) -> bool:
    """Return whether the parts together say exactly what the question says, and each of them something else."""
    whole, words = _telling_words(question.text), [_telling_words(part) for part in parts]
    if set().union(*words) != whole or len({frozenset(each) for each in words}) < len(parts):
        return False
    times = [len(periods(part, question.today)) for part in parts]
    return len(periods(question.text, question.today)) < PARTS_MIN or times == [1] * len(parts)


def _telling_words(text: str) -> set[str]:
    return {stem(word) for word in NAME_WORD.findall(text.lower()) if word not in listed("text_to_sql.neutral")}


# The schema linker and the SQL generator: the tables that a statement is written from, and the statement.

TEMPERATURES = (0.0, 0.2, 0.6)
"""The temperature of each statement: at 0 a small model repeats its mistake."""

REPEATED_PROBLEM = "This query was tried before; write another one."
"""A problem that the model is told, and a person never."""


def link(task: SqlTask, tries: tuple[Try, ...]) -> Schema:
    """Return the tables that the next statement is written from: after a failure, those of its names and fault, too."""
    last = f" {tries[-1].sql} {tries[-1].problem}" if tries else ""
    return cut_to_fit(f"{task.question.said}{last}", task.schema)


def generate(task: SqlTask, view: Schema, tries: tuple[Try, ...]) -> tuple[str, float | None]:
    """Return the statement that the model writes, "" if it writes none, and its surprisal.

    `tries` are what it wrote before.

    An answer without an end is none, once: at 0 degrees a small model may say one condition for ever.
    """
    tried, problem = _failed(task.question, tries)
    user = asked(replace(task, schema=view), tried, problem, number=len(tries))
    warmth = TEMPERATURES[min(len(tries) + len(task.question.avoid), len(TEMPERATURES) - 1)]
    call = ModelCall(prefix(view, task.options), user, task.requester, "sql", warmth)
    try:
        answer = task.model.answer(call)
    except AnswerCut:
        if tries and not any(each.sql for each in tries):
            raise
        return "", None
    sql = extract(answer.text, view.dialect) or ""
    return sql, surprisal(answer.tokens, sql)


def _failed(question: Question, tries: tuple[Try, ...]) -> tuple[str, str]:
    """Return the last statement that did not do, and what is wrong with it in words."""
    last = next((each for each in reversed(tries) if each.sql), None)
    if last is None:
        wrong = question.failure or "It does not answer the question."
        return (question.avoid[-1], wrong) if question.avoid else ("", "")
    wrong = last.problem or last.doubt
    return last.sql, f"{REPEATED_PROBLEM} {wrong}" if last.again and wrong != REPEATED_PROBLEM else wrong


# The SQL evaluator: what is wrong with a statement, said by the schema, the guard and the database.


NO_SQL_PROBLEM = "I couldn't turn that into a query. Try naming what to count or list."


def evaluate(task: SqlTask, draft: str, tries: tuple[Try, ...] = ()) -> Try:
    """Return the statement after its repair, with what speaks against it; one that runs is doubted once a question."""
    if not draft:
        return Try("", NO_SQL_PROBLEM)
    question, options = task.question, task.options
    repaired = repair(draft, task.schema, question) if options.repair else Repaired(draft)
    sql, problem, estimate = judge(task, repaired.sql)
    faults = " ".join(fault[0].upper() + fault[1:] for fault in repaired.problems)
    if problem:
        again = any(each.sql == sql and each.problem for each in tries)
        return Try(sql, faults or problem, notes=repaired.notes, again=again)
    if sql in question.avoid:
        return Try(sql, REPEATED_PROBLEM, notes=repaired.notes, estimate=estimate, again=True)
    signs = signs_of(question, sql, task.schema) if options.doubts else ()
    asked = any(each.doubt for each in tries)
    against = "" if asked else next((sign.reason for sign in signs if sign.reason), "")
    spots = tuple(sign.spot for sign in signs)
    return Try(sql, "", against, repaired.notes, estimate, signs=spots)


def judge(task: SqlTask, sql: str) -> tuple[str, str, Estimate | None]:
    """Return the statement as it would run, what guard or database have against it ("": nothing), and the estimate."""
    verdict = check(sql, task.schema.dialect, task.schema.scope)
    if not verdict.allowed:
        return sql, verdict.reason, None
    try:
        with span("database", "dry run", dialect=task.schema.dialect):
            return verdict.sql, "", task.dry_run(verdict.sql)
    except DatabaseAway:
        raise
    except JobFailed as error:
        return verdict.sql, str(error), None
