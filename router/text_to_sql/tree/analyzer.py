"""The query analyzer: the smaller questions that a question consists of, told by a model, believed with care."""

import re
from dataclasses import dataclass
from itertools import pairwise

from pydantic import BaseModel, Field

from router.catalog.schema import Schema
from router.errors import AgentFailed
from router.language.inflection import stem
from router.language.wording import NAME_WORD
from router.llm.call import ModelCall, Shape
from router.text_to_sql.periods import periods
from router.text_to_sql.prompt import prefix, prompt
from router.text_to_sql.question import Question, SqlTask
from router.text_to_sql.repair.query import alike
from router.text_to_sql.schema_text import folded
from router.text_to_sql.table_ranking import cut_to_fit
from router.text_to_sql.tree.node import Operation

# Rules that tell a question for several results, which are put together, from a simple one; in doubt it is simple.


_RATIO = re.compile(r"\bratio (?:of|between)\b.+\b(?:to|and)\b", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\bdifference (?:between|in\b.+\bbetween)\b.+\band\b", re.IGNORECASE)
_COMPARISON = re.compile(
    r"\bcompar(?:e|es|ed|ing|ison)\b.+\b(?:and|with|to|against|versus|vs)\b|\b(?:versus|vs\.?)\s", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s*,?\s*(?:and|with|than|versus|vs\.?|against)\s+(?:the\s+)?", re.IGNORECASE)
_ORDERED = re.compile(
    r"\b(?:top|highest|lowest|most|least|largest|smallest|biggest|best|worst|maximum|minimum|max|min|rank\w*|order(?:ed)?"
    r" by|sort\w*|but not|and not|without|more than|less than|earliest|latest|list all)\b",
    re.IGNORECASE,
)
"""Words for what one statement does better: extremes of a column, an order over all rows, what is in one set alone."""
_BOTH = re.compile(r"\b(?:who|whose|which|that|both)\b", re.IGNORECASE)
"""Words that make two times a condition of one row: "customers who ordered this year and last year"."""

_SUM = re.compile(
    r"\b(?:(?:number|count|sum|amount) of|how many|total(?! number)|average)\s+(?:the\s+)?", re.IGNORECASE
)
_SENTENCES = re.compile(r"[.?!;]\s+\S")
DIVIDED_QUESTION_MAX_CHARS = 300
"""Characters of a question that is divided: a longer one says more than its parts would."""


def operation_of(question: Question, schema: Schema) -> Operation | None:
    """Return what puts the results of the question's parts together, None where it is not to be divided."""
    text = question.text.strip()
    if len(text) > DIVIDED_QUESTION_MAX_CHARS or _SENTENCES.search(text) or _ORDERED.search(text):
        return None
    if _RATIO.search(text):
        return "ratio"
    if _DIFFERENCE.search(text):
        return "difference"
    if _COMPARISON.search(text) or _times(question) or _tables(text, schema):
        return "beside"
    return None


def _times(question: Question) -> bool:
    """Tell whether two times stand side by side: "this month and last month"."""
    if _BOTH.search(question.text):
        return False
    times = periods(question.text, question.today)
    text = " ".join(question.text.lower().split())
    return any(
        _BETWEEN.fullmatch(text[text.find(first.words) + len(first.words) : text.find(second.words)])
        for first, second in pairwise(times)
    )


def _tables(text: str, schema: Schema) -> bool:
    """Tell whether two numbers from different tables are asked for: a join would multiply one by the other."""
    sums = list(_SUM.finditer(text))
    counted = [_table(text[match.end() :], schema) for match in sums] if len(sums) > 1 else [""]
    return "" not in counted and len(set(counted)) == len(counted)


def _table(text: str, schema: Schema) -> str:
    """Return the only table that the first or the second word names, "" where there is none."""
    names = [table.name for table in schema.tables]
    found = (alike(word, names) for word in NAME_WORD.findall(text)[:2])
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


_GROUP = re.compile(r"\b(?:by|per|for each|in each)\s+(?:the\s+)?\w+\s*[?.]?$", re.IGNORECASE)
_NEUTRAL = """
a against all an and are as at between by compare compared comparing comparison count database did differ difference
differs do does each for from get give has have how in is it list many me much number of on our per please ratio show
tell than that the their there to total varies vary versus vs was we were what which with
"""
_GLUE = frozenset(_NEUTRAL.split())
"""Words that a part may have or lack without meaning something else."""


def fill(task: SqlTask, shape: type[Shape], user: str) -> Shape:
    """Return what a model answers after the beginning that SQL is written after, so that it is read only once.

    Raises AgentFailed and Stopped.
    """
    system = prefix(cut_to_fit(task.question.text, task.schema), task.options)
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
    group = _GROUP.search(text.strip())
    each = group.group(0).rstrip("?. ") if group else ""
    return tuple(
        (name, part if each.lower() in part.lower() else f"{part.rstrip('?. ')} {each}") for name, part in parts
    )


def _believable(question: Question, parts: list[str]) -> bool:
    """Tell whether the parts say together what the question says, and nothing else, and each of them something else."""
    whole, words = _words(question.text), [_words(part) for part in parts]
    if set().union(*words) != whole or len({frozenset(each) for each in words}) < len(parts):
        return False
    times = [len(periods(part, question.today)) for part in parts]
    return len(periods(question.text, question.today)) < PARTS_MIN or times == [1] * len(parts)


def _words(text: str) -> set[str]:
    return {stem(word) for word in NAME_WORD.findall(text.lower()) if word not in _GLUE}
