"""The understanding of a sentence, on its way from what was typed to the stage that acts on it."""

from dataclasses import dataclass, field
from typing import Literal

from router.memory.draft import Draft, Wish

Stood = Literal["rows", "sql", "own_sql", "email_sql", "provide", "provide_email"]
"""A question that a sentence below it leads back to: rows; SQL that was written, one's own, or that of an e-mail; or
if SQL is typed, for an e-mail too."""

TypedAt = Literal[Stood, "open", "ask"]
"""The question under which a sentence was typed: one of these, one where only the next question is awaited, or any
other one."""


@dataclass(frozen=True, slots=True)
class ClarificationAnswer:
    """One answer to a clarification: `id` is a category."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back, with the likely answer first."""

    question: str
    options: tuple[ClarificationAnswer, ...]


@dataclass(frozen=True, slots=True)
class Understanding:
    """The understanding of one message; an empty `user_message` means that nothing is left to be understood.

    `before` is the draft that stood when it was typed, under the question `typed_at`.
    """

    user_message: str = ""
    processed_query: str = ""
    """The message without its wishes, with its typing errors mended."""
    primary_agent_id: str = ""
    secondary_agent_ids: tuple[str, ...] = ()
    needs_clarification: bool = False
    clarification: Clarification | None = None
    classified_intent: str = ""
    classification_confidence: float = 0.0
    classification_result: tuple[tuple[str, float], ...] = ()
    """The categories that came nearest, with their scores, the nearest first: for the audit trail, and for
    `icc-bot intents show`."""
    wishes: tuple[Wish, ...] = ()
    """The steps that follow with the result, one after the other."""
    denied: tuple[str, ...] = ()
    """Steps that the message says are not wanted, in its own words."""
    unread: str = ""
    """Words of the message that are no part of its question, and no step."""
    evidence: str = ""
    follows: tuple[str, ...] = ()
    """The question below which it was typed, and the SQL of that."""
    before: Draft = field(default_factory=Draft)
    typed_at: TypedAt = "ask"
    database: str = ""
    """The connection that the message names; it is the place of the question once that is understood."""
