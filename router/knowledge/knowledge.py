"""Terms and examples that people taught the bot about a database, as far as they help with one question."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from router.language.wording import one_line

if TYPE_CHECKING:  # its guard's parser is for those who run SQL
    from router.catalog.schema import Schema


EXAMPLES_AT_ONCE, TRIES_MAX = 2, 3
"""Examples that a model is shown for one statement, and statements that it may write: each time it sees others."""

EXAMPLES_MAX = EXAMPLES_AT_ONCE * TRIES_MAX

_MARK = re.compile(r"<(?=\|)")
"""The beginning of a mark that parts a talk for a model."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the business: `meaning` in plain words, `filter` a condition in SQL that it always brings with it."""

    name: str
    meaning: str
    synonyms: tuple[str, ...] = ()
    filter: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A question whose SQL somebody found right."""

    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Known:
    """The terms that a question uses, and the examples nearest to it, the nearest first."""

    terms: tuple[Term, ...] = ()
    examples: tuple[Example, ...] = ()


NOTHING_KNOWN = Known()


class Knowledge(Protocol):
    """The interface to all that was taught; never fails: what cannot be read is logged and left out."""

    def about(self, connection: str, question: str, schema: "Schema") -> Known:
        """Return what helps with this question to a connection; `schema` has the tables that it may be about."""


def hint_of(term: Term) -> str:
    """Return a term as a model is told it: one line, which cannot pass for anything but a hint."""
    condition = f" ({term.filter})" if term.filter else ""
    return _MARK.sub("< ", one_line(f"Hint: {term.name} means {term.meaning}{condition}"))
