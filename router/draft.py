"""A query on its way from a question to an approval: who asked, what about, and who said Yes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class User:
    """A person on a platform; `id` has the platform's name in front ("slack:U123")."""

    id: str
    name: str = ""
    email: str = ""
    zone: str = ""
    """Their time zone, such as "Europe/Vienna", where the platform tells it."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's Yes to one exact text: `digest` binds it to the SQL, the connection and the asker."""

    digest: str
    by: User
    at: datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """A query on its way from question to approval."""

    question: str = ""
    method: Literal["", "generate", "provide"] = ""
    sql: str = ""
    evidence: str = ""
    """The person's own hint for this question."""
    explanation: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""
    """Why `sql` cannot run; empty when it may be approved."""
    tried: tuple[str, ...] = ()
    """SQL that the person turned down for this question."""
    approval: Approval | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """What a query is about: a connection, a schema, and the tables it was narrowed to (empty: all)."""

    connection: str = ""
    schema: str = ""
    tables: tuple[str, ...] = ()
