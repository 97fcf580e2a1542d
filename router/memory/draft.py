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
    """Their time zone, such as "Europe/Vienna", if the platform tells it."""
    guest: bool = False
    """True for somebody whom the company let in for a few channels: they ask only what is open to guests."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's Yes to one exact text: `digest` binds it to the SQL, the connection and the asker."""

    digest: str
    by: User
    at: datetime


Step = Literal["write", "email", "csv", "xlsx", "chart", "share", "repeat", "ask"]
"""An action on a result, by the words of its buttons; "ask" is a further question."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that a sentence asks for, and the words that say so, as if they were typed under the result."""

    step: Step = "ask"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A query on its way from question to approval."""

    question: str = ""
    method: Literal["", "generate", "provide"] = ""
    sql: str = ""
    evidence: str = ""
    """The person's own hint for this question."""
    steps: tuple[str, ...] = ()
    """Sentences on what the SQL does, one a step."""
    title: str = ""
    """A line on what comes out of the SQL."""
    notes: tuple[str, ...] = ()
    problem: str = ""
    """The reason why `sql` cannot run; empty when it may be approved."""
    tried: tuple[str, ...] = ()
    """SQL that the person turned down for this question."""
    approval: Approval | None = None
    readings: tuple[str, ...] = ()
    """Other meanings that words of the question may have, each as a hint for the model."""
    typed: str = ""
    """The person's own words, if `question` is the meaning that was found in them."""
    intent: str = ""
    """The category that the sentence was taken for."""
    sure: float = 1.0
    """The certainty, from 0 to 1, that it is one of that category, and that this is the question."""
    follows: tuple[str, ...] = ()
    """The question below which this one was typed, and its SQL; empty if it was asked alone."""
    leans: bool = False
    """True if the question, or its SQL, takes something from the one that it `follows`: "and by month?"."""
    plan: tuple[Wish, ...] = ()
    """The steps that follow with its rows, as the person confirmed them."""
    changed: bool = False
    """True if a person changed the SQL that was written for the question: it may answer another one by now."""
    doubts: tuple[str, ...] = ()
    """Reasons against `sql` as the answer to `question`, a sentence each."""
    less_sure: bool = False
    """True if nothing does, and `sql` is less likely right than most all the same."""
    as_typed: tuple[str, ...] = ()
    """Notes on SQL that a person typed: that it was cut out of a sentence, and which signs were put right."""
    failure: str = ""
    """The database's error when `sql` ran; empty if it did not fail."""

    @property
    def subject(self) -> str:
        """The question, or else the SQL."""
        return self.question or self.sql

    @property
    def as_asked(self) -> tuple[str, ...]:
        """The question and its SQL, for a message below them; empty if there is no SQL that can run.

        What the SQL does stands for a question that does not say it alone.
        """
        asked = self.answers or self.title or self.question or "SQL of their own"
        return (asked, self.sql) if self.sql and not self.problem else ()

    def asked_again(self) -> "Draft":
        """Return the question without its SQL, to be asked again."""
        return Draft(
            self.question,
            "generate",
            evidence=self.evidence,
            intent=self.intent,
            follows=self.follows,
            leans=self.leans,
            plan=self.plan,
        )

    @property
    def explanation(self) -> str:
        """Return what the SQL does, in one text."""
        return " ".join(self.steps)

    @property
    def answers(self) -> str:
        """The question that the SQL was written for, if it says alone what that gives.

        Empty if a person changed the SQL, or typed it, and for a question that leans on another one.
        """
        return "" if self.changed or self.leans else self.question


@dataclass(frozen=True, slots=True)
class Place:
    """The data that a query is about: a connection, a schema, and the tables it was narrowed to (empty: all)."""

    connection: str = ""
    schema: str = ""
    tables: tuple[str, ...] = ()

    @property
    def at(self) -> tuple[str, str]:
        """The connection and the schema."""
        return self.connection, self.schema
