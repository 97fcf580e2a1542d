"""What was understood of a sentence, on its way from what was typed to whoever acts on it."""

from dataclasses import dataclass, field
from typing import Literal

from router.draft import Draft, Wish


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a conversation: what a person typed; `full` is the question that a follow-up was understood as.

    What came of it in a few words, which earlier versions kept besides, has the role "bot".
    """

    role: Literal["user", "bot"]
    text: str
    full: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One answer to a clarification: `id` is a category, or a full question's place among the options."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Clarification:
    """What is asked back, with the likely answer first."""

    question: str
    options: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was understood of one message; an empty `user_message` means that nothing is left to be understood.

    `before` and `stage` are the draft and the stage that stood when it was typed.
    """

    user_message: str = ""
    processed_query: str = ""
    """The message as a full question, with its typing errors mended."""
    primary_agent_id: str = ""
    secondary_agent_ids: tuple[str, ...] = ()
    needs_clarification: bool = False
    clarification: Clarification | None = None
    classified_intent: str = ""
    classification_confidence: float = 0.0
    classification_result: tuple[tuple[str, float], ...] = ()
    """The categories that came nearest, with their scores, the nearest first: for the audit trail, and for whoever
    looks at a sentence with `icc-bot intents show`."""
    wishes: tuple[Wish, ...] = ()
    """What is to be done with the result, one after the other."""
    evidence: str = ""
    follows: tuple[str, ...] = ()
    """The question that it follows, and the SQL of that."""
    problem: str = ""
    """What the answer to a follow-up does not tell, in a sentence for the person."""
    before: Draft = field(default_factory=Draft)
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person said that a sentence asks for, so that nobody asks them again.

    Of a follow-up, it is a full `question`, and only where the sentence comes `after` the same one.
    """

    sentence: str
    category: str
    question: str = ""
    after: str = ""
