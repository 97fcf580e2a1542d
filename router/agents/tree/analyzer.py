"""The query analyzer: the smaller questions that a question consists of, told by a model, believed with care."""

import re
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, Field

from router.agents.periods import periods
from router.agents.prompt import prompt
from router.agents.question import Question
from router.agents.schema_text import folded
from router.agents.shape import Shape
from router.agents.tree.complexity import operation_of
from router.agents.tree.operation import Operation
from router.catalog.schema import Schema
from router.catalog.stems import stem
from router.errors import AgentFailed

LEAST, MOST = 2, 3
"""Parts of a question."""


class Fill(Protocol):
    """A question to a model that knows the schema; its answer has a shape."""

    def __call__(self, shape: type[Shape], user: str) -> Shape:
        """Return the answer; raises AgentFailed or Stopped."""


class Smaller(BaseModel):
    """The shape of one part."""

    name: str
    question: str


class Parts(BaseModel):
    """The shape of the answer."""

    parts: list[Smaller] = Field(min_length=LEAST, max_length=MOST)


@dataclass(frozen=True, slots=True)
class Division:
    """The names and texts of a question's parts, and what puts their results together."""

    parts: tuple[tuple[str, str], ...]
    operation: Operation


_WORD = re.compile(r"\w+")
_GROUP = re.compile(r"\b(?:by|per|for each|in each)\s+(?:the\s+)?\w+\s*[?.]?$", re.IGNORECASE)
_NEUTRAL = """
a against all an and are as at between by compare compared comparing comparison count database did differ difference
differs do does each for from get give has have how in is it list many me much number of on our per please ratio show
tell than that the their there to total varies vary versus vs was we were what which with
"""
_GLUE = frozenset(_NEUTRAL.split())
"""Words that a part may have or lack without meaning something else."""


def analyse(question: Question, schema: Schema, fill: Fill) -> Division | None:
    """Return how a complex question is divided; None for a simple one, which costs no call, and where nothing fits.

    Raises Stopped.
    """
    operation = operation_of(question, schema)
    if operation is None:
        return None
    try:
        said = fill(Parts, prompt("sql_parts").format(question=folded(question.text, 500)).rstrip())
    except AgentFailed:  # if it is away, the call for SQL says so
        return None
    parts = _grouped(question.text, [(folded(part.name), folded(part.question, 300)) for part in said.parts])
    if operation != "beside" and len(parts) != LEAST:
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
    return len(periods(question.text, question.today)) < LEAST or times == [1] * len(parts)


def _words(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.lower()) if word not in _GLUE}
