"""What was asked before, and what a message after it was understood as."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from router.sql.dialect import Name

Kind = Literal[
    "time",
    "group",
    "filter",
    "exclude",
    "include",
    "order",
    "limit",
    "measure",
    "columns",
    "count",
    "extreme",
    "reverse",
    "share",
    "unit",
    "compare",
    "subject",
    "cause",
]
"""What a follow-up changes of the question before it; the first thing, where it changes several."""

Homes = Callable[[str], frozenset[str]]
"""Tells in which columns ("countries.name") a text is a value, in any spelling; none where it is no value."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that ran, in full words, and its SQL; `columns` are those of its result.

    `names` are the words that the database's tables and columns are made of, in lower case, singular or plural.
    """

    question: str
    sql: str = ""
    columns: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    dialect: Name = "sqlite"


@dataclass(frozen=True, slots=True)
class Understood:
    """The full question that a message asks; `confidence` from 0 to 1 tells how sure that is.

    `options` are other full questions that it may mean just as well; `problem` says what cannot be known.
    """

    question: str
    confidence: float
    kind: Kind
    options: tuple[str, ...] = ()
    problem: str = ""


def nowhere(_text: str) -> frozenset[str]:
    """Know of no value."""
    return frozenset()
