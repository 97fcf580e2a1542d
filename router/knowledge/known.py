"""What people taught the bot about a database, as far as it helps with one question."""

from dataclasses import dataclass
from typing import Protocol

from router.catalog.schema import Schema


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


NOTHING = Known()


class Knowledge(Protocol):
    """What was taught about all connections; never fails: what cannot be read is logged and left out."""

    def about(self, connection: str, question: str, schema: Schema) -> Known:
        """Return what helps with this question to a connection; `schema` has the tables that it may be about."""
