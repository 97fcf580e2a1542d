"""The agents that work on a question: analyzer, schema linker, SQL generator and SQL evaluator."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from pydantic import BaseModel, Field
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.errors import AgentFailed, AnswerCut, DatabaseAway, JobFailed
from router.language.inflection import stem
from router.language.phrases import Token, has_phrase, in_order, is_all, listed, phrase_before, places_behind, tokens_of
from router.language.wording import NAME_WORD
from router.llm.call import ModelCall, Shape
from router.observing.spans import span
from router.sql.databases.session import Estimate
from router.sql.guard import check
from router.text_to_sql.confidence import surprisal
from router.text_to_sql.critic import signs_of
from router.text_to_sql.periods import periods
from router.text_to_sql.prompt import asked, extract, prefix, prompt
from router.text_to_sql.question import Operation, Question, SqlTask, Try, View
from router.text_to_sql.repair.join_paths import Ways, hops, leading
from router.text_to_sql.repair.query import alike, exact, near
from router.text_to_sql.repair.repair import Repaired, repair
from router.text_to_sql.schema_linking import SCHEMA_MAX_CHARS, cut_to_fit, fits, narrowed, ranked
from router.text_to_sql.schema_text import folded, schema_text

# The query analyzer: the smaller questions that a question consists of, told by a model, believed with care.
#
# Rules that tell a question for several results, which are put together, from a simple one; in doubt it is simple.


_SENTENCES = re.compile(r"[.?!;]\s+\S")
DIVIDED_QUESTION_MAX_CHARS = 300
"""Characters of a question that is divided: a longer one says more than its parts would."""


def operation_of(question: Question, schema: Schema) -> Operation | None:
    """Return what puts the results of the question's parts together, None where it is not to be divided."""
    text = question.text.strip()
    if len(text) > DIVIDED_QUESTION_MAX_CHARS or _SENTENCES.search(text):
        return None
    if has_phrase("text_to_sql.ordered", text):
        return None
    if in_order(text, "text_to_sql.ratio", "text_to_sql.and_to"):
        return "ratio"
    if in_order(text, "text_to_sql.difference", "text_to_sql.between", "text_to_sql.and"):
        return "difference"
    compared = in_order(text, "text_to_sql.compare", "text_to_sql.with") or has_phrase("text_to_sql.versus", text)
    if compared or _times(question) or _tables(text, schema):
        return "beside"
    return None


def _times(question: Question) -> bool:
    """Tell whether two times stand side by side: "this month and last month"."""
    if has_phrase("text_to_sql.one_row", question.text):
        return False
    times = [time for time in periods(question.text, question.today) if time.relative]
    text = " ".join(question.text.lower().split())
    return any(
        is_all("text_to_sql.joined", text[text.find(first.words) + len(first.words) : text.find(second.words)])
        for first, second in pairwise(times)
    )


def _tables(text: str, schema: Schema) -> bool:
    """Tell whether two numbers from different tables are asked for: a join would multiply one by the other."""
    said = tokens_of(text)
    places = places_behind("text_to_sql.sums", said, "text_to_sql.the")
    counted = [_table(said[at : at + 2], schema) for at in places] if len(places) > 1 else [""]
    return "" not in counted and len(set(counted)) == len(counted)


def _table(said: tuple[Token, ...], schema: Schema) -> str:
    """Return the only table that one of these words names, "" where there is none."""
    names = [table.name for table in schema.tables]
    found = (alike(each.word, names) for each in said)
    return next((same[0] for same in found if len(same) == 1), "")


PARTS_MIN, PARTS_MAX = 2, 3
"""Parts of a question."""


class Smaller(BaseModel):
    """The shape of one part."""

    name: str
    question: str


class QuestionParts(BaseModel):
    """The shape of the answer."""

    parts: list[Smaller] = Field(min_length=PARTS_MIN, max_length=PARTS_MAX)


@dataclass(frozen=True, slots=True)
class Division:
    """The names and texts of a question's parts, and what puts their results together."""

    parts: tuple[tuple[str, str], ...]
    operation: Operation


def fill(task: SqlTask, shape: type[Shape], user: str) -> Shape:
    """Return what a model answers after the beginning that SQL is written after, so that it is read only once.

    Raises AgentFailed and Stopped.
    """
    system = prefix(cut_to_fit(task.question.said, task.schema), task.options)
    return task.model.fill(shape, ModelCall(system, user, task.requester, "sql_tree", temperature=0.0))


def analyse(task: SqlTask) -> Division | None:
    """Return how a complex question is divided; None for a simple one, which costs no call, and where nothing fits.

    Raises Stopped.
    """
    question = task.question
    operation = operation_of(question, task.schema)
    if operation is None:
        return None
    try:
        said = fill(task, QuestionParts, prompt("sql_parts").format(question=folded(question.text, 500)))
    except AgentFailed:  # if it is away, the call for SQL says so
        return None
    parts = _grouped(question.text, [(folded(part.name), folded(part.question, 300)) for part in said.parts])
    if operation != "beside" and len(parts) != PARTS_MIN:
        return None
    return Division(parts, operation) if _believable(question, [text for _, text in parts]) else None


def _grouped(text: str, parts: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the parts, each with what the question's rows are for: a small model says "by category" once."""
    said = tokens_of(text)
    last = len(said) - 1 - phrase_before("text_to_sql.the", said, len(said) - 1)
    grouping = phrase_before("text_to_sql.grouping", said, last)
    each = text[said[last - grouping].begin :].rstrip("?. ") if grouping else ""
    return tuple(
        (name, part if each.lower() in part.lower() else f"{part.rstrip('?. ')} {each}") for name, part in parts
    )


def _believable(question: Question, parts: list[str]) -> bool:
    """Tell whether the parts say together what the question says, and nothing else, and each of them something else."""
    whole, words = _telling_words(question.text), [_telling_words(part) for part in parts]
    if set().union(*words) != whole or len({frozenset(each) for each in words}) < len(parts):
        return False
    times = [len(periods(part, question.today)) for part in parts]
    return len(periods(question.text, question.today)) < PARTS_MIN or times == [1] * len(parts)


def _telling_words(text: str) -> set[str]:
    return {stem(word) for word in NAME_WORD.findall(text.lower()) if word not in listed("text_to_sql.neutral")}


# The schema linker and the SQL generator: the tables that a statement is written from, and the statement.

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
    question, schema, views = task.question.said, task.schema, task.options.views
    shown = cut_to_fit(question, schema)
    if not tries or views == "off" or (views == "wide" and fits(schema)):
        return View(shown)
    ways = hops(schema)
    last = tries[-1]
    chosen = _linked(ways, _named(question, schema, last))
    if len(tries) > 1:
        chosen = [*chosen, *dict.fromkeys(way.far for way in ways if way.near in chosen and way.far not in chosen)]
    beside = _beside(f"{question} {last.sql} {last.problem}", schema, chosen)
    if not beside or set(beside.tables) >= set(shown.tables):
        return View(beside or shown)
    if len(schema_text(shown)) + len(schema_text(beside)) > SCHEMA_MAX_CHARS:
        return View(beside)  # both would not fit
    return View(shown, beside)


def _named(question: str, schema: Schema, last: Try) -> list[str]:
    """Return the tables that a failed statement and its problem name, and the likeliest by the question."""
    names = [table.name for table in schema.tables]
    words = set(NAME_WORD.findall(last.problem.lower()))
    told = [name for name in names if name.lower() in words]
    likely = [name for name, score in ranked(question, schema)[:SUGGESTED_TABLES_MAX] if score]
    return list(dict.fromkeys((*_used(last.sql, schema), *told, *likely)))


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


def _beside(text: str, schema: Schema, chosen: list[str]) -> Schema | None:
    """Return as many of the tables, from the first, as may be shown once more; of wide ones what the text is about."""
    beside = None
    for count in range(1, len(chosen) + 1):
        more = narrowed(text, schema, chosen[:count])
        if len(schema_text(more)) > SECOND_VIEW_MAX_CHARS:
            break
        beside = more
    return beside


def generate(task: SqlTask, view: View, tries: tuple[Try, ...]) -> tuple[str, float | None]:
    """Return the statement that the model writes, "" where it writes none, and its surprisal.

    `tries` are what it wrote before.

    An answer without an end is none, once: at 0 degrees a small model may say one condition for ever.
    """
    tried, problem = _failed(task.question, tries)
    user = asked(replace(task, schema=view.schema), tried, problem, near=view.near, number=len(tries))
    warmth = TEMPERATURES[min(len(tries) + len(task.question.avoid), len(TEMPERATURES) - 1)]
    call = ModelCall(prefix(view.schema, task.options), user, task.requester, "sql", warmth)
    try:
        answer = task.model.answer(call)
    except AnswerCut:
        if tries and not any(each.sql for each in tries):
            raise
        return "", None
    sql = extract(answer.text, view.schema.dialect) or ""
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
    signs = signs_of(question, sql, task.schema) if options.doubts else ()
    asked = any(each.doubt for each in tries)
    against = "" if asked else next((sign.reason for sign in signs if sign.reason), "")
    spots = tuple(sign.spot for sign in signs)
    return Try(sql, "", against, repaired.notes, estimate, view, signs=spots)


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
